// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules of one compilation, in one file.
#ifndef PASSES_TILEAS_SCHEDULE_TRACESINK_H
#define PASSES_TILEAS_SCHEDULE_TRACESINK_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"
#include "passes/tileas_schedule/solver/Trace.h"

#include <map>
#include <mutex>

namespace tileir {

/// Shared by the copies of a pass that work on functions at once.
class TraceSink {
public:
  /// Adds what was found for the function, and writes the file anew: it is
  /// whole at any time. Reports when it cannot be written.
  mlir::LogicalResult add(const ScheduleAnalysis::Function &function,
                          const ScheduleOptions &options, llvm::StringRef path);

private:
  std::mutex mutex;
  mlir::Operation *root = nullptr;
  /// By place in the module.
  std::map<std::vector<unsigned>, schedule::TraceFunction> functions;
};

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_TRACESINK_H

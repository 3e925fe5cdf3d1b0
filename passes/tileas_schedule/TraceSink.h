// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the schedules of one compilation in one file.
#ifndef PASSES_TILEAS_SCHEDULE_TRACESINK_H
#define PASSES_TILEAS_SCHEDULE_TRACESINK_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"
#include "passes/tileas_schedule/solver/text/Trace.h"

#include <map>
#include <mutex>

namespace tileir {

/// Shared by the clones of a pass that work on functions in parallel.
class TraceSink {
public:
  /// Adds the schedules of the function and rewrites the file, which is
  /// complete at any time. Reports an error if it cannot be written.
  mlir::LogicalResult add(const ScheduleAnalysis::Function &function,
                          const ScheduleOptions &options, llvm::StringRef path);

private:
  std::mutex mutex;
  mlir::Operation *root = nullptr;
  /// Keyed by position in the module.
  std::map<std::vector<unsigned>, schedule::TraceFunction> functions;
};

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_TRACESINK_H

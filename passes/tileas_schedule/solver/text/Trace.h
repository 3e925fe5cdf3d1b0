// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visual traces of schedules: a Chrome trace and an HTML page.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_TRACE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_TRACE_H

#include "passes/tileas_schedule/solver/ResourceUsage.h"

namespace tileir::schedule {

struct TraceRegion {
  Problem problem;
  Result result;
  ResourceUsage usage;
  unsigned constraintIterations = 1;
  std::optional<uint64_t> seed;
  /// Source location of the loop.
  std::string location;
};

struct TraceFunction {
  std::string name;
  std::vector<TraceRegion> regions;
};

struct Trace {
  std::string target;
  unsigned modelVersion = 1;
  unsigned v2OptLevel = 0;
  /// In module order.
  std::vector<TraceFunction> functions;
};

/// Returns the slots of the deepest circular buffer in shared memory.
int pipelineDepth(const TraceRegion &region);

/// Returns the cycles from the start of a node to the start of its first
/// dependent node; its latency if it has none.
int64_t actualLatency(const TraceRegion &region, int node);

/// Prints the trace-event format of Perfetto and chrome://tracing.
std::string printChromeTrace(const Trace &trace);
/// Prints a self-contained page.
std::string printHtmlTrace(const Trace &trace);

/// Writes a whole file or none. Returns the text of an error, or nothing.
std::string writeTraceFile(const std::string &path, const std::string &text);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_TRACE_H

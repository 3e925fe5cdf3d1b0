// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules to look at: a Chrome trace, and an HTML page of its own.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TRACE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TRACE_H

#include "passes/tileas_schedule/solver/Pressures.h"

namespace tileir::schedule {

struct TraceRegion {
  Problem problem;
  Result result;
  Pressures pressures;
  unsigned constraintIterations = 1;
  std::optional<uint64_t> seed;
  /// Where the loop stands.
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

/// Slots of the deepest ring in shared memory.
int ringDepth(const TraceRegion &region);

/// Cycles from the start of a node to the start of the first that depends on
/// it; its latency when none does.
int64_t actualLatency(const TraceRegion &region, int node);

/// The trace-event form that Perfetto and chrome://tracing open.
std::string printChromeTrace(const Trace &trace);
/// A page without references to anything else.
std::string printHtmlTrace(const Trace &trace);

/// Writes a file as a whole or not at all. An error's text, or nothing.
std::string writeTraceFile(const std::string &path, const std::string &text);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TRACE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/TraceSink.h"

namespace tileir {

using namespace mlir;

/// Returns the indices of `op` and its parents in their blocks, outermost
/// first. Sets `root` to the outermost operation.
static std::vector<unsigned> getPlace(Operation *op, Operation *&root) {
  std::vector<unsigned> place;
  for (; op->getParentOp(); op = op->getParentOp()) {
    unsigned number = 0;
    for (Operation &other : *op->getBlock()) {
      if (&other == op)
        break;
      ++number;
    }
    place.insert(place.begin(), number);
  }
  root = op;
  return place;
}

static std::string describe(scf::ForOp loop) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!loop)
    return text;
  if (auto file = loop.getLoc()->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine();
  return text;
}

LogicalResult TraceSink::add(const ScheduleAnalysis::Function &function,
                             const ScheduleOptions &options, StringRef path) {
  Operation *top = nullptr;
  std::vector<unsigned> place = getPlace(function.op, top);
  schedule::TraceFunction entry;
  entry.name = function.name;
  for (const ScheduleAnalysis::Region &region : function.regions) {
    schedule::TraceRegion traced;
    traced.problem = region.solution.problem;
    traced.result = region.solution.result;
    traced.usage = region.solution.usage;
    traced.constraintIterations = region.solution.iterations;
    if (options.randomDelay)
      traced.seed = options.randomDelaySeed;
    traced.location = describe(region.loop);
    entry.regions.push_back(std::move(traced));
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (root != top)
    functions.clear();
  root = top;
  functions[std::move(place)] = std::move(entry);
  schedule::Trace trace;
  trace.target = function.target.name();
  trace.modelVersion = Rates::version();
  trace.v2OptLevel = options.solver.v2OptLevel;
  for (const auto &[at, known] : functions)
    trace.functions.push_back(known);
  std::string text = path.ends_with(".html")
                         ? schedule::printHtmlTrace(trace)
                         : schedule::printChromeTrace(trace);
  std::string error = schedule::writeTraceFile(path.str(), text);
  if (error.empty())
    return success();
  return emitError(function.op->getLoc()) << error;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Timing.h"

#include "dialects/support/Output.h"

#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace tileir::driver {

/// Entries shorter than this, in microseconds, are omitted from the trace.
static constexpr unsigned traceGranularity = 100;

PhaseTimer::PhaseTimer(bool timing, std::string file)
    : traceFile(std::move(file)) {
  manager.setEnabled(timing);
  scopes.push_back(manager.getRootScope());
  if (!traceFile.empty())
    llvm::timeTraceProfilerInitialize(traceGranularity, "tileir");
}

PhaseTimer::~PhaseTimer() {
  // `finish` prints the table, or it is not printed at all.
  scopes.clear();
  manager.clear();
  if (!traceFile.empty())
    llvm::timeTraceProfilerCleanup();
}

void PhaseTimer::enterThread() {
  if (!traceFile.empty())
    llvm::timeTraceProfilerInitialize(traceGranularity, "tileir");
}

void PhaseTimer::leaveThread() {
  if (!traceFile.empty())
    llvm::timeTraceProfilerFinishThread();
}

PhaseCallback PhaseTimer::callback() {
  return [this](llvm::StringRef name, bool begin) {
    if (begin)
      scopes.push_back(scopes.back().nest(name));
    else
      scopes.pop_back();
  };
}

Status PhaseTimer::finish(const Reporter &reporter) {
  scopes.front().stop();
  if (manager.isEnabled()) {
    std::string table;
    llvm::raw_string_ostream stream(table);
    manager.dumpAsTree(stream);
    reporter.forward(table);
  }
  if (traceFile.empty())
    return Status::Success;
  llvm::SmallString<0> trace;
  llvm::raw_svector_ostream stream(trace);
  llvm::timeTraceProfilerWrite(stream);
  if (traceFile == "-") {
    reporter.forward(trace);
    return Status::Success;
  }
  OutputRequest request;
  request.path = traceFile;
  request.bytes = trace.str();
  if (int error = writeOutput(request))
    return reporter.error(Status::File, "cannot write '" + escaped(traceFile) +
                                            "': " + strerror(error));
  return Status::Success;
}

} // namespace tileir::driver

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TOOLS_TILEIR_SCHEDULE_OPTIONS_H
#define TOOLS_TILEIR_SCHEDULE_OPTIONS_H

#include "passes/tileas_schedule/solver/Solver.h"

#include <string>

namespace tileir::schedule {

/// Exit codes of the tool.
enum ExitCode { kOk = 0, kInfeasible = 1, kUsage = 2, kWrong = 3 };

struct ToolOptions {
  /// A file, or `-`.
  std::string input;
  Options solver;
  /// Stages of a baseline pipeline; 0: none.
  int64_t baselineStages = 0;
  std::optional<uint64_t> delaySeed;
  bool check = false;
  /// Prints every attempt.
  bool why = false;
  /// Prints the problem instead of solving it.
  bool printProblem = false;
  std::string traceFile, htmlFile;

  /// Number and size of randomized problems by seed; checked, not printed.
  std::optional<int64_t> numRandom;
  uint64_t seed = 1;
  int64_t numNodes = 0;
  /// Measures problems of growing size.
  bool measureGrowth = false;
};

/// Reads the command line. Returns an exit code if there is nothing to do.
std::optional<int> parseCommandLine(int argc, char **argv,
                                    ToolOptions &options);

/// The modes; exit codes.
int runProblem(const ToolOptions &options);
int runRandom(const ToolOptions &options);
int runGrowth(const ToolOptions &options);

} // namespace tileir::schedule

#endif // TOOLS_TILEIR_SCHEDULE_OPTIONS_H

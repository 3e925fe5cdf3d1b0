// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-schedule/Options.h"

#include "dialects/support/Output.h"

using namespace tileir::schedule;

static int run(int argc, char **argv) {
  ToolOptions options;
  if (std::optional<int> code = parseCommandLine(argc, argv, options))
    return *code;
  if (options.measureGrowth)
    return runGrowth(options);
  return options.numRandom ? runRandom(options) : runProblem(options);
}

int main(int argc, char **argv) {
  return tileir::finishStandardOutput(run(argc, argv), /*unwritable=*/2);
}

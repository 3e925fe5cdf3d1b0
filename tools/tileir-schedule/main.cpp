// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-schedule/Options.h"

using namespace tileir::schedule;

int main(int argc, char **argv) {
  ToolOptions options;
  if (std::optional<int> code = parseCommandLine(argc, argv, options))
    return *code;
  if (options.measureGrowth)
    return runGrowth(options);
  return options.numRandom ? runRandom(options) : runProblem(options);
}

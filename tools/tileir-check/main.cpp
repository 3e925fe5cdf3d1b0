// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/cases/Case.h"
#include "tools/process/Process.h"
#include "tools/tileir-check/Options.h"

#include <cstdio>

using namespace tileir;
using namespace tileir::check;

int main(int argc, char **argv) {
  tileir::cases::exitWhenOutOfMemory();
  Options options;
  if (std::optional<int> code = parseCommandLine(argc, argv, options))
    return *code;
  options.scratch = makeScratchFolder();
  if (options.scratch.empty()) {
    fprintf(stderr, "error: cannot make a temporary folder\n");
    return 2;
  }
  int code = options.numRandom     ? checkRandom(options)
             : options.onlyVerdict ? judgeCase(options)
                                   : checkCases(options);
  removeScratchFolder();
  return code;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

int main(int argc, char **argv) {
  tileir::InterpOptions options;
  if (std::optional<int> code = tileir::parseCommandLine(argc, argv, options))
    return *code;
  return tileir::runCase(options);
}

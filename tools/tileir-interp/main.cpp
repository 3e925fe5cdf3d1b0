// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

#include "dialects/support/Output.h"

#include "llvm/Support/raw_ostream.h"

static int run(int argc, char **argv) {
  tileir::cases::exitWhenOutOfMemory();
  tileir::InterpOptions options;
  if (std::optional<int> code = tileir::parseCommandLine(argc, argv, options))
    return *code;
  return tileir::runCase(options);
}

int main(int argc, char **argv) {
  int status = run(argc, argv);
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return tileir::finishStandardOutput(status, /*unwritable=*/2);
  llvm::errs() << "error: cannot write to standard output: "
               << llvm::outs().error().message() << '\n';
  llvm::outs().clear_error();
  return status ? status : 2;
}

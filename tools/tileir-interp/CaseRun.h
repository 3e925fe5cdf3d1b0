// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a case in the oracle.

#ifndef TOOLS_TILEIR_INTERP_CASERUN_H
#define TOOLS_TILEIR_INTERP_CASERUN_H

#include "dialects/cuda_tile/reference/Interpreter.h"
#include "tools/cases/Case.h"

namespace tileir {

struct InterpOptions {
  cases::Case theCase;
  reference::RunOptions run;
  std::string outDirectory, reportFile;
  /// File for the case of the kernel's signature, written instead of a run, and
  /// the architecture in it.
  std::string initFile, arch = "sm_90";
  /// Kinds of findings that are switched off.
  std::vector<std::string> silent;
};

/// Reads the command line and the case. Returns an exit code if there is
/// nothing to run.
std::optional<int> parseCommandLine(int argc, char **argv,
                                    InterpOptions &options);

/// Runs the case and reports the outcome: 0 if everything agrees, 1 if
/// something differs or was found, 2 if the case cannot be run.
int runCase(const InterpOptions &options);

} // namespace tileir

#endif // TOOLS_TILEIR_INTERP_CASERUN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "llvm/Support/CommandLine.h"

#include <cstdlib>

// Flags of the program that loads the dialect; a dialect has no other options.
static llvm::cl::opt<bool> warnUnsupportedHints(
    "Wunsupported-hints",
    llvm::cl::desc("Warn about optimization hints that no compiler reads"),
    llvm::cl::init(false));
static llvm::cl::opt<bool> errorOnHints(
    "Werr-hints",
    llvm::cl::desc("Fail after a warning about optimization hints"),
    llvm::cl::init(false));

/// Whether the environment says what a flag says. A flag of a plugin has to
/// come after the option that loads it, which not every caller can arrange.
static bool isSetInEnvironment(const char *variable) {
  const char *value = std::getenv(variable);
  return value && llvm::StringRef(value) == "1";
}

void mlir::cuda_tile::registerDialectWithFlags(DialectRegistry &registry) {
  registry.insert<CudaTileDialect>();
  registry.addExtension(+[](MLIRContext *, CudaTileDialect *dialect) {
    dialect->setWarnUnsupportedHints(warnUnsupportedHints ||
                                     isSetInEnvironment("TILEIR_WARN_HINTS"));
    dialect->setErrorOnHints(errorOnHints ||
                             isSetInEnvironment("TILEIR_ERR_HINTS"));
  });
}

TILEIR_PLUGIN("CudaTileDialect", mlir::cuda_tile::registerDialectWithFlags,
              tileir::registerNoPasses)

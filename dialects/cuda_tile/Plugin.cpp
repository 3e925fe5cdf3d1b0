// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/support/RuntimeGates.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "llvm/Support/CommandLine.h"

// Flags of the program that loads the dialect; a dialect has no other options.
static llvm::cl::opt<bool> warnUnsupportedHints(
    "Wunsupported-hints",
    llvm::cl::desc("Warn about optimization hints that no compiler reads"),
    llvm::cl::init(false));
static llvm::cl::opt<bool> errorOnHints(
    "Werr-hints",
    llvm::cl::desc("Fail after a warning about optimization hints"),
    llvm::cl::init(false));

void mlir::cuda_tile::registerDialectWithFlags(DialectRegistry &registry) {
  registry.insert<CudaTileDialect>();
  registry.addExtension(+[](MLIRContext *, CudaTileDialect *dialect) {
    dialect->setWarnUnsupportedHints(warnUnsupportedHints ||
                                     tileir::gates::warnHints());
    dialect->setErrorOnHints(errorOnHints || tileir::gates::errorOnHints());
  });
}

TILEIR_PLUGIN("CudaTileDialect", mlir::cuda_tile::registerDialectWithFlags,
              tileir::registerNoPasses)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server of MLIR with the dialects of this project.

#include "pipelines/Segments.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileir::registerTileIRDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

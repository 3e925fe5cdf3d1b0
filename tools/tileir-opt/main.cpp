// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with the plugins of this project already loaded.

#include "dialects/cuda_tile/CudaTile.h"
#include "pipelines/Segments.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  tileir::registerTileIRPasses();
  tileir::registerTileIRPipelines();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tileir::registerTileIRDialects(registry);
  mlir::cuda_tile::registerDialectWithFlags(registry);

  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tile IR optimizer driver\n", registry));
}

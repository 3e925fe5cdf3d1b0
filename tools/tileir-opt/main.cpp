// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with the plugins of this project already loaded.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/host_wrapper/Passes.h"
#include "passes/nvvm_finalize/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  tileir::registerHostWrapperPasses();
  tileir::registerNVVMFinalizePasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::cuda_tile::registerDialectWithFlags(registry);
  registry
      .insert<mlir::nv_tileaa::TileAADialect, mlir::nv_tileas::TileASDialect>();

  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Tile IR optimizer driver\n", registry));
}

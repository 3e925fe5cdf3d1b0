// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/host_wrapper/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                  mlir::NVVM::NVVMDialect, mlir::nv_tileaa::TileAADialect,
                  mlir::nv_tileas::TileASDialect>();
}

TILEIR_PLUGIN("HostWrapperPasses", registerDialects,
              tileir::registerHostWrapperPasses)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "passes/frame/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::LLVM::LLVMDialect>();
}

TILEIR_PLUGIN("FramePasses", registerDialects, tileir::registerFramePasses)

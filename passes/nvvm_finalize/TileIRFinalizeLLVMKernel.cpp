// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/nvvm_finalize/KernelRules.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEIRFINALIZELLVMKERNEL
#include "passes/nvvm_finalize/TileIRFinalizeLLVMKernel.h.inc"

namespace {

using namespace mlir;

struct TileIRFinalizeLLVMKernel final
    : impl::TileIRFinalizeLLVMKernelBase<TileIRFinalizeLLVMKernel> {
  void runOnOperation() override {
    FailureOr<Target> target = moduleTarget(getOperation());
    if (failed(target) || failed(finalizeKernels(getOperation(), *target)))
      return signalPassFailure();
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      numKernels += func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
  }
};

} // namespace

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"

namespace tileir {

#define GEN_PASS_DEF_TILEIRGPUMODULEPREPARE
#include "passes/nvvm_finalize/TileIRGPUModulePrepare.h.inc"

namespace {

using namespace mlir;

struct TileIRGPUModulePrepare final
    : impl::TileIRGPUModulePrepareBase<TileIRGPUModulePrepare> {
  void runOnOperation() override;
};

} // namespace

/// CTAs of the tile block of `kernel`, as its attributes state.
static int64_t numCtas(FunctionOpInterface kernel) {
  if (auto func = dyn_cast<nv_tileaa::FuncOp>(*kernel)) {
    if (auto spec = func.getKernelSpecAttr())
      return spec.getNumCtas();
    auto attr =
        func->getParentOp()->getAttrOfType<IntegerAttr>("nv_tileaa.num_ctas");
    return attr ? attr.getInt() : 1;
  }
  int64_t ctas = 1;
  if (auto dim = kernel->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getClusterDimAttrName()))
    for (int32_t extent : dim.asArrayRef())
      ctas *= extent;
  return ctas;
}

static LogicalResult checkCtas(FunctionOpInterface kernel,
                               const Target &target) {
  int64_t ctas = numCtas(kernel);
  if (ctas <= 1)
    return success();
  if (!target.hasCluster())
    return kernel.emitError()
           << "num-ctas = " << ctas << " needs sm_90 or later, target is '"
           << target.name() << "'; compile with num-ctas = 1";
  if (ctas > limits::clusterMax)
    return kernel.emitError() << "num-ctas = " << ctas << " exceeds "
                              << limits::clusterMax << "; use fewer";
  if (ctas > limits::clusterPortable)
    kernel.emitWarning() << "cluster of " << ctas << " CTAs is not portable";
  return success();
}

void TileIRGPUModulePrepare::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  FailureOr<Target> target = moduleTarget(module);
  if (failed(target))
    return signalPassFailure();
  if (!target->supportedForTileLowering()) {
    module.emitError() << "target '" << target->name()
                       << "' has no tile lowering; expected one of "
                       << Target::tileLoweringNames();
    return signalPassFailure();
  }

  bool changed = false;
  if (!module->hasAttr(launch::abiName)) {
    module->setAttr(launch::abiName, StringAttr::get(&getContext(), "tile"));
    changed = true;
    ++numDefaults;
  } else if (!launchAbi(module)) {
    module.emitError() << "'" << launch::abiName
                       << "' expects 'tile' or 'plain', got "
                       << module->getAttr(launch::abiName);
    return signalPassFailure();
  }
  StringRef persistent = "nv_tileaa.dynamic_persistent";
  if (Attribute attr = module->getAttr(persistent);
      attr && !isa<UnitAttr>(attr)) {
    module.emitError() << "'" << persistent << "' expects a unit attribute";
    return signalPassFailure();
  }

  llvm::StringMap<Operation *> names;
  bool ok = true;
  module.walk([&](FunctionOpInterface function) {
    auto tileFunc = dyn_cast<nv_tileaa::FuncOp>(*function);
    if (!(tileFunc ? tileFunc.getKernel() : isKernel(function)))
      return;
    ++numKernels;
    auto [it, inserted] = names.try_emplace(function.getName(), function);
    if (!inserted) {
      function.emitError() << "kernel '" << function.getName()
                           << "' is defined twice"
                           << (function->getParentOp() == module
                                   ? ""
                                   : " once nested modules are merged");
      ok = false;
    }
    ok &= succeeded(checkCtas(function, *target));
  });
  if (!ok)
    return signalPassFailure();
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir

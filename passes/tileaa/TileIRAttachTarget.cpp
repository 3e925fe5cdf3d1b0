// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileir-attach-target"

namespace tileir {

#define GEN_PASS_DECL_TILEIRATTACHTARGET
#define GEN_PASS_DEF_TILEIRATTACHTARGET
#include "passes/tileaa/TileIRAttachTarget.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TileIRAttachTarget final
    : impl::TileIRAttachTargetBase<TileIRAttachTarget> {
  using TileIRAttachTargetBase::TileIRAttachTargetBase;

  void runOnOperation() override;

private:
  LogicalResult attachTarget(gpu::GPUModuleOp module);
  void attachOptions(gpu::GPUModuleOp module);
};

} // namespace

/// Attribute of older modules, spelled as the option.
static constexpr StringLiteral kDashedComputeCapability =
    "nv_tileaa.compute-capability";

LogicalResult TileIRAttachTarget::attachTarget(gpu::GPUModuleOp module) {
  if (Attribute dashed = module->removeAttr(kDashedComputeCapability))
    if (!module->hasAttr(aa::kComputeCapabilityAttr))
      module->setAttr(aa::kComputeCapabilityAttr, dashed);
  std::string name = computeCapability;
  StringRef source = "the option";
  if (name.empty()) {
    name = namedTarget(module);
    source = "the module";
  }
  if (name.empty()) {
    name = fallbackComputeCapability;
    source = "the fallback";
  }
  if (name.empty())
    return success();
  TILEIR_LOG() << module.getName() << ": " << source << " names " << name;
  std::optional<Target> target = Target::parse(name);
  if (!target || !target->supportedForTileLowering())
    return module.emitError("target '")
           << name << "' is unknown or has no tile lowering; expected one of "
           << Target::tileLoweringNames();
  Builder builder(&getContext());
  module->setAttr(aa::kComputeCapabilityAttr,
                  builder.getI32IntegerAttr(target->number()));
  module->setAttr(aa::kTargetSpecAttr, builder.getStringAttr(target->name()));
  return success();
}

void TileIRAttachTarget::attachOptions(gpu::GPUModuleOp module) {
  Builder builder(&getContext());
  module->setAttr(aa::kNumWarpsAttr, builder.getI32IntegerAttr(numWarps));
  module->setAttr(aa::kNumCtasAttr, builder.getI32IntegerAttr(numCtas));
  auto setFlag = [&](StringRef name, bool value) {
    if (value)
      module->setAttr(name, builder.getUnitAttr());
    else
      module->removeAttr(name);
  };
  setFlag(aa::kApproxAttr, approx);
  setFlag(aa::kFtzAttr, ftz);
  setFlag(aa::kDynamicPersistentAttr, dynamicPersistent);
  setFlag(aa::kLibnvvmUseNvgpucompAttr, useNvgpucompLibnvvm);
  module->setAttr("tileir.launch_abi", builder.getStringAttr(launchAbi));
}

void TileIRAttachTarget::runOnOperation() {
  ModuleOp root = getOperation();
  if (launchAbi != "tile" && launchAbi != "plain") {
    root.emitError("launch-abi is '")
        << launchAbi << "'; expected 'tile' or 'plain'";
    return signalPassFailure();
  }
  wrapTileModules(root);
  auto modules = root.getOps<gpu::GPUModuleOp>();
  if (modules.empty()) {
    root.emitError("no gpu.module or cuda_tile.module to compile");
    return signalPassFailure();
  }
  root->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                UnitAttr::get(&getContext()));
  for (gpu::GPUModuleOp module : modules) {
    if (failed(attachTarget(module)))
      return signalPassFailure();
    attachOptions(module);
    ++numModules;
  }
}

} // namespace tileir

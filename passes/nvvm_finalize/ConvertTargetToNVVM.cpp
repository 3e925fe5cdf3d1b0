// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"
#include "dialects/nv_tileaa/ModuleFacts.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "convert-target-to-nvvm"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTARGETTONVVM
#define GEN_PASS_DEF_CONVERTTARGETTONVVM
#include "passes/nvvm_finalize/ConvertTargetToNVVM.h.inc"

namespace {

using namespace mlir;

struct ConvertTargetToNVVM final
    : impl::ConvertTargetToNVVMBase<ConvertTargetToNVVM> {
  using ConvertTargetToNVVMBase::ConvertTargetToNVVMBase;

  void runOnOperation() override;

  DictionaryAttr makeFlags(NVVM::NVVMTargetAttr replaced);
};

} // namespace

/// The target that the pass replaces, if there is one.
static NVVM::NVVMTargetAttr existingTarget(gpu::GPUModuleOp module) {
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute attr : targets)
      if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
        return target;
  return module->getAttrOfType<NVVM::NVVMTargetAttr>("nvvm.target");
}

DictionaryAttr ConvertTargetToNVVM::makeFlags(NVVM::NVVMTargetAttr replaced) {
  Builder builder(&getContext());
  SmallVector<NamedAttribute> flags;
  auto add = [&](bool wanted, StringRef name) {
    if (wanted)
      flags.push_back(builder.getNamedAttr(name, builder.getUnitAttr()));
  };
  gpu::GPUModuleOp module = getOperation();
  add(debug, "-g");
  // An unroll pragma holds for loops of any size.
  add(true, "-Xopt");
  add(true, "-pragma-unroll-threshold=9900000");
  // No contraction beyond the `fma`s of the IR.
  add(true, "-fma=0");
  add(module->hasAttr("nv_tileaa.libnvvm_use_nvgpucomp"),
      "libNVVMUseNVGpuComp");
  add(module->hasAttr("nv_tileaa.approx"), "fast");
  add(module->hasAttr("nv_tileaa.ftz"), "ftz");
  if (replaced && replaced.getFlags() && replaced.hasCmdOptions())
    flags.push_back(*replaced.getCmdOptions());
  return builder.getDictionaryAttr(flags);
}

void ConvertTargetToNVVM::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  if (archSuffix != "accelerated" && archSuffix != "minimal") {
    module.emitError() << "invalid value '" << archSuffix
                       << "' for option 'arch-suffix'; expected one of "
                          "'accelerated', 'minimal'";
    return signalPassFailure();
  }
  if (optLevel < 0 || optLevel > 3) {
    module.emitError() << "invalid value '" << optLevel.getValue()
                       << "' for option 'opt-level'; expected 0 to 3";
    return signalPassFailure();
  }
  FailureOr<Target> base = moduleTarget(module);
  if (failed(base))
    return signalPassFailure();
  bool needsAccelerated = module->hasAttr(kNeedsAcceleratedArchAttr);
  Target chip = archSuffix == "accelerated" ? base->accelerated()
                                            : base->minimal(needsAccelerated);
  TILEIR_LOG() << module.getName() << ": " << chip.name() << " for "
               << base->name()
               << (needsAccelerated ? ", instructions need a suffix" : "");
  numAccelerated += chip.suffix() != ArchSuffix::None;
  NVVM::NVVMTargetAttr replaced = existingTarget(module);
  auto target = NVVM::NVVMTargetAttr::get(
      &getContext(), optLevel, "nvptx64-nvidia-cuda", chip.name(),
      "+ptx" + std::to_string(limits::ptxCodegen), makeFlags(replaced),
      replaced ? replaced.getLink() : ArrayAttr(), /*verifyTarget=*/false);
  module->removeAttr("nvvm.target");
  module.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/Serializable.h"
#include "dialects/nv_tileaa/ModuleFacts.h"
#include "passes/analysis/Remarks.h"
#include "passes/nvvm_finalize/KernelRules.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRPOSTNVVMFINALIZE
#define GEN_PASS_DEF_TILEIRPOSTNVVMFINALIZE
#include "passes/nvvm_finalize/TileIRPostNVVMFinalize.h.inc"

namespace {

using namespace mlir;

struct TileIRPostNVVMFinalize final
    : impl::TileIRPostNVVMFinalizeBase<TileIRPostNVVMFinalize> {
  using TileIRPostNVVMFinalizeBase::TileIRPostNVVMFinalizeBase;

  void runOnOperation() override;

  void eraseTileAttributes();
};

} // namespace

/// The only `#nvvm.target` of the module; without one verifySerializable gives
/// the error.
static NVVM::NVVMTargetAttr getTarget(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets || targets.size() != 1)
    return {};
  return dyn_cast<NVVM::NVVMTargetAttr>(targets[0]);
}

static LogicalResult checkChip(gpu::GPUModuleOp module,
                               NVVM::NVVMTargetAttr attr) {
  std::optional<Target> chip = Target::parse(std::string_view(attr.getChip()));
  if (!chip)
    return module.emitError() << "unknown chip '" << attr.getChip()
                              << "'; run convert-target-to-nvvm";
  if (module->hasAttr(kNeedsAcceleratedArchAttr) &&
      *chip != chip->accelerated())
    return module.emitError()
           << "chip '" << chip->name()
           << "' lacks the suffix that the kernels need; run "
              "convert-target-to-nvvm";

  unsigned version = ptxVersionOf(attr.getFeatures(), *chip);
  auto check = [&](const PtxNeeds &needs, const Twine &what) -> LogicalResult {
    unsigned floor = ptxFloor(*chip, needs);
    if (version >= floor)
      return success();
    return module.emitError()
           << "target features '" << attr.getFeatures() << "' are below PTX "
           << ptxVersionText(floor) << ", needed by " << what
           << "; run convert-target-to-nvvm";
  };
  if (failed(check({}, "'" + chip->name() + "'")))
    return failure();
  std::optional<LaunchAbi> abi = launchAbi(module);
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!isKernel(kernel))
      continue;
    FailureOr<ParameterBlock> block = parameterBlock(kernel, *chip);
    if (failed(block))
      return failure();
    std::string of = " of kernel '" + kernel.getName().str() + "'";
    PtxNeeds large, hidden, clusters;
    large.parameterBytes = block->bytes;
    hidden.hiddenParameters =
        abi == LaunchAbi::Tile && block->bytes != block->visibleBytes;
    clusters.blocksAreClusters =
        kernel->hasAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName());
    if (failed(check(large, "the parameters" + of)) ||
        failed(check(hidden, "the hidden parameters" + of)) ||
        failed(check(clusters, "the cluster launch" + of)))
      return failure();
  }
  return success();
}

void TileIRPostNVVMFinalize::eraseTileAttributes() {
  auto isKept = [](StringRef name) {
    return name == "nv_tileaa.approx" || name == "nv_tileaa.ftz" ||
           name == "nv_tileaa.libnvvm_use_nvgpucomp";
  };
  auto isTile = [&](StringRef name) {
    return (name.starts_with("nv_tileaa.") || name.starts_with("nv_tileas.")) &&
           !isKept(name);
  };
  getOperation()->walk([&](Operation *op) {
    SmallVector<StringAttr> erased;
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (isTile(attr.getName()))
        erased.push_back(attr.getName());
    for (StringAttr name : erased)
      op->removeDiscardableAttr(name);
    numErased += erased.size();
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      for (NamedAttribute attr : llvm::to_vector(function.getArgAttrs(i)))
        if (isTile(attr.getName())) {
          function.removeArgAttr(i, attr.getName());
          ++numErased;
        }
  });
}

/// Sets the emission kind of every compile unit to `kind`.
static void setEmissionKind(Operation *module, LLVM::DIEmissionKind kind) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](LLVM::DICompileUnitAttr unit) -> std::optional<Attribute> {
        if (unit.getEmissionKind() == kind)
          return std::nullopt;
        return LLVM::DICompileUnitAttr::get(
            unit.getContext(), unit.getId(), unit.getSourceLanguage(),
            unit.getFile(), unit.getProducer(), unit.getIsOptimized(), kind,
            unit.getNameTableKind(), unit.getSplitDebugFilename());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true);
}

void TileIRPostNVVMFinalize::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  std::optional<LLVM::DIEmissionKind> kind;
  if (debuginfoLevel == "full") {
    kind = LLVM::DIEmissionKind::Full;
  } else if (debuginfoLevel == "line-tables") {
    kind = LLVM::DIEmissionKind::LineTablesOnly;
  } else if (debuginfoLevel == "debug-directives") {
    kind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  } else if (debuginfoLevel != "none") {
    module.emitError() << "invalid value '" << debuginfoLevel
                       << "' for option 'debuginfo-level'; expected one of "
                          "'none', 'full', 'line-tables', 'debug-directives'";
    return signalPassFailure();
  }

  FailureOr<Target> target = moduleTarget(module);
  if (failed(target) || failed(finalizeKernels(module, *target)))
    return signalPassFailure();
  if (NVVM::NVVMTargetAttr attr = getTarget(module))
    if (failed(checkChip(module, attr)))
      return signalPassFailure();
  eraseTileAttributes();
  if (kind)
    setEmissionKind(module, *kind);
  if (failed(verifySerializable(module)))
    signalPassFailure();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/BranchReductions.h"
#include "passes/analysis/ReduceOrder.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas_lowering/Loops.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/Prepare.h"
#include "passes/tileas_lowering/Print.h"
#include "passes/tileas_lowering/async/Elected.h"
#include "passes/tileas_lowering/math/Division.h"
#include "passes/tileas_lowering/math/FloatFacts.h"
#include "passes/tileas_lowering/math/Powers.h"
#include "passes/tileas_lowering/memory/NarrowViews.h"
#include "passes/tileas_lowering/tiles/ClusterGather.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILEASTOLLVM
#define GEN_PASS_DEF_CONVERTTILEASTOLLVM
#include "passes/tileas_lowering/ConvertTileASToLLVM.h.inc"

namespace {

using namespace mlir;
using namespace tileir::lowering;

struct ConvertTileASToLLVM final
    : impl::ConvertTileASToLLVMBase<ConvertTileASToLLVM> {
  using ConvertTileASToLLVMBase::ConvertTileASToLLVMBase;

  /// The pass replaces functions, so it runs on the module.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }
  void runOnOperation() override;

private:
  LogicalResult convertModule(Operation *module);
};

/// Splits long blocks of functions by branches, for the lifetime of the object.
/// After each operation that it replaces by several values, the dialect
/// conversion asks for the last of these, which renumbers the whole block:
/// quadratic work in the length of the block.
class ShortBlocks {
public:
  /// Splits the blocks of the tile functions below `module`.
  explicit ShortBlocks(Operation *module);
  /// Joins the blocks again.
  ~ShortBlocks();

private:
  SmallVector<Operation *> branches;
};

} // namespace

/// Returns about how many operations `op` becomes.
static int64_t getWeight(Operation &op) {
  int64_t weight = 1;
  auto count = [&](Type type) {
    if (nv_tileas::LayoutAttr layout = nv_tileas::getTileLayout(type))
      weight = std::max<int64_t>(weight, layout.getLayout().getNumRegisters());
  };
  llvm::for_each(op.getOperandTypes(), count);
  llvm::for_each(op.getResultTypes(), count);
  return weight;
}

ShortBlocks::ShortBlocks(Operation *module) {
  module->walk([&](nv_tileaa::FuncOp func) {
    // Shared memory that a block allocates is free at the end of the block.
    if (func.getBody().empty() ||
        func->walk([](nv_tileas::AllocaOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return;
    SmallVector<Operation *> firsts;
    int64_t weight = 0;
    for (Operation &op : func.getBody().back()) {
      if (weight > heuristics::valuesOfPart) {
        firsts.push_back(&op);
        weight = 0;
      }
      weight += getWeight(op);
    }
    // From the end, so that each operation moves once.
    for (Operation *first : llvm::reverse(firsts)) {
      Block *part = first->getBlock();
      Block *rest = part->splitBlock(first);
      OpBuilder builder = OpBuilder::atBlockEnd(part);
      branches.push_back(
          LLVM::BrOp::create(builder, first->getLoc(), ValueRange(), rest));
    }
  });
}

ShortBlocks::~ShortBlocks() {
  for (Operation *branch : llvm::reverse(branches)) {
    Block *part = branch->getBlock(), *rest = branch->getSuccessor(0);
    branch->erase();
    part->getOperations().splice(part->end(), rest->getOperations());
    rest->erase();
  }
}

/// Converts tiles, pointers, views and tokens to LLVM values. Scalar `arith`,
/// `math` and `scf` operations stay, on the new types.
static LogicalResult convertTiles(Operation *module,
                                  const LoweringState &state) {
  MLIRContext *context = module->getContext();
  TileTypeConverter types(context);
  RewritePatternSet patterns(context);
  populateFunctionPatterns(patterns, types, state);
  populateTilePatterns(patterns, types, state);
  populateBufferPatterns(patterns, types, state);
  populateSlicePatterns(patterns, types, state);
  populateClusterGatherPatterns(patterns, types, state);
  populatePointerPatterns(patterns, types, state);
  populateElementwisePatterns(patterns, types, state);
  populateFloatConversionPatterns(patterns, types, state);
  populateMemoryPatterns(patterns, types, state);
  populateAsyncPatterns(patterns, types, state);
  populateAtomicPatterns(patterns, types, state);
  populateConvertLayoutPatterns(patterns, types, state);
  populateReducePatterns(patterns, types, state);
  populateDotPatterns(patterns, types, state);
  populateWarpgroupPatterns(patterns, types, state);
  populateTensorMemoryPatterns(patterns, types, state);
  populateMbarrierPatterns(patterns, types, state);
  populateLaunchControlPatterns(patterns, types, state);
  populateTmaPatterns(patterns, types, state);
  populateControlPatterns(patterns, types, state);
  populatePrintPatterns(patterns, types, state);
  populateAllocaPatterns(patterns, types, state);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target
      .addIllegalDialect<nv_tileaa::TileAADialect, nv_tileas::TileASDialect>();
  target.addLegalOp<nv_tileas::AtomMmaSyncOp, nv_tileas::AtomMmaBsOp,
                    nv_tileas::AtomLdmatrixOp, nv_tileas::AtomStmatrixOp>();
  target.addIllegalOp<gpu::ClusterBlockIdOp, gpu::SubgroupIdOp>();
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    if (isa_and_present<scf::SCFDialect>(op->getDialect()))
      return true;
    return types.isLegal(op->getOperandTypes()) &&
           types.isLegal(op->getResultTypes()) && !isWrongInNVPTX(op) &&
           !isOpenDivision(op) && !isF32Power(op);
  });
  target.addLegalOp<UnrealizedConversionCastOp>();
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(module, target, std::move(patterns), config);
}

/// Converts the remaining `scf`, `arith`, `math`, `index` and `ub` operations
/// to LLVM.
static LogicalResult convertScalars(Operation *module, unsigned indexBits) {
  MLIRContext *context = module->getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                        arith::FloorDivSIOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return failure();
  }
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  // Functions that NVPTX cannot select become libdevice calls. libdevice has
  // `fma` for f32 and f64 only: halves would be rounded twice.
  populateLibDeviceConversionPatterns(converter, patterns, /*benefit=*/10);
  patterns.add<VectorConvertToLLVMPattern<math::FmaOp, LLVM::FMAOp,
                                          arith::AttrConvertFastMathToLLVM>>(
      converter, /*benefit=*/20);
  populateMathToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalDialect<arith::ArithDialect, math::MathDialect,
                           cf::ControlFlowDialect, index::IndexDialect,
                           ub::UBDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(module, target, std::move(patterns), config);
}

/// Checks that only operations for the next pass remain.
static LogicalResult checkResult(Operation *module) {
  WalkResult result = module->walk([&](Operation *op) {
    if (op == module ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(
            op->getDialect()) ||
        isa<nv_tileas::AtomMmaSyncOp, nv_tileas::AtomMmaBsOp,
            nv_tileas::AtomLdmatrixOp, nv_tileas::AtomStmatrixOp>(op))
      return WalkResult::advance();
    if (isa<UnrealizedConversionCastOp>(op)) {
      op->emitError("unresolved conversion cast");
      return WalkResult::interrupt();
    }
    op->emitError("'") << op->getName() << "' survived convert-tileas-to-llvm";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Removes the attributes that functions and scopes carried for the conversion.
static void forgetScopes(Operation *module) {
  forgetScopeValues(module);
  module->walk([](LLVM::LLVMFuncOp func) {
    func->removeDiscardableAttr(nv_tileaa::kNumWarpsAttr);
  });
}

LogicalResult ConvertTileASToLLVM::convertModule(Operation *module) {
  std::optional<Target> target = getTarget(module);
  if (!target)
    return module->emitError("Failed to get ComputeCapability");
  LoweringState state(module, *target);
  state.indexBits = indexBitwidth;
  module->walk([](nv_tileaa::MarkForReuseOp op) { op.erase(); });
  reportInstructions(module);
  // Function passes, which created these operations, must not write on modules.
  module->walk(
      [&](NVVM::SetMaxRegisterOp) { state.note(Feature::SetMaxNReg); });
  if (failed(prepare(module, state, smemMode == "dynamic",
                     /*makesUp=*/prepareMode == "missing")))
    return failure();
  markNarrowViews(module);
  noteFloatFacts(module);
  noteCommutative(module);
  noteBranchReductions(module);
  keepLoopsRolled(module);
  noteFreeRegisters(module);
  {
    ShortBlocks shortBlocks(module);
    if (failed(convertTiles(module, state)) ||
        failed(convertScalars(module, indexBitwidth)))
      return failure();
  }
  forgetScopes(module);
  SmallVector<UnrealizedConversionCastOp> casts;
  module->walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
  return checkResult(module);
}

static bool holdsCudaTile(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->getName().getDialectNamespace() == "cuda_tile"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void ConvertTileASToLLVM::runOnOperation() {
  if (indexBitwidth != 32 && indexBitwidth != 64) {
    getOperation()->emitError("index-bitwidth must be 32 or 64, is ")
        << indexBitwidth.getValue();
    return signalPassFailure();
  }
  if (smemMode != "static" && smemMode != "dynamic") {
    getOperation()->emitError("smem-mode must be 'static' or 'dynamic', is '")
        << smemMode.getValue() << "'";
    return signalPassFailure();
  }
  if (prepareMode != "missing" && prepareMode != "none") {
    getOperation()->emitError("prepare must be 'missing' or 'none', is '")
        << prepareMode.getValue() << "'";
    return signalPassFailure();
  }
  // The modules that hold tile functions.
  SmallVector<Operation *> modules;
  getOperation()->walk([&](nv_tileaa::FuncOp func) {
    ++numFunctions;
    Operation *module = func->getParentWithTrait<OpTrait::SymbolTable>();
    if (modules.empty() || modules.back() != module)
      modules.push_back(module);
  });
  for (Operation *module : modules)
    if (failed(convertModule(module)))
      return signalPassFailure();
  if (!modules.empty())
    return;
  markAllAnalysesPreserved();
  // An empty module needs no work; a module of an earlier stage is a mistake.
  if (holdsCudaTile(getOperation()))
    getOperation()->emitWarning(
        getArgument() +
        ": found no operation of nv_tileas; run the passes before it on "
        "cuda_tile, in the order that tileir{…} lists");
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas_lowering/Prepare.h"
#include "passes/tileas_lowering/memory/Access.h"

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-legalize-layouts"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Unsupported operations
//===----------------------------------------------------------------------===//

static bool isNarrowFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

/// Returns the view that `op` accesses, or null.
static nv_tileaa::TATiledViewType getAccessedView(Operation *op) {
  if (isa<nv_tileas::TiledLoadOp, nv_tileas::TiledStoreOp,
          nv_tileas::GatherLoadOp, nv_tileas::ScatterStoreOp,
          nv_tileas::TiledAtomicRmwOp>(op))
    for (Type type : op->getOperandTypes())
      if (auto view = dyn_cast<nv_tileaa::TATiledViewType>(type))
        return view;
  return {};
}

static LogicalResult checkViewAccess(Operation *op) {
  nv_tileaa::TATiledViewType view = getAccessedView(op);
  if (!view)
    return success();
  if (isMultimem(op))
    return checkMultimem(op, view);
  if (!isPackedInViews(view.getElementType()))
    return success();
  if (!getPackedDim(view))
    return op->emitOpError("accesses elements of 4 bits, two of which share a "
                           "byte; use a tile of two or more of them, and an "
                           "even step, along a dimension of static stride 1");
  // Every row then begins at a byte.
  nv_tileaa::TAMemRefType source = view.getSource();
  for (auto [size, stride] : llvm::zip(source.getShape(), source.getStrides()))
    if (!ShapedType::isDynamic(stride) && stride % 2 && stride != 1)
      return op->emitOpError("accesses elements of 4 bits, two of which share "
                             "a byte; make the stride ")
             << stride << " even";
  if (auto load = dyn_cast<nv_tileas::TiledLoadOp>(op);
      load && !load.getOffsets().empty())
    return op->emitOpError("with offsets needs elements of 8 bits or more; "
                           "add them to its coordinates");
  return success();
}

/// A tile is in the registers of one agent; tensor memory rows belong to the
/// warps by their index in a warpgroup.
static LogicalResult checkAgent(Operation *op, const ExecScope &scope) {
  if (auto agent = dyn_cast<scf::IfOp>(op);
      agent && isAgent(agent) &&
      (!hasWarpId(agent) || getAgentRegisters(agent)))
    return op->emitOpError("is an agent whose warps are not chosen; run "
                           "optimize-execution-unit-mapping and "
                           "propagate-execution-unit");
  // The warps of other agents never reach the barrier.
  auto barrier = dyn_cast<nv_tileas::BarrierOp>(op);
  if (barrier && barrier.getScope() != nv_tileas::BarrierScope::Agent &&
      !scope.isCta())
    return op->emitOpError() << stringifyBarrierScope(barrier.getScope())
                             << " barrier inside an agent would deadlock";
  for (Value operand : op->getOperands()) {
    if (isTile(operand.getType()) &&
        !scope.region->isAncestor(operand.getParentRegion()))
      return op->emitOpError("uses a tile of another agent; resolve the "
                             "boundary first");
    auto buffer = dyn_cast<nv_tileas::BufferType>(operand.getType());
    if (isa<nv_tileas::CopyOp, nv_tileas::TensorRescaleOp>(op) && buffer &&
        buffer.getSpace() == LayoutSpace::Tmem && scope.firstWarp % 4)
      return op->emitOpError("moves tensor memory in an agent that starts at "
                             "warp ")
             << scope.firstWarp << "; let it start at a multiple of 4";
  }
  return success();
}

/// Emits one error for an operation that the patterns do not support.
static LogicalResult checkOp(Operation *op, const ExecScope &scope) {
  if (failed(checkAgent(op, scope)))
    return failure();
  auto check = [&](Type type) -> LogicalResult {
    Type element = getElementTypeOrSelf(type);
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      if (!nv_tileas::getTileLayout(tile))
        return op->emitOpError("has a tile without a layout: ")
               << type << "; run convert-tileaa-to-tileas";
      const Layout &layout = getLayout(tile);
      if (layout.getNumBases(kRegCta))
        return op->emitOpError("spreads a tile over several CTAs, which is not "
                               "supported yet; compile with num_ctas = 1");
      if (1u << layout.getNumBases(kWarp) != scope.warps)
        return op->emitOpError("layout has ")
               << layout.getNumBases(kWarp)
               << " warp bases but the enclosing agent has " << scope.warps
               << " warps";
      if (element.isInteger() && element.getIntOrFloatBitWidth() < 8 &&
          !element.isInteger(1) && !element.isInteger(4))
        return op->emitOpError("with elements of ")
               << element
               << " is not supported yet; convert them to 8 bits first";
    }
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) &&
      !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::ExtFOp,
           arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
           arith::FPToUIOp>(op))
    for (Type type : op->getOperandTypes())
      if (isNarrowFloat(getElementTypeOrSelf(type)))
        return op->emitOpError("is not implemented for ")
               << getElementTypeOrSelf(type) << "; convert to f16 or f32 first";
  if (failed(checkViewAccess(op)))
    return failure();
  if (auto add = dyn_cast<nv_tileas::AddPtrOp>(op)) {
    auto ptr =
        cast<nv_tileaa::TAPointerType>(getElementTypeOrSelf(add.getType()));
    if (isPackedInViews(ptr.getPointee()))
      return op->emitOpError("moves a pointer to elements of 4 bits, two of "
                             "which share a byte; move a pointer to i8");
  }
  if (isa<nv_tileaa::CallOp>(op))
    return op->emitOpError("has no lowering; inline its callee");
  if (isa_and_present<nv_tileaa::TileAADialect>(op->getDialect()) &&
      !isa<nv_tileaa::FuncOp, nv_tileaa::ReturnOp, nv_tileaa::GlobalOp,
           nv_tileaa::MarkForReuseOp>(op))
    return op->emitOpError("is left of nv_tileaa; run "
                           "convert-tileaa-to-tileas before");
  return success();
}

//===----------------------------------------------------------------------===//
// Implicit conversions
//===----------------------------------------------------------------------===//

static Value convertTo(OpBuilder &builder, Location loc, Value tile,
                       const Layout &layout) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (getLayout(type) == layout)
    return tile;
  auto attr = nv_tileas::getLayoutAttr(builder.getContext(), layout);
  TILEIR_LOG() << loc << ": conversion from " << getLayout(type).str() << " to "
               << layout.str();
  return nv_tileas::ConvertLayoutOp::create(
      builder, loc, nv_tileas::withLayout(type, attr), tile);
}

/// Converts the index tiles of a gather to the layout of its value.
static void alignIndices(OperandRange coords, RankedTensorType value,
                         Operation *op) {
  OpBuilder builder(op);
  for (auto [dim, coord] : llvm::enumerate(coords))
    if (isTile(coord.getType()))
      op->setOperand(coords.getBeginOperandIndex() + dim,
                     convertTo(builder, op->getLoc(), coord,
                               getIndexLayout(getLayout(value), dim)));
}

/// Rebuilds a reduction or a scan in `layout`; the results are converted back.
template <typename OpTy> static void relayout(OpTy op, const Layout &layout) {
  OpBuilder builder(op);
  auto attr = nv_tileas::getLayoutAttr(op.getContext(), layout);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(convertTo(builder, op.getLoc(), operand.get(), layout));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    auto old = dyn_cast<RankedTensorType>(result.getType());
    if (!old)
      continue;
    if constexpr (std::is_same_v<OpTy, nv_tileas::ReduceOp>)
      attr =
          nv_tileas::getLayoutAttr(op.getContext(), layout.slice(op.getAxis()));
    result.setType(nv_tileas::withLayout(old, attr));
    if (result.getType() == old)
      continue;
    auto back =
        nv_tileas::ConvertLayoutOp::create(builder, op.getLoc(), old, result);
    result.replaceAllUsesExcept(back.getResult(), back);
  }
}

/// Converts to a layout in which each thread holds both elements of a byte or
/// word of `op`.
static void makePairs(Operation *op) {
  nv_tileaa::TATiledViewType view = getAccessedView(op);
  if (!view)
    return;
  unsigned bits = getMemoryBits(view.getElementType());
  if (!isPackedInViews(view.getElementType()) && !(isMultimem(op) && bits < 32))
    return;
  unsigned dim = *getPackedDim(view);
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto tile = dyn_cast<RankedTensorType>(operand.get().getType());
        tile && tile.getElementType() == view.getElementType())
      operand.set(convertTo(builder, op->getLoc(), operand.get(),
                            getPackableLayout(getLayout(tile), dim)));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    auto old = dyn_cast<RankedTensorType>(result.getType());
    if (!old)
      continue;
    Layout layout = getPackableLayout(getLayout(old), dim);
    if (layout == getLayout(old))
      continue;
    result.setType(nv_tileas::withLayout(
        old, nv_tileas::getLayoutAttr(op->getContext(), layout)));
    auto back =
        nv_tileas::ConvertLayoutOp::create(builder, op->getLoc(), old, result);
    result.replaceAllUsesExcept(back.getResult(), back);
  }
}

static void makeConversionsExplicit(Operation *op) {
  makePairs(op);
  if (auto gather = dyn_cast<nv_tileas::GatherLoadOp>(op))
    return alignIndices(gather.getCoords(),
                        cast<RankedTensorType>(gather.getValue().getType()),
                        op);
  if (auto scatter = dyn_cast<nv_tileas::ScatterStoreOp>(op))
    return alignIndices(scatter.getCoords(),
                        cast<RankedTensorType>(scatter.getValue().getType()),
                        op);
  if (auto reduce = dyn_cast<nv_tileas::ReduceOp>(op)) {
    auto type = cast<RankedTensorType>(reduce.getOperands()[0].getType());
    Layout layout = getReduceLayout(reduce, getLayout(type));
    if (layout != getLayout(type))
      relayout(reduce, layout);
    return;
  }
  if (auto scan = dyn_cast<nv_tileas::ScanOp>(op)) {
    auto type = cast<RankedTensorType>(scan.getOperands()[0].getType());
    Layout layout = getScanLayout(scan, getLayout(type));
    if (layout != getLayout(type))
      relayout(scan, layout);
  }
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

LogicalResult legalizeLayouts(nv_tileaa::FuncOp func) {
  unsigned numWarps = getNumWarps(func);
  if (!llvm::isPowerOf2_32(numWarps) || numWarps > 32)
    return func.emitError("needs a power of two of at most 32 warps, has ")
           << numWarps;
  // Adjacent operations share a region.
  Region *region = nullptr;
  ExecScope scope;
  WalkResult result = func.walk([&](Operation *op) {
    if (op == func)
      return WalkResult::advance();
    if (op->getParentRegion() != region) {
      region = op->getParentRegion();
      scope = getExecScope(op);
    }
    return WalkResult(checkOp(op, scope));
  });
  if (result.wasInterrupted())
    return failure();
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    makeConversionsExplicit(op);
  return success();
}

} // namespace tileir::lowering

namespace tileir {

#define GEN_PASS_DEF_TILEASLEGALIZELAYOUTS
#include "passes/tileas_lowering/TileASLegalizeLayouts.h.inc"

namespace {

struct TileASLegalizeLayouts final
    : impl::TileASLegalizeLayoutsBase<TileASLegalizeLayouts> {
  using TileASLegalizeLayoutsBase::TileASLegalizeLayoutsBase;

  void runOnOperation() override {
    uint64_t before = countConversions();
    if (failed(lowering::legalizeLayouts(getOperation())))
      return signalPassFailure();
    numConversions += countConversions() - before;
  }

  uint64_t countConversions() {
    uint64_t count = 0;
    getOperation().walk([&](mlir::nv_tileas::ConvertLayoutOp) { ++count; });
    return count;
  }
};

} // namespace

} // namespace tileir

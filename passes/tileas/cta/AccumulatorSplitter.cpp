// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/AccumulatorSplitter.h"

#include "dialects/support/Heuristics.h"

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/cta/SplitAccesses.h"
#include "passes/tileas/layout/LayoutChoice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tileas-plan-cta"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Both halves of a cut.
static constexpr int64_t kParts = 2;

namespace {

/// Splits a loop that accumulates dots into two loops, each for half of the
/// tile, with the work on that half after it. The new tiles have no layouts.
class AccumulatorSplitter {
public:
  explicit AccumulatorSplitter(scf::ForOp loop) : loop(loop) {}

  /// Returns the obstacle; empty if `run` may follow.
  StringRef check();
  void run();

  /// The tile that `loop` carries, if it is one of rank 2 and the only one.
  static BlockArgument getAccumulator(scf::ForOp loop);

private:
  StringRef checkBody();
  StringRef follow(Value tile);
  StringRef checkAfter();
  bool canCutOperands(Operation *op, unsigned d);
  bool canCut(Value tile, unsigned d);
  bool canSplitOperand(as::DotOp dot);
  bool isInFront(Value value);

  scf::ForOp loop;
  BlockArgument acc;
  /// The dimension of the accumulator that is cut.
  unsigned dim = 0;
  /// Operations that depend on the accumulator, in the loop and after it.
  llvm::SetVector<Operation *> dependents;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
};

} // namespace

BlockArgument AccumulatorSplitter::getAccumulator(scf::ForOp loop) {
  BlockArgument found;
  for (BlockArgument arg : loop.getRegionIterArgs()) {
    if (!isTile(arg))
      continue;
    if (found || getShape(arg).size() != 2)
      return {};
    found = arg;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Legality: operations
//===----------------------------------------------------------------------===//

/// Returns whether each element of the result depends only on the elements at
/// the same place of all tile operands.
static bool isPointwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      !isTile(op->getResult(0)) || op->getNumOperands() == 0)
    return false;
  bool isKnown =
      isa<as::FpToFpOp, as::ElementwiseOp>(op) ||
      isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (auto convert = dyn_cast<as::ConvertLayoutOp>(op))
    isKnown = !convert.getScratch();
  return isKnown && llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isTile(operand) ||
                  getShape(operand) == getShape(op->getResult(0));
         });
}

/// Returns whether `value` is defined before the loop.
bool AccumulatorSplitter::isInFront(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !loop->isProperAncestor(value.getParentBlock()->getParentOp()) &&
           value.getParentBlock() != loop.getBody();
  Operation *at = loop->getBlock()->findAncestorOpInBlock(*op);
  return !at || at->isBeforeInBlock(loop);
}

//===----------------------------------------------------------------------===//
// Legality: backward
//===----------------------------------------------------------------------===//

bool AccumulatorSplitter::canCutOperands(Operation *op, unsigned d) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isTile(operand) || canCut(operand, d);
  });
}

/// Returns whether the halves of `tile` along `d` can be made.
bool AccumulatorSplitter::canCut(Value tile, unsigned d) {
  if (tile == acc || tile == loop.getTiedLoopResult(acc) ||
      dependents.contains(tile.getDefiningOp()))
    return d == dim;
  if (!seen.insert({tile, d}).second)
    return true;
  Operation *op = tile.getDefiningOp();
  if (!op || getShape(tile)[d] < 2)
    return false;
  Attribute constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return isa<SplatElementsAttr>(constant);
  if (isa<as::SplatOp, as::MakeRangeOp>(op))
    return true;
  if (auto load = dyn_cast<as::TiledLoadOp>(op))
    return op->getBlock() == loop.getBody() && isPlainAccess(load) &&
           canCutView(load.getView(), d, kParts);
  if (auto expand = dyn_cast<as::ExpandDimsOp>(op)) {
    unsigned axis = expand.getAxis();
    return axis != d && canCut(expand.getSource(), d > axis ? d - 1 : d);
  }
  if (auto broadcast = dyn_cast<as::BroadcastOp>(op))
    return getShape(broadcast.getSource())[d] == 1 ||
           canCut(broadcast.getSource(), d);
  if (auto permute = dyn_cast<as::PermuteOp>(op))
    return canCut(permute.getSource(), permute.getPermutation()[d]);
  return isPointwise(op) && canCutOperands(op, d);
}

//===----------------------------------------------------------------------===//
// Legality: forward
//===----------------------------------------------------------------------===//

StringRef AccumulatorSplitter::checkBody() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto load = dyn_cast<as::TiledLoadOp>(op);
    if (op.getNumRegions() ||
        !(load ? isPlainAccess(load) : isMemoryEffectFree(&op)))
      return "it does more than load and compute";
  }
  for (OpResult result : loop.getResults())
    if (result.getResultNumber() + 1 != acc.getArgNumber() &&
        !result.use_empty())
      return "another of its results is used";
  return "";
}

/// Collects the forward slice of `tile`.
StringRef AccumulatorSplitter::follow(Value tile) {
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (user == loop.getBody()->getTerminator()) {
      if (use.getOperandNumber() + 1 != acc.getArgNumber())
        return "it carries a value computed from its accumulator";
      continue;
    }
    if (user->getBlock() != loop.getBody() &&
        user->getBlock() != loop->getBlock())
      return "its result is used in another block";
    if (!dependents.insert(user))
      continue;
    if (auto store = dyn_cast<as::TiledStoreOp>(user)) {
      if (!isPlainAccess(store) || !canCutView(store.getView(), dim, kParts))
        return "its result is stored in a layout that cannot be halved";
      if (store.getToken() && !isInFront(store.getToken()))
        return "a store of its result is ordered after it";
      continue;
    }
    auto dot = dyn_cast<as::DotOp>(user);
    if (dot ? &dot.getCMutable() != &use || dot.hasBuffers()
            : !isPointwise(user))
      return "its result is not used element by element";
    if (StringRef reason = follow(user->getResult(0)); !reason.empty())
      return reason;
  }
  return "";
}

/// Checks that the operations between the loop and the last store may move
/// after it.
StringRef AccumulatorSplitter::checkAfter() {
  unsigned left = llvm::count_if(dependents, [&](Operation *op) {
    return op->getBlock() == loop->getBlock();
  });
  for (Operation *op = loop->getNextNode(); op && left;
       op = op->getNextNode()) {
    if (dependents.contains(op))
      --left;
    else if (!isMemoryEffectFree(op))
      return "memory is used between it and a store of its result";
  }
  return "";
}

StringRef AccumulatorSplitter::check() {
  acc = getAccumulator(loop);
  if (!acc)
    return "it carries more than one tile";
  Layout::Shape shape = getShape(acc);
  dim = shape[0] > shape[1] ? 0 : 1;
  StringRef reason = checkBody();
  if (reason.empty())
    reason = follow(acc);
  if (reason.empty())
    reason = follow(loop.getTiedLoopResult(acc));
  if (reason.empty())
    reason = checkAfter();
  if (!reason.empty())
    return reason;
  if (!canCut(loop.getTiedLoopInit(acc)->get(), dim))
    return "the initial value of its accumulator cannot be halved";
  for (Operation *op : dependents) {
    auto dot = dyn_cast<as::DotOp>(op);
    if (dot ? !canSplitOperand(dot) : !canCutOperands(op, dim))
      return "an operand has no halves";
  }
  return "";
}

bool AccumulatorSplitter::canSplitOperand(as::DotOp dot) {
  Value scale = dim ? dot.getScaleB() : dot.getScaleA();
  return canCut(dim ? dot.getB() : dot.getA(), dim) &&
         (!scale || canCut(scale, dim));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Makes one half.
class HalfEmitter {
public:
  HalfEmitter(scf::ForOp loop, BlockArgument acc, unsigned dim,
              const llvm::SetVector<Operation *> &dependents, unsigned half)
      : loop(loop), acc(acc), dim(dim), dependents(dependents), half(half),
        builder(loop) {}

  /// Emits the loop and the work after it, before the whole loop.
  void run();
  /// The token of the half of `store`.
  Value getToken(as::TiledStoreOp store) const { return tokens.lookup(store); }

private:
  static RankedTensorType getHalfType(Value tile, unsigned d);
  Value cut(Value tile, unsigned d);
  Value emitCut(Operation *op, unsigned d);
  Operation *cutPointwise(Operation *op, unsigned d);
  Operation *cutAccess(Operation *op, Value view, OperandRange coords,
                       unsigned d);
  Value cutView(Value view, unsigned d);
  Value cutCoord(Value coord, unsigned d, aa::TATiledViewType type);
  Value cloneWhole(Value value);
  Value loadIndex(Value coord);
  void emitDependent(Operation *op);

  scf::ForOp loop;
  BlockArgument acc;
  unsigned dim;
  const llvm::SetVector<Operation *> &dependents;
  unsigned half;
  OpBuilder builder;
  /// Values that replace whole values of the loop and after it.
  IRMapping whole;
  DenseMap<std::pair<Value, unsigned>, Value> halves;
  DenseMap<Operation *, Value> tokens;
  /// Tile indices of this half, and the loop before which they are computed.
  DenseMap<Value, Value> indices;
  Operation *start = nullptr;
};

} // namespace

RankedTensorType HalfEmitter::getHalfType(Value tile, unsigned d) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[d] /= 2;
  return RankedTensorType::get(shape, type.getElementType());
}

/// `value`, which is no tile to be cut, where the builder is.
Value HalfEmitter::cloneWhole(Value value) {
  if (Value known = whole.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
    return value;
  for (Value operand : op->getOperands())
    whole.map(operand, cloneWhole(operand));
  return builder.clone(*op, whole)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

/// A tile index that is opaque to the optimizer, so that values computed from
/// it are not kept in registers from one loop to the next.
Value HalfEmitter::loadIndex(Value coord) {
  Value at = cloneWhole(coord);
  if (!half || at != coord || matchPattern(at, m_Constant()))
    return at;
  Value &hidden = indices[coord];
  if (!hidden) {
    OpBuilder::InsertionGuard guard(builder);
    if (start)
      builder.setInsertionPoint(start);
    hidden = as::OptimizationBarrierOp::create(builder, coord.getLoc(),
                                               TypeRange(coord.getType()),
                                               ValueRange(coord))
                 .getResult(0);
  }
  return hidden;
}

Value HalfEmitter::cutView(Value view, unsigned d) {
  auto block = view.getDefiningOp<as::BlockTileOp>();
  Value source = cloneWhole(block.getSource());
  OpBuilder::InsertionGuard guard(builder);
  // Outside of the loop where the whole one is.
  if (cloneWhole(view) == view)
    builder.setInsertionPointAfter(block);
  return tileir::cutView(builder, view, d, kParts, source);
}

/// The index of this half of the tile with index `coord`.
Value HalfEmitter::cutCoord(Value coord, unsigned d, aa::TATiledViewType type) {
  Value at = loadIndex(coord);
  OpBuilder::InsertionGuard guard(builder);
  // Outside of the loop where it does not change there.
  if (at == coord || at == indices.lookup(coord))
    builder.setInsertionPointAfterValue(at);
  at = tileir::cutCoord(builder, at, d, kParts, type);
  Value number = arith::ConstantOp::create(
      builder, at.getLoc(), builder.getIntegerAttr(at.getType(), half));
  return arith::AddIOp::create(builder, at.getLoc(), at, number);
}

/// `op` with its tiles cut.
Operation *HalfEmitter::cutPointwise(Operation *op, unsigned d) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand,
                isTile(operand) ? cut(operand, d) : cloneWhole(operand));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(getHalfType(op->getResult(0), d));
  return clone;
}

/// A load or store of a half.
Operation *HalfEmitter::cutAccess(Operation *op, Value view,
                                  OperandRange coords, unsigned d) {
  auto type = cast<aa::TATiledViewType>(view.getType());
  SmallVector<Value> places;
  for (auto [i, coord] : llvm::enumerate(coords))
    places.push_back(i == d ? cutCoord(coord, d, type) : loadIndex(coord));
  Value cutOf = cutView(view, d);
  IRMapping mapping = whole;
  for (Value operand : op->getOperands())
    if (!isTile(operand))
      mapping.map(operand, cloneWhole(operand));
  Operation *clone = builder.clone(*op, mapping);
  unsigned first = coords.getBeginOperandIndex();
  for (auto [i, index] : llvm::enumerate(places))
    clone->setOperand(first + i, index);
  clone->replaceUsesOfWith(mapping.lookupOrDefault(view), cutOf);
  cutFacts(clone, d, kParts, type);
  return clone;
}

Value HalfEmitter::emitCut(Operation *op, unsigned d) {
  Value tile = op->getResult(0);
  RankedTensorType type = getHalfType(tile, d);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(
        builder, op->getLoc(), type,
        SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  }
  if (auto splat = dyn_cast<as::SplatOp>(op))
    return as::SplatOp::create(builder, op->getLoc(), type,
                               cloneWhole(splat.getSource()));
  if (auto range = dyn_cast<as::MakeRangeOp>(op)) {
    int64_t start = range.getStart() + half * type.getDimSize(0);
    return as::MakeRangeOp::create(builder, op->getLoc(), type, start,
                                   start + type.getDimSize(0));
  }
  if (auto load = dyn_cast<as::TiledLoadOp>(op)) {
    Operation *clone = cutAccess(op, load.getView(), load.getCoords(), d);
    clone->getResult(0).setType(type);
    return clone->getResult(0);
  }
  unsigned from = d;
  if (auto expand = dyn_cast<as::ExpandDimsOp>(op))
    from = d > expand.getAxis() ? d - 1 : d;
  else if (auto permute = dyn_cast<as::PermuteOp>(op))
    from = permute.getPermutation()[d];
  else if (!isa<as::BroadcastOp>(op))
    return cutPointwise(op, d)->getResult(0);
  Value source = op->getOperand(0);
  bool isWhole = isa<as::BroadcastOp>(op) && getShape(source)[d] == 1;
  IRMapping mapping;
  mapping.map(source, isWhole ? cloneWhole(source) : cut(source, from));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

/// This half of `tile` along `d`. Tiles that the loop does not compute are cut
/// before it.
Value HalfEmitter::cut(Value tile, unsigned d) {
  Value &known = halves[{tile, d}];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  Operation *op = tile.getDefiningOp();
  if (op->getBlock() != loop.getBody() &&
      (op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop)))
    builder.setInsertionPointAfter(op);
  Value made = emitCut(op, d);
  return halves[{tile, d}] = made;
}

/// `op`, which is computed from the accumulator.
void HalfEmitter::emitDependent(Operation *op) {
  if (auto store = dyn_cast<as::TiledStoreOp>(op)) {
    Value value = cut(store.getValue(), dim);
    Operation *clone = cutAccess(op, store.getView(), store.getCoords(), dim);
    cast<as::TiledStoreOp>(clone).getValueMutable().assign(value);
    tokens[op] = clone->getResult(0);
    return;
  }
  Operation *clone;
  if (auto dot = dyn_cast<as::DotOp>(op)) {
    Value a = dim ? cloneWhole(dot.getA()) : cut(dot.getA(), 0),
          b = dim ? cut(dot.getB(), 1) : cloneWhole(dot.getB()),
          c = cut(dot.getC(), dim);
    Value scaleA = dot.getScaleA(), scaleB = dot.getScaleB();
    if (scaleA) {
      scaleA = dim ? cloneWhole(scaleA) : cut(scaleA, 0);
      scaleB = dim ? cut(scaleB, 1) : cloneWhole(scaleB);
    }
    IRMapping mapping = whole;
    clone = builder.clone(*op, mapping);
    auto part = cast<as::DotOp>(clone);
    part.getAMutable().assign(a);
    part.getBMutable().assign(b);
    part.getCMutable().assign(c);
    if (scaleA) {
      part.getScaleAMutable().assign(scaleA);
      part.getScaleBMutable().assign(scaleB);
    }
    clone->getResult(0).setType(getHalfType(op->getResult(0), dim));
  } else {
    clone = cutPointwise(op, dim);
  }
  halves[{op->getResult(0), dim}] = clone->getResult(0);
}

void HalfEmitter::run() {
  SmallVector<Value> inits(loop.getInits());
  unsigned number = acc.getArgNumber() - 1;
  inits[number] = cut(inits[number], dim);
  builder.setInsertionPoint(loop);
  auto made = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(), inits,
                                 nullptr, loop.getUnsignedCmp());
  start = made;
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!made.getBody()->empty())
    made.getBody()->back().erase();
  for (auto [from, to] : llvm::zip(loop.getBody()->getArguments(),
                                   made.getBody()->getArguments()))
    whole.map(from, to);
  halves[{acc, dim}] = made.getRegionIterArg(number);
  builder.setInsertionPointToEnd(made.getBody());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (dependents.contains(&op))
      emitDependent(&op);
    else
      builder.clone(op, whole);
  }
  SmallVector<Value> yielded;
  for (auto [i, value] : llvm::enumerate(loop.getYieldedValues()))
    yielded.push_back(i == number ? cut(value, dim) : cloneWhole(value));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*made.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
  builder.setInsertionPoint(loop);
  halves[{loop.getTiedLoopResult(acc), dim}] = made.getResult(number);
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    if (dependents.contains(op))
      emitDependent(op);
}

void AccumulatorSplitter::run() {
  HalfEmitter first(loop, acc, dim, dependents, 0),
      second(loop, acc, dim, dependents, 1);
  first.run();
  second.run();
  for (Operation *op : dependents) {
    auto store = dyn_cast<as::TiledStoreOp>(op);
    if (!store || store.getResultToken().use_empty())
      continue;
    OpBuilder builder(store);
    std::array<Value, 2> tokens = {first.getToken(store),
                                   second.getToken(store)};
    Value both = as::JoinMemTokenOp::create(
        builder, store.getLoc(), store.getResultToken().getType(), tokens);
    store.getResultToken().replaceAllUsesWith(both);
  }
  SmallVector<Operation *> following;
  for (Operation *op : dependents)
    if (op->getBlock() == loop->getBlock())
      following.push_back(op);
  llvm::sort(following,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : following)
    op->erase();
  loop.erase();
}

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// Returns whether `loop` accumulates dots in a tile that exceeds the registers
/// of every CTA.
static bool isTooLarge(scf::ForOp loop, const Target &target) {
  // Tensor memory holds more than registers do.
  if (target.hasTcgen05() || loop.getBody()->getOps<as::DotOp>().empty())
    return false;
  int64_t registers = 0;
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (auto type = dyn_cast<RankedTensorType>(arg.getType()))
      registers += llvm::divideCeil(
          type.getNumElements() *
              int64_t(as::getStorageBits(type.getElementType())),
          32);
  for (unsigned warps = 1; warps <= heuristics::maxWarps; warps *= 2)
    if (RegisterDemand::getExcess(registers, warps) <= 0)
      return false;
  return true;
}

static void report(scf::ForOp loop, StringRef reason) {
  TILEIR_LOG() << loop.getLoc() << ": too many accumulators, "
               << (reason.empty() ? "cut into two loops" : "kept: ") << reason;
  auto about = remarkAbout(loop, "SplitProducts", "tileas");
  auto type = AccumulatorSplitter::getAccumulator(loop).getType();
  if (reason.empty())
    remark::passed(loop.getLoc(), about)
        << StringRef("accumulators are cut into two loops")
        << remark::metric("Elements",
                          cast<RankedTensorType>(type).getNumElements());
  else
    remark::missed(loop.getLoc(), about)
        << StringRef("accumulators stay larger than the registers")
        << remark::metric("Reason", reason);
}

/// Cuts the first loop of `func` that is too large and not among `kept`; false
/// if there is none.
static bool cutOne(aa::FuncOp func, const Target &target,
                   llvm::SmallDenseSet<Operation *> &kept) {
  bool isCut = false;
  func->walk([&](scf::ForOp loop) {
    if (kept.contains(loop) || !isTooLarge(loop, target))
      return WalkResult::advance();
    AccumulatorSplitter splitter(loop);
    StringRef reason = splitter.check();
    if (!reason.empty()) {
      if (AccumulatorSplitter::getAccumulator(loop))
        report(loop, reason);
      kept.insert(loop);
      return WalkResult::advance();
    }
    report(loop, reason);
    splitter.run();
    isCut = true;
    return WalkResult::interrupt();
  });
  return isCut;
}

bool splitDots(aa::FuncOp func, const Target &target) {
  llvm::SmallDenseSet<Operation *> kept;
  unsigned cuts = 0;
  for (; cuts < heuristics::maxSplitDots && cutOne(func, target, kept); ++cuts)
    assignDefaultLayouts(func, getNumWarps(func));
  return cuts;
}

} // namespace tileir

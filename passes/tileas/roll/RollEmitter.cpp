// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/roll/RollEmitter.h"

#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/ReduceOrder.h"
#include "passes/tileas/layout/LayoutPlan.h"
#include "passes/tileas/roll/RollMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"

#include <numeric>

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

static RankedTensorType getTileType(Value tile) {
  return cast<RankedTensorType>(tile.getType());
}

static Value getResultToken(Operation *op) {
  return cast<as::TileASMemoryOpInterface>(op).getResultMemToken();
}

namespace {

/// Emits the loops of a component, one phase after the other.
class RollEmitter {
public:
  RollEmitter(const RollComponent &component, const RollSchedule &schedule,
              int64_t slices)
      : component(component), schedule(schedule), slices(slices),
        builder(component.getBlock()->getParentOp()) {}

  void run();

private:
  /// State of a reduction in the loop of its phase.
  struct Reduction {
    as::ReduceOp op;
    /// Combines elements of one place over all slices first; otherwise the
    /// results of slices.
    bool byElement;
    /// The combined tile: the operand of `op`, or the tile that the operand
    /// widens.
    Value elements;
    /// Its iter-args.
    unsigned first, count;
  };

  void emitPhase(unsigned phase);
  /// The loop of a phase; gives the values of its reductions and the tokens of
  /// `getOrdered`.
  SmallVector<Value> emitLoop(unsigned phase);
  /// The same if stores may reach reloaded memory.
  SmallVector<Value> emitSeparated(unsigned phase);
  scf::ForOp makeLoop(ValueRange initials);
  void startSlice(scf::ForOp loop);
  /// The members of a phase whose tokens are used.
  SmallVector<Operation *> getOrdered(unsigned phase) const;
  SmallVector<as::ReduceOp> getReductions(unsigned phase) const;
  void emitCopies();
  void emitCopied(Operation *load, Value view);
  SmallVector<Value> getCopyCoordinates(Operation *load);
  aa::MemSemanticAttr getWeak() {
    return aa::MemSemanticAttr::get(builder.getContext(),
                                    aa::MemSemantic::Weak);
  }
  void emitMember(Operation *op);
  void emitTiled(Operation *op);
  Value getSlice(Value tile, std::optional<unsigned> dim);
  Value getLeaf(Value tile, unsigned dim);
  RankedTensorType getType(Value tile, std::optional<unsigned> dim) {
    return dim ? getSliceType(getTileType(tile), *dim, slices)
               : getTileType(tile);
  }
  SmallVector<Value> getInitials(const Reduction &reduction);
  SmallVector<Value> reduceSlice(const Reduction &reduction,
                                 ValueRange carried);
  SmallVector<Value> finishReduction(const Reduction &reduction,
                                     ValueRange carried);
  /// The order that the clone of `op` in this slice keeps.
  Value getInputToken(Operation *op);
  Value join(ArrayRef<Value> tokens);
  Value constant(int64_t value, unsigned bits = 32) {
    return arith::ConstantIntOp::create(builder, loc, value, bits);
  }
  /// `slice` times `extent`, as an integer of `type`.
  Value getStart(int64_t extent, Type type);
  bool needsToken(Operation *op) const;

  const RollComponent &component;
  const RollSchedule &schedule;
  int64_t slices;
  OpBuilder builder;
  Location loc = UnknownLoc::get(builder.getContext());

  // Of the slice that is being emitted.
  Value slice;
  IRMapping mapping;
  DenseMap<std::pair<Value, unsigned>, Value> leaves;
  DenseMap<std::pair<Value, int64_t>, Value> coordinates;

  // Of the whole.
  DenseMap<std::pair<Value, Type>, Value> views;
  /// Tokens of the completion of a member in the phases so far.
  DenseMap<Operation *, SmallVector<Value>> tokens;
  /// Views of copies of loaded tiles, and the tokens of their completion.
  DenseMap<Operation *, Value> copies;
  Value copied;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tiles of a slice
//===----------------------------------------------------------------------===//

Value RollEmitter::getStart(int64_t extent, Type type) {
  Value start = slice;
  if (extent != 1)
    start = arith::MulIOp::create(builder, loc, slice, constant(extent));
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits > 32)
    return arith::ExtUIOp::create(builder, loc, type, start);
  if (bits < 32)
    return arith::TruncIOp::create(builder, loc, type, start);
  return start;
}

Value RollEmitter::getLeaf(Value tile, unsigned dim) {
  Value &made = leaves[{tile, dim}];
  if (made)
    return made;
  Operation *op = tile.getDefiningOp();
  RankedTensorType type = getType(tile, dim);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<DenseElementsAttr>(constant.getValue());
    return made = arith::ConstantOp::create(
               builder, loc,
               DenseElementsAttr::get(type, value.getSplatValue<Attribute>()));
  }
  if (auto splat = dyn_cast<as::SplatOp>(op))
    return made = as::SplatOp::create(builder, loc, type, splat.getSource());
  if (isa<ub::PoisonOp>(op))
    return made = ub::PoisonOp::create(builder, loc, type,
                                       cast<ub::PoisonOp>(op).getValue());
  auto range = cast<as::MakeRangeOp>(op);
  int64_t extent = type.getDimSize(0);
  Value first = as::MakeRangeOp::create(builder, loc, type, range.getStart(),
                                        range.getStart() + extent);
  Value start = getStart(extent, type.getElementType());
  return made = arith::AddIOp::create(
             builder, loc, first,
             as::SplatOp::create(builder, loc, type, start));
}

Value RollEmitter::getSlice(Value tile, std::optional<unsigned> dim) {
  if (!dim || !isTile(tile))
    return tile;
  return isRollLeaf(tile) ? getLeaf(tile, *dim) : mapping.lookup(tile);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value RollEmitter::join(ArrayRef<Value> parts) {
  llvm::SmallSetVector<Value, 4> distinct(parts.begin(), parts.end());
  if (distinct.empty())
    return {};
  if (distinct.size() == 1)
    return distinct[0];
  return as::JoinMemTokenOp::create(builder, loc,
                                    aa::MemTokenType::get(builder.getContext()),
                                    distinct.getArrayRef());
}

Value RollEmitter::getInputToken(Operation *op) {
  const RollSchedule::Order &order = schedule.getOrder(op);
  SmallVector<Value> parts(order.outside.begin(), order.outside.end());
  // Loads need no order among each other.
  if (isa<as::StoreOp, as::TiledStoreOp>(op))
    for (Operation *member : order.members) {
      llvm::append_range(parts, tokens.lookup(member));
      if (Value here = mapping.lookupOrNull(getResultToken(member)))
        parts.push_back(here);
    }
  if (!copies.empty())
    parts.push_back(copied);
  return join(parts);
}

/// Restricts the facts about the addresses of a tile to its slices of `extent`
/// elements along `dim`, whose elements are adjacent if `isAdjacent`.
static void restrictFacts(Operation *op, unsigned dim, int64_t extent,
                          int64_t bytes, bool isAdjacent) {
  Builder builder(op->getContext());
  StringRef alignName = as::TileASDialect::getAlignAttrName();
  StringRef runName = as::TileASDialect::getContiguousAttrName();
  auto runs = op->getAttrOfType<DenseI32ArrayAttr>(runName);
  if (runs && dim < runs.size() && runs[dim] > extent) {
    SmallVector<int32_t> shorter(runs.asArrayRef());
    shorter[dim] = extent;
    op->setAttr(runName, builder.getDenseI32ArrayAttr(shorter));
    isAdjacent = true;
  }
  // Distance of slices in bytes; strides of other dimensions are part of the
  // alignment already.
  auto align = op->getAttrOfType<IntegerAttr>(alignName);
  if (align && isAdjacent)
    op->setAttr(alignName, builder.getI32IntegerAttr(std::min<int64_t>(
                               align.getInt(), extent * bytes)));
}

void RollEmitter::emitTiled(Operation *op) {
  const RollCut &cut = component.getCut(op);
  bool isStore = isa<as::TiledStoreOp>(op);
  unsigned dim = isStore ? *cut.operands : *cut.results;
  Value oldView = op->getOperand(isStore ? 1 : 0);
  auto view = cast<aa::TATiledViewType>(oldView.getType());
  SmallVector<int64_t> shape(view.getTileShape()), steps(view.getSteps());
  int64_t extent = shape[dim] /= slices;

  // Coordinates count slices where they can, and element offsets are added
  // where tiles do not begin at multiples of the slice.
  int64_t ratio = steps[dim] / extent;
  bool counts = steps[dim] % extent == 0;
  if (counts)
    steps[dim] = extent;
  auto type = aa::TATiledViewType::get(
      op->getContext(), shape, view.getSource(), view.getDims(),
      view.getGroupSizes(), steps, view.getSparseDim(), view.getPadding());
  Value &newView = views[{oldView, type}];
  if (!newView) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(oldView);
    newView = as::BlockTileOp::create(
        builder, oldView.getLoc(), type,
        oldView.getDefiningOp<as::BlockTileOp>().getSource());
  }
  auto at = [&](ValueRange coords) -> SmallVector<Value> {
    SmallVector<Value> result(coords);
    if (!counts)
      return result;
    Value &moved = coordinates[{coords[dim], ratio}];
    if (!moved) {
      // Coordinates have no sign. One that is so large that its slices had no
      // number is outside of any memory.
      unsigned bits = coords[dim].getType().getIntOrFloatBitWidth();
      Value coord = coords[dim];
      if (ratio != 1)
        coord = arith::MulIOp::create(
            builder, loc,
            arith::MinUIOp::create(
                builder, loc, coord,
                constant(APInt::getMaxValue(bits).udiv(ratio).getZExtValue() -
                             1,
                         bits)),
            constant(ratio, bits));
      moved = arith::AddIOp::create(builder, loc, coord,
                                    getStart(1, coord.getType()));
    }
    result[dim] = moved;
    return result;
  };
  auto from = [&](ValueRange offsets) -> SmallVector<Value> {
    SmallVector<Value> result(offsets);
    if (counts)
      return result;
    if (result.empty())
      result.assign(shape.size(), constant(0));
    result[dim] = arith::AddIOp::create(builder, loc, result[dim],
                                        getStart(extent, slice.getType()));
    return result;
  };
  Operation *made;
  if (auto load = dyn_cast<as::TiledLoadOp>(op)) {
    made = as::TiledLoadOp::create(
        builder, loc, getType(load.getValue(), dim),
        load.getResultToken().getType(), newView, at(load.getCoords()),
        from(load.getOffsets()), getInputToken(op), load.getMemSemanticAttr(),
        load.getMemScopeAttr(), load.getInBoundsAttr(), load.getAllowTmaAttr(),
        load.getLatencyAttr(), load.getIsVolatileAttr(),
        load.getCacheModifierAttr(), load.getEvictionPolicyAttr(),
        load.getInvariantAttr(), load.getAtomAttr());
  } else {
    auto store = cast<as::TiledStoreOp>(op);
    made = as::TiledStoreOp::create(
        builder, loc, store.getResultToken().getType(),
        getSlice(store.getValue(), dim), newView, at(store.getCoords()),
        from(store.getOffsets()), getInputToken(op), store.getMemSemanticAttr(),
        store.getMemScopeAttr(), store.getInBoundsAttr(),
        store.getAllowTmaAttr(), store.getLatencyAttr(),
        store.getIsVolatileAttr(), store.getCacheModifierAttr(),
        store.getEvictionPolicyAttr(), store.getAtomAttr());
  }
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  restrictFacts(made, dim, extent,
                std::max(1u, as::getStorageBits(view.getElementType()) / 8),
                view.getSource().getStrides()[view.getMemRefDim(dim)] == 1);
  mapping.map(op->getResults(), made->getResults());
}

void RollEmitter::emitMember(Operation *op) {
  loc = op->getLoc();
  const RollCut &cut = component.getCut(op);
  if (Value view = copies.lookup(op))
    return emitCopied(op, view);
  if (isa<as::TiledLoadOp, as::TiledStoreOp>(op))
    return emitTiled(op);
  if (auto assume = dyn_cast<as::AssumeOp>(op))
    return mapping.map(assume.getResult(),
                       getSlice(assume.getValue(), cut.operands));
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, getSlice(operand, cut.operands));
  auto access = dyn_cast<as::TileASMemoryOpInterface>(op);
  Value token;
  if (access) {
    token = getInputToken(op);
    if (Value old = access.getInputMemToken(); old && token)
      operands.map(old, token);
  }
  Operation *made = builder.clone(*op, operands);
  for (auto [old, result] : llvm::zip(op->getResults(), made->getResults()))
    if (isTile(old))
      result.setType(getType(old, cut.results));
  if (access) {
    // A load that waited for loads alone waits for nothing.
    if (!token && access.getInputMemToken()) {
      if (auto load = dyn_cast<as::LoadOp>(made))
        load.getTokenMutable().clear();
      else
        cast<as::StoreOp>(made).getTokenMutable().clear();
    }
    auto tile = cast<RankedTensorType>(access.getAccessedTile());
    restrictFacts(made, *cut.operands, tile.getDimSize(*cut.operands) / slices,
                  std::max(1u, as::getStorageBits(tile.getElementType()) / 8),
                  /*isAdjacent=*/false);
  }
  mapping.map(op->getResults(), made->getResults());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The halves of registers if `op` takes the extremum of their widened
/// elements, which equals the extremum of the halves; otherwise the operand of
/// `op`.
static Value getCombined(as::ReduceOp op) {
  Value operand = op.getOperands()[0];
  auto widening = operand.getDefiningOp<arith::ExtFOp>();
  if (!isKnownReduction(op) || !widening ||
      !isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
           arith::MinNumFOp>(op.getBody().front().front()))
    return operand;
  Type narrow = getElementTypeOrSelf(widening.getIn().getType());
  return narrow.isF16() || narrow.isBF16() ? widening.getIn() : operand;
}

/// The combiner of `reduce` on values that are elements or tiles of them.
static SmallVector<Value> combine(OpBuilder &builder, as::ReduceOp reduce,
                                  ValueRange elements,
                                  ValueRange accumulators) {
  IRMapping mapping;
  Block &body = reduce.getBody().front();
  for (unsigned i = 0; i < elements.size(); ++i) {
    mapping.map(body.getArgument(2 * i), elements[i]);
    mapping.map(body.getArgument(2 * i + 1), accumulators[i]);
  }
  auto tile = dyn_cast<RankedTensorType>(elements.front().getType());
  for (Operation &op : body.without_terminator()) {
    if (!tile) {
      builder.clone(op, mapping);
      continue;
    }
    // Elements that come from outside, or are constants, are the same for the
    // whole tile.
    for (Value operand : op.getOperands())
      if (!isTile(mapping.lookupOrDefault(operand)))
        mapping.map(operand,
                    as::SplatOp::create(builder, op.getLoc(),
                                        RankedTensorType::get(
                                            tile.getShape(), operand.getType(),
                                            tile.getEncoding()),
                                        mapping.lookupOrDefault(operand)));
    Operation *made = builder.clone(op, mapping);
    if (!isa<arith::ConstantOp>(op))
      for (Value result : made->getResults())
        result.setType(isKnownReduction(reduce)
                           ? tile
                           : RankedTensorType::get(tile.getShape(),
                                                   result.getType(),
                                                   tile.getEncoding()));
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

/// The neutral element of commutative combiners, bit for bit. A sum that starts
/// with +0 would lose the sign of -0; a number that loses against NaN would
/// hide a row of NaN.
static TypedAttr getNeutral(as::ReduceOp op, Type type) {
  using as::ReduceKind;
  Operation &combiner = op.getBody().front().front();
  auto integer = [&](const APInt &value) -> TypedAttr {
    return IntegerAttr::get(type, value);
  };
  auto number = [&](const APFloat &value) -> TypedAttr {
    return FloatAttr::get(type, value);
  };
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (op.getAtom()->getKind()) {
    case ReduceKind::FAdd:
      return number(APFloat::getZero(semantics, /*Negative=*/true));
    case ReduceKind::FMul:
      return number(APFloat::getOne(semantics));
    default:
      if (isa<arith::MinNumFOp, arith::MaxNumFOp>(combiner))
        return number(APFloat::getQNaN(semantics));
      return number(
          APFloat::getInf(semantics, isa<arith::MaximumFOp>(combiner)));
    }
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  switch (op.getAtom()->getKind()) {
  case ReduceKind::Mul:
    return integer(APInt(bits, 1));
  case ReduceKind::Min:
    return integer(APInt::getSignedMaxValue(bits));
  case ReduceKind::Max:
    return integer(APInt::getSignedMinValue(bits));
  case ReduceKind::UMin:
  case ReduceKind::And:
    return integer(APInt::getMaxValue(bits));
  default:
    return integer(APInt::getZero(bits));
  }
}

SmallVector<Value> RollEmitter::getInitials(const Reduction &reduction) {
  SmallVector<Value> initials;
  auto add = [&](Type type, TypedAttr value) {
    if (auto tile = dyn_cast<RankedTensorType>(type))
      value = DenseElementsAttr::get(tile, Attribute(value));
    initials.push_back(arith::ConstantOp::create(builder, loc, value));
  };
  as::ReduceOp op = reduction.op;
  if (reduction.byElement) {
    Value elements = reduction.elements;
    add(getType(elements, component.getCut(op).operands),
        getNeutral(op, getElementTypeOrSelf(elements.getType())));
    return initials;
  }
  // The first slice takes no account of them.
  for (Value result : op.getResults())
    add(result.getType(),
        builder.getZeroAttr(getElementTypeOrSelf(result.getType())));
  return initials;
}

SmallVector<Value> RollEmitter::reduceSlice(const Reduction &reduction,
                                            ValueRange carried) {
  as::ReduceOp op = reduction.op;
  loc = op.getLoc();
  SmallVector<Value> elements;
  if (reduction.byElement)
    elements.push_back(
        getSlice(reduction.elements, component.getCut(op).operands));
  else
    for (Value operand : op.getOperands())
      elements.push_back(getSlice(operand, component.getCut(op).operands));
  if (!reduction.byElement) {
    IRMapping operands;
    operands.map(op.getOperands(), elements);
    Operation *made = builder.clone(*op.getOperation(), operands);
    elements.assign(made->result_begin(), made->result_end());
  }
  SmallVector<Value> combined = combine(
      builder, op, elements, carried.slice(reduction.first, reduction.count));
  if (reduction.byElement)
    return combined;
  // The identities that the program gives are not trusted.
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        slice, constant(0));
  SmallVector<Value> results;
  for (auto [element, value] : llvm::zip(elements, combined))
    results.push_back(
        arith::SelectOp::create(builder, loc, isFirst, element, value));
  return results;
}

SmallVector<Value> RollEmitter::finishReduction(const Reduction &reduction,
                                                ValueRange carried) {
  SmallVector<Value> values(carried.slice(reduction.first, reduction.count));
  if (!reduction.byElement)
    return values;
  IRMapping operands;
  as::ReduceOp op = reduction.op;
  auto type = cast<RankedTensorType>(values[0].getType());
  Type element = getElementTypeOrSelf(op.getOperands()[0].getType());
  if (type.getElementType() != element)
    values[0] = arith::ExtFOp::create(builder, op.getLoc(), type.clone(element),
                                      values[0]);
  operands.map(op.getOperands()[0], values[0]);
  return SmallVector<Value>(
      builder.clone(*op.getOperation(), operands)->getResults());
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Returns whether something beside slices waits for `op`.
bool RollEmitter::needsToken(Operation *op) const {
  return isa<as::TileASMemoryOpInterface>(op) &&
         !getResultToken(op).use_empty();
}

/// Goes to the end of `block`, which has no terminator any more: upstream adds
/// one where nothing is yielded.
static void enter(OpBuilder &builder, Block *block) {
  if (block->mightHaveTerminator())
    block->getTerminator()->erase();
  builder.setInsertionPointToEnd(block);
}

void RollEmitter::startSlice(scf::ForOp loop) {
  enter(builder, loop.getBody());
  slice = loop.getInductionVar();
  mapping.clear();
  leaves.clear();
  coordinates.clear();
}

scf::ForOp RollEmitter::makeLoop(ValueRange initials) {
  Value lower = constant(0), upper = constant(slices), step = constant(1);
  return scf::ForOp::create(builder, loc, lower, upper, step, initials);
}

SmallVector<Operation *> RollEmitter::getOrdered(unsigned phase) const {
  SmallVector<Operation *> ordered;
  llvm::copy_if(schedule.getPhase(phase), std::back_inserter(ordered),
                [&](Operation *op) { return needsToken(op); });
  return ordered;
}

SmallVector<as::ReduceOp> RollEmitter::getReductions(unsigned phase) const {
  SmallVector<as::ReduceOp> reductions;
  for (Operation *op : schedule.getPhase(phase))
    if (component.isReduction(op))
      reductions.push_back(cast<as::ReduceOp>(op));
  return reductions;
}

SmallVector<Value> RollEmitter::emitLoop(unsigned phase) {
  ArrayRef<Operation *> ops = schedule.getPhase(phase);
  loc = ops.front()->getLoc();
  SmallVector<Operation *> ordered = getOrdered(phase);
  SmallVector<Reduction> reductions;
  SmallVector<Value> initials;
  for (as::ReduceOp op : getReductions(phase)) {
    Reduction reduction = {op, isKnownReduction(op), getCombined(op),
                           unsigned(initials.size()), 0};
    SmallVector<Value> values = getInitials(reduction);
    reduction.count = values.size();
    llvm::append_range(initials, values);
    reductions.push_back(reduction);
  }
  unsigned numValues = initials.size();
  for (size_t i = 0; i < ordered.size(); ++i)
    initials.push_back(as::CreateMemTokenOp::create(
        builder, loc, aa::MemTokenType::get(builder.getContext())));
  scf::ForOp loop = makeLoop(initials);
  {
    OpBuilder::InsertionGuard guard(builder);
    startSlice(loop);
    SmallVector<Value> yielded;
    const Reduction *next = reductions.begin();
    for (Operation *op : ops)
      if (component.isReduction(op))
        llvm::append_range(yielded,
                           reduceSlice(*next++, loop.getRegionIterArgs()));
      else
        emitMember(op);
    for (auto [i, op] : llvm::enumerate(ordered))
      yielded.push_back(join({loop.getRegionIterArgs()[numValues + i],
                              mapping.lookup(getResultToken(op))}));
    scf::YieldOp::create(builder, loc, yielded);
  }
  builder.setInsertionPointAfter(loop);
  SmallVector<Value> results;
  for (const Reduction &reduction : reductions)
    llvm::append_range(results, finishReduction(reduction, loop.getResults()));
  llvm::append_range(results, loop.getResults().drop_front(numValues));
  return results;
}

SmallVector<Value> RollEmitter::emitSeparated(unsigned phase) {
  Value separate;
  for (const RollSchedule::Conflict &conflict : schedule.getConflicts()) {
    Value here = emitAreSeparate(builder, conflict.load, conflict.store);
    separate =
        separate ? arith::AndIOp::create(builder, loc, separate, here) : here;
  }
  SmallVector<Type> types;
  for (as::ReduceOp op : getReductions(phase))
    llvm::append_range(types, op->getResultTypes());
  for (Operation *op : getOrdered(phase))
    types.push_back(getResultToken(op).getType());
  auto branch = scf::IfOp::create(builder, loc, types, separate,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    enter(builder, block);
    DenseMap<Operation *, SmallVector<Value>> before = tokens;
    if (block == branch.elseBlock())
      emitCopies();
    scf::YieldOp::create(builder, loc, emitLoop(phase));
    tokens = std::move(before);
  }
  copies.clear();
  return branch.getResults();
}

void RollEmitter::emitPhase(unsigned phase) {
  if (schedule.getPhase(phase).empty())
    return;
  loc = schedule.getPhase(phase).front()->getLoc();
  bool isLast = phase + 1 == schedule.getNumPhases();
  SmallVector<Value> results = isLast && !schedule.getConflicts().empty()
                                   ? emitSeparated(phase)
                                   : emitLoop(phase);
  ArrayRef<Value> rest = results;
  for (as::ReduceOp op : getReductions(phase)) {
    op->replaceAllUsesWith(rest.take_front(op->getNumResults()));
    rest = rest.drop_front(op->getNumResults());
  }
  for (auto [op, token] : llvm::zip_equal(getOrdered(phase), rest))
    tokens[op].push_back(token);
}

//===----------------------------------------------------------------------===//
// Copies of loaded tiles
//===----------------------------------------------------------------------===//

void RollEmitter::emitCopies() {
  // Loads that are copied, with all that their addresses and masks need.
  llvm::SmallSetVector<Operation *, 4> loads;
  for (const RollSchedule::Conflict &conflict : schedule.getConflicts())
    loads.insert(conflict.load);
  DenseSet<Operation *> needed(loads.begin(), loads.end());
  for (const RollComponent::Member &member :
       llvm::reverse(component.getMembers()))
    if (needed.contains(member.op))
      for (Value operand : member.op->getOperands())
        if (Operation *def = operand.getDefiningOp();
            isTile(operand) && component.contains(def))
          needed.insert(def);

  Type token = aa::MemTokenType::get(builder.getContext());
  for (Operation *load : loads) {
    auto tile = getTileType(load->getResult(0));
    unsigned dim = *component.getCut(load).results;
    Value memory = as::AllocaOp::create(
        builder, loc, aa::TAPointerType::get(tile.getElementType()),
        tile.getNumElements(), /*alignment=*/16, /*shareable=*/false);
    // Shared memory is too small for a row, and for others if it were not: an
    // address that was a number is not taken for it.
    Value address =
        as::PtrToIntOp::create(builder, loc, builder.getI64Type(), memory);
    memory = as::IntToPtrOp::create(builder, loc, memory.getType(), address);
    SmallVector<int64_t> strides(tile.getRank(), 1);
    for (int64_t d = tile.getRank() - 1; d-- > 0;)
      strides[d] = strides[d + 1] * tile.getDimSize(d + 1);
    auto memref =
        aa::TAMemRefType::get(tile.getShape(), tile.getElementType(), strides);
    SmallVector<int64_t> shape(tile.getShape());
    shape[dim] /= slices;
    SmallVector<int32_t> dims(tile.getRank());
    std::iota(dims.begin(), dims.end(), 0);
    Value object = as::MakeMemRefOp::create(builder, loc, memref, memory,
                                            ValueRange(), ValueRange());
    copies[load] = as::BlockTileOp::create(
        builder, loc, aa::TATiledViewType::get(shape, memref, dims, shape),
        object);
  }
  Value start = as::CreateMemTokenOp::create(builder, loc, token);
  scf::ForOp loop = makeLoop(start);
  {
    OpBuilder::InsertionGuard guard(builder);
    startSlice(loop);
    SmallVector<Value> done = {loop.getRegionIterArgs()[0]};
    DenseMap<Operation *, Value> views;
    std::swap(views, copies);
    for (const RollComponent::Member &member : component.getMembers()) {
      if (!needed.contains(member.op))
        continue;
      emitMember(member.op);
      if (!loads.contains(member.op))
        continue;
      Value loaded = mapping.lookup(member.op->getResult(0));
      Value view = views.lookup(member.op);
      done.push_back(
          as::TiledStoreOp::create(
              builder, loc, token, loaded, view, getCopyCoordinates(member.op),
              ValueRange(), mapping.lookup(getResultToken(member.op)),
              getWeak(), aa::MemScopeAttr(),
              builder.getDenseBoolArrayAttr(
                  SmallVector<bool>(getTileType(loaded).getRank(), true)),
              BoolAttr(), IntegerAttr(), UnitAttr(), aa::CacheModifierAttr(),
              aa::EvictionPolicyAttr(), as::CopyAtomAttr())
              .getResultToken());
    }
    std::swap(views, copies);
    scf::YieldOp::create(builder, loc, join(done));
  }
  builder.setInsertionPointAfter(loop);
  // Stores follow all copies.
  copied = loop.getResult(0);
}

SmallVector<Value> RollEmitter::getCopyCoordinates(Operation *load) {
  SmallVector<Value> coords(getTileType(load->getResult(0)).getRank(),
                            constant(0));
  coords[*component.getCut(load).results] = slice;
  return coords;
}

void RollEmitter::emitCopied(Operation *load, Value view) {
  RankedTensorType type =
      getType(load->getResult(0), component.getCut(load).results);
  Operation *made = as::TiledLoadOp::create(
      builder, loc, type, getResultToken(load).getType(), view,
      getCopyCoordinates(load), ValueRange(), copied, getWeak(),
      aa::MemScopeAttr(),
      builder.getDenseBoolArrayAttr(SmallVector<bool>(type.getRank(), true)),
      BoolAttr(), IntegerAttr(), UnitAttr(), aa::CacheModifierAttr(),
      aa::EvictionPolicyAttr(), UnitAttr(), as::CopyAtomAttr());
  mapping.map(load->getResults(), made->getResults());
}

void RollEmitter::run() {
  Operation *end = component.getMembers().back().op;
  builder.setInsertionPointAfter(end);
  auto place = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      op->moveBefore(component.getBlock(), builder.getInsertionPoint());
  };
  for (unsigned phase = 0; phase < schedule.getNumPhases(); ++phase) {
    emitPhase(phase);
    place(schedule.getBetween(phase));
  }
  for (const RollComponent::Member &member : component.getMembers())
    if (needsToken(member.op)) {
      loc = member.op->getLoc();
      Value all = join(tokens.lookup(member.op));
      getResultToken(member.op).replaceUsesWithIf(all, [&](OpOperand &use) {
        return !component.contains(use.getOwner());
      });
    }
  place(schedule.getAfter());
  SmallVector<Operation *> leaves;
  for (const RollComponent::Member &member :
       llvm::reverse(component.getMembers())) {
    for (Value operand : member.op->getOperands())
      if (isRollLeaf(operand))
        leaves.push_back(operand.getDefiningOp());
    member.op->dropAllUses();
    member.op->erase();
  }
  llvm::SmallSetVector<Operation *, 8> unused(leaves.begin(), leaves.end());
  for (Operation *leaf : unused)
    if (leaf->use_empty())
      leaf->erase();
}

void emitRolled(const RollComponent &component, const RollSchedule &schedule,
                int64_t slices) {
  RollEmitter(component, schedule, slices).run();
}

} // namespace tileir

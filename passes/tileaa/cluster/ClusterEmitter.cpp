// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterEmitter.h"

#include "passes/analysis/ClusterAttrs.h"
#include "passes/tileaa/cluster/ClusterExchange.h"
#include "passes/tileaa/cluster/ClusterRank.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

class ClusterEmitter {
public:
  ClusterEmitter(aa::FuncOp func, const ClusterDemand &demand,
                 const ClusterWaits &waits)
      : func(func), demand(demand), waits(waits), builder(func.getContext()) {}

  void run();

private:
  /// A value of the old body in one part, or one that the new body has.
  Value get(Value value, ClusterPart part = ClusterPart());
  void set(Value value, ClusterPart part, Value made) {
    versions[{value, part.getKey()}] = made;
  }
  /// The values in `from` in the parts that are needed of those in `to`.
  SmallVector<Value> getCarried(ValueRange to, ValueRange from);
  void setVersions(ValueRange values, ValueRange made);
  SmallVector<Type> getVersionTypes(ValueRange values);

  void emitBlock(Block &block);
  void emit(Operation *op);
  void emitAccess(Operation *op);
  Value emitWait(Value token, Operation *op);
  Value emitClusterWait(Location loc, Value token);
  void emit(scf::ForOp loop);
  void emit(scf::WhileOp loop);
  void emit(scf::IfOp branch);
  void emitBranch(Region &from, Region &to, ValueRange results);
  void emitEffect(Operation *op, ClusterPart part);
  Value getInputToken(Operation *op);
  void emitParts(Operation *op);
  void emitCut(Operation *op, ClusterPart part);
  void setToken(Operation *op, ValueRange tokens);

  /// The same operation on parts of its operands.
  Operation *clone(Operation *op, ClusterPart part);
  Operation *cloneWith(Operation *op, ValueRange operands, TypeRange types);
  void emitExchange(aa::ReduceOp reduce, ClusterPart part, ClusterPart divided);
  Value emitRange(aa::MakeRangeOp range, ClusterPart part);
  void adjust(Operation *made, Operation *op, ClusterPart part);
  template <typename AccessOp>
  void adjustCoords(AccessOp made, AccessOp op, ClusterPart part);
  Value scale(Location loc, Value coord, int64_t factor, int64_t pieces,
              Value piece, bool canWrap);

  Value getPiece(unsigned axes) { return rank->getPiece(axes); }
  Value constant(Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }

  aa::FuncOp func;
  const ClusterDemand &demand;
  const ClusterWaits &waits;
  OpBuilder builder;
  DenseMap<std::pair<Value, unsigned>, Value> versions;
  std::optional<ClusterRank> rank;
  /// Tokens that come after the accesses of all CTAs, by token and block.
  DenseMap<std::pair<Value, Block *>, Value> waited;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ClusterEmitter::get(Value value, ClusterPart part) {
  if (!isDivisible(value.getType()))
    part = ClusterPart();
  Value made = versions.lookup({value, part.getKey()});
  assert(made && "the demand names each part that is used");
  return made;
}

SmallVector<Value> ClusterEmitter::getCarried(ValueRange to, ValueRange from) {
  SmallVector<Value> values;
  for (auto [target, source] : llvm::zip_equal(to, from))
    for (ClusterPart part : demand.getParts(target))
      values.push_back(get(source, part));
  return values;
}

SmallVector<Type> ClusterEmitter::getVersionTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    for (ClusterPart part : demand.getParts(value))
      types.push_back(getPartType(value.getType(), part));
  return types;
}

void ClusterEmitter::setVersions(ValueRange values, ValueRange made) {
  unsigned next = 0;
  for (Value value : values)
    for (ClusterPart part : demand.getParts(value))
      set(value, part, made[next++]);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void ClusterEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    emit(&op);
}

void ClusterEmitter::emit(scf::ForOp loop) {
  ValueRange args = loop.getRegionIterArgs();
  auto made =
      scf::ForOp::create(builder, loop.getLoc(), get(loop.getLowerBound()),
                         get(loop.getUpperBound()), get(loop.getStep()),
                         getCarried(args, loop.getInitArgs()),
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  set(loop.getInductionVar(), ClusterPart(), made.getInductionVar());
  setVersions(args, made.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!made.getBody()->empty())
      made.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(made.getBody());
    emitBlock(*loop.getBody());
    scf::YieldOp::create(builder, loop.getLoc(),
                         getCarried(args, loop.getYieldedValues()));
  }
  // Each result has the parts of its argument, perhaps with more users.
  unsigned next = 0;
  for (auto [arg, result] : llvm::zip(args, loop.getResults()))
    for (ClusterPart part : demand.getParts(arg))
      set(result, part, made.getResult(next++));
}

void ClusterEmitter::emit(scf::WhileOp loop) {
  // A value that is passed on serves the next argument and the result.
  SmallVector<std::pair<unsigned, ClusterPart>> passed;
  for (unsigned i = 0, e = loop.getNumResults(); i < e; ++i) {
    SmallVector<ClusterPart> parts(demand.getParts(loop.getResult(i)));
    for (ClusterPart part : demand.getParts(loop.getAfterArguments()[i]))
      if (!llvm::is_contained(parts, part))
        parts.push_back(part);
    for (ClusterPart part : parts)
      passed.push_back({i, part});
  }
  SmallVector<Type> types;
  for (auto [i, part] : passed)
    types.push_back(getPartType(loop.getResult(i).getType(), part));
  ValueRange before = loop.getBeforeArguments();
  auto made = scf::WhileOp::create(builder, loop.getLoc(), types,
                                   getCarried(before, loop.getInits()));
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  auto begin = [&](Region &region, TypeRange argTypes) {
    SmallVector<Location> locs(argTypes.size(), loop.getLoc());
    return builder.createBlock(&region, region.end(), argTypes, locs);
  };
  Block *head = begin(made.getBefore(), made.getInits().getTypes());
  setVersions(before, head->getArguments());
  emitBlock(*loop.getBeforeBody());
  SmallVector<Value> values;
  for (auto [i, part] : passed)
    values.push_back(get(loop.getConditionOp().getArgs()[i], part));
  scf::ConditionOp::create(builder, loop.getLoc(),
                           get(loop.getConditionOp().getCondition()), values);
  Block *body = begin(made.getAfter(), types);
  for (auto [number, entry] : llvm::enumerate(passed)) {
    set(loop.getAfterArguments()[entry.first], entry.second,
        body->getArgument(number));
    set(loop.getResult(entry.first), entry.second, made.getResult(number));
  }
  emitBlock(*loop.getAfterBody());
  scf::YieldOp::create(builder, loop.getLoc(),
                       getCarried(before, loop.getYieldOp().getResults()));
}

void ClusterEmitter::emitBranch(Region &from, Region &to, ValueRange results) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = to.empty() ? builder.createBlock(&to) : &to.front();
  block->clear();
  builder.setInsertionPointToEnd(block);
  emitBlock(from.front());
  scf::YieldOp::create(
      builder, from.getLoc(),
      getCarried(results, from.front().getTerminator()->getOperands()));
}

void ClusterEmitter::emit(scf::IfOp branch) {
  auto made = scf::IfOp::create(
      builder, branch.getLoc(), getVersionTypes(branch.getResults()),
      get(branch.getCondition()), !branch.getElseRegion().empty());
  made->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  emitBranch(branch.getThenRegion(), made.getThenRegion(), branch.getResults());
  if (!branch.getElseRegion().empty())
    emitBranch(branch.getElseRegion(), made.getElseRegion(),
               branch.getResults());
  setVersions(branch.getResults(), made.getResults());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value ClusterEmitter::scale(Location loc, Value coord, int64_t factor,
                            int64_t pieces, Value piece, bool canWrap) {
  Type type = coord.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  // Indices have no sign; one outside of the view must not wrap into it.
  if (canWrap && width <= 32)
    coord = arith::MinUIOp::create(
        builder, loc, coord,
        constant(loc, type, (llvm::maxUIntN(width) - pieces + 1) / factor));
  if (piece.getType() != type)
    piece = arith::ExtUIOp::create(builder, loc, type, piece);
  coord =
      arith::MulIOp::create(builder, loc, coord, constant(loc, type, factor));
  return arith::AddIOp::create(builder, loc, coord, piece);
}

/// Returns whether `coord` is small for any grid and any loop of this size.
static bool isSmall(Value coord) {
  APInt number;
  if (matchPattern(coord, m_ConstantInt(&number)))
    return number.getActiveBits() <= 24;
  return coord.getDefiningOp<aa::GetProgramIdOp>() != nullptr;
}

template <typename AccessOp>
void ClusterEmitter::adjustCoords(AccessOp made, AccessOp op,
                                  ClusterPart part) {
  aa::TATiledViewType view = op.getView().getType();
  for (unsigned dim = 0; dim < view.getRank(); ++dim) {
    unsigned axes = part.getAxesOf(dim);
    if (!axes || int32_t(dim) == view.getSparseDim())
      continue;
    int64_t count = part.getPieces(dim);
    int64_t factor = view.getSteps()[dim] * count / view.getTileShape()[dim];
    Value coord = made.getCoords()[dim];
    bool canWrap = !op.isInBounds(dim) && !isSmall(op.getCoords()[dim]);
    made.getCoordsMutable()[dim].set(
        scale(op.getLoc(), coord, factor, count, getPiece(axes), canWrap));
  }
}

/// Marks a load of what several CTAs need, so that later passes may let each
/// load a piece for all of them.
static void markShared(Operation *made, ClusterPart part, unsigned numAxes) {
  unsigned axes = part.getFreeAxes(numAxes);
  if (axes && isa<aa::TiledLoadOp>(made))
    made->setAttr(kSharedAxesAttr,
                  Builder(made->getContext()).getI32IntegerAttr(axes));
}

/// Facts about whole tiles that parts may not have.
static ArrayAttr dropShapedFacts(ArrayAttr predicates) {
  SmallVector<Attribute> kept;
  for (Attribute predicate : predicates)
    if (isa<aa::BoundedAttr>(predicate))
      kept.push_back(predicate);
  return ArrayAttr::get(predicates.getContext(), kept);
}

/// Changes what an operation on parts says about their place in the whole;
/// `made` stands before the insertion point.
void ClusterEmitter::adjust(Operation *made, Operation *op, ClusterPart part) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  llvm::TypeSwitch<Operation *>(op)
      .Case<aa::TiledLoadOp, aa::GatherLoadOp, aa::TiledStoreOp,
            aa::ScatterStoreOp, aa::TiledAtomicRmwOp>([&](auto access) {
        using AccessOp = decltype(access);
        adjustCoords(cast<AccessOp>(made), access, part);
      })
      .Case([&](arith::ConstantOp constant) {
        auto elements = cast<DenseElementsAttr>(constant.getValue());
        auto type = cast<ShapedType>(made->getResult(0).getType());
        cast<arith::ConstantOp>(made).setValueAttr(
            DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
      })
      .Case([&](aa::AssumeOp assume) {
        cast<aa::AssumeOp>(made).setPredicatesAttr(
            dropShapedFacts(assume.getPredicates()));
      })
      .Case([&](aa::ExtractSliceOp slice) {
        auto source = cast<RankedTensorType>(slice.getSource().getType());
        auto result = cast<RankedTensorType>(slice.getResult().getType());
        for (unsigned dim = 0, e = result.getRank(); dim < e; ++dim) {
          unsigned axes = part.getAxesOf(dim);
          if (!axes || source.getDimSize(dim) == result.getDimSize(dim))
            continue;
          Location loc = op->getLoc();
          Value piece = getPiece(axes);
          int64_t extent = result.getDimSize(dim) / part.getPieces(dim);
          Value offset = arith::MulIOp::create(
              builder, loc, piece, constant(loc, piece.getType(), extent));
          OpOperand &index = made->getOpOperand(1 + dim);
          index.set(arith::AddIOp::create(builder, loc, index.get(), offset));
        }
      });
}

Operation *ClusterEmitter::clone(Operation *op, ClusterPart part) {
  std::optional<SmallVector<ClusterPart>> parts = getOperandParts(op, part);
  SmallVector<Value> operands;
  for (auto [operand, needed] : llvm::zip(op->getOperands(), *parts))
    operands.push_back(get(operand, needed));
  // The result of a reduction to a scalar is whole.
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(getPartType(result.getType(), part));
  Operation *made = cloneWith(op, operands, types);
  if (!part.isWhole())
    adjust(made, op, part);
  markShared(made, part, demand.getNumAxes());
  return made;
}

/// Returns whether `value` is one of the regions of `op`. No operation owns the
/// region of the old body.
static bool isDefinedIn(Value value, Operation *op) {
  Operation *owner = value.getParentBlock()->getParentOp();
  return owner && op->isAncestor(owner);
}

Operation *ClusterEmitter::cloneWith(Operation *op, ValueRange operands,
                                     TypeRange types) {
  IRMapping map;
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.attributes = op->getAttrDictionary();
  for (Region &region : op->getRegions()) {
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!isDefinedIn(operand, op))
          map.map(operand, get(operand));
    });
    region.cloneInto(state.addRegion(), map);
  }
  return builder.create(state);
}

/// Combines the elements of the CTA, and then what the CTAs have got, in their
/// order.
void ClusterEmitter::emitExchange(aa::ReduceOp reduce, ClusterPart part,
                                  ClusterPart divided) {
  SmallVector<Value> operands;
  for (Value operand : reduce.getOperands())
    operands.push_back(get(operand, divided));
  SmallVector<Type> types;
  for (Value result : reduce.getResults())
    types.push_back(getPartType(result.getType(), part));
  Operation *own = cloneWith(reduce, operands, types);
  unsigned dim = reduce.getAxis();
  SmallVector<Value> gathered;
  for (Value value : own->getResults())
    gathered.push_back(gatherFromCtas(builder, reduce.getLoc(), value, dim,
                                      divided.getAxesOf(dim)));
  Operation *all = cloneWith(reduce, gathered, types);
  for (auto [result, version] :
       llvm::zip(reduce.getResults(), all->getResults()))
    set(result, part, version);
}

/// The part of a range is a shorter range from the CTA's piece on.
Value ClusterEmitter::emitRange(aa::MakeRangeOp range, ClusterPart part) {
  Location loc = range.getLoc();
  auto type = cast<RankedTensorType>(getPartType(range.getType(), part));
  int64_t start = range.getStart(), extent = type.getDimSize(0);
  Value first = aa::MakeRangeOp::create(
      builder, loc, type, builder.getI64IntegerAttr(start),
      builder.getI64IntegerAttr(start + extent));
  Value offset = getPiece(part.getAxesOf(0));
  Type element = type.getElementType();
  unsigned from = offset.getType().getIntOrFloatBitWidth(),
           to = element.getIntOrFloatBitWidth();
  offset = arith::MulIOp::create(builder, loc, offset,
                                 constant(loc, offset.getType(), extent));
  if (from < to)
    offset = arith::ExtUIOp::create(builder, loc, element, offset);
  else if (from > to)
    offset = arith::TruncIOp::create(builder, loc, element, offset);
  Value splat = aa::SplatOp::create(builder, loc, type, offset);
  return arith::AddIOp::create(builder, loc, first, splat);
}

/// Cuts the part of each result out of the whole one.
void ClusterEmitter::emitCut(Operation *op, ClusterPart part) {
  Location loc = op->getLoc();
  for (Value result : op->getResults()) {
    if (!llvm::is_contained(demand.getParts(result), part))
      continue;
    auto type = cast<RankedTensorType>(getPartType(result.getType(), part));
    SmallVector<Value> indices;
    for (unsigned dim = 0, e = type.getRank(); dim < e; ++dim) {
      unsigned axes = part.getAxesOf(dim);
      Type i32 = builder.getI32Type();
      Value extent = constant(loc, i32, type.getDimSize(dim));
      indices.push_back(
          axes ? arith::MulIOp::create(builder, loc, getPiece(axes), extent)
                     .getResult()
               : constant(loc, i32, 0));
    }
    set(result, part,
        aa::ExtractSliceOp::create(builder, loc, type, get(result), indices));
  }
}

/// The token of an access that is made in several parts, or in none.
void ClusterEmitter::setToken(Operation *op, ValueRange tokens) {
  auto access = cast<aa::TileAAMemoryOpInterface>(op);
  Value token;
  if (tokens.size() == 1)
    token = tokens.front();
  else if (tokens.size() > 1)
    token = aa::JoinMemTokenOp::create(builder, op->getLoc(), tokens);
  else if (Value input = access.getInputToken();
           input && !demand.getParts(access.getOutputToken()).empty())
    token = get(input);
  else
    token = aa::CreateMemTokenOp::create(builder, op->getLoc());
  set(access.getOutputToken(), ClusterPart(), token);
}

void ClusterEmitter::emitParts(Operation *op) {
  SmallVector<ClusterPart> parts = demand.getParts(op);
  auto access = dyn_cast<aa::TileAAMemoryOpInterface>(op);
  bool isScalar = llvm::any_of(op->getResults(), [&](Value result) {
    return !isDivisible(result.getType()) && !demand.getParts(result).empty() &&
           !(access && result == access.getOutputToken());
  });
  if (isScalar && !llvm::is_contained(parts, ClusterPart()))
    parts.push_back(ClusterPart());
  // Cut parts come after the whole that they are cut out of.
  SmallVector<Value> tokens;
  for (ClusterPart part : parts) {
    if (demand.isCut(op, part))
      continue;
    if (auto range = dyn_cast<aa::MakeRangeOp>(op); range && !part.isWhole()) {
      set(range, part, emitRange(range, part));
      continue;
    }
    if (std::optional<ClusterPart> divided =
            demand.getExchangedPart(op, part)) {
      emitExchange(cast<aa::ReduceOp>(op), part, *divided);
      continue;
    }
    Operation *made = clone(op, part);
    for (auto [result, version] :
         llvm::zip(op->getResults(), made->getResults())) {
      if (access && result == access.getOutputToken())
        tokens.push_back(version);
      else
        set(result, isDivisible(result.getType()) ? part : ClusterPart(),
            version);
    }
  }
  for (ClusterPart part : parts)
    if (demand.isCut(op, part))
      emitCut(op, part);
  if (access)
    setToken(op, tokens);
}

/// The threads of a tile block are those of all its CTAs. Atomics of views know
/// no scope between one CTA and the device.
static void widenScope(Operation *made) {
  auto access = dyn_cast<aa::TileAAMemoryOpInterface>(made);
  if (!access || access.getScope() != aa::MemScope::TlBlk)
    return;
  aa::MemScope scope = isa<aa::TiledAtomicRmwOp>(made) ? aa::MemScope::Gpu
                                                       : aa::MemScope::Cluster;
  made->setAttr("mem_scope", aa::MemScopeAttr::get(made->getContext(), scope));
}

/// CTAs whose bits of the rank are zero have the effect where axes of the
/// cluster divide nothing of it.
void ClusterEmitter::emitEffect(Operation *op, ClusterPart part) {
  unsigned axes = part.getFreeAxes(demand.getNumAxes());
  bool isOnce = axes && !isa<aa::AssertOp>(op);
  auto emitHere = [&]() {
    Operation *made = clone(op, part);
    widenScope(made);
    return made;
  };
  if (!isOnce) {
    Operation *made = emitHere();
    for (auto [result, version] :
         llvm::zip(op->getResults(), made->getResults()))
      set(result, isDivisible(result.getType()) ? part : ClusterPart(),
          version);
    return;
  }
  Location loc = op->getLoc();
  Value piece = getPiece(axes);
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, piece,
                            constant(loc, piece.getType(), 0));
  // The token, and elements that the other CTAs get from the first one.
  SmallVector<OpResult> results;
  SmallVector<Type> types;
  for (OpResult result : op->getResults())
    if (isa<aa::MemTokenType>(result.getType()) ||
        !demand.getParts(result).empty()) {
      results.push_back(result);
      types.push_back(getPartType(result.getType(), part));
    }
  auto guarded = scf::IfOp::create(builder, loc, types, isFirst,
                                   /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(guarded.thenBlock());
    Operation *made = emitHere();
    SmallVector<Value> values;
    for (OpResult result : results)
      values.push_back(made->getResult(result.getResultNumber()));
    scf::YieldOp::create(builder, loc, values);
    builder.setInsertionPointToEnd(guarded.elseBlock());
    values.clear();
    for (Type type : types)
      values.push_back(isa<aa::MemTokenType>(type)
                           ? getInputToken(op)
                           : Value(arith::ConstantOp::create(
                                 builder, loc, builder.getZeroAttr(type))));
    scf::YieldOp::create(builder, loc, values);
  }
  for (auto [result, value] : llvm::zip(results, guarded.getResults())) {
    if (isa<aa::MemTokenType>(value.getType()))
      set(result, ClusterPart(), value);
    else
      set(result, isDivisible(value.getType()) ? part : ClusterPart(),
          passFromFirst(builder, loc, value, axes));
  }
}

/// The token that orders `op`, which other CTAs do.
Value ClusterEmitter::getInputToken(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<aa::MemTokenType>(operand.getType()))
      return get(operand);
  return aa::CreateMemTokenOp::create(builder, op->getLoc());
}

void ClusterEmitter::emit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emit(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emit(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emit(branch);
  if (isa<aa::TileAAMemoryOpInterface>(op))
    return emitAccess(op);
  if (auto effect = demand.getEffects().find(op);
      effect != demand.getEffects().end())
    return emitEffect(op, effect->second);
  if (isa<aa::GridDependencyOp, aa::MessageOp>(op)) {
    Operation *made = clone(op, ClusterPart());
    for (auto [result, version] :
         llvm::zip(op->getResults(), made->getResults()))
      set(result, ClusterPart(), version);
    return;
  }
  emitParts(op);
}

Value ClusterEmitter::emitClusterWait(Location loc, Value token) {
  auto wait = aa::GridDependencyOp::create(
      builder, loc, aa::MemTokenType::get(builder.getContext()),
      aa::GridDependency::Wait, token);
  wait->setAttr(kClusterWaitAttr, builder.getUnitAttr());
  return wait;
}

/// The token after a barrier of the cluster behind `token`; accesses of a block
/// share one barrier.
Value ClusterEmitter::emitWait(Value token, Operation *op) {
  Value &made = waited[{token, op->getBlock()}];
  if (!made)
    made = emitClusterWait(op->getLoc(), get(token));
  return made;
}

void ClusterEmitter::emitAccess(Operation *op) {
  Value token = cast<aa::TileAAMemoryOpInterface>(op).getInputToken(), before;
  if (waits.contains(op)) {
    before = get(token);
    set(token, ClusterPart(), emitWait(token, op));
  }
  auto effect = demand.getEffects().find(op);
  if (effect != demand.getEffects().end())
    emitEffect(op, effect->second);
  else
    emitParts(op);
  if (before)
    set(token, ClusterPart(), before);
}

void ClusterEmitter::run() {
  Region old;
  old.takeBody(func.getBody());
  Block &before = old.front();
  Block *entry = builder.createBlock(&func.getBody());
  rank.emplace(*entry, func.getLoc(), demand.getNumAxes());
  for (BlockArgument arg : before.getArguments())
    set(arg, ClusterPart(), entry->addArgument(arg.getType(), arg.getLoc()));
  emitBlock(before);
  builder.clone(*before.getTerminator());
}

void emitClusterBody(aa::FuncOp func, const ClusterDemand &demand,
                     const ClusterWaits &waits) {
  ClusterEmitter(func, demand, waits).run();
}

} // namespace tileir

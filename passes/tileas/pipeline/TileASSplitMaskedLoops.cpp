// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/pipeline/PipelineIterators.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-split-masked-loops"

namespace tileir {

#define GEN_PASS_DECL_TILEASSPLITMASKEDLOOPS
#define GEN_PASS_DEF_TILEASSPLITMASKEDLOOPS
#include "passes/tileas/pipeline/TileASSplitMaskedLoops.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASSplitMaskedLoops final
    : impl::TileASSplitMaskedLoopsBase<TileASSplitMaskedLoops> {
  using TileASSplitMaskedLoopsBase::TileASSplitMaskedLoopsBase;

  void runOnOperation() override;

private:
  bool split(scf::ForOp loop);
};

} // namespace

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {

/// The elements of an integer tile: between `low` and `high`, plus `multiple`
/// times the induction variable, plus loop-invariant scalars. No addition
/// wraps.
struct Positions {
  int64_t low = 0, high = 0, multiple = 0;
  SmallVector<Value, 4> scalars;

  void add(const Positions &other) {
    low += other.low;
    high += other.high;
    multiple += other.multiple;
    llvm::append_range(scalars, other.scalars);
  }
};

/// A comparison that is true for all elements if the sum of `multiple` times
/// the induction variable, `slack` and the scalars (`plus` minus `minus`) is
/// not negative.
struct Conjunct {
  Operation *compare;
  Positions lhs, rhs;
  /// That of the larger side less that of the smaller one.
  int64_t multiple, slack;
  bool isRightLarger;
};

} // namespace

/// Larger numbers are no positions; sums and products of a few smaller ones do
/// not overflow.
static constexpr int64_t kMaxPosition = int64_t(1) << 40;
static constexpr unsigned kMaxOperandBits = 24;

static bool isSmall(const Positions &positions) {
  return std::abs(positions.low) < kMaxPosition &&
         std::abs(positions.high) < kMaxPosition &&
         std::abs(positions.multiple) < (int64_t(1) << kMaxOperandBits) &&
         positions.scalars.size() <= 8;
}

static std::optional<Positions> getPositions(Value value, scf::ForOp loop) {
  Positions positions;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    APInt number;
    if (auto splat = dyn_cast<SplatElementsAttr>(constant))
      number = splat.getSplatValue<APInt>();
    else if (auto integer = dyn_cast<IntegerAttr>(constant))
      number = integer.getValue();
    else
      return std::nullopt;
    positions.low = positions.high = number.getSExtValue();
    return positions;
  }
  if (value == loop.getInductionVar()) {
    positions.multiple = 1;
    return positions;
  }
  bool isScalar = !isa<RankedTensorType>(value.getType());
  if (isScalar && loop.isDefinedOutsideOfLoop(value)) {
    positions.scalars.push_back(value);
    return positions;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto range = dyn_cast<as::MakeRangeOp>(op)) {
    positions.low = range.getStart();
    positions.high = int64_t(range.getEnd()) - 1;
    return positions;
  }
  if (isa<as::SplatOp, as::ExpandDimsOp, as::BroadcastOp, as::ConvertLayoutOp,
          as::PermuteOp, as::ViewOp>(op))
    return getPositions(op->getOperand(0), loop);
  if (isa<arith::AddIOp>(op)) {
    std::optional<Positions> lhs = getPositions(op->getOperand(0), loop),
                             rhs = getPositions(op->getOperand(1), loop);
    if (!lhs || !rhs)
      return std::nullopt;
    lhs->add(*rhs);
    return isSmall(*lhs) ? lhs : std::nullopt;
  }
  APInt by;
  if (isa<arith::MulIOp>(op) && isScalar &&
      matchPattern(op->getOperand(1), m_ConstantInt(&by))) {
    // A scalar of the loop times a constant: for other values than the
    // induction variable the multiplication would go before the loop.
    std::optional<Positions> multiple = getPositions(op->getOperand(0), loop);
    if (!multiple || !multiple->scalars.empty() ||
        by.getSignificantBits() > kMaxOperandBits)
      return std::nullopt;
    int64_t number = by.getSExtValue();
    multiple->low *= number;
    multiple->high *= number;
    multiple->multiple *= number;
    if (number < 0)
      std::swap(multiple->low, multiple->high);
    return isSmall(*multiple) ? multiple : std::nullopt;
  }
  return std::nullopt;
}

static std::optional<Conjunct> getConjunct(arith::CmpIOp compare,
                                           scf::ForOp loop) {
  Type element = getElementTypeOrSelf(compare.getLhs().getType());
  if (!element.isInteger() || element.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  Conjunct conjunct{compare, {}, {}, 0, 0, false};
  bool isStrict;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    conjunct.isRightLarger = true;
    isStrict = compare.getPredicate() == arith::CmpIPredicate::slt;
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    isStrict = compare.getPredicate() == arith::CmpIPredicate::sgt;
    break;
  default:
    return std::nullopt;
  }
  std::optional<Positions> lhs = getPositions(compare.getLhs(), loop),
                           rhs = getPositions(compare.getRhs(), loop);
  if (!lhs || !rhs)
    return std::nullopt;
  const Positions &large = conjunct.isRightLarger ? *rhs : *lhs,
                  &small = conjunct.isRightLarger ? *lhs : *rhs;
  conjunct.multiple = large.multiple - small.multiple;
  conjunct.slack = large.low - small.high - isStrict;
  conjunct.lhs = *lhs;
  conjunct.rhs = *rhs;
  // A mask that becomes true later is for a last part, which is not made.
  if (conjunct.multiple > 0)
    return std::nullopt;
  return conjunct;
}

/// The comparisons of the body of `loop` all of which `mask` needs to be true.
static void collectConjuncts(Value mask, scf::ForOp loop,
                             SmallVectorImpl<Conjunct> &conjuncts) {
  Operation *op = mask.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return;
  if (isa<arith::AndIOp>(op)) {
    collectConjuncts(op->getOperand(0), loop, conjuncts);
    collectConjuncts(op->getOperand(1), loop, conjuncts);
  } else if (isa<as::SplatOp, as::BroadcastOp, as::ExpandDimsOp,
                 as::ConvertLayoutOp, as::PermuteOp, as::ViewOp>(op)) {
    collectConjuncts(op->getOperand(0), loop, conjuncts);
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (llvm::none_of(conjuncts, [&](const Conjunct &known) {
          return known.compare == compare.getOperation();
        }))
      if (std::optional<Conjunct> conjunct = getConjunct(compare, loop))
        conjuncts.push_back(std::move(*conjunct));
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// A dimension of a copy: all of its tile is in the array where the index is
/// not negative and at most (size - extent) / step.
struct CopyBound {
  Positions index;
  Type type;
  /// Of the array; null where `constant` is it.
  Value size;
  int64_t constant, extent, step;
};

/// A copy that looks at the end of the array, and the dimensions in which it
/// need not.
struct InsideCopy {
  as::AsyncCopyOp copy;
  SmallVector<bool> inBounds;
};

/// Copies by threads, and the iterations in which they need no bounds check:
/// those in which all of `bounds` hold. The copies of `free` need not check
/// whether their iteration exists while the loop has more than `ahead`
/// iterations left. Slots are still acquired under that condition.
struct CopyCut {
  SmallVector<InsideCopy> copies;
  SmallVector<as::AsyncCopyOp> free;
  SmallVector<CopyBound> bounds;
  int64_t ahead = 0;
};

} // namespace

/// The size of the array of `view` along its dimension `at`: a value, or null
/// and `constant`. None if neither is known.
static std::optional<Value> getSize(Value view, unsigned at,
                                    int64_t &constant) {
  auto block = view.getDefiningOp<as::BlockTileOp>();
  Value source = block ? block.getSource() : Value();
  while (source && source.getDefiningOp<as::AssumeOp>())
    source = source.getDefiningOp<as::AssumeOp>().getValue();
  auto memref =
      source ? source.getDefiningOp<as::MakeMemRefOp>() : as::MakeMemRefOp();
  if (!memref)
    return std::nullopt;
  ArrayRef<int64_t> shape = memref.getType().getShape();
  constant = shape[at];
  if (!ShapedType::isDynamic(constant))
    return Value();
  return memref
      .getSizes()[llvm::count_if(shape.take_front(at), ShapedType::isDynamic)];
}

/// Adds the bounds of `copy` and sets their dimensions; with `onlyMoving`, of
/// the dimensions that the loop walks along. False if one of them is not known
/// before the loop.
static bool collectBounds(as::AsyncCopyOp copy, scf::ForOp loop,
                          bool onlyMoving, SmallVectorImpl<CopyBound> &bounds,
                          SmallVectorImpl<bool> &inBounds) {
  auto view = dyn_cast<nv_tileaa::TATiledViewType>(copy.getSource().getType());
  if (!view || !view.getGroupSizes().empty() || view.hasSparseDim() ||
      !loop.isDefinedOutsideOfLoop(copy.getSource()))
    return false;
  for (auto [d, coord] : llvm::enumerate(copy.getCoords())) {
    inBounds.push_back(copy.getInBoundsAttr() && copy.getInBoundsAttr()[d]);
    if (inBounds.back())
      continue;
    std::optional<Positions> index = getPositions(coord, loop);
    if (onlyMoving && index && index->multiple == 0)
      continue;
    CopyBound bound;
    std::optional<Value> size =
        getSize(copy.getSource(), view.getMemRefDim(d), bound.constant);
    bool isNarrow = coord.getType().getIntOrFloatBitWidth() <= 32;
    if (!index || !size || index->multiple < 0 || !isNarrow ||
        llvm::any_of(
            index->scalars,
            [](Value scalar) {
              return scalar.getType().getIntOrFloatBitWidth() > 32;
            }))
      return false;
    bound.index = *index;
    bound.type = coord.getType();
    bound.size = *size;
    bound.extent = view.getTileShape()[d];
    bound.step = view.getSteps()[d];
    bounds.push_back(bound);
    inBounds.back() = true;
  }
  return true;
}

/// By how much the loop has to go on for `condition` to be true; none when it
/// says something else.
static std::optional<int64_t> getAhead(Value condition, scf::ForOp loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  APInt span;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ugt ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&span)) ||
      span.getActiveBits() > 31)
    return std::nullopt;
  auto left = compare.getLhs().getDefiningOp<arith::SubIOp>();
  if (!left || left.getLhs() != loop.getUpperBound() ||
      left.getRhs() != loop.getInductionVar())
    return std::nullopt;
  return span.getZExtValue();
}

/// Returns whether one warp issues `copy` beside TMA copies while another one
/// multiplies: its bounds checks cost no time.
static bool isByElectedWarp(as::AsyncCopyOp copy) {
  auto acquire = copy.getBuffer().getDefiningOp<as::PipelineAcquireOp>();
  return acquire && getCreate(acquire.getPipeline()).getProducer() ==
                        as::PipelineProducer::Tma;
}

/// The copies of `loop`. If the loop `hasMasks`, too, it is split for their
/// sake: edges of the array that it does not walk along take no iterations from
/// the main loop.
static CopyCut collectCopies(scf::ForOp loop, bool hasMasks) {
  CopyCut cut;
  for (auto copy : loop.getBody()->getOps<as::AsyncCopyOp>()) {
    SmallVector<CopyBound> bounds;
    SmallVector<bool> inBounds;
    if (isByElectedWarp(copy) ||
        !collectBounds(copy, loop, hasMasks, bounds, inBounds) ||
        bounds.empty())
      continue;
    cut.copies.push_back({copy, inBounds});
    llvm::append_range(cut.bounds, bounds);
    if (!copy.getCondition() || hasMasks)
      continue;
    if (std::optional<int64_t> ahead = getAhead(copy.getCondition(), loop)) {
      cut.free.push_back(copy);
      cut.ahead = std::max(cut.ahead, *ahead);
    }
  }
  return cut;
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

namespace {

/// Computes in 64 bits, before a loop, the iteration up to which comparisons
/// are true.
class CutEmitter {
public:
  explicit CutEmitter(scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()),
        wide(builder.getI64Type()), lower(extend(loop.getLowerBound())),
        upper(extend(loop.getUpperBound())) {}

  /// The first value of the induction variable of the second part.
  Value emit(ArrayRef<Conjunct> conjuncts, const CopyCut &copies);

private:
  Value extend(Value value) {
    return value.getType() == wide
               ? value
               : arith::ExtSIOp::create(builder, loc, wide, value);
  }
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value isAtMost(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, a, b);
  }
  Value getScalars(const Positions &positions);
  Value getEnd(const Conjunct &conjunct);
  Value getEnd(const CopyBound &bound);
  Value isNotNegative(const Positions &positions);
  Value fits(const Positions &positions, Type type, Value last);

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Type wide;
  Value lower, upper;
};

} // namespace

Value CutEmitter::getScalars(const Positions &positions) {
  Value sum = number(0);
  for (Value scalar : positions.scalars)
    sum = add(sum, extend(scalar));
  return sum;
}

/// The value of the induction variable from which on `conjunct` may be false.
Value CutEmitter::getEnd(const Conjunct &conjunct) {
  Value lhs = getScalars(conjunct.lhs), rhs = getScalars(conjunct.rhs);
  Value room = conjunct.isRightLarger
                   ? arith::SubIOp::create(builder, loc, rhs, lhs)
                   : arith::SubIOp::create(builder, loc, lhs, rhs);
  room = add(room, number(conjunct.slack));
  if (conjunct.multiple == 0)
    return arith::SelectOp::create(builder, loc, isAtMost(number(0), room),
                                   upper, lower);
  Value last = arith::FloorDivSIOp::create(builder, loc, room,
                                           number(-conjunct.multiple));
  return add(last, number(1));
}

/// The value of the induction variable from which on the tile of a copy may
/// reach over the end of the array.
Value CutEmitter::getEnd(const CopyBound &bound) {
  Value size = bound.size ? bound.size : number(bound.constant);
  Value last = arith::FloorDivSIOp::create(
      builder, loc, add(extend(size), number(-bound.extent)),
      number(bound.step));
  Value room = arith::SubIOp::create(
      builder, loc, last,
      add(getScalars(bound.index), number(bound.index.high)));
  if (bound.index.multiple == 0)
    return arith::SelectOp::create(builder, loc, isAtMost(number(0), room),
                                   upper, lower);
  return add(arith::FloorDivSIOp::create(builder, loc, room,
                                         number(bound.index.multiple)),
             number(1));
}

/// Returns whether the part that grows with the induction variable starts at 0
/// or above.
Value CutEmitter::isNotNegative(const Positions &positions) {
  Value first = add(
      getScalars(positions),
      arith::MulIOp::create(builder, loc, lower, number(positions.multiple)));
  return isAtMost(number(0), add(first, number(positions.low)));
}

/// Returns whether all elements fit their type from the first iteration to
/// `last`: they lie between the elements of the two.
Value CutEmitter::fits(const Positions &positions, Type type, Value last) {
  unsigned bits = type.getIntOrFloatBitWidth();
  Value least = number(APInt::getSignedMinValue(bits).getSExtValue()),
        most = number(APInt::getSignedMaxValue(bits).getSExtValue());
  Value scalars = getScalars(positions), all;
  for (Value at : {lower, last}) {
    Value base =
        add(scalars, arith::MulIOp::create(builder, loc, at,
                                           number(positions.multiple)));
    for (Value isIn : {isAtMost(least, add(base, number(positions.low))),
                       isAtMost(add(base, number(positions.high)), most)})
      all = all ? arith::AndIOp::create(builder, loc, all, isIn) : isIn;
    if (!positions.multiple)
      break;
  }
  return all;
}

Value CutEmitter::emit(ArrayRef<Conjunct> conjuncts, const CopyCut &copies) {
  Value end = upper;
  for (const Conjunct &conjunct : conjuncts)
    end = arith::MinSIOp::create(builder, loc, end, getEnd(conjunct));
  for (const CopyBound &bound : copies.bounds)
    end = arith::MinSIOp::create(builder, loc, end, getEnd(bound));
  if (copies.ahead)
    end = arith::MinSIOp::create(builder, loc, end,
                                 add(upper, number(-copies.ahead)));
  end = arith::MaxSIOp::create(builder, loc, end, lower);
  Value last = add(end, number(-1)), allFit;
  auto require = [&](Value fit) {
    allFit = allFit ? arith::AndIOp::create(builder, loc, allFit, fit) : fit;
  };
  for (const Conjunct &conjunct : conjuncts)
    for (const Positions *side : {&conjunct.lhs, &conjunct.rhs})
      require(
          fits(*side,
               getElementTypeOrSelf(conjunct.compare->getOperand(0).getType()),
               last));
  for (const CopyBound &bound : copies.bounds) {
    require(fits(bound.index, bound.type, last));
    require(isNotNegative(bound.index));
  }
  end = arith::SelectOp::create(builder, loc, allFit, end, lower);
  // A value that the induction variable takes, or the end of all.
  if (!matchPattern(loop.getStep(), m_One())) {
    Value step = extend(loop.getStep());
    Value span = arith::SubIOp::create(builder, loc, end, lower);
    Value steps = arith::CeilDivSIOp::create(builder, loc, span, step);
    end = arith::MinSIOp::create(
        builder, loc, upper,
        add(lower, arith::MulIOp::create(builder, loc, steps, step)));
    end = arith::MaxSIOp::create(builder, loc, end, lower);
  }
  Type narrow = loop.getInductionVar().getType();
  return narrow == wide ? end
                        : arith::TruncIOp::create(builder, loc, narrow, end);
}

//===----------------------------------------------------------------------===//
// Without masks
//===----------------------------------------------------------------------===//

/// Replaces `mask`, all of whose elements are true.
static void replaceByTrue(Value mask) {
  for (Operation *user : llvm::make_early_inc_range(mask.getUsers())) {
    if (isa<arith::AndIOp>(user)) {
      Value other = user->getOperand(user->getOperand(0) == mask ? 1 : 0);
      if (other == mask)
        replaceByTrue(user->getResult(0));
      else
        user->getResult(0).replaceAllUsesWith(other);
    } else if (auto select = dyn_cast<arith::SelectOp>(user);
               select && select.getCondition() == mask) {
      select.getResult().replaceAllUsesWith(select.getTrueValue());
    } else if (isa<as::SplatOp, as::BroadcastOp, as::ExpandDimsOp,
                   as::ConvertLayoutOp, as::PermuteOp, as::ViewOp>(user)) {
      replaceByTrue(user->getResult(0));
    }
  }
}

/// Takes the looks at the ends of arrays out of `copies`, of which `mapping`
/// has the clones.
static void freeCopies(const CopyCut &copies, IRMapping &mapping) {
  for (InsideCopy inside : copies.copies)
    cast<as::AsyncCopyOp>(mapping.lookup(inside.copy.getOperation()))
        .setInBounds(inside.inBounds);
  for (as::AsyncCopyOp copy : copies.free)
    cast<as::AsyncCopyOp>(mapping.lookup(copy.getOperation()))
        .getConditionMutable()
        .clear();
}

static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()
              ->walk(
                  [](LoopLikeOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Registers for addresses and sizes of tiles that threads copy or load in
/// `loop`.
static int64_t getAccessRegisters(scf::ForOp loop) {
  int64_t registers = 0;
  for (Operation &op : *loop.getBody()) {
    if (auto copy = dyn_cast<as::AsyncCopyOp>(op))
      registers += getRegisterCount(copy.getTileType()) /
                   heuristics::wordsPerCopyRegister;
    else if (isa<as::TiledLoadOp, as::LoadOp>(op))
      registers += getRegisterCount(op.getResult(0).getType()) /
                   heuristics::loadedTileShare;
  }
  return registers;
}

/// Returns whether threads have registers left beside the dots of `loop`. The
/// bounds of a second loop are live in the first one; if every register is
/// taken, the bounds or addresses would be spilled.
static bool hasRoom(scf::ForOp loop, ArrayRef<Conjunct> conjuncts) {
  int64_t registers =
      heuristics::registersBesideFragments + getAccessRegisters(loop);
  for (const Conjunct &conjunct : conjuncts)
    if (conjunct.lhs.low != conjunct.lhs.high &&
        conjunct.rhs.low != conjunct.rhs.high)
      registers += heuristics::rowPositionRegisters;
  for (auto dot : loop.getBody()->getOps<as::DotOp>()) {
    // A value computed from another dot takes the registers of that dot.
    Value multiple = dot.getA();
    if (auto part = multiple.getDefiningOp<as::ExtractSliceOp>())
      multiple = part.getSource();
    if (loop.isDefinedOutsideOfLoop(multiple))
      registers += getRegisterCount(dot.getA().getType());
    // Parts of a dot add to the registers of the first one.
    if (!dot.getC().getDefiningOp<as::DotOp>())
      registers += getRegisterCount(dot.getC().getType());
  }
  return RegisterBudget::getAround(loop).getLeft(registers) >= 0;
}

bool TileASSplitMaskedLoops::split(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  if (!type.isInteger() || type.getIntOrFloatBitWidth() > 32 ||
      loop.getUnsignedCmp() || !isInnermost(loop) ||
      loop.getBody()->getOperations().size() > heuristics::maxMaskedLoop) {
    TILEIR_LOG() << loop.getLoc()
                 << ": not looked at: not innermost, unsigned, of wide "
                    "indices or of too many operations";
    return false;
  }
  SmallVector<Conjunct> conjuncts;
  for (auto select : loop.getBody()->getOps<arith::SelectOp>()) {
    auto tile = dyn_cast<RankedTensorType>(select.getCondition().getType());
    if (tile && tile.getNumElements() >= minElements)
      collectConjuncts(select.getCondition(), loop, conjuncts);
  }
  // The scalars of a comparison fit 64 bits.
  llvm::erase_if(conjuncts, [](const Conjunct &conjunct) {
    auto isWide = [](Value scalar) {
      return !scalar.getType().isInteger() ||
             scalar.getType().getIntOrFloatBitWidth() > 32;
    };
    return llvm::any_of(conjunct.lhs.scalars, isWide) ||
           llvm::any_of(conjunct.rhs.scalars, isWide);
  });
  // A comparison that selects the iterations in which masks matter decides
  // alone; iterations without masks are worth a register.
  auto isOfIterations = [](const Conjunct &conjunct) {
    return conjunct.multiple &&
           conjunct.compare->getResult(0).getType().isInteger(1);
  };
  bool isMaskedLate = llvm::any_of(conjuncts, isOfIterations);
  if (isMaskedLate)
    llvm::erase_if(conjuncts, std::not_fn(isOfIterations));
  // If scores are masked, the end of their mask decides. Arrays mostly end
  // after it, and the check whether an iteration of an early copy exists would
  // leave more iterations with masks.
  CopyCut copies = collectCopies(loop, /*hasMasks=*/!conjuncts.empty());
  TILEIR_LOG() << loop.getLoc() << ": " << conjuncts.size()
               << " comparisons of masks and " << copies.copies.size()
               << " copies have an end to cut at";
  if (conjuncts.empty() && copies.copies.empty())
    return false;
  if (!isMaskedLate && !hasRoom(loop, conjuncts)) {
    TILEIR_LOG() << loop.getLoc() << ": unchanged: its dots need the registers";
    remark::missed(loop.getLoc(),
                   remarkAbout(loop, "SplitMaskedLoops", "tileas"))
        << StringRef("loop is not cut where its masks begin to matter")
        << remark::metric("Reason", "its dots need the registers");
    return false;
  }
  Value cut = CutEmitter(loop).emit(conjuncts, copies);
  OpBuilder builder(loop);
  IRMapping mapping;
  auto first = cast<scf::ForOp>(builder.clone(*loop, mapping));
  first.setUpperBound(cut);
  loop.setLowerBound(cut);
  loop.getInitArgsMutable().assign(first.getResults());
  for (const Conjunct &conjunct : conjuncts)
    replaceByTrue(mapping.lookup(conjunct.compare->getResult(0)));
  freeCopies(copies, mapping);
  eraseUnused(*first.getBody());
  remark::passed(loop.getLoc(), remarkAbout(loop, "SplitMaskedLoops", "tileas"))
      << StringRef("loop is cut where its masks begin to matter")
      << remark::metric("Comparisons", int64_t(conjuncts.size()))
      << remark::metric("Copies", int64_t(copies.copies.size()));
  return true;
}

void TileASSplitMaskedLoops::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  uint64_t before = numLoops;
  for (scf::ForOp loop : loops)
    numLoops += split(loop);
  if (numLoops == before)
    markAllAnalysesPreserved();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/pipeline/ChainOrder.h"
#include "passes/tileas/pipeline/ChainedDots.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/pipeline/ShiftTensorDots.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-shift-chained-dots"

namespace tileir {

#define GEN_PASS_DEF_TILEASSHIFTCHAINEDDOTS
#include "passes/tileas/pipeline/TileASShiftChainedDots.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASShiftChainedDots final
    : impl::TileASShiftChainedDotsBase<TileASShiftChainedDots> {
  using TileASShiftChainedDotsBase::TileASShiftChainedDotsBase;

  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Makes the branch that takes the place of the loop.
class ChainShifter {
public:
  explicit ChainShifter(ChainedDots chain)
      : chain(chain), loop(chain.loop), builder(loop), loc(loop.getLoc()) {}

  void run();

private:
  void emitFirst();
  scf::ForOp emitLoop(Value last);
  SmallVector<Value> emitLast(scf::ForOp shifted, Value last);
  void clone(ArrayRef<Operation *> ops, IRMapping &mapping) {
    for (Operation *op : ops)
      builder.clone(*op, mapping);
  }
  /// Returns whether `op` is made for another iteration: cloned apart from the
  /// rest.
  bool isMoved(Operation *op) const {
    if (chain.isOneOf(chain.start, op) || chain.isOneOf(chain.slot, op))
      return !isPure(op) || namesSlot(op);
    return chain.isOneOf(chain.finish, op) || chain.isOneOf(chain.copies, op);
  }
  void waitForAccumulator(IRMapping &mapping);
  void rescaleAccumulator(IRMapping &mapping);
  void holdOperand(IRMapping &mapping);
  Value getHalf(Value whole, unsigned dim, int64_t number);
  Value makeHalfOperand(IRMapping &mapping, int64_t number);
  Value multiplyHalf(IRMapping &mapping, int64_t number, Value operand,
                     Value acc);
  unsigned getNumber(BlockArgument arg) const { return arg.getArgNumber() - 1; }

  ChainedDots chain;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  /// The first dot of the first iteration, and the iter-args there.
  Value started;
  SmallVector<Value> inits;
};

} // namespace

void ChainShifter::emitFirst() {
  inits.assign(loop.getInits().begin(), loop.getInits().end());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), inits);
  IRMapping early = mapping;
  clone(chain.early, early);
  clone(chain.start, mapping);
  clone(chain.finish, mapping);
  started = mapping.lookup(chain.firstWait.getResult());
  for (auto [arg, init] : llvm::zip(loop.getRegionIterArgs(), inits)) {
    Operation *next = loop.getTiedLoopYieldedValue(arg)->get().getDefiningOp();
    if (chain.isOneOf(chain.finish, next))
      init = mapping.lookup(next->getResult(0));
    // The iterator by which they are copied.
    bool isEarly = llvm::any_of(arg.getUsers(), [&](Operation *user) {
      return chain.isOneOf(chain.early, user);
    });
    if (isEarly && isa<as::PipelineIteratorType>(arg.getType()))
      init = builder.clone(*next, mapping)->getResult(0);
  }
  Value &acc = inits[getNumber(chain.acc)];
  acc = as::AsyncToAsyncOp::create(builder, loc, chain.second.getType(), acc);
}

/// The accumulator of the previous iteration as a tile.
void ChainShifter::waitForAccumulator(IRMapping &mapping) {
  Value tile = as::DotWaitOp::create(builder, loc, chain.acc.getType(),
                                     mapping.lookup(chain.acc), /*pending=*/0);
  mapping.map(chain.acc, tile);
}

/// The accumulator of the previous iteration, rescaled where that changes it.
/// The first dot of the next iteration stays in flight.
void ChainShifter::rescaleAccumulator(IRMapping &mapping) {
  Value future = as::AsyncRescaleOp::create(
      builder, loc, chain.second.getType(), mapping.lookup(chain.acc),
      mapping.lookupOrDefault(chain.rescaleFactor));
  Value tile = as::DotWaitOp::create(builder, loc, chain.acc.getType(), future,
                                     /*pending=*/1);
  mapping.map(chain.rescale.getResult(), tile);
}

/// The dot of the previous iteration reads the registers of its operand until
/// the wait: writes to them stay after it.
void ChainShifter::holdOperand(IRMapping &mapping) {
  llvm::SmallSetVector<Value, 2> sources;
  for (Value operand : chain.operandOp->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && mapping.contains(operand))
      sources.insert(operand);
  for (Value source : sources) {
    Value now = mapping.lookup(source);
    mapping.map(source, as::OptimizationBarrierOp::create(builder, loc,
                                                          now.getType(), now)
                            .getResult(0));
  }
}

/// Half of a tile, or of a slot, along `dim`.
Value ChainShifter::getHalf(Value whole, unsigned dim, int64_t number) {
  MLIRContext *context = builder.getContext();
  if (auto buffer = dyn_cast<as::BufferType>(whole.getType())) {
    SmallVector<int64_t> shape(buffer.getShape()), offsets(shape.size(), 0);
    shape[dim] /= 2;
    offsets[dim] = number * shape[dim];
    auto part = as::BufferType::get(context, 0, shape, buffer.getElementType(),
                                    buffer.getLayout());
    return as::SubviewOp::create(builder, loc, part, whole, ValueRange(),
                                 offsets);
  }
  auto tile = cast<RankedTensorType>(whole.getType());
  SmallVector<int64_t> shape(tile.getShape());
  shape[dim] /= 2;
  SmallVector<Value> offsets;
  for (unsigned i = 0; i < shape.size(); ++i)
    offsets.push_back(arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(i == dim ? number * shape[dim] : 0)));
  auto part =
      RankedTensorType::get(shape, tile.getElementType(),
                            as::getLayoutAttr(context, *getHalfLayout(tile)));
  return as::ExtractSliceOp::create(builder, loc, part, whole, offsets);
}

/// The operand of half of the second dot, from elements that no earlier
/// operation may read.
Value ChainShifter::makeHalfOperand(IRMapping &mapping, int64_t number) {
  auto whole = cast<RankedTensorType>(chain.second.getA().getType());
  auto half = RankedTensorType::get(
      {whole.getDimSize(0), whole.getDimSize(1) / 2}, whole.getElementType(),
      as::getLayoutAttr(builder.getContext(), *getHalfLayout(whole)));
  SmallVector<Value> operands;
  for (Value operand : chain.operandOp->getOperands()) {
    Value part = getHalf(mapping.lookupOrDefault(operand), 1, number);
    operands.push_back(
        as::OptimizationBarrierOp::create(builder, loc, part.getType(), part)
            .getResult(0));
  }
  OperationState state(loc, chain.operandOp->getName(), operands, half);
  state.attributes = chain.operandOp->getDiscardableAttrDictionary();
  state.propertiesAttr = chain.operandOp->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// Adds one of two halves of the second dot to `acc`.
Value ChainShifter::multiplyHalf(IRMapping &mapping, int64_t number,
                                 Value operand, Value acc) {
  as::AsyncDotOp dot = chain.second;
  Value slot = getHalf(mapping.lookupOrDefault(dot.getB()), 0, number);
  return as::AsyncDotOp::create(builder, loc, dot.getType(), operand, slot, acc,
                                dot.getAtom(), dot.getSignednessAAttr(),
                                dot.getSignednessBAttr());
}

scf::ForOp ChainShifter::emitLoop(Value last) {
  SmallVector<Value> all(inits);
  all.push_back(started);
  if (chain.isLate)
    all.push_back(loop.getLowerBound());
  auto shifted = scf::ForOp::create(builder, loc, loop.getLowerBound(), last,
                                    loop.getStep(), all);
  shifted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  shifted.setUnsignedCmp(loop.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(shifted.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), shifted.getInductionVar());
  size_t count = inits.size();
  mapping.map(loop.getRegionIterArgs(),
              shifted.getRegionIterArgs().take_front(count));
  mapping.map(chain.firstWait.getResult(), shifted.getRegionIterArg(count));
  // The first dot of the next iteration.
  IRMapping next = mapping;
  auto takeNext = [&] {
    next.map(loop.getInductionVar(),
             arith::AddIOp::create(builder, loc, shifted.getInductionVar(),
                                   loop.getStep()));
    for (Operation *op : chain.start)
      if (op != chain.first && op != chain.firstWait)
        builder.clone(*op, next);
  };
  auto startNext = [&] { builder.clone(*chain.first, next); };
  auto start = [&] {
    takeNext();
    startNext();
  };
  auto finishNext = [&](int64_t pending) {
    cast<as::DotWaitOp>(builder.clone(*chain.firstWait, next))
        .setPending(pending);
    clone(chain.finish, next);
  };
  if (!chain.lastReader && !chain.isLate)
    start();
  Value halfAccumulator, halfOperand;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (chain.isLate && &op == chain.operandOp) {
      // No operation waits for the whole accumulator: its dots run one after
      // the other. When one is left, the operand of the previous iteration is
      // free.
      holdOperand(mapping);
      clone(chain.slot, mapping);
      takeNext();
      Value acc = as::AsyncRescaleOp::create(
          builder, loc, chain.second.getType(), mapping.lookup(chain.acc),
          mapping.lookupOrDefault(chain.rescaleFactor));
      acc = multiplyHalf(mapping, 0, makeHalfOperand(mapping, 0), acc);
      halfAccumulator = as::DotWaitOp::create(builder, loc, acc.getType(), acc,
                                              /*pending=*/1);
      halfOperand = makeHalfOperand(mapping, 1);
      continue;
    }
    if (chain.isLate && &op == chain.second.getOperation()) {
      startNext();
      mapping.map(chain.second.getResult(),
                  multiplyHalf(mapping, 1, halfOperand, halfAccumulator));
      continue;
    }
    if (&op == chain.firstNeed) {
      // Elements that only the second dot reads would sink after the wait for
      // its slot.
      if (chain.rescale)
        holdOperand(mapping);
      clone(chain.slot, mapping);
      if (chain.rescale) {
        rescaleAccumulator(mapping);
      } else {
        waitForAccumulator(mapping);
        // The dot of the next iteration is as old as the work of this one by
        // now. ptxas serializes all MMAs (C7514) if threads read a loop-carried
        // accumulator after a wait that leaves a younger one.
        finishNext(/*pending=*/0);
      }
      holdOperand(mapping);
    }
    if (&op == chain.secondWait.getOperation()) {
      mapping.map(chain.secondWait.getResult(),
                  mapping.lookup(chain.second.getResult()));
      if (chain.rescale)
        finishNext(/*pending=*/1);
    } else if (&op != chain.rescale && !isMoved(&op)) {
      // The second dot reads its slot until the next iteration waits for the
      // dot.
      if (auto release =
              dyn_cast<as::PipelineReleaseOp>(builder.clone(op, mapping)))
        release.setPending(1);
    }
    if (&op == chain.lastReader && !chain.isLate)
      start();
  }
  clone(chain.early, next);
  for (Operation *op : chain.copies)
    if (!chain.isOneOf(chain.early, op))
      builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(chain.isOneOf(chain.finish, value.getDefiningOp())
                          ? next.lookup(value)
                          : mapping.lookupOrDefault(value));
  yielded.push_back(next.lookup(chain.firstWait.getResult()));
  // Where registers are scarce, the last iteration has its number from the
  // loop, not from something that lives through it.
  if (chain.isLate) {
    Value index = next.lookup(loop.getInductionVar());
    yielded.push_back(
        as::OptimizationBarrierOp::create(builder, loc, index.getType(), index)
            .getResult(0));
  }
  scf::YieldOp::create(builder, loc, yielded);
  return shifted;
}

/// Emits the last iteration; returns its yielded values.
SmallVector<Value> ChainShifter::emitLast(scf::ForOp shifted, Value last) {
  IRMapping mapping;
  size_t count = inits.size();
  mapping.map(loop.getInductionVar(),
              chain.isLate ? shifted.getResults().back() : last);
  mapping.map(loop.getRegionIterArgs(), shifted.getResults().take_front(count));
  mapping.map(chain.firstWait.getResult(), shifted.getResult(count));
  bool hasSum = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isNeeded = &op == chain.firstNeed;
    if (isNeeded)
      clone(chain.slot, mapping);
    // The accumulator may be rescaled before the operand is computed.
    if (!hasSum && (isNeeded || &op == chain.rescale)) {
      waitForAccumulator(mapping);
      hasSum = true;
    }
    if (isNeeded)
      holdOperand(mapping);
    if (!isMoved(&op))
      builder.clone(op, mapping);
  }
  SmallVector<Value> yielded;
  for (auto [value, result] :
       llvm::zip(loop.getYieldedValues(), loop.getResults()))
    if (!isa<as::PipelineIteratorType>(result.getType()))
      yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

void ChainShifter::run() {
  SmallVector<OpResult> results;
  SmallVector<Type> types;
  SmallVector<Value> kept;
  for (OpResult result : loop.getResults())
    if (!isa<as::PipelineIteratorType>(result.getType())) {
      results.push_back(result);
      types.push_back(result.getType());
      kept.push_back(loop.getInits()[result.getResultNumber()]);
    }
  Value hasAny =
      arith::CmpIOp::create(builder, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, types, hasAny,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, kept);
  builder.setInsertionPointToEnd(branch.thenBlock());
  Value last = getLastIndex(builder, loop);
  emitFirst();
  scf::ForOp shifted = emitLoop(last);
  scf::YieldOp::create(builder, loc, emitLast(shifted, last));
  for (auto [old, result] : llvm::zip(results, branch.getResults()))
    old.replaceAllUsesWith(result);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Starts the first dot of `loop` an iteration ahead; returns whether there is
/// one. Otherwise `reason` says why if there are two dots. Sets `isOrdered` if
/// the operations between two dots have another order now.
static bool shift(scf::ForOp loop, std::string &reason, bool &isOrdered) {
  if (hasTensorChain(loop)) {
    reason = shiftTensorChain(loop);
    return reason.empty();
  }
  std::optional<ChainedDots> chain = findChainedDots(loop, reason);
  isOrdered = orderChain(loop, /*isAhead=*/bool(chain));
  // It is the same chain, at other places.
  if (chain && isOrdered)
    chain = findChainedDots(loop, reason);
  if (chain)
    ChainShifter(*chain).run();
  return bool(chain);
}

void TileASShiftChainedDots::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (scf::ForOp loop : loops) {
    std::string reason;
    Location loc = loop.getLoc();
    auto options = remarkAbout(loop, "SkewProducts", "tileas");
    bool isOrdered = false, isShifted = shift(loop, reason, isOrdered);
    changed |= isOrdered;
    numOrdered += isOrdered;
    TILEIR_LOG() << loc << ": "
                 << (isShifted ? "shifted" : "dots not shifted: ") << reason;
    if (!isShifted) {
      if (!reason.empty())
        remark::missed(loc, options)
            << StringRef("the first dot does not start an iteration ahead")
            << remark::metric("Reason", StringRef(reason));
      continue;
    }
    remark::passed(loc, options)
        << StringRef("first dot starts an iteration ahead");
    ++numLoops;
    changed = true;
  }
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir

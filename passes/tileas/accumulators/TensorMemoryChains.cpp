// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/TensorMemoryChains.h"
#include "passes/analysis/MmaChain.h"

#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/pipeline/ChainOrder.h"
#include "passes/tileas/pipeline/PipelineIterators.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/layout/MatrixDescriptor.h"
#include "dialects/support/layout/TensorMemory.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

bool isZeroTile(Value tile) {
  return matchPattern(tile, m_PosZeroFloat()) || matchPattern(tile, m_Zero());
}

std::optional<DotChain> getDotChain(as::DotOp dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!loop)
    return std::nullopt;
  MmaChain chain(loop);
  if (chain.getDots().size() != 2)
    return std::nullopt;
  const LoopDot &first = chain.getDots()[0], &second = chain.getDots()[1];
  if (!isa<as::DotOp>(first.op) || !isa<as::DotOp>(second.op) ||
      !isZeroTile(first.c) || !second.isCarried || !second.rescale ||
      !second.accumulator.hasOneUse())
    return std::nullopt;
  return DotChain{loop, cast<as::DotOp>(first.op), cast<as::DotOp>(second.op),
                  second.rescale, second.accumulator};
}

/// Returns the tile of `operand` that threads store, in any layout.
static Value getRestagedTile(Value operand) {
  while (auto convert = operand.getDefiningOp<as::ConvertLayoutOp>())
    operand = convert.getSource();
  return operand;
}

as::BufferType getStagedOperandType(Value operand) {
  as::BufferType type =
      getStagingType(cast<RankedTensorType>(operand.getType()), /*major=*/1);
  return matrixDescriptor(type.getLayout().getLayout(),
                          as::getStorageBits(type.getElementType()), 1)
             ? type
             : as::BufferType();
}

/// Returns whether threads have A of `dot` in registers.
static bool storesA(as::DotOp dot) {
  Operation *op = dot.getA().getDefiningOp();
  while (isa_and_present<as::ConvertLayoutOp, as::ViewOp, as::PermuteOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (!isa_and_present<as::CopyOp, as::TiledLoadOp, as::LoadOp>(op))
    return true;
  return op->getBlock() != dot->getBlock();
}

int64_t getChainRestagedBytes(as::DotOp dot) {
  if (!getDotChain(dot) || !storesA(dot))
    return 0;
  as::BufferType type = getStagedOperandType(dot.getA());
  return type ? type.getStageStride() : 0;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// A buffer in tensor memory that MMAs fill and threads read, with the
/// iterators of both sides.
struct TensorPipeline {
  Value buffer, pipeline;
  Value producer, consumer;
};

class ChainRewriter {
public:
  ChainRewriter(DotChain chain, ChainOperands first, ChainOperands second)
      : chain(chain), loop(chain.loop), a(first), b(second), builder(loop),
        accNumber(chain.acc.getArgNumber() - 1) {}

  void run();

private:
  SmallVector<scf::ForOp> getLoops();
  TensorPipeline createResultPipeline(as::DotOp dot, int64_t depth);
  void carry(TensorPipeline &pipe);
  Value acquire(TensorPipeline &pipe, Value position);
  Value wait(TensorPipeline &pipe, Value position);
  void commit(TensorPipeline &pipe, Value position);
  void release(TensorPipeline &pipe, Value position);
  Value advance(Value position) {
    return as::PipelineAdvanceOp::create(builder, loc, position.getType(),
                                         position);
  }
  void fence(as::FenceKind kind) {
    as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
  }
  void synchronize() {
    as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  }
  void store(Value tile, Value buffer) {
    as::CopyOp::create(builder, loc, /*result=*/Type(), tile, buffer,
                       as::CopyAtomAttr());
  }
  Value load(RankedTensorType tile, Value buffer) {
    return as::CopyOp::create(builder, loc, tile, buffer, Value(),
                              as::CopyAtomAttr())
        .getResult();
  }
  Value allocateOperand(as::DotOp dot);
  void multiply(as::DotOp dot, const ChainOperands &operands, Value slot,
                bool adds);
  void setSteps(TensorPipeline &pipe, Value nextProducer, Value nextConsumer);
  void startAccumulator();
  void emitFirst();
  Operation *findRescalePlace();
  void emitSecond();
  void sinkRest();
  void readAccumulator();

  DotChain chain;
  scf::ForOp loop;
  ChainOperands a, b;
  OpBuilder builder;
  Location loc = chain.loop.getLoc();
  /// The iter-arg number of the accumulator.
  unsigned accNumber;
  TensorPipeline results, accumulators;
  /// Later operations no longer delay the second dot.
  Operation *started = nullptr;
};

} // namespace

/// The loops around the dots, the outermost first.
SmallVector<scf::ForOp> ChainRewriter::getLoops() {
  SmallVector<scf::ForOp> loops = {loop};
  while (auto parent = dyn_cast<scf::ForOp>(loops.back()->getParentOp()))
    loops.push_back(parent);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

TensorPipeline ChainRewriter::createResultPipeline(as::DotOp dot,
                                                   int64_t depth) {
  MLIRContext *context = loop.getContext();
  RankedTensorType tile = dot.getC().getType();
  builder.setInsertionPoint(getLoops().front());
  auto layout = as::getLayoutAttr(context, *tensorAccLayout(tile.getShape()));
  auto getType = [&](int64_t stages) {
    return as::BufferType::get(context, stages, tile.getShape(),
                               tile.getElementType(), layout);
  };
  TensorPipeline pipe;
  pipe.buffer = as::AllocTensorOp::create(builder, loc, getType(depth),
                                          IntegerAttr(), IntegerAttr());
  pipe.pipeline = as::PipelineCreateOp::create(
      builder, loc, as::PipelineType::get(context, depth, getType(0)),
      pipe.buffer, as::PipelineProducer::Umma,
      builder.getArrayAttr(as::PipelineConsumerAttr::get(
          context, as::PipelineConsumer::Generic)),
      as::PipelineSync::Mbarrier, as::PipelineEmpty::Barrier);
  auto position = as::PipelineIteratorType::get(context, depth);
  auto start = [&](as::PipelineSide side) {
    return as::PipelineIteratorOp::create(builder, loc, position, pipe.pipeline,
                                          side, Value());
  };
  pipe.producer = start(as::PipelineSide::Producer);
  pipe.consumer = start(as::PipelineSide::Consumer);
  builder.setInsertionPointAfter(getLoops().front());
  as::DeallocOp::create(builder, loc, pipe.buffer);
  return pipe;
}

/// Carries the iterators of `pipe` through all loops.
void ChainRewriter::carry(TensorPipeline &pipe) {
  loop = carryIterators(getLoops(), pipe.producer, pipe.consumer);
}

Value ChainRewriter::acquire(TensorPipeline &pipe, Value position) {
  return as::PipelineAcquireOp::create(
             builder, loc,
             cast<as::PipelineType>(pipe.pipeline.getType()).getPayloads(),
             pipe.pipeline, position, Value())
      .getSlots()
      .front();
}

Value ChainRewriter::wait(TensorPipeline &pipe, Value position) {
  return as::PipelineWaitOp::create(
             builder, loc,
             cast<as::PipelineType>(pipe.pipeline.getType()).getPayloads(),
             pipe.pipeline, position, /*consumer=*/0, /*pending=*/0)
      .getSlots()
      .front();
}

void ChainRewriter::commit(TensorPipeline &pipe, Value position) {
  as::PipelineCommitOp::create(builder, loc, pipe.pipeline, position, Value());
}

void ChainRewriter::release(TensorPipeline &pipe, Value position) {
  as::PipelineReleaseOp::create(builder, loc, pipe.pipeline, position, Value(),
                                /*consumer=*/0);
}

/// A buffer for A of `dot`, whose life are all loops.
Value ChainRewriter::allocateOperand(as::DotOp dot) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(getLoops().front());
  Value buffer =
      as::AllocTensorOp::create(builder, loc, getStagedOperandType(dot.getA()),
                                IntegerAttr(), IntegerAttr());
  builder.setInsertionPointAfter(getLoops().front());
  as::DeallocOp::create(builder, loc, buffer);
  return buffer;
}

void ChainRewriter::multiply(as::DotOp dot, const ChainOperands &operands,
                             Value slot, bool adds) {
  Value useAcc =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(adds));
  as::AsyncDotIntoOp::create(builder, dot.getLoc(), operands.a, operands.b,
                             slot, useAcc, Value(), Value(), operands.atom,
                             dot.getSignednessAAttr(),
                             dot.getSignednessBAttr());
}

/// Yields the iterators of `pipe` for the next iteration.
void ChainRewriter::setSteps(TensorPipeline &pipe, Value nextProducer,
                             Value nextConsumer) {
  loop.getTiedLoopYieldedValue(cast<BlockArgument>(pipe.producer))
      ->set(nextProducer);
  loop.getTiedLoopYieldedValue(cast<BlockArgument>(pipe.consumer))
      ->set(nextConsumer);
}

/// Emits the first dot of every iteration.
void ChainRewriter::emitFirst() {
  as::DotOp dot = chain.first;
  if (!a.a) {
    a.a = allocateOperand(dot);
    Value tile = getRestagedTile(dot.getA());
    // The results of an iteration are stored in it.
    if (loop.isDefinedOutsideOfLoop(tile))
      builder.setInsertionPoint(loop);
    else
      builder.setInsertionPoint(dot);
    store(tile, a.a);
    fence(as::FenceKind::ProxyAsyncShared);
    synchronize();
  }
  builder.setInsertionPoint(dot);
  multiply(dot, a, acquire(results, results.producer), /*adds=*/false);
  commit(results, results.producer);
  Value nextProducer = advance(results.producer);
  Value tile = load(dot.getC().getType(), wait(results, results.consumer));
  release(results, results.consumer);
  setSteps(results, nextProducer, advance(results.consumer));
  dot.getResult().replaceAllUsesWith(tile);
  dot.erase();
}

/// Writes the initial accumulator. The commit stands for MMAs, of which there
/// are none yet.
void ChainRewriter::startAccumulator() {
  builder.setInsertionPoint(loop);
  OpOperand *position =
      loop.getTiedLoopInit(cast<BlockArgument>(accumulators.producer));
  Value before = position->get();
  store(loop.getInitArgs()[accNumber], acquire(accumulators, before));
  commit(accumulators, before);
  position->set(advance(before));
}

/// Finds the operation before which the accumulator may be rescaled in tensor
/// memory: the first one that waits for the many elements of the stored
/// operand, so that the functional units compute those meanwhile. The rescale
/// factors move up to their operands. Null if the accumulator has to be loaded
/// to registers: its factors are many, or a multiplication by one changes it.
Operation *ChainRewriter::findRescalePlace() {
  arith::MulFOp rescale = chain.rescale;
  Block *body = loop.getBody();
  BlockArgument arg = loop.getRegionIterArg(accNumber);
  Value rescaleFactor =
      rescale.getLhs() == arg ? rescale.getRhs() : rescale.getLhs();
  if (!rescaleFactor.getDefiningOp<as::BroadcastOp>() ||
      !chain.second.getC().getType().getElementType().isF32() ||
      SymbolTable::getNearestSymbolTable(rescale)->hasAttr(aa::kFtzAttr))
    return nullptr;
  auto getPlace = [&]() -> Operation * {
    Operation *made = getRestagedTile(chain.second.getA()).getDefiningOp();
    if (!made || made->getBlock() != body || made->getNumOperands() != 1 ||
        !isMemoryEffectFree(made))
      return chain.second;
    Operation *place = made;
    for (Operation *user : made->getOperand(0).getUsers())
      if (Operation *at = body->findAncestorOpInBlock(*user);
          at && at->isBeforeInBlock(place))
        place = at;
    return place;
  };
  Operation *place = getPlace();
  llvm::SmallSetVector<Operation *, 8> producers;
  producers.insert(rescaleFactor.getDefiningOp());
  for (size_t i = 0; i < producers.size(); ++i)
    for (Value operand : producers[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != body)
        continue;
      if (!op->getNumRegions() && isMemoryEffectFree(op))
        producers.insert(op);
      else if (op == place || place->isBeforeInBlock(op))
        return chain.second;
    }
  // The few numbers come before the many.
  for (Operation &op : llvm::make_early_inc_range(*body)) {
    if (!producers.contains(&op))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == body &&
          (!last || last->isBeforeInBlock(producer)))
        last = producer;
    if (last)
      op.moveAfter(last);
    else
      op.moveBefore(&body->front());
  }
  return place;
}

/// Rescales the accumulator and adds the second dot, which reads its operand
/// until the next iteration waits for the accumulator.
void ChainRewriter::emitSecond() {
  as::DotOp dot = chain.second;
  arith::MulFOp rescale = chain.rescale;
  bool isRestaged = !b.a;
  if (isRestaged)
    b.a = allocateOperand(dot);
  Operation *place = findRescalePlace();
  builder.setInsertionPoint(place ? place : dot);
  Value slot = wait(accumulators, accumulators.consumer);
  if (place) {
    Value rescaleFactor = rescale.getLhs() == loop.getRegionIterArg(accNumber)
                              ? rescale.getRhs()
                              : rescale.getLhs();
    as::TensorRescaleOp::create(builder, loc, slot, rescaleFactor);
  }
  builder.setInsertionPoint(dot);
  // The registers of the operand are free before those of the accumulator are
  // allocated.
  if (isRestaged)
    store(getRestagedTile(dot.getA()), b.a);
  if (!place) {
    Value before = load(dot.getC().getType(), slot);
    rescale->moveBefore(dot);
    rescale->replaceUsesOfWith(loop.getRegionIterArg(accNumber), before);
    builder.setInsertionPoint(dot);
    store(rescale.getResult(), slot);
  }
  release(accumulators, accumulators.consumer);
  if (isRestaged)
    fence(as::FenceKind::ProxyAsyncShared);
  fence(as::FenceKind::Tcgen05Before);
  synchronize();
  fence(as::FenceKind::Tcgen05After);
  multiply(dot, b, acquire(accumulators, accumulators.producer), /*adds=*/true);
  commit(accumulators, accumulators.producer);
  Value nextProducer = advance(accumulators.producer);
  setSteps(accumulators, nextProducer, advance(accumulators.consumer));
  started = nextProducer.getDefiningOp();
}

/// Moves work on the elements of the stored operand without readers before the
/// second dot, such as row sums, after the start of that dot.
void ChainRewriter::sinkRest() {
  Block *body = loop.getBody();
  Operation *made = getRestagedTile(chain.second.getA()).getDefiningOp();
  if (!made || made->getBlock() != body || !made->getNumOperands())
    return;
  Operation *numbers = made->getOperand(0).getDefiningOp();
  if (!numbers || numbers->getBlock() != body)
    return;
  llvm::SmallPtrSet<Operation *, 16> follows = {numbers};
  SmallVector<Operation *> between;
  for (Operation *op = numbers->getNextNode(); op != started;
       op = op->getNextNode()) {
    bool isOfNumbers = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        isOfNumbers |= follows.contains(operand.getDefiningOp());
    });
    if (!isOfNumbers || !isMemoryEffectFree(op))
      continue;
    follows.insert(op);
    between.push_back(op);
  }
  for (Operation *op : findDeferred(between, started))
    op->moveAfter(started);
}

/// Loads the accumulator to registers after the loop.
void ChainRewriter::readAccumulator() {
  builder.setInsertionPointAfter(loop);
  Value position =
      loop.getTiedLoopResult(cast<BlockArgument>(accumulators.consumer));
  Value tile =
      load(chain.second.getC().getType(), wait(accumulators, position));
  release(accumulators, position);
  Value next = advance(position);
  if (auto around = dyn_cast<scf::ForOp>(loop->getParentOp())) {
    Operation *yield = around.getBody()->getTerminator();
    yield->replaceUsesOfWith(position, next);
  }
  loop.getResult(accNumber).replaceAllUsesWith(tile);
}

void ChainRewriter::run() {
  results = createResultPipeline(chain.first, a.stages);
  carry(results);
  accumulators = createResultPipeline(chain.second, b.stages);
  carry(accumulators);
  // The loop was rebuilt around the same operations.
  results.producer = loop.getRegionIterArgs().take_back(4)[0];
  results.consumer = loop.getRegionIterArgs().take_back(4)[1];
  emitFirst();
  startAccumulator();
  emitSecond();
  sinkRest();
  readAccumulator();
  as::DotOp dot = chain.second;
  loop.getBody()->getTerminator()->setOperand(accNumber,
                                              loop.getInitArgs()[accNumber]);
  arith::MulFOp rescale = chain.rescale;
  dot.erase();
  if (rescale->use_empty())
    rescale.erase();
  eraseCarried(loop, accNumber);
}

void multiplyChain(DotChain chain, ChainOperands first, ChainOperands second) {
  ChainRewriter(chain, first, second).run();
}

} // namespace tileir

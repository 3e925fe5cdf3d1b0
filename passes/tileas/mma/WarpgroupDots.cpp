// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/WarpgroupDots.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "passes/analysis/Remarks.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/Wgmma.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/stage/InvariantOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/Fragments.h"
#include "dialects/support/layout/MatrixDescriptor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tileas-materialize-mma"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

static unsigned getNumWarps(as::DotOp dot) {
  return 1u << as::getTileLayout(dot.getC().getType())
                   .getLayout()
                   .getNumBases(kWarp);
}

/// The assigned instruction of `dot`; null when it is no `wgmma`.
static as::MmaAtomAttr getAtom(as::DotOp dot) {
  return isAssigned(dot, as::MmaKind::Wgmma)
             ? getAssignedAtom(dot, dot.getAtom().getAType(),
                               dot.getAtom().getBType())
             : as::MmaAtomAttr();
}

void refuseWgmma(as::DotOp dot, StringRef operand, StringRef reason) {
  refuseMma(dot);
  TILEIR_LOG() << dot.getLoc() << ": not made by warpgroups: " << operand
               << ": " << reason;
  remark::missed(dot.getLoc(), remarkAbout(dot, "Wgmma", "tileas"))
      << StringRef("dot is not computed by wgmma")
      << remark::metric("Operand", operand) << remark::metric("Reason", reason);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The copy from a buffer that `tile` is, or null.
static as::CopyOp getBufferCopy(Value tile) {
  auto copy = tile.getDefiningOp<as::CopyOp>();
  return copy && copy.getResult() ? copy : as::CopyOp();
}

/// The buffer for a restaged operand.
static as::BufferType getRestagedType(Value operand, unsigned kDim) {
  return getStagingType(cast<RankedTensorType>(operand.getType()), kDim);
}

/// Returns whether `dot` only adds to an iter-arg, so that it may stay in
/// flight while the next iteration stores its operands.
static bool isAccumulatorOfLoop(as::DotOp dot) {
  auto arg = dyn_cast<BlockArgument>(dot.getC());
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  return arg && loop && !dot.getMma()->getPromote() &&
         arg.getOwner() == loop.getBody() && arg.hasOneUse() &&
         dot.getResult().hasOneUse() &&
         loop.getTiedLoopYieldedValue(arg)->get() == dot.getResult();
}

/// Buffers that a restaged operand alternates between: one more than MMAs that
/// may still read one. A dot without a pipeline of slots is waited for.
static int64_t getNumRestaged(as::DotOp dot) {
  bool hasPipeline =
      llvm::any_of(ArrayRef<Value>{dot.getA(), dot.getB()}, [](Value operand) {
        Operation *op = operand.getDefiningOp();
        while (isa_and_present<as::ConvertLayoutOp, as::PermuteOp, as::ViewOp,
                               as::FpToFpOp>(op))
          op = op->getOperand(0).getDefiningOp();
        return isa_and_present<as::CopyOp, as::TiledLoadOp, as::LoadOp>(op);
      });
  return hasPipeline && isAccumulatorOfLoop(dot) ? 2 : 1;
}

int64_t getRestagedOperandBytes(as::DotOp dot) {
  int64_t bytes = 0;
  if (!isAssigned(dot, as::MmaKind::Wgmma))
    return bytes;
  if (dot.getMma()->getA() == as::MmaOperand::Restaged)
    bytes += getRestagedType(dot.getA(), 1).getStageStride();
  if (dot.getMma()->getB() == as::MmaOperand::Restaged)
    bytes += getRestagedType(dot.getB(), 0).getStageStride();
  return bytes * getNumRestaged(dot);
}

/// Returns whether A, in its present registers, is an operand of `wgmma`.
static bool isFragment(as::DotOp dot, as::MmaAtomAttr atom) {
  std::optional<Layout> want = as::getDotOperandLayout(
      atom, as::getTileLayout(dot.getC().getType()).getLayout(), dot.getDepth(),
      /*isA=*/true);
  return want && *want == as::getTileLayout(dot.getA().getType()).getLayout();
}

/// The loop before which A of `dot` leaves the registers that it is in; null
/// when there is none.
static scf::ForOp getLoopOfInvariant(as::DotOp dot, as::MmaAtomAttr atom) {
  scf::ForOp outermost = getInvariantLoop(dot);
  if (dot.getMma()->getA() != as::MmaOperand::Invariant || !outermost ||
      !isFragment(dot, atom))
    return {};
  as::BufferType type = getRestagedType(dot.getA(), /*kDim=*/1);
  return matrixDescriptor(type.getLayout().getLayout(),
                          as::getStorageBits(type.getElementType()),
                          /*kDim=*/1)
             ? outermost
             : scf::ForOp();
}

int64_t getInvariantOperandBytes(as::DotOp dot) {
  as::MmaAtomAttr atom = getAtom(dot);
  return atom && getLoopOfInvariant(dot, atom)
             ? getRestagedType(dot.getA(), /*kDim=*/1).getStageStride()
             : 0;
}

namespace {

/// An operand of `wgmma`.
struct WarpgroupOperand {
  /// A buffer in a legal layout, or A in registers.
  Value value;
  /// True if the operand must be restaged; then `value` is null.
  bool isRestaged = false;
  /// The loop before which the operand is staged, once; null: it stays in
  /// place, or is restaged.
  scf::ForOp loop;
};

/// Rewrites one dot to `wgmma`.
class WarpgroupBuilder {
public:
  WarpgroupBuilder(as::DotOp dot, as::MmaAtomAttr atom, const Target &target)
      : dot(dot), atom(atom), target(target), builder(dot), loc(dot.getLoc()) {}

  /// Finds the places of the operands; returns the obstacle, if any.
  std::string prepare(int64_t &freeBytes);
  void run();

private:
  std::string prepareOperand(WarpgroupOperand &operand, bool isA,
                             int64_t &freeBytes);
  Value restore(bool isA);
  Value getBuffer(as::BufferType type);
  Value multiply(Value a, Value b, Value c, as::MmaAtomAttr with);
  Value promote(Value a, Value b);
  Value getPart(Value operand, ArrayRef<int64_t> shape,
                ArrayRef<int64_t> offsets);
  SmallVector<Value> getConstants(ArrayRef<int64_t> numbers);

  as::DotOp dot;
  as::MmaAtomAttr atom;
  const Target &target;
  OpBuilder builder;
  Location loc;
  WarpgroupOperand a, b;
  /// Buffers of this iteration alone.
  SmallVector<Value> restaged;
  /// Which of two buffers this iteration stores to; null before it is asked
  /// for.
  Value slotIndex;
};

} // namespace

std::string WarpgroupBuilder::prepareOperand(WarpgroupOperand &operand,
                                             bool isA, int64_t &freeBytes) {
  Value tile = isA ? dot.getA() : dot.getB();
  unsigned kDim = isA ? 1 : 0;
  std::string reason = "it is in registers in another layout";
  if (as::CopyOp copy = getBufferCopy(tile)) {
    reason =
        checkOperandLayout(copy.getSrc(), kDim, as::kWarpgroupTransposedBits);
    if (reason.empty()) {
      operand.value = copy.getSrc();
      return "";
    }
  } else if (isA && isFragment(dot, atom)) {
    operand.value = tile;
    // Registers that a loop would keep are worth more than the memory.
    scf::ForOp loop = getLoopOfInvariant(dot, atom);
    int64_t bytes =
        loop ? getRestagedType(tile, kDim).getStageStride() : int64_t(0);
    if (loop && bytes <= freeBytes) {
      freeBytes -= bytes;
      operand.loop = loop;
    }
    return "";
  }
  as::BufferType type = getRestagedType(tile, kDim);
  if (!matrixDescriptor(type.getLayout().getLayout(),
                        as::getStorageBits(type.getElementType()), kDim))
    return reason + ", and too small to be restaged";
  int64_t bytes = type.getStageStride() * getNumRestaged(dot);
  if (freeBytes < bytes)
    return reason + ", and no shared memory is left to restage it";
  freeBytes -= bytes;
  operand.isRestaged = true;
  return "";
}

std::string WarpgroupBuilder::prepare(int64_t &freeBytes) {
  std::string reason = prepareOperand(b, /*isA=*/false, freeBytes);
  if (!reason.empty()) {
    refuseWgmma(dot, "B", reason);
    return reason;
  }
  reason = prepareOperand(a, /*isA=*/true, freeBytes);
  if (!reason.empty())
    refuseWgmma(dot, "A", reason);
  return reason;
}

/// The outermost of the loops around `op` with nothing else between them.
static scf::ForOp getOutermostLoop(Operation *op) {
  auto loop = cast<scf::ForOp>(op->getParentOp());
  while (auto parent = dyn_cast<scf::ForOp>(loop->getParentOp()))
    loop = parent;
  return loop;
}

/// A buffer for an operand. If the dot may stay in flight until the next
/// iteration, two buffers alternate. A thread that stores to one knows that the
/// dot before the last has read it: all threads have waited for that dot and
/// have synchronized since, before or when the pipeline of the other operand
/// released a slot.
Value WarpgroupBuilder::getBuffer(as::BufferType type) {
  auto allocate = [&](as::BufferType all) -> Value {
    return as::AllocTensorOp::create(builder, loc, all, IntegerAttr(),
                                     IntegerAttr());
  };
  int64_t count = getNumRestaged(dot);
  if (count == 1) {
    restaged.push_back(allocate(type));
    return restaged.back();
  }
  if (!slotIndex) {
    auto loop = cast<scf::ForOp>(dot->getParentOp());
    IRRewriter rewriter(loop);
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    auto next = [](OpBuilder &inner, Location at,
                   ArrayRef<BlockArgument> args) {
      Value one =
          arith::ConstantOp::create(inner, at, inner.getI32IntegerAttr(1));
      return SmallVector<Value>{arith::XOrIOp::create(inner, at, args[0], one)};
    };
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false, next));
    slotIndex = loop.getRegionIterArgs().back();
  }
  scf::ForOp outermost = getOutermostLoop(dot);
  builder.setInsertionPoint(outermost);
  Value both =
      allocate(as::BufferType::get(dot.getContext(), count, type.getShape(),
                                   type.getElementType(), type.getLayout()));
  builder.setInsertionPointAfter(outermost);
  as::DeallocOp::create(builder, loc, both);
  // The body is another block now.
  builder.setInsertionPoint(dot);
  return as::ViewOp::create(builder, loc, type, both, slotIndex, /*ring=*/true);
}

/// Stores an operand in the layout that `wgmma` reads. An operand from a buffer
/// goes through registers whose layout suits both.
Value WarpgroupBuilder::restore(bool isA) {
  Value tile = isA ? dot.getA() : dot.getB();
  unsigned kDim = isA ? 1 : 0;
  as::BufferType type = getRestagedType(tile, kDim);
  if (as::CopyOp copy = getBufferCopy(tile)) {
    auto old = cast<RankedTensorType>(tile.getType());
    Layout via = transposingLayout({old.getDimSize(0), old.getDimSize(1)}, kDim,
                                   as::getStorageBits(old.getElementType()),
                                   getNumWarps(dot));
    tile = as::CopyOp::create(
               builder, loc,
               as::withLayout(old, as::getLayoutAttr(dot.getContext(), via)),
               copy.getSrc(), Value(), as::CopyAtomAttr())
               .getResult();
  } else if (auto convert = tile.getDefiningOp<as::ConvertLayoutOp>()) {
    tile = convert.getSource();
  }
  Value buffer = getBuffer(type);
  as::CopyOp::create(builder, loc, Type(), tile, buffer, as::CopyAtomAttr());
  return buffer;
}

/// One dot and a wait for it.
Value WarpgroupBuilder::multiply(Value x, Value y, Value c,
                                 as::MmaAtomAttr with) {
  auto type = cast<RankedTensorType>(c.getType());
  Value future = as::AsyncDotOp::create(
      builder, loc, as::FutureType::get(dot.getContext(), type), x, y, c, with,
      dot.getSignednessAAttr(), dot.getSignednessBAttr());
  return as::DotWaitOp::create(builder, loc, type, future, /*pending=*/0);
}

SmallVector<Value> WarpgroupBuilder::getConstants(ArrayRef<int64_t> numbers) {
  SmallVector<Value> values;
  for (int64_t number : numbers)
    values.push_back(arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(number)));
  return values;
}

/// The part of a tile or buffer of extents `shape` from `offsets` on.
Value WarpgroupBuilder::getPart(Value operand, ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> offsets) {
  if (auto buffer = dyn_cast<as::BufferType>(operand.getType())) {
    if (buffer.getShape() == shape)
      return operand;
    auto part =
        as::BufferType::get(dot.getContext(), 0, shape, buffer.getElementType(),
                            buffer.getLayout());
    return as::SubviewOp::create(builder, loc, part, operand, ValueRange(),
                                 offsets);
  }
  auto tile = cast<RankedTensorType>(operand.getType());
  if (tile.getShape() == shape)
    return operand;
  std::optional<Layout> layout = as::getTileLayout(tile).getLayout().extract(
      Layout::Shape(shape.begin(), shape.end()));
  auto type =
      RankedTensorType::get(shape, tile.getElementType(),
                            as::getLayoutAttr(dot.getContext(), *layout));
  return as::ExtractSliceOp::create(builder, loc, type, operand,
                                    getConstants(offsets));
}

/// Dots of parts of K, each added to the accumulator separately.
Value WarpgroupBuilder::promote(Value x, Value y) {
  RankedTensorType type = dot.getC().getType();
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1),
          step = getPromotedColumns(dot, getNumWarps(dot)),
          depth = std::min(dot.getDepth(), dot.getMma()->getPromote());
  auto with = as::MmaAtomAttr::get(
      dot.getContext(), as::MmaKind::Wgmma, atom.getM(), step, atom.getK(),
      atom.getAType(), atom.getBType(), atom.getCType());
  Value acc = dot.getC();
  for (int64_t k = 0; k < dot.getDepth(); k += depth)
    for (int64_t n = 0; n < columns; n += step) {
      Value accPart = getPart(acc, {rows, step}, {0, n});
      auto part = cast<RankedTensorType>(accPart.getType());
      Value zero = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(part, builder.getF32FloatAttr(0)));
      Value partial = multiply(getPart(x, {rows, depth}, {0, k}),
                               getPart(y, {depth, step}, {k, n}), zero, with);
      accPart = arith::AddFOp::create(builder, loc, accPart, partial);
      acc = step == columns
                ? accPart
                : as::InsertSliceOp::create(builder, loc, type, accPart, acc,
                                            getConstants({0, n}))
                      .getResult();
    }
  return acc;
}

void WarpgroupBuilder::run() {
  Value x = a.loop         ? stageInvariantOperand(dot, a.loop, target)
            : a.isRestaged ? restore(/*isA=*/true)
                           : a.value;
  Value y = b.isRestaged ? restore(/*isA=*/false) : b.value;
  if (slotIndex) {
    as::FenceOp::create(builder, loc, as::FenceKind::ProxyAsyncShared,
                        nv_tileaa::MemScopeAttr());
    as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  }
  Value result = dot.getMma()->getPromote() ? promote(x, y)
                                            : multiply(x, y, dot.getC(), atom);
  for (Value buffer : restaged)
    as::DeallocOp::create(builder, loc, buffer);
  SmallVector<Operation *> operands = {dot.getA().getDefiningOp(),
                                       dot.getB().getDefiningOp()};
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
  if (operands[0] == operands[1])
    operands.pop_back();
  for (Operation *op : operands)
    while (isa_and_present<as::CopyOp, as::ConvertLayoutOp, as::ViewOp,
                           as::TiledLoadOp>(op) &&
           op->use_empty()) {
      Operation *made = op;
      op = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
      made->erase();
    }
}

bool multiplyByWarpgroups(as::DotOp dot, const Target &target,
                          int64_t &freeBytes) {
  as::MmaAtomAttr atom = getAtom(dot);
  // Outside of loops threads would store both operands.
  if (!atom || (!dot->getParentOfType<scf::ForOp>() &&
                !getBufferCopy(dot.getA()) && !getBufferCopy(dot.getB())))
    return false;
  WarpgroupBuilder builder(dot, atom, target);
  int64_t left = freeBytes;
  if (!builder.prepare(left).empty())
    return false;
  freeBytes = left;
  builder.run();
  return true;
}

//===----------------------------------------------------------------------===//
// Loop-carried dots
//===----------------------------------------------------------------------===//

/// Records in the pipelines that feed `dot` that `wgmma` reads them, and in
/// their releases how many MMAs may still do so.
static void setReader(as::AsyncDotOp dot, int64_t pending) {
  for (Value operand : {dot.getA(), Value(dot.getB())}) {
    as::PipelineWaitOp wait = getSlotWait(operand);
    if (!wait)
      continue;
    auto create = getCreate(wait.getPipeline());
    create.setConsumersAttr(
        Builder(dot.getContext())
            .getArrayAttr(as::PipelineConsumerAttr::get(
                dot.getContext(), as::PipelineConsumer::Wgmma)));
    for (Operation *user : wait.getPipeline().getUsers()) {
      auto release = dyn_cast<as::PipelineReleaseOp>(user);
      // After the loop of a loop-invariant operand no dot is in flight.
      if (release && release->getBlock() == dot->getBlock())
        release.setPending(std::max<int64_t>(release.getPending(), pending));
    }
  }
}

/// Returns whether `operand` is one of alternating buffers.
static bool alternatesSlots(Value operand) {
  auto view = operand.getDefiningOp<as::ViewOp>();
  return view && view.getStage() &&
         view.getSource().getDefiningOp<as::AllocTensorOp>();
}

/// Returns whether the slots that `dot` reads in `loop` belong to pipelines
/// with a spare slot. TMA copies wait until the dot releases its slot. Threads
/// that alternate between buffers need a pipeline that the loop advances: it
/// synchronizes them (`getBuffer`).
static bool hasSpareSlot(as::AsyncDotOp dot, scf::ForOp loop) {
  bool alternatesSlot = false, advancesPipeline = false;
  for (Value operand : {dot.getA(), Value(dot.getB())}) {
    // No thread writes to a loop-invariant operand, nor to a slot of an
    // enclosing loop.
    if (isa<as::BufferType>(operand.getType()) &&
        loop.isDefinedOutsideOfLoop(operand))
      continue;
    if (alternatesSlots(operand)) {
      alternatesSlot = true;
      continue;
    }
    as::PipelineWaitOp wait = getSlotWait(operand);
    if (!wait)
      return false;
    auto create = getCreate(wait.getPipeline());
    bool isGroup = create.getSync() == as::PipelineSync::Group;
    if (create.getType().getDepth() < (isGroup ? 3 : 2))
      return false;
    advancesPipeline = true;
  }
  return advancesPipeline || !alternatesSlot;
}

/// Carries the accumulator of `dot` through the loop as a future. Returns false
/// if another operation reads or writes it.
static bool carry(as::AsyncDotOp dot) {
  auto arg = dyn_cast<BlockArgument>(dot.getC());
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!arg || !loop || arg.getOwner() != loop.getBody() || !arg.hasOneUse() ||
      !dot.getResult().hasOneUse())
    return false;
  auto wait = dyn_cast<as::DotWaitOp>(*dot.getResult().user_begin());
  if (!wait || wait->getBlock() != loop.getBody() ||
      !wait.getResult().hasOneUse() || !hasSpareSlot(dot, loop))
    return false;
  OpOperand *yielded = loop.getTiedLoopYieldedValue(arg);
  if (yielded->get() != wait.getResult())
    return false;
  OpBuilder builder(loop);
  as::FutureType future = dot.getType();
  OpOperand *init = loop.getTiedLoopInit(arg);
  init->set(
      as::AsyncToAsyncOp::create(builder, dot.getLoc(), future, init->get()));
  arg.setType(future);
  wait.setPending(1);
  wait.getResult().setType(future);
  OpResult result = loop.getTiedLoopResult(arg);
  Type tile = result.getType();
  result.setType(future);
  builder.setInsertionPointAfter(loop);
  auto last = as::DotWaitOp::create(builder, dot.getLoc(), tile, result,
                                    /*pending=*/0);
  result.replaceAllUsesExcept(last.getResult(), last);
  return true;
}

void carryWarpgroupDots(nv_tileaa::FuncOp func) {
  SmallVector<as::AsyncDotOp> dots;
  func->walk([&](as::AsyncDotOp dot) { dots.push_back(dot); });
  for (as::AsyncDotOp dot : dots)
    setReader(dot, carry(dot) ? 1 : 0);
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/PairedPipelines.h"

#include "passes/analysis/ClusterAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

static bool isOfPair(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    if (auto dot = dyn_cast<as::AsyncDotIntoOp>(user))
      return dot.getAtom().getCtaGroup() == 2;
    return isa<as::PermuteOp, as::ViewOp, as::SubviewOp>(user) &&
           isOfPair(user->getResult(0));
  });
}

bool isOfPair(as::PipelineCreateOp pipeline) {
  return llvm::any_of(pipeline->getUsers(), [](Operation *user) {
    return isa<as::PipelineAcquireOp, as::PipelineWaitOp>(user) &&
           llvm::any_of(user->getResults(),
                        [](Value slot) { return isOfPair(slot); });
  });
}

void setPair(Operation *op) {
  op->setAttr(kPeersAttr,
              Builder(op->getContext()).getDenseI32ArrayAttr({0, 1}));
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

/// Emits the number of iterations of `loop` after it, as an i32.
static Value emitTrips(scf::ForOp loop) {
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  Location loc = loop.getLoc();
  Value first = loop.getLowerBound(), end = loop.getUpperBound();
  Type type = first.getType();
  Value one = arith::ConstantOp::create(builder, loc,
                                        builder.getIntegerAttr(type, 1)),
        zero = arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(type, 0));
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                         : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, predicate, first, end);
  Value last = arith::SubIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, end, first), one);
  Value trips = arith::AddIOp::create(
      builder, loc, arith::DivUIOp::create(builder, loc, last, loop.getStep()),
      one);
  trips = arith::SelectOp::create(builder, loc, runs, trips, zero);
  Type i32 = builder.getI32Type();
  if (type.isIndex())
    return arith::IndexCastUIOp::create(builder, loc, i32, trips);
  constexpr unsigned kCountBits = 32;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width > kCountBits)
    return arith::TruncIOp::create(builder, loc, i32, trips);
  return width < kCountBits
             ? arith::ExtUIOp::create(builder, loc, i32, trips).getResult()
             : trips;
}

/// Emits how often `op` runs, after the outermost loop around it. Null where
/// anything but loops is around it.
static Value countRuns(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  Value count = loop ? emitTrips(loop) : Value();
  while (loop && !isa<aa::FuncOp>(loop->getParentOp())) {
    auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
    if (!outer)
      return {};
    IRRewriter rewriter(outer);
    Value zero = constant(rewriter, outer.getLoc(), 0);
    auto add = [&](OpBuilder &builder, Location loc,
                   ArrayRef<BlockArgument> args) -> SmallVector<Value> {
      return {arith::AddIOp::create(builder, loc, args.back(), count)};
    };
    loop = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false, add));
    count = loop.getResults().back();
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Drain
//===----------------------------------------------------------------------===//

LogicalResult drainSlots(as::PipelineCreateOp pipeline, Value empty) {
  SmallVector<as::PipelineReleaseOp> releases;
  for (Operation *user : pipeline->getUsers())
    if (auto release = dyn_cast<as::PipelineReleaseOp>(user))
      releases.push_back(release);
  Value total;
  OpBuilder builder(pipeline.getContext());
  Location loc = pipeline.getLoc();
  for (as::PipelineReleaseOp release : releases) {
    Value count = countRuns(release);
    if (!count || release.getCondition())
      return release.emitOpError(
          "of slots that MMAs of a pair read must be in loops alone");
    Operation *known = total ? total.getDefiningOp() : nullptr;
    // The count of a loop follows the loop at once.
    builder.setInsertionPointAfter(count.getDefiningOp());
    if (known && count.getDefiningOp()->isBeforeInBlock(known))
      builder.setInsertionPointAfter(known);
    total = total
                ? arith::AddIOp::create(builder, loc, total, count).getResult()
                : count;
  }
  if (!total)
    return success();
  builder.setInsertionPointAfter(total.getDefiningOp());
  // Slot s has been filled ceil((total - s) / depth) times. Its commits have
  // arrived when the phase before the current one is the last of them; before
  // the first phase the parity is 1.
  int64_t depth = pipeline.getType().getDepth();
  auto type = as::MbarrierType::get(pipeline.getContext(), /*stages=*/0);
  for (int64_t slot = 0; slot < depth; ++slot) {
    Value filled = arith::DivUIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, total,
                              constant(builder, loc, depth - 1 - slot)),
        constant(builder, loc, depth));
    Value one = constant(builder, loc, 1);
    Value parity = arith::XOrIOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, filled, one), one);
    Value object = as::MbarrierSlotOp::create(builder, loc, type, empty,
                                              constant(builder, loc, slot));
    setPair(as::MbarrierWaitOp::create(builder, loc, object, parity,
                                       /*condition=*/Value(),
                                       /*products=*/false, /*issuer=*/true));
  }
  return success();
}

} // namespace tileir

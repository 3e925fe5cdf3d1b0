// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas_schedule/ScheduleAnalysis.h"
#include "passes/tileas_schedule/SliceDots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "tileas-prepare-for-scheduling"

namespace tileir {

#define GEN_PASS_DECL_TILEASPREPAREFORSCHEDULING
#define GEN_PASS_DEF_TILEASPREPAREFORSCHEDULING
#include "passes/tileas_schedule/TileASPrepareForScheduling.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASPrepareForScheduling final
    : impl::TileASPrepareForSchedulingBase<TileASPrepareForScheduling> {
  using TileASPrepareForSchedulingBase::TileASPrepareForSchedulingBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  bool isSmall(scf::ForOp loop) const;

  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};

} // namespace

LogicalResult TileASPrepareForScheduling::initialize(MLIRContext *context) {
  RewritePatternSet owned(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(owned);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(owned, context);
  patterns = std::make_shared<const FrozenRewritePatternSet>(std::move(owned));
  return success();
}

/// Returns whether `loop` is worth unrolling: a short innermost loop inside
/// another loop.
bool TileASPrepareForScheduling::isSmall(scf::ForOp loop) const {
  if (!isa<scf::ForOp>(loop->getParentOp()))
    return false;
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->ugt(maxTrips) || trips->isZero())
    return false;
  uint64_t ops = 0;
  WalkResult found = loop.getBody()->walk([&](Operation *op) {
    ++ops;
    return isa<LoopLikeOpInterface, as::PipelineAcquireOp, as::PipelineWaitOp>(
               op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !found.wasInterrupted() && ops * trips->getZExtValue() <= maxOps;
}

void TileASPrepareForScheduling::runOnOperation() {
  for (FunctionOpInterface func : tileir::getFunctions(getOperation())) {
    SmallVector<scf::ForOp> small;
    func->walk([&](scf::ForOp loop) {
      if (isSmall(loop))
        small.push_back(loop);
    });
    for (scf::ForOp loop : small) {
      uint64_t trips = loop.getStaticTripCount()->getZExtValue();
      TILEIR_LOG() << loop.getLoc() << ": unrolled " << trips << " times";
      if (succeeded(loopUnrollByFactor(loop, trips)))
        ++numUnrolled;
    }
    if (doesSliceDots && doesSliceProducts)
      func->walk([&](scf::ForOp loop) { numSliced += sliceDots(loop); });
    (void)applyPatternsGreedily(func, *patterns);
  }
}

} // namespace tileir

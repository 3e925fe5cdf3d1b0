// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Loops.h"

#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/tileas_lowering/Lowering.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tileir::lowering {

/// Returns the bytes that one iteration of `loop` loads for all threads; 0 if
/// unrolling also benefits other operations.
static int64_t getLoadedBytes(scf::ForOp loop) {
  int64_t bytes = 0;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface, nv_tileas::DotOp, nv_tileas::AsyncDotOp,
            nv_tileas::AsyncCopyOp, nv_tileas::AsyncTmaLoadOp>(op))
      return WalkResult::interrupt();
    if (isa<nv_tileas::TiledLoadOp, nv_tileas::LoadOp, nv_tileas::GatherLoadOp>(
            op))
      if (auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
        bytes += tile.getNumElements() *
                 nv_tileas::getStorageBits(tile.getElementType()) / 8;
    return WalkResult::advance();
  });
  return result.wasInterrupted() ? 0 : bytes;
}

void keepLoopsRolled(Operation *module) {
  MLIRContext *context = module->getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), /*count=*/{},
      /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
      /*followupRemainder=*/{}, /*followupAll=*/{});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
      unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
      /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
      /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
      /*parallelAccesses=*/{});
  module->walk([&](nv_tileaa::FuncOp func) {
    func->walk([&](scf::ForOp loop) {
      int64_t threads = getExecScope(loop).getThreads();
      // The loop's back branch inherits the attribute of this name.
      if (getLoadedBytes(loop) >= heuristics::rolledLoopBytes * threads)
        loop->setAttr("loop_annotation", annotation);
    });
  });
}

static constexpr llvm::StringLiteral kFreeRegistersAttr = "free_registers";

void noteFreeRegisters(Operation *module) {
  auto mark = [](Operation *op) {
    op->setDiscardableAttr(kFreeRegistersAttr, UnitAttr::get(op->getContext()));
  };
  module->walk([&](scf::ForOp loop) {
    if (!loop.getBody()->getOps<nv_tileas::AsyncCopyOp>().empty() &&
        leavesRegisters(loop))
      for (auto copy : loop.getBody()->getOps<nv_tileas::AsyncCopyOp>())
        mark(copy);
  });
}

bool hasFreeRegisters(Operation *copy) {
  return copy->hasAttr(kFreeRegistersAttr);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/mma/WarpDots.h"
#include "passes/tileas/mma/WarpgroupDots.h"
#include "passes/tileas/stage/RestagedOperands.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASMATERIALIZEMMA
#include "passes/tileas/mma/TileASMaterializeMma.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASMaterializeMma final
    : impl::TileASMaterializeMmaBase<TileASMaterializeMma> {
  using TileASMaterializeMmaBase::TileASMaterializeMmaBase;

  void runOnOperation() override;

private:
  void materialize(const Target &target);
  void leaveToWarps();
};

} // namespace

/// Returns whether a dot of `func` may read shared memory: an operand is
/// copied from there, or threads store it.
static bool readsSharedMemory(aa::FuncOp func) {
  return func
      ->walk([](Operation *op) {
        auto dot = dyn_cast<as::DotOp>(op);
        auto copy = dyn_cast<as::CopyOp>(op);
        return isa<as::PipelineCreateOp>(op) || (copy && copy.getResult()) ||
                       (dot && (isAssigned(dot, as::MmaKind::Umma) ||
                                isLimitedByRegisters(dot)))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Assigns the MMA of warps to the remaining dots, except for those whose
/// accumulator the next pass places in tensor memory.
void TileASMaterializeMma::leaveToWarps() {
  getOperation()->walk([](as::DotOp dot) {
    if (isAssigned(dot, as::MmaKind::Wgmma))
      refuseWgmma(dot, "B", "no copy writes it to shared memory");
    else if (!isAssigned(dot, as::MmaKind::Umma))
      refuseMma(dot);
  });
}

void TileASMaterializeMma::materialize(const Target &target) {
  aa::FuncOp func = getOperation();
  SharedMemoryBudget budget = getStagingBudget(func, target);
  int64_t before = budget.getLeft();
  DenseSet<Operation *> replaced = getReplacedProducers(func, target);
  budget.claimScratch(
      [&](Operation *op) {
        return op->getParentOfType<scf::ForOp>() && !replaced.contains(op);
      },
      /*align=*/1024);
  int64_t freeBytes = budget.getLeft(), scratchBytes = before - freeBytes;
  restageOperands(func, target);
  settleTensorMemory(func, target, freeBytes);
  SmallVector<as::DotOp> dots;
  func->walk([&](as::DotOp dot) {
    if (!isAssigned(dot, as::MmaKind::Umma) &&
        dot.getAtom().getKind() != as::MmaKind::Fma)
      dots.push_back(dot);
  });
  for (as::DotOp dot : dots)
    if (!multiplyByWarpgroups(dot, target, freeBytes))
      multiplyByWarps(dot, freeBytes, scratchBytes);
}

void TileASMaterializeMma::runOnOperation() {
  aa::FuncOp func = getOperation();
  std::optional<Target> target = getTarget(func);
  if (func.isExternal() || !target)
    return markAllAnalysesPreserved();
  if (readsSharedMemory(func))
    materialize(*target);
  leaveToWarps();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TESTTILEASWRAPAGENT
#define GEN_PASS_DEF_TESTTILEASWRAPAGENT
#include "passes/tileas_lowering/TestTileASWrapAgent.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TestTileASWrapAgent final
    : impl::TestTileASWrapAgentBase<TestTileASWrapAgent> {
  using TestTileASWrapAgentBase::TestTileASWrapAgentBase;

  void runOnOperation() override;
};

} // namespace

static bool hasAgent(nv_tileaa::FuncOp func) {
  return func
      ->walk([](scf::IfOp branch) {
        return isAgent(branch) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Moves the body of `func` into an agent of `warps` warps from `first` on.
static void wrap(nv_tileaa::FuncOp func, unsigned first, unsigned warps) {
  Block &body = func.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Location loc = func.getLoc();
  Value warp = gpu::SubgroupIdOp::create(builder, loc, builder.getIndexType(),
                                         /*upper_bound=*/IntegerAttr());
  auto branch = scf::IfOp::create(builder, loc,
                                  isInAgent(builder, loc, warp, first, warps),
                                  /*withElseRegion=*/false);
  setAgent(branch, first, warps);
  Block *inside = branch.thenBlock();
  inside->getOperations().splice(inside->begin(), body.getOperations(),
                                 std::next(branch->getIterator()),
                                 body.getTerminator()->getIterator());
  // The idle warps reach no barrier of the body.
  inside->walk([](as::BarrierOp barrier) {
    if (barrier.getScope() == as::BarrierScope::CTA)
      barrier.setScope(as::BarrierScope::Agent);
  });
}

void TestTileASWrapAgent::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  if (func.isExternal() || !func.getKernel() || hasAgent(func))
    return markAllAnalysesPreserved();
  unsigned warps = getNumWarps(func), first = llvm::alignTo(firstWarp, warps);
  if (!llvm::hasSingleElement(func.getBody())) {
    func.emitError("has several blocks; an agent is one");
    return signalPassFailure();
  }
  unsigned most = limits::threadsPerBlock / limits::threadsPerWarp;
  if (first + warps > most) {
    func.emitError("an agent of ") << warps << " warps does not fit after warp "
                                   << first << "; a CTA has at most " << most;
    return signalPassFailure();
  }
  wrap(func, first, warps);
}

} // namespace tileir

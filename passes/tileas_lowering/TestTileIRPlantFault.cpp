// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

#include <cstdlib>

namespace tileir {

#define GEN_PASS_DECL_TESTTILEIRPLANTFAULT
#define GEN_PASS_DEF_TESTTILEIRPLANTFAULT
#include "passes/tileas_lowering/TestTileIRPlantFault.h.inc"

namespace {

using namespace mlir;

struct TestTileIRPlantFault final
    : impl::TestTileIRPlantFaultBase<TestTileIRPlantFault> {
  using TestTileIRPlantFaultBase::TestTileIRPlantFaultBase;

  void runOnOperation() override;
};

} // namespace

template <typename Add, typename Subtract> static bool breakAdd(Operation *op) {
  auto add = dyn_cast<Add>(op);
  if (!add || !isa<ShapedType>(add.getType()))
    return false;
  OpBuilder builder(op);
  op->replaceAllUsesWith(
      Subtract::create(builder, op->getLoc(), add.getLhs(), add.getRhs()));
  op->erase();
  return true;
}

static bool breakBound(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  OpBuilder builder(op);
  loop.setUpperBound(arith::SubIOp::create(
      builder, op->getLoc(), loop.getUpperBound(), loop.getStep()));
  return true;
}

static bool dropBarrier(Operation *op) {
  if (!isa<NVVM::Barrier0Op>(op))
    return false;
  op->erase();
  return true;
}

void TestTileIRPlantFault::runOnOperation() {
  if (fault == "crash")
    std::abort();
  if (fault == "silent-failure")
    return signalPassFailure();
  getOperation()->walk([&](Operation *op) {
    bool isPlanted = fault == "wrong-add"
                         ? breakAdd<arith::AddFOp, arith::SubFOp>(op) ||
                               breakAdd<arith::AddIOp, arith::SubIOp>(op)
                     : fault == "wrong-bound" ? breakBound(op)
                                              : dropBarrier(op);
    return isPlanted ? WalkResult::interrupt() : WalkResult::advance();
  });
}

} // namespace tileir

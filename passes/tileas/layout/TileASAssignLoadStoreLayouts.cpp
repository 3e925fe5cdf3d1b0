// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/layout/LayoutChoice.h"

#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-assign-load-store-layouts"

namespace tileir {

#define GEN_PASS_DEF_TILEASASSIGNLOADSTORELAYOUTS
#include "passes/tileas/layout/TileASAssignLoadStoreLayouts.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASAssignLoadStoreLayouts final
    : impl::TileASAssignLoadStoreLayoutsBase<TileASAssignLoadStoreLayouts> {
  using TileASAssignLoadStoreLayoutsBase::TileASAssignLoadStoreLayoutsBase;

  void runOnOperation() override;

private:
  LogicalResult assign(aa::FuncOp func);
};

} // namespace

/// Returns whether `func` is at the level that this pass works on.
static bool hasTiles(aa::FuncOp func) {
  WalkResult result = func->walk([](Operation *op) {
    return llvm::any_of(op->getResults(), isTile) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// The width that one access of `tile` moves per thread, as an atom.
static void setAtom(Operation *op) {
  auto set = [&](auto access, as::CopyKind kind) {
    if (access.getAtomAttr() &&
        access.getAtomAttr().getKind() != as::CopyKind::Unknown)
      return;
    unsigned bits = getVectorBits(op);
    access.setAtomAttr(as::CopyAtomAttr::get(op->getContext(), kind, bits));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<as::LoadOp, as::TiledLoadOp, as::GatherLoadOp>(
          [&](auto access) { set(access, as::CopyKind::Ldg); })
      .Case<as::StoreOp, as::TiledStoreOp, as::ScatterStoreOp>(
          [&](auto access) { set(access, as::CopyKind::Stg); });
}

LogicalResult TileASAssignLoadStoreLayouts::assign(aa::FuncOp func) {
  if (!hasTiles(func))
    return success();
  unsigned warps = getNumWarps(func);
  if (failed(verifyLayouts(func, warps)))
    return failure();
  stripConversions(func);
  splitFreeLeaves(func);
  TileClasses classes(func);
  unsigned candidates = 0;
  applyPlan(func, classes, planByCost(func, classes, warps, candidates));
  func->walk([](Operation *op) { setAtom(op); });
  TILEIR_LOG() << func.getName() << ": " << classes.size()
               << " classes of tiles, " << candidates << " layouts weighed";
  numClasses += classes.size();
  numCandidates += candidates;
  func->walk([&](as::ConvertLayoutOp) { ++numConversions; });
  return success();
}

void TileASAssignLoadStoreLayouts::runOnOperation() {
  WalkResult result = getOperation()->walk([&](aa::FuncOp func) {
    return failed(assign(func)) ? WalkResult::interrupt() : WalkResult::skip();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/AccessRoots.h"

using namespace mlir;
using nv_tileas::TileASMemoryOpInterface;

namespace tileir {

Value getRoot(Operation *op) {
  Value at = cast<TileASMemoryOpInterface>(op).getAddressOperands().front();
  while (Operation *def = at.getDefiningOp()) {
    if (isa<nv_tileas::GetGlobalOp>(def))
      return at;
    if (!isa<nv_tileas::BlockTileOp, nv_tileas::MakeMemRefOp,
             nv_tileas::MakeTiledTmaDescOp, nv_tileas::AddPtrOp,
             nv_tileas::AssumeOp, nv_tileas::SplatOp, nv_tileas::BroadcastOp,
             nv_tileas::ViewOp, nv_tileas::ExpandDimsOp,
             nv_tileas::ConvertLayoutOp, nv_tileas::PermuteOp,
             nv_tileas::BitcastOp>(def))
      return {};
    at = def->getOperand(0);
  }
  return at;
}

nv_tileas::MakeMemRefOp getMemRef(Value view) {
  Operation *op = view.getDefiningOp();
  while (isa_and_present<nv_tileas::BlockTileOp, nv_tileas::AssumeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_if_present<nv_tileas::MakeMemRefOp>(op);
}

bool cannotAlias(nv_tileaa::FuncOp func, Operation *first, Operation *second) {
  return haveDistinctMemory(func, getRoot(first), getRoot(second));
}

bool haveDistinctMemory(nv_tileaa::FuncOp func, Value first, Value second) {
  if (!first || !second || first == second)
    return false;
  auto isArgument = [&](Value root) {
    auto arg = dyn_cast<BlockArgument>(root);
    return arg && arg.getOwner() == &func.getBody().front();
  };
  auto isNoAlias = [&](Value root) {
    return isArgument(root) &&
           func.getArgAttr(cast<BlockArgument>(root).getArgNumber(),
                           nv_tileaa::kNoAliasAttr);
  };
  return (isNoAlias(first) && isArgument(second)) ||
         (isNoAlias(second) && isArgument(first));
}

} // namespace tileir

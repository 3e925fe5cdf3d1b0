// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/PlannedDemand.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/tileas/mma/MmaChoice.h"
#include "passes/tileas/stage/StagedLoads.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Returns whether the tile that `load` feeds to a dot in `loop` can be copied
/// to shared memory without registers: a load of the body while the loop runs,
/// any other load before it.
static bool isCopied(Operation *load, scf::ForOp loop) {
  if (!loop)
    return false;
  if (loop->isProperAncestor(load) && load->getBlock() != loop.getBody())
    return false;
  // A copy moves more than an element, and 4 bytes at least (PTX ISA,
  // "cp.async"), at a time.
  constexpr unsigned kMinCopyBits = 32;
  Value tile = load->getResult(0);
  unsigned bits = getVectorBits(load, getCoalescedLayout(load, /*numWarps=*/1));
  return bits >= kMinCopyBits && bits > getElementBits(tile) &&
         checkCopiedAccess(load).empty();
}

RegisterDemand getPlannedDemand(FunctionOpInterface func) {
  std::optional<Target> target = getTarget(func);
  auto isPromotedHere = [&](as::DotOp dot, unsigned warps) {
    return target && target->hasWgmma() &&
           chooseMma(dot, {warps, *target}).mma.getPromote();
  };
  return getRegisterDemand(func, {isCopied, isPromotedHere});
}

} // namespace tileir

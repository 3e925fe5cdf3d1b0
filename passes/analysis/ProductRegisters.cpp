// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ProductRegisters.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

int64_t getRegisterWords(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return 0;
  return as::getTileLayout(tile).getLayout().getNumRegisters() *
         as::getStorageBits(tile.getElementType()) / 32;
}

/// Returns whether the fragments of `dot` are read from shared memory step by
/// step.
static bool readsSteps(as::DotOp dot) {
  return dot.getA().getDefiningOp<as::CopyOp>() &&
         dot.getB().getDefiningOp<as::CopyOp>();
}

bool leavesRegisters(Operation *loop) {
  int64_t words = heuristics::registersBesideFragments;
  loop->walk([&](as::DotOp dot) {
    if (!readsSteps(dot))
      words += getRegisterWords(dot.getA().getType());
    // Parts of a product add to the registers of the first one.
    if (!dot.getC().getDefiningOp<as::DotOp>())
      words += getRegisterWords(dot.getC().getType());
  });
  return words <= limits::registersPerThread;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/MmaKind.h"
#include "passes/tileas/mma/WarpDots.h"

#include "dialects/nv_tileas/MmaOperands.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// `mma.sync` of each warp.
class MmaSyncKind final : public MmaKindInterface {
public:
  as::MmaAttr choose(as::DotOp dot, const MmaFacts &facts,
                     std::string &reason) const override {
    as::MmaAttr mma = getWarpMma(dot, as::MmaKind::MmaSync);
    // TMA copies operands in layouts of its own.
    return mma && !facts.target.hasTma() ? restageConverted(dot, mma) : mma;
  }
  Layout getAccLayout(as::DotOp dot, unsigned numWarps,
                      bool rowsFirst) const override {
    bool hasRowsOfB = !dot.hasBuffers() && getContiguousDim(dot.getB()) == 1;
    return getFragmentLayout(dot, numWarps, rowsFirst,
                             /*interleaves=*/hasRowsOfB);
  }
};

} // namespace

Layout getFragmentLayout(as::DotOp dot, unsigned numWarps, bool rowsFirst,
                         bool interleaves) {
  as::MmaAtomAttr atom = dot.getAtom();
  ArrayRef<int64_t> extents = dot.getC().getType().getShape();
  Layout::Shape shape(extents.begin(), extents.end());
  std::optional<Fragment> fragment = as::getMmaFragment(atom, MmaRole::Acc);
  assert(fragment && "a verified atom has fragments");
  if (interleaves && shape[1] >= 2 * atom.getN() &&
      as::getStorageBits(atom.getBType()) == kInterleavedBits)
    fragment = interleaveColumns(*fragment);
  int64_t m = fragment->shape[0], n = fragment->shape[1];
  int64_t best = 1;
  std::pair<int64_t, int64_t> bestCost = {INT64_MAX, INT64_MAX};
  for (int64_t wm = numWarps; wm >= 1; wm /= 2) {
    int64_t rows = std::max(m, shape[0] / wm);
    int64_t cols = std::max(n, shape[1] / int64_t(numWarps / wm));
    // Idle warps repeat the work of others: work comes first.
    std::pair<int64_t, int64_t> cost = {rows * cols,
                                        rowsFirst ? 0 : rows + cols};
    if (cost < bestCost) {
      bestCost = cost;
      best = wm;
    }
  }
  return *mmaLayout(shape, *fragment, MmaRole::Acc, best, numWarps / best);
}

const MmaKindInterface &getMmaSyncKind() {
  static const MmaSyncKind kind;
  return kind;
}

} // namespace tileir

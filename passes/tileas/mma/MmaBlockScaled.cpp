// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/MmaKind.h"

#include "dialects/support/Heuristics.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Elements of the smaller of the two blocks with a scale (PTX ISA, "Block
/// Scaling").
static constexpr int64_t kNarrowBlock = 16;

/// Returns why the conversion found no instruction for the scales of `dot`;
/// empty where it has none.
static std::string explain(as::DotOp dot, const Target &target) {
  if (!dot.needsDecomposition())
    return "";
  RankedTensorType acc = dot.getC().getType();
  if (!paysScaledDot(target, acc.getDimSize(0), acc.getDimSize(1)))
    return kTooFewToPay.str();
  auto scales = cast<RankedTensorType>(dot.getScaleA().getType());
  if (isa<Float8E8M0FNUType>(scales.getElementType()) &&
      dot.getDepth() / scales.getDimSize(1) == kNarrowBlock)
    return "mma.sync takes powers of two for 16 elements from PTX 9.1 on";
  int64_t k =
      256 / int64_t(as::getStorageBits(getElementTypeOrSelf(dot.getA())));
  return "mma.sync multiplies 16 rows, 8 columns and " + std::to_string(k) +
         " of K at least";
}

namespace {

/// `mma.sync` of each warp whose blocks of K have scales.
class MmaBlockScaledKind final : public MmaKindInterface {
public:
  as::MmaAttr choose(as::DotOp dot, const MmaFacts &facts,
                     std::string &reason) const override {
    as::MmaAttr mma = getWarpMma(dot, as::MmaKind::MmaBs);
    if (!mma && facts.target.hasMmaBlockScale())
      reason = explain(dot, facts.target);
    return mma;
  }
  Layout getAccLayout(as::DotOp dot, unsigned numWarps,
                      bool rowsFirst) const override {
    return getMmaSyncKind().getAccLayout(dot, numWarps, rowsFirst);
  }
};

} // namespace

const MmaKindInterface &getMmaBsKind() {
  static const MmaBlockScaledKind kind;
  return kind;
}

} // namespace tileir

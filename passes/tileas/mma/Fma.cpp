// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/MmaKind.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Multiply-adds of each thread.
class FmaKind final : public MmaKindInterface {
public:
  as::MmaAttr choose(as::DotOp dot, const MmaFacts &facts,
                     std::string &reason) const override {
    return getWarpMma(dot, as::MmaKind::Fma);
  }
  Layout getAccLayout(as::DotOp dot, unsigned numWarps,
                      bool rowsFirst) const override;
};

} // namespace

/// A thread's part of the accumulator is as square as the tile allows, which
/// keeps the operand parts small.
Layout FmaKind::getAccLayout(as::DotOp dot, unsigned numWarps,
                             bool rowsFirst) const {
  ArrayRef<int64_t> shape = dot.getC().getType().getShape();
  std::vector<int64_t> perThread = {1, std::min<int64_t>(4, shape[1])};
  std::vector<int64_t> lanes = {1, 1}, warps = {1, 1};
  int64_t left[2] = {shape[0], shape[1] / perThread[1]};
  auto deal = [&](std::vector<int64_t> &counts, int64_t total) {
    for (; total > 1; total /= 2) {
      unsigned d = left[0] > left[1] * perThread[1] ? 0 : left[1] > 1 ? 1 : 0;
      counts[d] *= 2;
      left[d] = std::max<int64_t>(1, left[d] / 2);
    }
  };
  deal(warps, numWarps);
  deal(lanes, limits::threadsPerWarp);
  return Layout::blocked(Layout::Shape(shape.begin(), shape.end()), perThread,
                         lanes, warps, {1, 0});
}

const MmaKindInterface &getFmaKind() {
  static const FmaKind kind;
  return kind;
}

} // namespace tileir

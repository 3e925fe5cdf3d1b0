// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/LayoutRules.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

static Layout::Shape shapeOf(Value tile) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  return Layout::Shape(shape.begin(), shape.end());
}

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

bool isShapeOp(Operation *op) {
  if (isa<as::ExpandDimsOp, as::BroadcastOp, as::CatOp, as::ExtractSliceOp>(op))
    return true;
  // Buffers have these, too.
  if (isa<as::ViewOp, as::PermuteOp>(op))
    return isTensor(op->getOperand(0));
  if (auto cast = dyn_cast<as::BitcastOp>(op))
    return isTensor(cast.getSource()) &&
           shapeOf(cast.getSource()) != shapeOf(cast.getResult());
  return false;
}

/// The layout of narrower elements: the low bits of their index are registers.
static Layout narrow(const Layout &wide, int64_t extent) {
  Layout::FlatBases bases = wide.getFlatBases();
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, {extent}, {});
  unsigned added = frame.getTileBits() - wide.getTileBits();
  for (auto &dim : bases)
    for (uint32_t &basis : dim)
      basis <<= added;
  for (unsigned bit = added; bit-- > 0;)
    bases[kRegister].insert(bases[kRegister].begin(), uint32_t(1) << bit);
  return Layout::getUnchecked(LayoutSpace::Reg, {extent}, bases);
}

/// The inverse of `narrow`, if the low bits are the first registers.
static std::optional<Layout> widen(const Layout &layout, int64_t extent) {
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, {extent}, {});
  unsigned dropped = layout.getTileBits() - frame.getTileBits();
  if (layout.contiguity(0) < dropped)
    return std::nullopt;
  Layout::FlatBases bases = layout.getFlatBases();
  bases[kRegister].erase(bases[kRegister].begin(),
                         bases[kRegister].begin() + dropped);
  uint32_t low = (uint32_t(1) << dropped) - 1;
  for (auto &dim : bases)
    for (uint32_t &basis : dim) {
      if (basis & low)
        return std::nullopt;
      basis >>= dropped;
    }
  return Layout::getUnchecked(LayoutSpace::Reg, {extent}, bases);
}

static std::vector<unsigned> permutationOf(as::PermuteOp op) {
  return {op.getPermutation().begin(), op.getPermutation().end()};
}

std::optional<Layout> forward(Operation *op, const Layout &source) {
  using Result = std::optional<Layout>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](as::ExpandDimsOp expand) -> Result {
        return source.expandDims(expand.getAxis());
      })
      .Case([&](as::PermuteOp permute) -> Result {
        return source.permute(permutationOf(permute));
      })
      .Case([&](as::ViewOp view) -> Result {
        return source.reshape(shapeOf(view.getResult()));
      })
      .Case([&](as::BroadcastOp broadcast) -> Result {
        return source.broadcast(shapeOf(broadcast.getResult()));
      })
      .Case([&](as::CatOp cat) -> Result { return source.cat(cat.getAxis()); })
      .Case([&](as::ExtractSliceOp slice) -> Result {
        return source.extract(shapeOf(slice.getResult()));
      })
      .Case([&](as::BitcastOp cast) -> Result {
        int64_t extent = shapeOf(cast.getResult())[0];
        if (extent > source.getExtent(0))
          return narrow(source, extent);
        return widen(source, extent);
      })
      .Default(std::nullopt);
}

std::optional<Layout> backward(Operation *op, const Layout &result) {
  using Result = std::optional<Layout>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](as::ExpandDimsOp expand) -> Result {
        return result.squeeze(expand.getAxis());
      })
      .Case([&](as::PermuteOp permute) -> Result {
        return result.inversePermute(permutationOf(permute));
      })
      .Case([&](as::ViewOp view) -> Result {
        return result.reshape(shapeOf(view.getSource()));
      })
      .Case([&](as::BroadcastOp broadcast) -> Result {
        return result.unbroadcast(shapeOf(broadcast.getSource()));
      })
      .Case(
          [&](as::CatOp cat) -> Result { return result.uncat(cat.getAxis()); })
      .Case([&](as::ExtractSliceOp slice) -> Result {
        return result.unextract(shapeOf(slice.getSource()));
      })
      .Case([&](as::BitcastOp cast) -> Result {
        int64_t extent = shapeOf(cast.getSource())[0];
        if (extent > result.getExtent(0))
          return narrow(result, extent);
        return widen(result, extent);
      })
      .Default(std::nullopt);
}

bool isConsistent(Operation *op, const Layout &source, const Layout &result) {
  // The two operations that lose information are checked from the larger side.
  if (isa<as::BroadcastOp, as::CatOp>(op))
    return backward(op, result) == source;
  return forward(op, source) == result;
}

Layout getSplittable(Operation *op) {
  Value operand = op->getOperand(0);
  Layout layout = as::getTileLayout(operand.getType()).getLayout();
  if (auto slice = dyn_cast<as::ExtractSliceOp>(op))
    return as::getTileLayout(slice.getType())
        .getLayout()
        .unextract(shapeOf(operand));
  // A widening cast: the layout of the wide side decides.
  auto cast = mlir::cast<as::BitcastOp>(op);
  return narrow(as::getTileLayout(cast.getType()).getLayout(),
                layout.getExtent(0));
}

Layout getIndexLayout(const Layout &layout, unsigned sparseDim) {
  Layout sliced = layout;
  for (unsigned d = layout.getRank(); d-- > 0;)
    if (d != sparseDim)
      sliced = sliced.slice(d);
  return sliced;
}

bool isScannable(const Layout &layout, unsigned axis) {
  uint32_t mask = layout.dimMask(axis);
  unsigned next = 0;
  for (unsigned dim : {kRegister, kLane, kWarp})
    for (unsigned bit = 0; bit < layout.getNumBases(dim); ++bit) {
      uint32_t basis = layout.getFlatBasis(dim, bit);
      if (!(basis & mask))
        continue;
      if (next >= layout.getLog2Extent(axis) ||
          basis != layout.unit(axis, next))
        return false;
      ++next;
    }
  return next == layout.getLog2Extent(axis);
}

Layout getScanLayout(const Layout::Shape &shape, unsigned axis,
                     unsigned numWarps) {
  size_t rank = shape.size();
  std::vector<int64_t> perThread(rank, 1), lanes(rank, 1), warps(rank, 1);
  int64_t freeLanes = 32, freeWarps = numWarps;
  // Other dims are independent scans: they take lanes and warps first.
  for (size_t d = rank; d-- > 0;) {
    if (d == axis)
      continue;
    warps[d] = std::min(freeWarps, shape[d]);
    freeWarps /= warps[d];
    lanes[d] = std::min(freeLanes, shape[d] / warps[d]);
    freeLanes /= lanes[d];
  }
  lanes[axis] = freeLanes;
  warps[axis] = freeWarps;
  perThread[axis] = std::max<int64_t>(
      1,
      shape[axis] /
          (std::min(freeLanes, shape[axis]) *
           std::max<int64_t>(
               1, std::min(freeWarps,
                           shape[axis] / std::min(freeLanes, shape[axis])))));
  std::vector<unsigned> order = {axis};
  for (size_t d = rank; d-- > 0;)
    if (d != axis)
      order.push_back(d);
  return Layout::blocked(shape, perThread, lanes, warps, order);
}

} // namespace tileir

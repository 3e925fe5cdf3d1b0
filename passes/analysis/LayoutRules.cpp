// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/ReduceOrder.h"

#include "dialects/nv_tileas/Scratch.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

static Layout::Shape shapeOf(Value tile) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  return Layout::Shape(shape.begin(), shape.end());
}

bool isShapeOp(Operation *op) {
  if (isa<as::ExpandDimsOp, as::BroadcastOp, as::CatOp, as::ExtractSliceOp>(op))
    return true;
  // These operations also exist on buffers.
  if (isa<as::ViewOp, as::PermuteOp>(op))
    return as::isTile(op->getOperand(0).getType());
  if (auto cast = dyn_cast<as::BitcastOp>(op))
    return as::isTile(cast.getSource().getType()) &&
           shapeOf(cast.getSource()) != shapeOf(cast.getResult());
  return false;
}

/// The layout of narrower elements: the low bits of their index become
/// registers.
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

/// The inverse of `narrow`, if the low bits are the lowest registers.
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
        return source.extractReplicated(shapeOf(slice.getResult()));
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
  // Broadcast and concatenation lose information, so the check starts from the
  // larger side.
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
  // A cast to wider elements: the layout of the wide side decides.
  auto cast = mlir::cast<as::BitcastOp>(op);
  return narrow(as::getTileLayout(cast.getType()).getLayout(),
                layout.getExtent(0));
}

Layout getIndexLayout(const Layout &layout, unsigned dim) {
  Layout sliced = layout;
  for (unsigned d = layout.getRank(); d-- > 0;)
    if (d != dim)
      sliced = sliced.slice(d);
  return sliced;
}

//===----------------------------------------------------------------------===//
// Scans and reductions
//===----------------------------------------------------------------------===//

bool isScannable(const Layout &layout, unsigned axis) {
  uint32_t mask = layout.dimMask(axis);
  unsigned next = 0;
  std::optional<unsigned> lane; // the last lane bit along the axis
  for (unsigned dim : {kRegister, kLane, kWarp})
    for (unsigned bit = 0; bit < layout.getNumBases(dim); ++bit) {
      uint32_t basis = layout.getFlatBasis(dim, bit);
      if (!(basis & mask))
        continue;
      if (next >= layout.getLog2Extent(axis) ||
          basis != layout.unit(axis, next))
        return false;
      ++next;
      if (dim != kLane)
        continue;
      if (lane && bit != *lane + 1)
        return false;
      lane = bit;
    }
  return next == layout.getLog2Extent(axis);
}

Layout getScanLayout(const Layout::Shape &shape, unsigned axis,
                     unsigned numWarps, unsigned bits) {
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  unsigned axisBits = frame.getLog2Extent(axis);
  unsigned warpBits = llvm::Log2_32(numWarps);
  unsigned otherBits = frame.getTileBits() - axisBits;
  unsigned vectorBits = llvm::Log2_32(std::max(1u, 128 / bits));
  // Other dimensions take the warps first, so that the axis crosses as few
  // warps as possible.
  unsigned otherWarps = std::min(warpBits, otherBits);
  unsigned left = axisBits;
  auto take = [&](unsigned most) {
    unsigned taken = std::min(left, most);
    left -= taken;
    return taken;
  };
  unsigned axisRegs = take(vectorBits);
  unsigned axisLanes = take(5);
  unsigned axisWarps = take(warpBits - otherWarps);
  axisRegs += left;

  llvm::SmallVector<uint32_t> others;
  for (unsigned d = shape.size(); d-- > 0;)
    if (d != axis)
      for (unsigned bit = 0; bit < frame.getLog2Extent(d); ++bit)
        others.push_back(frame.unit(d, bit));
  size_t next = 0;
  auto takeOther = [&]() -> uint32_t {
    return next < others.size() ? others[next++] : 0;
  };
  Layout::FlatBases bases(4);
  unsigned unit = 0;
  for (unsigned i = 0; i < axisRegs; ++i)
    bases[kRegister].push_back(frame.unit(axis, unit++));
  for (unsigned i = 0; i < axisLanes; ++i)
    bases[kLane].push_back(frame.unit(axis, unit++));
  while (bases[kLane].size() < 5)
    bases[kLane].push_back(others.size() - next > otherWarps ? takeOther() : 0);
  for (unsigned i = 0; i < axisWarps; ++i)
    bases[kWarp].push_back(frame.unit(axis, unit++));
  while (bases[kWarp].size() < warpBits)
    bases[kWarp].push_back(takeOther());
  while (next < others.size())
    bases[kRegister].push_back(takeOther());
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

/// A layout for scans along `axis` of `tile`, with as many warps as `layout`
/// has.
static Layout getScanLayout(Value tile, unsigned axis, const Layout &layout) {
  return getScanLayout(
      shapeOf(tile), axis, 1u << layout.getNumBases(kWarp),
      as::getStorageBits(getElementTypeOrSelf(tile.getType())));
}

Layout getScanLayout(as::ScanOp op, const Layout &layout) {
  if (isScannable(layout, op.getAxis()))
    return layout;
  return getScanLayout(op.getOperands().front(), op.getAxis(), layout);
}

/// Returns whether the reduction combines elements in the order of their index.
static bool isOrderKept(as::ReduceOp op, const Layout &layout) {
  // Bits of the index by register, lane and warp, in the order of combination:
  // registers and lanes in any order, then warps in theirs.
  uint32_t lastWarp = 0, lastOther = 0;
  for (unsigned space : {kRegister, kLane, kWarp})
    for (unsigned bit : getAxisBits(layout, op.getAxis(), space)) {
      uint32_t basis = layout.getFlatBasis(space, bit);
      if (!llvm::isPowerOf2_32(basis))
        return false;
      if (space == kWarp) {
        if (basis < std::max(lastWarp, lastOther))
          return false;
        lastWarp = basis;
      } else {
        lastOther = std::max(lastOther, basis);
      }
    }
  return true;
}

bool isReducible(as::ReduceOp op, const Layout &layout) {
  return isSeparable(layout, op.getAxis()) &&
         (isKnownReduction(op) || isOrderKept(op, layout) || isCommutative(op));
}

Layout getReduceLayout(as::ReduceOp op, const Layout &layout) {
  if (isReducible(op, layout))
    return layout;
  return getScanLayout(op.getOperands().front(), op.getAxis(), layout);
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Layout.h"

#include <algorithm>
#include <cassert>

namespace tileir {

/// Rewrites every basis of `layout` coordinate by coordinate.
template <typename Fn>
static Layout mapCoords(const Layout &layout, const Layout::Shape &shape,
                        Fn &&rewrite) {
  Layout frame = Layout::getUnchecked(layout.getSpace(), shape, {});
  Layout::FlatBases bases(layout.getNumDims());
  for (unsigned dim = 0; dim < layout.getNumDims(); ++dim)
    for (unsigned bit = 0; bit < layout.getNumBases(dim); ++bit)
      bases[dim].push_back(frame.flatten(rewrite(layout.getBasis(dim, bit))));
  return Layout::getUnchecked(layout.getSpace(), shape, bases);
}

/// Drops the register bases that are zero or depend on earlier ones.
static Layout dropDependentRegisters(const Layout &layout) {
  Layout::FlatBases bases = layout.getFlatBases();
  Span span;
  std::vector<uint32_t> kept;
  for (uint32_t basis : bases[0])
    if (span.insert(basis))
      kept.push_back(basis);
  bases[0] = kept;
  return Layout::getUnchecked(layout.getSpace(), layout.getShape(), bases);
}

static Layout withRegisters(const Layout &layout,
                            const std::vector<uint32_t> &extra) {
  Layout::FlatBases bases = layout.getFlatBases();
  bases[0].insert(bases[0].end(), extra.begin(), extra.end());
  return Layout::getUnchecked(layout.getSpace(), layout.getShape(), bases);
}

Layout Layout::permute(const std::vector<unsigned> &permutation) const {
  assert(permutation.size() == rank);
  auto rewrite = [&](const Coord &coord) {
    Coord result(rank);
    for (unsigned d = 0; d < rank; ++d)
      result[d] = coord[permutation[d]];
    return result;
  };
  return mapCoords(*this, rewrite(getShape()), rewrite);
}

Layout Layout::inversePermute(const std::vector<unsigned> &permutation) const {
  std::vector<unsigned> inverse(rank);
  for (unsigned d = 0; d < rank; ++d)
    inverse[permutation[d]] = d;
  return permute(inverse);
}

Layout Layout::expandDims(unsigned axis) const {
  assert(axis <= rank && rank < kMaxRank);
  Shape shape = getShape();
  shape.insert(shape.begin() + axis, 1);
  return mapCoords(*this, shape, [&](Coord coord) {
    coord.insert(coord.begin() + axis, 0);
    return coord;
  });
}

Layout Layout::squeeze(unsigned axis) const {
  assert(axis < rank && logShape[axis] == 0);
  Shape shape = getShape();
  shape.erase(shape.begin() + axis);
  return mapCoords(*this, shape, [&](Coord coord) {
    coord.erase(coord.begin() + axis);
    return coord;
  });
}

Layout Layout::reshape(const Shape &shape) const {
  // The row-major index of every basis stays the same.
  Layout result = getUnchecked(space, shape, getFlatBases());
  assert(result.getTileBits() == tileBits && "reshape keeps the elements");
  return result;
}

Layout Layout::broadcast(const Shape &shape) const {
  assert(shape.size() == rank);
  Layout grown =
      mapCoords(*this, shape, [](const Coord &coord) { return coord; });
  std::vector<uint32_t> extra;
  for (unsigned d = rank; d-- > 0;)
    if (logShape[d] == 0)
      for (unsigned bit = 0; bit < grown.getLog2Extent(d); ++bit)
        extra.push_back(grown.unit(d, bit));
  return withRegisters(grown, extra);
}

Layout Layout::unbroadcast(const Shape &operandShape) const {
  assert(operandShape.size() == rank);
  return dropDependentRegisters(
      mapCoords(*this, operandShape, [&](Coord coord) {
        for (unsigned d = 0; d < rank; ++d)
          if (operandShape[d] == 1)
            coord[d] = 0;
        return coord;
      }));
}

Layout Layout::slice(unsigned axis) const {
  assert(axis < rank);
  Shape shape = getShape();
  shape.erase(shape.begin() + axis);
  return dropDependentRegisters(mapCoords(*this, shape, [&](Coord coord) {
    coord.erase(coord.begin() + axis);
    return coord;
  }));
}

Layout Layout::unslice(unsigned axis, int64_t extent) const {
  Layout grown = expandDims(axis);
  Shape shape = grown.getShape();
  shape[axis] = extent;
  return grown.broadcast(shape);
}

Layout Layout::cat(unsigned axis) const {
  assert(axis < rank);
  Shape shape = getShape();
  shape[axis] *= 2;
  Layout grown =
      mapCoords(*this, shape, [](const Coord &coord) { return coord; });
  return withRegisters(grown, {grown.unit(axis, logShape[axis])});
}

std::optional<Layout> Layout::uncat(unsigned axis) const {
  Shape shape = getShape();
  if (shape[axis] < 2)
    return std::nullopt;
  shape[axis] /= 2;
  return extract(shape);
}

uint32_t Layout::sliceMask(const Shape &shape) const {
  assert(shape.size() == rank);
  uint32_t mask = 0;
  for (unsigned d = 0; d < rank; ++d)
    mask |= uint32_t(getExtent(d) - shape[d]) << getFlatShift(d);
  return mask;
}

std::optional<Layout> Layout::extract(const Shape &shape) const {
  uint32_t discarded = sliceMask(shape);
  for (unsigned dim = 0; dim < getNumDims(); ++dim)
    if (dim != kRegister)
      for (unsigned bit = 0; bit < numBases[dim]; ++bit)
        if (getFlatBasis(dim, bit) & discarded)
          return std::nullopt;
  return extractReplicated(shape);
}

std::optional<Layout> Layout::extractReplicated(const Shape &shape) const {
  uint32_t discarded = sliceMask(shape), seen = 0;
  Layout frame = getUnchecked(space, shape, {});
  FlatBases bases(getNumDims());
  for (unsigned dim = 0; dim < getNumDims(); ++dim)
    for (unsigned bit = 0; bit < numBases[dim]; ++bit) {
      uint32_t basis = getFlatBasis(dim, bit);
      if (!(basis & discarded)) {
        bases[dim].push_back(frame.flatten(unflatten(basis)));
        continue;
      }
      if ((basis & (basis - 1)) || (basis & seen))
        return std::nullopt;
      seen |= basis;
      if (dim != kRegister)
        bases[dim].push_back(0);
    }
  return getUnchecked(space, shape, bases);
}

Layout Layout::unextract(const Shape &shape) const {
  assert(shape.size() == rank);
  Layout grown =
      mapCoords(*this, shape, [](const Coord &coord) { return coord; });
  std::vector<uint32_t> extra;
  for (unsigned d = rank; d-- > 0;)
    for (unsigned bit = logShape[d]; bit < grown.getLog2Extent(d); ++bit)
      extra.push_back(grown.unit(d, bit));
  return withRegisters(grown, extra);
}

static unsigned log2Floor(int64_t value) {
  unsigned bits = 0;
  while ((int64_t(2) << bits) <= value)
    ++bits;
  return bits;
}

Layout Layout::blocked(const Shape &shape,
                       const std::vector<int64_t> &perThread,
                       const std::vector<int64_t> &lanes,
                       const std::vector<int64_t> &warps,
                       const std::vector<unsigned> &order) {
  Layout frame = getUnchecked(LayoutSpace::Reg, shape, {});
  std::vector<unsigned> used(shape.size(), 0);
  FlatBases bases(4);
  auto walk = [&](const std::vector<int64_t> &counts,
                  std::vector<uint32_t> &out, bool keepZero) {
    for (unsigned d : order)
      for (unsigned i = 0, e = log2Floor(counts[d]); i < e; ++i) {
        if (used[d] < frame.getLog2Extent(d))
          out.push_back(frame.unit(d, used[d]++));
        else if (keepZero)
          out.push_back(0);
      }
  };
  walk(perThread, bases[kRegister], /*keepZero=*/false);
  walk(lanes, bases[kLane], /*keepZero=*/true);
  walk(warps, bases[kWarp], /*keepZero=*/true);
  walk(shape, bases[kRegister], /*keepZero=*/false);
  return getUnchecked(LayoutSpace::Reg, shape, bases);
}

Layout Layout::defaultBlocked(const Shape &shape, unsigned bits,
                              unsigned numWarps,
                              const std::vector<unsigned> &order) {
  std::vector<int64_t> perThread(shape.size(), 1), lanes(shape.size(), 1),
      warps(shape.size(), 1);
  if (shape.empty()) {
    FlatBases bases = {{},
                       std::vector<uint32_t>(5, 0),
                       std::vector<uint32_t>(log2Floor(numWarps), 0)};
    return getUnchecked(LayoutSpace::Reg, shape, bases);
  }
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  unsigned first = order[0];
  perThread[first] =
      std::min<int64_t>({int64_t(128 / std::max(bits, 1u)), shape[first],
                         std::max<int64_t>(1, elements / (32 * numWarps))});
  // Lanes fill the fastest dims; remaining lanes replicate on the slowest.
  int64_t left = 32;
  for (unsigned i = 0; i < order.size() && left > 1; ++i) {
    unsigned d = order[i];
    lanes[d] = std::min(left, shape[d] / perThread[d]);
    left /= lanes[d];
  }
  lanes[order.back()] *= left;
  left = numWarps;
  for (unsigned i = order.size(); i-- > 0 && left > 1;) {
    unsigned d = order[i];
    warps[d] = std::max<int64_t>(
        1, std::min(left, shape[d] / (perThread[d] * lanes[d])));
    left /= warps[d];
  }
  warps[order.back()] *= left;
  return blocked(shape, perThread, lanes, warps, order);
}

Layout Layout::replicated(const Shape &shape, unsigned numWarps) {
  Layout frame = getUnchecked(LayoutSpace::Reg, shape, {});
  FlatBases bases = {{},
                     std::vector<uint32_t>(5, 0),
                     std::vector<uint32_t>(log2Floor(numWarps), 0)};
  for (unsigned i = 0; i < frame.getTileBits(); ++i)
    bases[kRegister].push_back(uint32_t(1) << i);
  return getUnchecked(LayoutSpace::Reg, shape, bases);
}

Layout Layout::linearSmem(const Shape &shape,
                          const std::vector<unsigned> &order) {
  Layout frame = getUnchecked(LayoutSpace::Smem, shape, {});
  FlatBases bases(2);
  for (unsigned d : order)
    for (unsigned bit = 0; bit < frame.getLog2Extent(d); ++bit)
      bases[kOffset].push_back(frame.unit(d, bit));
  return getUnchecked(LayoutSpace::Smem, shape, bases);
}

Layout Layout::tmemAcc(const Shape &shape, unsigned m, unsigned bits,
                       unsigned ctaGroup) {
  assert(shape.size() == 2);
  Layout frame = getUnchecked(LayoutSpace::Tmem, shape, {});
  FlatBases bases(4);
  unsigned sub = bits >= 32 ? 0 : log2Floor(32 / bits);
  for (unsigned bit = 0; bit < frame.getLog2Extent(1); ++bit)
    bases[bit < sub ? kSub : kCol].push_back(frame.unit(1, bit));
  // M = 64 leaves TMEM row bit 4 unused (PTX ISA, tcgen05 data path layouts).
  unsigned rowBits = m == 64 ? 6 : 7;
  for (unsigned bit = 0; bit < rowBits; ++bit) {
    if (m == 64 && bit == 4)
      bases[kRow].push_back(0);
    bases[kRow].push_back(bit < frame.getLog2Extent(0) ? frame.unit(0, bit)
                                                       : 0);
  }
  if (ctaGroup == 2)
    bases[kTmemCta].push_back(frame.unit(0, 7));
  return getUnchecked(LayoutSpace::Tmem, shape, bases);
}

} // namespace tileir

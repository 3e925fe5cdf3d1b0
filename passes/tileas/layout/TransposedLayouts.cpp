// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/TransposedLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

namespace tileir {

namespace {

constexpr unsigned kLaneBits = 5;
constexpr unsigned kSectorBits = 256;

/// log2 of the neighbours that a thread and the lanes of a warp have along a
/// dimension.
struct Side {
  unsigned dim, perThread, lanes;
  unsigned end() const { return perThread + lanes; }
};

} // namespace

/// Numbers of lane bits for the first side, in the order of how equal they make
/// the extents of a warp; at equal cost, long rows are better.
static llvm::SmallVector<unsigned> getSplits(unsigned a, unsigned b) {
  llvm::SmallVector<unsigned> splits = {0, 1, 2, 3, 4, 5};
  auto unlike = [&](unsigned lanes) {
    return std::abs(int(a + 2 * lanes) - int(b + kLaneBits));
  };
  llvm::sort(splits, [&](unsigned x, unsigned y) {
    return std::make_pair(unlike(x), x) < std::make_pair(unlike(y), y);
  });
  return splits;
}

/// Distributes the remaining elements over warps, then over further registers.
static Layout getBlock(const Layout &frame, unsigned warpBits, Side first,
                       Side second) {
  Layout::FlatBases bases(4);
  for (Side side : {first, second}) {
    for (unsigned bit = 0; bit < side.perThread; ++bit)
      bases[kRegister].push_back(frame.unit(side.dim, bit));
    for (unsigned bit = side.perThread; bit < side.end(); ++bit)
      bases[kLane].push_back(frame.unit(side.dim, bit));
  }
  for (unsigned dim = frame.getRank(); dim-- > 0;) {
    unsigned begin = dim == first.dim    ? first.end()
                     : dim == second.dim ? second.end()
                                         : 0;
    for (unsigned bit = begin; bit < frame.getLog2Extent(dim); ++bit)
      bases[bases[kWarp].size() < warpBits ? kWarp : kRegister].push_back(
          frame.unit(dim, bit));
  }
  return Layout::getUnchecked(LayoutSpace::Reg, frame.getShape(), bases);
}

std::vector<Layout> getTransposedLayouts(const Layout::Shape &shape,
                                         unsigned bits, unsigned numWarps,
                                         AccessRun first, AccessRun second) {
  std::vector<Layout> layouts;
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  unsigned warpBits = llvm::Log2_32(numWarps);
  if (first.dim == second.dim || frame.getTileBits() < kLaneBits + warpBits)
    return layouts;
  unsigned registerBits = frame.getTileBits() - kLaneBits - warpBits;
  auto isWhole = [&](Side side) {
    return side.end() <= frame.getLog2Extent(side.dim) &&
           (uint64_t(bits) << side.end()) >= kSectorBits;
  };
  for (unsigned a = llvm::Log2_64(first.vector) + 1; a-- > 0;)
    for (unsigned b = llvm::Log2_64(second.vector) + 1; b-- > 0;)
      for (unsigned lanes : getSplits(a, b)) {
        Side along{first.dim, a, lanes},
            across{second.dim, b, kLaneBits - lanes};
        if (a + b <= registerBits && isWhole(along) && isWhole(across))
          layouts.push_back(getBlock(frame, warpBits, along, across));
      }
  return layouts;
}

} // namespace tileir

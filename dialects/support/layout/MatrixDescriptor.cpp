// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/MatrixDescriptor.h"

#include <cassert>

namespace tileir {

uint64_t MatrixDescriptor::strideBits() const {
  // Without swizzle the two fields are exchanged for row-contiguous matrices; a
  // K-major swizzled operand has no leading offset.
  uint64_t leading = panelStride, stride = groupStride;
  if (swizzle == Swizzle::None && !isKMajor)
    std::swap(leading, stride);
  if (swizzle != Swizzle::None && isKMajor)
    leading = 16;
  return (leading >> 4 & 0x3fff) << 16 | (stride >> 4 & 0x3fff) << 32;
}

uint64_t MatrixDescriptor::wgmmaBits() const {
  switch (swizzle) {
  case Swizzle::None:
    return strideBits();
  case Swizzle::B128:
    return strideBits() | uint64_t(1) << 62;
  case Swizzle::B64:
    return strideBits() | uint64_t(2) << 62;
  case Swizzle::B32:
    return strideBits() | uint64_t(3) << 62;
  case Swizzle::B128Wide:
    break;
  }
  assert(false && "warpgroups know no wide chunks");
  return 0;
}

uint64_t MatrixDescriptor::tcgen05Bits() const {
  // The version field, which older tensor cores ignore.
  uint64_t bits = strideBits() | uint64_t(1) << 46;
  switch (swizzle) {
  case Swizzle::None:
    return bits;
  case Swizzle::B128:
    return bits | uint64_t(2) << 61;
  case Swizzle::B64:
    return bits | uint64_t(4) << 61;
  case Swizzle::B32:
    return bits | uint64_t(6) << 61;
  case Swizzle::B128Wide:
    return bits | uint64_t(1) << 61;
  }
  return 0;
}

bool MatrixDescriptor::holdsStep(int64_t bytes) const {
  return !isKMajor || swizzle == Swizzle::None ||
         bytes <= int64_t(getSpanBytes(swizzle));
}

namespace {

/// Matches the addresses of one layout with the layouts of the hardware.
class Matcher {
public:
  Matcher(const Layout &layout, unsigned bits, std::string *why)
      : layout(layout), bits(bits), why(why), offsets(smemOffsets(layout)) {}

  std::optional<MatrixDescriptor> match(unsigned contiguous, unsigned other,
                                        bool isKMajor);

private:
  /// Address of bit `bit` of dimension `dim`, in bytes.
  int64_t address(unsigned dim, unsigned bit) const {
    return offsets(layout.unit(dim, bit)) * bits / 8;
  }
  bool fail(unsigned dim, unsigned bit, const char *what) const {
    *why = "bit " + std::to_string(bit) + " of dimension " +
           std::to_string(dim) + " " + what;
    return false;
  }
  /// Returns whether the address doubles with each bit of `dim` from `first`
  /// on, starting at `start`.
  bool isLinear(unsigned dim, unsigned first, unsigned last,
                int64_t start) const;
  bool matchLines(unsigned other, Swizzle swizzle) const;

  const Layout &layout;
  unsigned bits;
  std::string *why;
  LinearMap offsets;
};

} // namespace

bool Matcher::isLinear(unsigned dim, unsigned first, unsigned last,
                       int64_t start) const {
  for (unsigned bit = first; bit < last; ++bit)
    if (address(dim, bit) != start << (bit - first))
      return fail(dim, bit,
                  "is not at the distance that the bits below it set");
  return true;
}

bool Matcher::matchLines(unsigned other, Swizzle swizzle) const {
  uint64_t span = getSpanBytes(swizzle);
  for (unsigned bit = 0; bit < 3; ++bit)
    if (uint64_t(address(other, bit)) !=
        getSwizzledAddress(span << bit, swizzle))
      return fail(other, bit, "follows no swizzle");
  return true;
}

std::optional<MatrixDescriptor> Matcher::match(unsigned contiguous,
                                               unsigned other, bool isKMajor) {
  unsigned chunk = 0;
  while ((bits << chunk) < 128)
    ++chunk;
  unsigned extent = layout.getLog2Extent(contiguous);
  if (layout.getLog2Extent(other) < 3 || extent < chunk) {
    fail(contiguous, 0, "has no 8 lines of 16 bytes");
    return std::nullopt;
  }
  if (!isLinear(contiguous, 0, chunk, bits / 8))
    return std::nullopt;
  MatrixDescriptor result;
  result.isKMajor = isKMajor;
  bool found = false;
  for (Swizzle swizzle : kSwizzles)
    if (!found && !(isKMajor && swizzle == Swizzle::B128Wide) &&
        (found = matchLines(other, swizzle)))
      result.swizzle = swizzle;
  if (!found)
    return std::nullopt;
  unsigned span = chunk;
  while ((bits << span) < getSpanBytes(result.swizzle) * 8)
    ++span;
  if (span > extent) {
    fail(contiguous, extent, "is missing: the span is not full");
    return std::nullopt;
  }
  if (!isLinear(contiguous, chunk, span, 16))
    return std::nullopt;
  unsigned group = result.swizzle == Swizzle::B128Wide ? 2 : 3;
  if (layout.getLog2Extent(other) > group)
    result.groupStride = address(other, group);
  if (extent > span)
    result.panelStride = address(contiguous, span);
  if (!isLinear(other, group, layout.getLog2Extent(other),
                result.groupStride) ||
      !isLinear(contiguous, span, extent, result.panelStride))
    return std::nullopt;
  return result;
}

std::optional<MatrixDescriptor> matrixDescriptor(const Layout &layout,
                                                 unsigned bits, unsigned kDim,
                                                 std::string *why) {
  assert(layout.getRank() == 2 && layout.getSpace() == LayoutSpace::Smem);
  // Narrow operands are K-major; where both match, K-major is the simpler one.
  std::string kMajor, rowMajor;
  if (auto descriptor =
          Matcher(layout, bits, &kMajor).match(kDim, 1 - kDim, true))
    return descriptor;
  if (auto descriptor =
          Matcher(layout, bits, &rowMajor).match(1 - kDim, kDim, false))
    return descriptor;
  if (why)
    *why = "with K contiguous " + kMajor + "; with rows contiguous " + rowMajor;
  return std::nullopt;
}

} // namespace tileir

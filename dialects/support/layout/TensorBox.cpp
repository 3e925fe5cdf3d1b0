// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/TensorBox.h"

namespace tileir {

/// Maximum extent of a box, and divisor of its start (PTX ISA, "Tensors":
/// limits of tensor maps).
static constexpr int64_t kMaxElements = 256;
static constexpr uint64_t kBoxAlignment = 128;
static constexpr uint64_t kLineBytes = 16;

/// Period of a swizzle in bytes: 8 lines of a span.
static uint64_t getPatternBytes(Swizzle swizzle) {
  return swizzle == Swizzle::None ? kBoxAlignment : 8 * getSpanBytes(swizzle);
}

/// The box of `layout` with one swizzle; none where a coordinate bit is not
/// where the TMA unit puts it.
static std::optional<TensorBox> boxOf(const Layout &layout,
                                      const std::vector<unsigned> &order,
                                      uint64_t bytes, Swizzle swizzle) {
  LinearMap offsets = smemOffsets(layout);
  auto addressOf = [&](unsigned d, unsigned bit) {
    return offsets(layout.unit(d, bit)) * bytes;
  };
  TensorBox box{Layout::Shape(layout.getRank(), 1), swizzle};
  uint64_t span = getSpanBytes(swizzle), size = bytes;
  for (unsigned d : order) {
    int64_t &extent = box.extents[d];
    for (unsigned bit = 0; bit < layout.getLog2Extent(d); ++bit) {
      bool fits = 2 * extent <= kMaxElements &&
                  (swizzle == Swizzle::None || d != order.front() ||
                   2 * uint64_t(extent) * bytes <= span);
      if (!fits || addressOf(d, bit) != getSwizzledAddress(size, swizzle))
        break;
      extent *= 2;
      size *= 2;
    }
  }
  uint64_t line = uint64_t(box.extents[order.front()]) * bytes;
  if (line % kLineBytes || (swizzle != Swizzle::None && line != span))
    return std::nullopt;
  // Start offsets of the other boxes.
  uint64_t low = std::max(size, getPatternBytes(swizzle)) - 1;
  for (unsigned d : order)
    for (unsigned bit = 0; bit < layout.getLog2Extent(d); ++bit)
      if (int64_t(1) << bit >= box.extents[d] && (addressOf(d, bit) & low))
        return std::nullopt;
  return box;
}

std::optional<TensorBox> tensorBox(const Layout &layout,
                                   const std::vector<unsigned> &order,
                                   unsigned bits, std::string *why) {
  auto fail = [&](const char *reason) {
    if (why)
      *why = reason;
    return std::nullopt;
  };
  if (layout.getSpace() != LayoutSpace::Smem)
    return fail("it is not in shared memory");
  if (bits < 8)
    return fail("its elements are parts of bytes");
  for (Swizzle swizzle : kSwizzles)
    if (auto box = boxOf(layout, order, bits / 8, swizzle))
      return box;
  return fail("its addresses are not those of a tensor copy");
}

} // namespace tileir

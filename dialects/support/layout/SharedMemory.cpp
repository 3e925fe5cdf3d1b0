// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/SharedMemory.h"

#include <algorithm>
#include <cassert>

namespace tileir {

static unsigned log2Floor(int64_t value) {
  unsigned bits = 0;
  while ((int64_t(2) << bits) <= value)
    ++bits;
  return bits;
}

unsigned getSpanBytes(Swizzle swizzle) {
  switch (swizzle) {
  case Swizzle::None:
    return 16;
  case Swizzle::B32:
    return 32;
  case Swizzle::B64:
    return 64;
  case Swizzle::B128:
  case Swizzle::B128Wide:
    return 128;
  }
  return 16;
}

unsigned getChunkBytes(Swizzle swizzle) {
  return swizzle == Swizzle::B128Wide ? 32 : 16;
}

uint64_t getSwizzledAddress(uint64_t address, Swizzle swizzle) {
  uint64_t chunk = getChunkBytes(swizzle);
  return address ^ (address / 128 % (getSpanBytes(swizzle) / chunk) * chunk);
}

std::optional<Layout> swizzledSmem(const Layout::Shape &shape, Swizzle swizzle,
                                   unsigned major, unsigned bits) {
  unsigned rank = shape.size();
  if (rank < 2 || major + 2 < rank || major >= rank)
    return std::nullopt;
  unsigned other = major == rank - 1 ? rank - 2 : rank - 1;
  Layout frame = Layout::getUnchecked(LayoutSpace::Smem, shape, {});
  // Bits of an element's position inside a span and inside a 16-byte chunk.
  unsigned spanBits = log2Floor(8 * getSpanBytes(swizzle) / bits);
  unsigned chunkBits = log2Floor(8 * getChunkBytes(swizzle) / bits);
  unsigned majorBits = frame.getLog2Extent(major);
  unsigned otherBits = frame.getLog2Extent(other);
  if (majorBits < spanBits || otherBits < 3)
    return std::nullopt;

  Layout::FlatBases bases(2);
  std::vector<uint32_t> &offset = bases[kOffset];
  for (unsigned i = 0; i < spanBits; ++i)
    offset.push_back(frame.unit(major, i));
  // The chunk number is XOR-ed with bits of the row inside a group of 8: with
  // as many bits as the chunk number has, from the bit of 128 bytes on.
  unsigned swizzleBits = spanBits - chunkBits;
  unsigned first = log2Floor(128 / getSpanBytes(swizzle));
  for (unsigned i = 0; i < 3; ++i) {
    uint32_t basis = frame.unit(other, i);
    if (i >= first && i < first + swizzleBits)
      basis ^= frame.unit(major, chunkBits + i - first);
    offset.push_back(basis);
  }
  for (unsigned i = 3; i < otherBits; ++i)
    offset.push_back(frame.unit(other, i));
  for (unsigned i = spanBits; i < majorBits; ++i)
    offset.push_back(frame.unit(major, i));
  for (unsigned d = rank - 2; d-- > 0;)
    for (unsigned i = 0; i < frame.getLog2Extent(d); ++i)
      offset.push_back(frame.unit(d, i));
  return Layout::getUnchecked(LayoutSpace::Smem, shape, bases);
}

std::optional<SmemClass> classifySmem(const Layout &layout, unsigned bits) {
  if (layout.getSpace() != LayoutSpace::Smem || layout.getRank() < 2)
    return std::nullopt;
  unsigned rank = layout.getRank();
  Layout::Shape shape = layout.getShape();
  for (Swizzle swizzle : kSwizzles)
    for (unsigned major : {rank - 1, rank - 2}) {
      std::optional<Layout> form = swizzledSmem(shape, swizzle, major, bits);
      if (!form || form->getFlatBases(kOffset) != layout.getFlatBases(kOffset))
        continue;
      int64_t rows = shape[major == rank - 1 ? rank - 2 : rank - 1];
      int64_t span = getSpanBytes(swizzle);
      return SmemClass{swizzle, major, 8 * span, rows * span};
    }
  return std::nullopt;
}

LinearMap smemOffsets(const Layout &layout) {
  return layout.leftInverse().rows(0, layout.getNumBases(kOffset));
}

std::optional<CuTeLayout> toCuTe(const Layout &layout) {
  if (layout.getSpace() != LayoutSpace::Smem)
    return std::nullopt;
  LinearMap inverse = smemOffsets(layout);
  CuTeLayout cute;
  cute.modes.resize(layout.getRank());
  // Linear part: each index bit maps to one offset bit; the swizzle adds one
  // lower bit at a fixed distance to a contiguous range of offset bits.
  uint64_t used = 0, swizzled = 0;
  unsigned shift = 0;
  for (unsigned d = 0; d < layout.getRank(); ++d)
    for (unsigned bit = 0; bit < layout.getLog2Extent(d); ++bit) {
      uint64_t image = inverse.column(layout.getFlatShift(d) + bit);
      unsigned high = log2Floor(image);
      uint64_t rest = image ^ (uint64_t(1) << high);
      if (rest) {
        unsigned low = log2Floor(rest);
        if (rest != uint64_t(1) << low || (shift && shift != high - low))
          return std::nullopt;
        shift = high - low;
        swizzled |= uint64_t(1) << high;
      }
      if (!image || (used >> high) & 1)
        return std::nullopt;
      used |= uint64_t(1) << high;
      std::vector<CuTeLayout::Digit> &mode = cute.modes[d];
      int64_t stride = int64_t(1) << high;
      if (!mode.empty() && mode.back().shape * mode.back().stride == stride)
        mode.back().shape *= 2;
      else
        mode.push_back({2, stride});
    }
  if (swizzled) {
    unsigned first = log2Floor(swizzled & -swizzled);
    unsigned count = log2Floor(swizzled) - first + 1;
    if (swizzled != ((uint64_t(1) << count) - 1) << first || shift < count)
      return std::nullopt;
    cute.swizzleBits = count;
    cute.swizzleShift = shift;
    cute.swizzleBase = first - shift;
  }
  return cute;
}

std::optional<Layout> fromCuTe(const CuTeLayout &cute) {
  Layout::Shape shape;
  for (const auto &mode : cute.modes) {
    int64_t extent = 1;
    for (const CuTeLayout::Digit &digit : mode)
      extent *= digit.shape;
    shape.push_back(extent);
  }
  std::string error;
  if (!Layout::get(LayoutSpace::Smem, Layout::Shape(shape.size(), 1), {},
                   error))
    return std::nullopt;
  Layout frame = Layout::getUnchecked(LayoutSpace::Smem, shape, {});
  // Offset of every index bit, then the inverse.
  std::vector<uint64_t> images(frame.getTileBits(), 0);
  for (unsigned d = 0; d < cute.modes.size(); ++d) {
    unsigned bit = frame.getFlatShift(d);
    for (const CuTeLayout::Digit &digit : cute.modes[d])
      for (int64_t i = 1; i < digit.shape; i *= 2) {
        uint64_t offset = digit.stride * i;
        if (!offset || (offset & (offset - 1)))
          return std::nullopt;
        unsigned position = log2Floor(offset);
        if (position >= cute.swizzleBase + cute.swizzleShift &&
            position < cute.swizzleBase + cute.swizzleShift + cute.swizzleBits)
          offset |= uint64_t(1) << (position - cute.swizzleShift);
        images[bit++] = offset;
      }
  }
  LinearMap offsets(images);
  unsigned bits = frame.getTileBits();
  for (uint64_t image : images)
    if (image >> bits)
      return std::nullopt; // a hole: the tile is not dense
  if (offsets.rank() != bits)
    return std::nullopt;
  LinearMap inverse = offsets.rightInverse(bits);
  Layout::FlatBases bases(2);
  for (unsigned i = 0; i < bits; ++i)
    bases[kOffset].push_back(inverse.column(i));
  return Layout::getUnchecked(LayoutSpace::Smem, shape, bases);
}

SmemAccess smemAccess(const Layout &reg, const Layout &smem, unsigned bits,
                      unsigned maxVectorBits) {
  assert(reg.getTileBits() == smem.getTileBits());
  SmemAccess access;
  access.offsets = smemOffsets(smem).compose(reg.map());
  access.vectorBits = 0;
  while (access.vectorBits < reg.getNumBases(kRegister) &&
         (bits << (access.vectorBits + 1)) <= maxVectorBits &&
         access.offsets.column(access.vectorBits) == uint64_t(1)
                                                         << access.vectorBits)
    ++access.vectorBits;
  // The other address bits must not reach into the vector.
  uint64_t low = 0;
  for (unsigned i = access.vectorBits; i < access.offsets.numInputs(); ++i)
    low |= access.offsets.column(i);
  while (access.vectorBits &&
         (low & ((uint64_t(1) << access.vectorBits) - 1))) {
    --access.vectorBits;
    low |= access.offsets.column(access.vectorBits);
  }
  return access;
}

namespace {

/// Banks that the lanes of one wavefront access in one layout.
class LaneBanks {
public:
  LaneBanks(const Layout &tile, const SmemForm &form, int64_t perThread)
      : tile(tile), form(form), offsets(smemOffsets(form.layout)) {
    // One access moves up to 16 bytes, one wavefront 128 bytes.
    wordBits = log2Floor(
        std::clamp<int64_t>(perThread * form.bits / 8, kMinBytes, 16));
    laneBits = kLineBits - wordBits;
  }

  /// Returns whether another lane bit that moves by `basis` accesses other
  /// banks than the bits before, within one wavefront.
  bool synchronizesWithOthers(uint32_t basis) const {
    return seen.dimension() >= laneBits || !seen.contains(getBanks(basis));
  }
  void insert(uint32_t basis) { seen.insert(getBanks(basis)); }

private:
  static constexpr int64_t kMinBytes = 4;
  static constexpr unsigned kLineBits = 7;

  uint64_t getBanks(uint32_t basis) const {
    uint64_t offset = offsets(form.layout.flatten(tile.unflatten(basis)));
    uint64_t line = (uint64_t(1) << kLineBits) - 1;
    return (offset * form.bits / 8 & line) >> wordBits;
  }

  const Layout &tile;
  const SmemForm &form;
  LinearMap offsets;
  unsigned wordBits, laneBits;
  Span seen;
};

} // namespace

Layout spreadLanes(const Layout::Shape &shape, unsigned major,
                   int64_t perThread, unsigned numWarps,
                   const std::vector<SmemForm> &forms) {
  constexpr unsigned kLaneBits = 5;
  assert(shape.size() == 2);
  unsigned other = 1 - major;
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  perThread = std::min(perThread, shape[major]);
  Layout::FlatBases bases(4);
  Span used;
  std::vector<uint32_t> lines, across;
  for (unsigned i = 0; i < frame.getLog2Extent(major); ++i) {
    if (i < log2Floor(perThread)) {
      bases[kRegister].push_back(frame.unit(major, i));
      used.insert(bases[kRegister].back());
    } else {
      lines.push_back(frame.unit(major, i));
    }
  }
  for (unsigned i = 0; i < frame.getLog2Extent(other); ++i)
    across.push_back(frame.unit(other, i));
  // Steps along lines first, then from line to line, then over several lines,
  // whose swizzles differ in more than one bit.
  std::vector<uint32_t> steps = lines;
  steps.insert(steps.end(), across.begin(), across.end());
  std::vector<uint32_t> candidates = steps;
  for (size_t i = 0; i < across.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      candidates.push_back(across[i] ^ across[k]);
  std::vector<LaneBanks> banks;
  for (const SmemForm &form : forms)
    banks.emplace_back(frame, form, perThread);
  auto take = [&](std::vector<uint32_t> &space, uint32_t basis) {
    used.insert(basis);
    space.push_back(basis);
  };
  // Moves up to `count` bases from `from` to `space`.
  auto fill = [&](std::vector<uint32_t> &space, size_t count,
                  const std::vector<uint32_t> &from) {
    for (uint32_t basis : from)
      if (space.size() < count && !used.contains(basis))
        take(space, basis);
  };
  while (bases[kLane].size() < kLaneBits) {
    auto fits = [&](uint32_t basis) {
      return !used.contains(basis) &&
             std::all_of(banks.begin(), banks.end(),
                         [&](const LaneBanks &form) {
                           return form.synchronizesWithOthers(basis);
                         });
    };
    auto found = std::find_if(candidates.begin(), candidates.end(), fits);
    if (found == candidates.end())
      break;
    for (LaneBanks &form : banks)
      form.insert(*found);
    take(bases[kLane], *found);
  }
  fill(bases[kLane], kLaneBits, steps);
  bases[kLane].resize(kLaneBits);
  unsigned warpBits = log2Floor(numWarps);
  fill(bases[kWarp], warpBits, across);
  fill(bases[kWarp], warpBits, lines);
  bases[kWarp].resize(warpBits);
  fill(bases[kRegister], frame.getTileBits(), steps);
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

std::optional<MatrixMatch> matchLdmatrix(const Layout &reg, const Layout &smem,
                                         unsigned bits) {
  if (bits != 8 && bits != 16 && bits != 32)
    return std::nullopt;
  LinearMap offsets = smemOffsets(smem).compose(reg.map());
  unsigned numRegs = reg.getNumBases(kRegister);
  // Offsets count units of 16 bits: wide elements have their low unit bits
  // inside the element, pairs of 8-bit elements make one unit.
  auto units = [&](uint64_t offset) {
    return bits == 8 ? offset >> 1 : bits == 16 ? offset : offset << 1;
  };
  MatrixMatch match;
  match.wordBits = bits == 8 ? 2 : bits == 16 ? 1 : 0;
  if (numRegs < match.wordBits)
    return std::nullopt;
  auto lane = [&](unsigned bit) { return offsets.column(numRegs + bit); };
  auto unitLane = [&](unsigned bit) { return units(lane(bit)); };
  if (bits == 8)
    for (unsigned i = 0; i < offsets.numInputs(); ++i)
      if ((offsets.column(i) & 1) != (i == 0) ||
          (i == 0 && offsets.column(0) != 1))
        return std::nullopt;

  uint64_t halfBit = bits == 32 ? 1 : units(offsets.column(match.wordBits - 1));
  std::array<uint64_t, 3> rows;
  if (halfBit == 1 && unitLane(0) == 2 && unitLane(1) == 4) {
    match.transposed = false;
    rows = {unitLane(2), unitLane(3), unitLane(4)};
  } else if (bits <= 16 && unitLane(2) == 1 && unitLane(3) == 2 &&
             unitLane(4) == 4) {
    match.transposed = true;
    rows = {halfBit, unitLane(0), unitLane(1)};
  } else {
    return std::nullopt;
  }
  uint64_t others = rows[0] | rows[1] | rows[2];
  match.rowOffsets = rows;
  for (unsigned i = 0; i < numRegs; ++i) {
    uint64_t offset = i < match.wordBits ? 0 : units(offsets.column(i));
    match.registerOffsets.push_back(offset);
    others |= offset;
  }
  for (unsigned i = 0; i < reg.getNumBases(kWarp); ++i) {
    match.warpOffsets.push_back(units(offsets.column(numRegs + 5 + i)));
    others |= match.warpOffsets.back();
  }
  if (others & 7)
    return std::nullopt;
  unsigned free = std::min(numRegs - match.wordBits, 2u);
  match.num = 1u << free;
  return match;
}

} // namespace tileir

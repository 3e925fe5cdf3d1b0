// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Fragments.h"

#include "dialects/support/layout/SharedMemory.h"

#include <cassert>

namespace tileir {

// Targets from sm_100 on transpose 16x16 bytes (ldmatrix m16n16 b8), which
// saves no instructions: the loaded registers hold columns 8 apart side by
// side, where mma.sync takes rows 16 apart. ptxas 13.5 makes 237 moves for the
// 64 permutations of a 128x128x128 tile.
std::optional<ByteTranspose> matchByteTranspose(const Layout &reg,
                                                const Layout &smem) {
  LinearMap offsets = smemOffsets(smem).compose(reg.map());
  unsigned numRegs = reg.getNumBases(kRegister);
  auto lane = [&](unsigned bit) { return offsets.column(numRegs + bit); };
  ByteTranspose result;
  result.pairBit = 0;
  // Bits 0 and 1 select the byte in a register.
  for (unsigned i = 2; i < numRegs; ++i)
    if (offsets.column(i) == 1)
      result.pairBit = i;
    else
      result.wordBits.push_back(i);
  if (!result.pairBit)
    return std::nullopt;
  result.exchangesRegisters = 0;
  for (unsigned bit : {2u, 3u, 4u}) {
    uint64_t step = uint64_t(1) << (bit - 1);
    if ((lane(bit) & ~uint64_t(1)) != step)
      return std::nullopt;
    result.exchangesRegisters |= (lane(bit) & 1) << bit;
  }
  // All other bits step over lines of 16 bytes.
  uint64_t others = lane(0) | lane(1);
  for (unsigned i = 0; i < numRegs; ++i) {
    result.registerOffsets.push_back(offsets.column(i));
    if (i != result.pairBit)
      others |= offsets.column(i);
  }
  bool hasFour = !result.wordBits.empty();
  result.num = hasFour ? 4 : 2;
  // A row of a matrix holds two numbers of a lane; rows of the matrices
  // alternate so that eight consecutive rows form one matrix.
  uint64_t low = offsets.column(0), high = offsets.column(1);
  result.threadOffsets = {low, lane(0), lane(1) ^ high, high,
                          hasFour ? offsets.column(result.wordBits[0]) : 0};
  for (unsigned i = 0; i < reg.getNumBases(kWarp); ++i) {
    result.threadOffsets.push_back(offsets.column(numRegs + 5 + i));
    others |= result.threadOffsets.back();
  }
  if (others & 15)
    return std::nullopt;
  return result;
}

namespace {

/// Distributes the bits of the coordinates of a tile, lowest first.
class BitDealer {
public:
  BitDealer(const Layout &frame, unsigned major)
      : frame(frame), major(major), next{0, 0} {}

  /// The next bit along the major dimension or the other one; 0 without one.
  uint32_t take(bool isMajor) {
    unsigned dim = isMajor ? major : 1 - major;
    unsigned &bit = next[isMajor];
    return bit < frame.getLog2Extent(dim) ? frame.unit(dim, bit++) : 0;
  }
  /// The next bit along the first choice, else along the other dimension.
  uint32_t takeAny(bool isMajor) {
    uint32_t basis = take(isMajor);
    return basis ? basis : take(!isMajor);
  }

private:
  const Layout &frame;
  unsigned major;
  unsigned next[2];
};

} // namespace

/// Adds the bases of lanes and registers for `matchByteTranspose`. Lanes
/// exchange registers so that eight consecutive lanes also store to different
/// banks.
static bool addByteBases(const Layout &frame, unsigned major, BitDealer &dealer,
                         Layout::FlatBases &bases) {
  if (frame.getLog2Extent(major) < 4 || frame.getLog2Extent(1 - major) < 4)
    return false;
  for (int i = 0; i < 2; ++i)
    bases[kRegister].push_back(dealer.take(/*isMajor=*/true));
  uint32_t word = dealer.take(/*isMajor=*/false);
  bases[kRegister].push_back(word);
  for (int i = 0; i < 2; ++i)
    bases[kLane].push_back(dealer.take(/*isMajor=*/true));
  for (int i = 0; i < 3; ++i)
    bases[kLane].push_back(dealer.take(/*isMajor=*/false));
  bases[kLane].back() |= word;
  return true;
}

Layout transposingLayout(const Layout::Shape &shape, unsigned major,
                         unsigned bits, unsigned numWarps) {
  assert(shape.size() == 2 && major < 2);
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  BitDealer dealer(frame, major);
  Layout::FlatBases bases(4);
  if (bits != 8 || !addByteBases(frame, major, dealer, bases)) {
    // Vectors of 16 bytes along the major dimension, lanes across it.
    for (unsigned width = bits; width < 128; width *= 2)
      if (uint32_t basis = dealer.take(/*isMajor=*/true))
        bases[kRegister].push_back(basis);
    for (int i = 0; i < 5; ++i)
      bases[kLane].push_back(dealer.takeAny(/*isMajor=*/false));
  }
  for (unsigned warps = numWarps; warps > 1; warps /= 2)
    bases[kWarp].push_back(dealer.takeAny(/*isMajor=*/false));
  while (uint32_t basis = dealer.takeAny(/*isMajor=*/true))
    bases[kRegister].push_back(basis);
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/SharedMemory.h"
#include "dialects/support/layout/Fragments.h"

#include "gtest/gtest.h"

#include <set>

using namespace tileir;

TEST(SharedMemoryTest, WidestSwizzleOfHalves) {
  std::optional<Layout> layout = swizzledSmem({64, 128}, Swizzle::B128, 1, 16);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->str(),
            "<smem, [64, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, "
            "16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], "
            "[0, 64]]>");
}

// Operands that pass through registers for a conversion: parts of slots of 8,
// 16 or 32-bit elements, stored as 16 or 32-bit elements. The lanes of a
// wavefront have lines of 128 bytes to themselves.
TEST(SharedMemoryTest, LanesMeetDifferentBanks) {
  struct Way {
    Layout::Shape whole, part;
    unsigned major, from, to;
  };
  const Way ways[] = {
      {{128, 128}, {128, 64}, 1, 8, 16}, {{128, 128}, {64, 128}, 1, 8, 16},
      {{128, 128}, {64, 128}, 0, 8, 16}, {{128, 256}, {64, 256}, 1, 8, 16},
      {{64, 64}, {64, 64}, 1, 16, 32},   {{64, 64}, {64, 64}, 1, 32, 16},
      {{128, 32}, {128, 32}, 1, 32, 32}, {{32, 128}, {32, 128}, 1, 32, 32}};
  for (const Way &way : ways) {
    std::optional<Layout> from =
        swizzledSmem(way.whole, Swizzle::B128, way.major, way.from);
    std::optional<Layout> to =
        swizzledSmem(way.part, Swizzle::B128, way.major, way.to);
    ASSERT_TRUE(from && to);
    int64_t perThread = 128 / way.from;
    Layout reg = spreadLanes(way.part, way.major, perThread, 4,
                             {{*from, way.from}, {*to, way.to}});
    ASSERT_EQ(reg.verify(), "");
    for (auto [smem, bits] : {std::pair(*from, way.from), {*to, way.to}}) {
      LinearMap offsets = smemOffsets(smem);
      uint64_t width = std::min<uint64_t>(16, perThread * bits / 8);
      for (unsigned first = 0; first < 32; first += 128 / width) {
        std::set<uint64_t> seen;
        for (unsigned lane = first; lane < first + 128 / width; ++lane) {
          Layout::Coord at = reg.apply({0, lane, 1, 0});
          seen.insert(offsets(smem.flatten(at)) * bits / 8 % 128 / width);
        }
        EXPECT_EQ(seen.size(), 128 / width) << reg.str() << bits;
      }
    }
  }
}

// A smaller tile still has every element once.
TEST(SharedMemoryTest, LanesOfSmallTiles) {
  Layout smem = Layout::linearSmem({8, 16}, {1, 0});
  Layout reg = spreadLanes({8, 16}, 1, 16, 4, {{smem, 8}, {smem, 16}});
  EXPECT_EQ(reg.str(), "<reg, [8, 16], register = [[0, 1], [0, 2], [0, 4], [0, "
                       "8]], lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]], "
                       "warp = [[0, 0], [0, 0]]>");
}

// The address swizzle of the hardware XORs byte-address bits [7, 7 + B) into
// bits [4, 4 + B), or [5, 5 + B) of wide chunks; rows of one span follow each
// other.
TEST(SharedMemoryTest, MatchesTheByteAddressSwizzle) {
  for (Swizzle swizzle :
       {Swizzle::B32, Swizzle::B64, Swizzle::B128, Swizzle::B128Wide})
    for (unsigned bits : {8, 16, 32})
      for (unsigned major : {0, 1}) {
        int64_t span = getSpanBytes(swizzle);
        int64_t inSpan = span * 8 / bits;
        Layout::Shape shape = {32, 4 * inSpan};
        if (major == 0)
          std::swap(shape[0], shape[1]);
        std::optional<Layout> layout =
            swizzledSmem(shape, swizzle, major, bits);
        ASSERT_TRUE(layout.has_value());
        ASSERT_EQ(layout->verify(), "");
        LinearMap offsets = smemOffsets(*layout);
        int64_t base = swizzle == Swizzle::B128Wide ? 5 : 4;
        int64_t mask = (span >> base) - 1;
        for (int64_t row = 0; row < 32; ++row)
          for (int64_t k = 0; k < 4 * inSpan; ++k) {
            int64_t block = k / inSpan;
            int64_t address =
                block * 32 * span + row * span + k % inSpan * bits / 8;
            address ^= ((address >> 7) & mask) << base;
            Layout::Coord coord = {row, k};
            if (major == 0)
              std::swap(coord[0], coord[1]);
            EXPECT_EQ(int64_t(offsets(layout->flatten(coord)) * bits / 8),
                      address);
          }
        std::optional<SmemClass> kind = classifySmem(*layout, bits);
        ASSERT_TRUE(kind.has_value());
        EXPECT_EQ(kind->swizzle, swizzle);
        EXPECT_EQ(kind->major, major);
        EXPECT_EQ(kind->rowGroupStride, 8 * span);
        EXPECT_EQ(kind->blockStride, 32 * span);
        std::optional<CuTeLayout> cute = toCuTe(*layout);
        ASSERT_TRUE(cute.has_value());
        EXPECT_EQ(cute->swizzleShift, 7u - base);
        EXPECT_EQ(fromCuTe(*cute), layout);
      }
}

TEST(SharedMemoryTest, CoreMatrices) {
  std::optional<Layout> layout = swizzledSmem({16, 32}, Swizzle::None, 1, 16);
  ASSERT_TRUE(layout.has_value());
  LinearMap offsets = smemOffsets(*layout);
  for (int64_t row = 0; row < 16; ++row)
    for (int64_t k = 0; k < 32; ++k)
      EXPECT_EQ(int64_t(offsets(layout->flatten({row, k}))),
                k / 8 * 128 + row * 8 + k % 8);
  EXPECT_EQ(classifySmem(*layout, 16)->swizzle, Swizzle::None);
}

TEST(SharedMemoryTest, LinearIsNotCanonical) {
  Layout layout = Layout::linearSmem({64, 128}, {1, 0});
  EXPECT_FALSE(classifySmem(layout, 16).has_value());
  std::optional<CuTeLayout> cute = toCuTe(layout);
  ASSERT_TRUE(cute.has_value());
  EXPECT_EQ(cute->swizzleBits, 0u);
  ASSERT_EQ(cute->modes[1].size(), 1u);
  EXPECT_EQ(cute->modes[1][0].shape, 128);
  EXPECT_EQ(cute->modes[0][0].stride, 128);
  EXPECT_FALSE(swizzledSmem({4, 128}, Swizzle::B128, 1, 16).has_value());
}

/// Executes ldmatrix as the PTX ISA defines it and compares every element.
static void expectLdmatrix(const Layout &reg, const Layout &smem, unsigned bits,
                           bool transposed) {
  std::optional<MatrixMatch> match = matchLdmatrix(reg, smem, bits);
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->transposed, transposed);
  unsigned numRegs = reg.getNumBases(kRegister);
  unsigned matrixBits = match->num == 4 ? 2 : match->num == 2 ? 1 : 0;
  unsigned first = match->wordBits + matrixBits;
  for (uint64_t warp = 0; warp < uint64_t(1) << reg.getNumBases(kWarp); ++warp)
    for (uint64_t rest = 0; rest < uint64_t(1) << (numRegs - first); ++rest) {
      auto rowAddress = [&](unsigned supplier) {
        uint64_t offset = 0;
        for (unsigned i = 0; i < 3; ++i)
          if ((supplier >> i) & 1)
            offset ^= match->rowOffsets[i];
        for (unsigned i = 0; i < matrixBits; ++i)
          if ((supplier >> (3 + i)) & 1)
            offset ^= match->registerOffsets[match->wordBits + i];
        for (unsigned i = first; i < numRegs; ++i)
          if ((rest >> (i - first)) & 1)
            offset ^= match->registerOffsets[i];
        for (unsigned i = 0; i < match->warpOffsets.size(); ++i)
          if ((warp >> i) & 1)
            offset ^= match->warpOffsets[i];
        return offset;
      };
      for (unsigned matrix = 0; matrix < match->num; ++matrix)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned half = 0; half < 2; ++half) {
            unsigned row = transposed ? 2 * (lane % 4) + half : lane / 4;
            unsigned col = transposed ? lane / 4 : 2 * (lane % 4) + half;
            uint64_t unit = rowAddress(matrix * 8 + row) + col;
            // Every element that touches this unit.
            for (unsigned part = 0; part < (bits == 8 ? 2u : 1u); ++part) {
              uint64_t element = bits == 8    ? unit * 2 + part
                                 : bits == 16 ? unit
                                              : unit / 2;
              uint64_t inWord = bits == 8    ? half * 2 + part
                                : bits == 16 ? half
                                             : 0;
              uint64_t reg0 =
                  inWord | uint64_t(matrix) << match->wordBits | rest << first;
              EXPECT_EQ(reg.apply({reg0, lane, warp}), smem.apply({element}));
            }
          }
    }
}

TEST(SharedMemoryTest, LdmatrixReadsOperands) {
  Fragment a16 = *mmaSyncFragment(MmaRole::A, 16, 8, 16, 16);
  Layout a = *mmaLayout({64, 64}, a16, MmaRole::A, 2, 2);
  expectLdmatrix(a, *swizzledSmem({64, 64}, Swizzle::B128, 1, 16), 16, false);
  expectLdmatrix(a, *swizzledSmem({64, 64}, Swizzle::B128, 0, 16), 16, true);
  Fragment b16 = *mmaSyncFragment(MmaRole::B, 16, 8, 16, 16);
  Layout b = *mmaLayout({64, 64}, b16, MmaRole::B, 2, 2);
  expectLdmatrix(b, *swizzledSmem({64, 64}, Swizzle::B128, 1, 16), 16, true);
  expectLdmatrix(b, *swizzledSmem({64, 64}, Swizzle::B128, 0, 16), 16, false);
  Fragment a8 = *mmaSyncFragment(MmaRole::A, 16, 8, 32, 8);
  expectLdmatrix(*mmaLayout({32, 128}, a8, MmaRole::A, 2, 1),
                 *swizzledSmem({32, 128}, Swizzle::B128, 1, 8), 8, false);
  Fragment a32 = *mmaSyncFragment(MmaRole::A, 16, 8, 8, 32);
  expectLdmatrix(*mmaLayout({32, 32}, a32, MmaRole::A, 2, 1),
                 *swizzledSmem({32, 32}, Swizzle::B128, 1, 32), 32, false);
}

TEST(SharedMemoryTest, LdmatrixNeedsItsPattern) {
  Layout blocked = Layout::blocked({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0});
  EXPECT_FALSE(
      matchLdmatrix(blocked, *swizzledSmem({64, 64}, Swizzle::B128, 1, 16), 16)
          .has_value());
  Fragment b8 = *mmaSyncFragment(MmaRole::B, 16, 8, 32, 8);
  Layout b = *mmaLayout({64, 128}, b8, MmaRole::B, 1, 4);
  EXPECT_FALSE(
      matchLdmatrix(b, *swizzledSmem({64, 128}, Swizzle::B128, 1, 8), 8)
          .has_value());
}

TEST(SharedMemoryTest, VectorWidth) {
  Layout blocked = Layout::blocked({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0});
  Layout smem = *swizzledSmem({64, 64}, Swizzle::B128, 1, 16);
  EXPECT_EQ(smemAccess(blocked, smem, 16).vectorBits, 3u);
  EXPECT_EQ(smemAccess(blocked, smem, 16, 64).vectorBits, 2u);
  Layout columns = Layout::blocked({64, 64}, {8, 1}, {8, 4}, {1, 4}, {0, 1});
  EXPECT_EQ(smemAccess(columns, smem, 16).vectorBits, 0u);
}

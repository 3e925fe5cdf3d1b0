// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Fragments.h"
#include "dialects/support/layout/SharedMemory.h"

#include "gtest/gtest.h"

#include <array>

using namespace tileir;

namespace {

/// Row and column of element `i` of lane `lane`, as the PTX ISA defines them
/// for each operand of `mma.sync`.
struct Place {
  int64_t row, col;
};

} // namespace

static void expectFragment(MmaRole role, int64_t m, int64_t n, int64_t k,
                           unsigned bits, Place (*place)(int64_t, int64_t)) {
  std::optional<Fragment> fragment = mmaSyncFragment(role, m, n, k, bits);
  ASSERT_TRUE(fragment.has_value());
  Layout::Shape shape = {fragment->shape[0], fragment->shape[1]};
  std::optional<Layout> layout = mmaLayout(shape, *fragment, role, 1, 1);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->verify(), "");
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < layout->getNumRegisters(); ++i) {
      Place want = place(lane, i);
      EXPECT_EQ(layout->apply({uint64_t(i), uint64_t(lane)}),
                (Layout::Coord{want.row, want.col}))
          << "lane " << lane << " element " << i;
    }
}

TEST(FragmentsTest, Accumulator16x8) {
  expectFragment(MmaRole::Acc, 16, 8, 16, 32, [](int64_t lane, int64_t i) {
    return Place{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
  });
}

TEST(FragmentsTest, A16x16Half) {
  expectFragment(MmaRole::A, 16, 8, 16, 16, [](int64_t lane, int64_t i) {
    bool upper = (i >= 2 && i < 4) || i >= 6;
    return Place{lane / 4 + (upper ? 8 : 0),
                 lane % 4 * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  });
}

TEST(FragmentsTest, A16x8Half) {
  expectFragment(MmaRole::A, 16, 8, 8, 16, [](int64_t lane, int64_t i) {
    return Place{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
  });
}

TEST(FragmentsTest, B16x8Half) {
  expectFragment(MmaRole::B, 16, 8, 16, 16, [](int64_t lane, int64_t i) {
    return Place{lane % 4 * 2 + (i & 1) + (i >= 2 ? 8 : 0), lane / 4};
  });
}

TEST(FragmentsTest, A16x32Byte) {
  expectFragment(MmaRole::A, 16, 8, 32, 8, [](int64_t lane, int64_t i) {
    bool lower = i < 4 || (i >= 8 && i < 12);
    return Place{lane / 4 + (lower ? 0 : 8),
                 lane % 4 * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  });
}

TEST(FragmentsTest, B32x8Byte) {
  expectFragment(MmaRole::B, 16, 8, 32, 8, [](int64_t lane, int64_t i) {
    return Place{lane % 4 * 4 + (i & 3) + (i >= 4 ? 16 : 0), lane / 4};
  });
}

TEST(FragmentsTest, A16x64Nibble) {
  expectFragment(MmaRole::A, 16, 8, 64, 4, [](int64_t lane, int64_t i) {
    bool lower = i < 8 || (i >= 16 && i < 24);
    return Place{lane / 4 + (lower ? 0 : 8),
                 lane % 4 * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
  });
}

TEST(FragmentsTest, B64x8Nibble) {
  expectFragment(MmaRole::B, 16, 8, 64, 4, [](int64_t lane, int64_t i) {
    return Place{lane % 4 * 8 + (i & 7) + (i >= 8 ? 32 : 0), lane / 4};
  });
}

TEST(FragmentsTest, Tf32) {
  expectFragment(MmaRole::A, 16, 8, 8, 32, [](int64_t lane, int64_t i) {
    return Place{lane / 4 + (i & 1 ? 8 : 0), lane % 4 + (i >= 2 ? 4 : 0)};
  });
  expectFragment(MmaRole::B, 16, 8, 8, 32, [](int64_t lane, int64_t i) {
    return Place{lane % 4 + 4 * i, lane / 4};
  });
}

TEST(FragmentsTest, F64) {
  expectFragment(MmaRole::A, 8, 8, 4, 64, [](int64_t lane, int64_t) {
    return Place{lane / 4, lane % 4};
  });
  expectFragment(MmaRole::B, 8, 8, 4, 64, [](int64_t lane, int64_t) {
    return Place{lane % 4, lane / 4};
  });
  expectFragment(MmaRole::Acc, 8, 8, 4, 64, [](int64_t lane, int64_t i) {
    return Place{lane / 4, lane % 4 * 2 + i};
  });
  expectFragment(MmaRole::A, 16, 8, 16, 64, [](int64_t lane, int64_t i) {
    return Place{lane / 4 + (i & 1 ? 8 : 0), lane % 4 + i / 2 * 4};
  });
}

TEST(FragmentsTest, UnknownShapes) {
  EXPECT_FALSE(mmaSyncFragment(MmaRole::A, 16, 8, 32, 16).has_value());
  EXPECT_FALSE(mmaSyncFragment(MmaRole::Acc, 16, 16, 16, 32).has_value());
  EXPECT_FALSE(mmaSyncFragment(MmaRole::B, 8, 8, 16, 16).has_value());
}

TEST(FragmentsTest, WarpgroupAccumulator) {
  Fragment fragment = wgmmaAccFragment(64);
  std::optional<Layout> layout =
      mmaLayout({64, 64}, fragment, MmaRole::Acc, 1, 1);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->verify(), "");
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t i = 0; i < 32; ++i) {
      int64_t row = thread / 32 * 16 + thread % 32 / 4 + (i & 2 ? 8 : 0);
      int64_t col = thread % 4 * 2 + (i & 1) + i / 4 * 8;
      EXPECT_EQ(layout->apply({uint64_t(i), uint64_t(thread % 32),
                               uint64_t(thread / 32)}),
                (Layout::Coord{row, col}));
    }
}

TEST(FragmentsTest, WarpgroupFactorsInRegisters) {
  for (unsigned bits : {8u, 16u, 32u}) {
    int64_t k = 256 / bits, packed = bits < 32 ? 32 / bits : 1;
    std::optional<Layout> layout =
        mmaLayout({64, k}, wgmmaAFragment(bits), MmaRole::A, 1, 1);
    ASSERT_TRUE(layout.has_value());
    EXPECT_EQ(layout->verify(), "");
    for (int64_t thread = 0; thread < 128; ++thread)
      for (int64_t i = 0; i < 4 * packed; ++i) {
        int64_t word = i / packed;
        int64_t row = thread / 32 * 16 + thread % 32 / 4 + word % 2 * 8;
        int64_t col = thread % 4 * packed + i % packed + word / 2 * 4 * packed;
        EXPECT_EQ(layout->apply({uint64_t(i), uint64_t(thread % 32),
                                 uint64_t(thread / 32)}),
                  (Layout::Coord{row, col}));
      }
  }
}

TEST(FragmentsTest, TensorMemoryRows) {
  std::optional<Layout> layout =
      mmaLayout({128, 32}, tmem32x32bFragment(32), MmaRole::Acc, 1, 1);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->verify(), "");
  EXPECT_EQ(layout->apply({5, 7, 2}), (Layout::Coord{64 + 7, 5}));
  layout = mmaLayout({128, 32}, tmem16x256bFragment(4), MmaRole::Acc, 1, 1);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->verify(), "");
}

TEST(FragmentsTest, WarpsSplitMThenN) {
  Fragment acc = *mmaSyncFragment(MmaRole::Acc, 16, 8, 16, 32);
  std::optional<Layout> d = mmaLayout({64, 64}, acc, MmaRole::Acc, 2, 2);
  ASSERT_TRUE(d.has_value());
  EXPECT_EQ(d->verify(), "");
  EXPECT_EQ(d->getBasis(kWarp, 0), (Layout::Coord{16, 0}));
  EXPECT_EQ(d->getBasis(kWarp, 1), (Layout::Coord{0, 8}));
  // Then N, then M.
  EXPECT_EQ(d->getBasis(kRegister, 2), (Layout::Coord{0, 16}));
  EXPECT_EQ(d->getBasis(kRegister, 3), (Layout::Coord{0, 32}));
  EXPECT_EQ(d->getBasis(kRegister, 4), (Layout::Coord{32, 0}));

  Fragment a = *mmaSyncFragment(MmaRole::A, 16, 8, 16, 16);
  std::optional<Layout> left = mmaLayout({64, 32}, a, MmaRole::A, 2, 2);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->verify(), "");
  EXPECT_EQ(left->getBasis(kWarp, 0), (Layout::Coord{16, 0}));
  EXPECT_EQ(left->getBasis(kWarp, 1), (Layout::Coord{0, 0}));

  Fragment b = *mmaSyncFragment(MmaRole::B, 16, 8, 16, 16);
  std::optional<Layout> right = mmaLayout({32, 64}, b, MmaRole::B, 2, 2);
  ASSERT_TRUE(right.has_value());
  EXPECT_EQ(right->verify(), "");
  EXPECT_EQ(right->getBasis(kWarp, 0), (Layout::Coord{0, 0}));
  EXPECT_EQ(right->getBasis(kWarp, 1), (Layout::Coord{0, 8}));
  EXPECT_FALSE(mmaLayout({8, 8}, acc, MmaRole::Acc, 1, 1).has_value());
}

//===----------------------------------------------------------------------===//
// Byte transposition
//===----------------------------------------------------------------------===//

/// XOR of the `offsets` of the set bits of `number`.
static uint64_t combine(const std::vector<uint64_t> &offsets, unsigned number) {
  uint64_t sum = 0;
  for (unsigned bit = 0; bit < offsets.size(); ++bit)
    if (number >> bit & 1)
      sum ^= offsets[bit];
  return sum;
}

/// Result of `prmt` on two registers with a selector (PTX ISA).
static std::array<uint32_t, 4> permute(const std::array<uint32_t, 4> &a,
                                       const std::array<uint32_t, 4> &b,
                                       unsigned selector) {
  std::array<uint32_t, 4> result;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned from = selector >> (4 * i) & 7;
    result[i] = from < 4 ? a[from] : b[from - 4];
  }
  return result;
}

/// Loads one warp's registers as the instructions do; each byte holds the
/// number of its element.
static void readTransposed(const Layout &reg, const Layout &smem,
                           const ByteTranspose &match, unsigned warp) {
  LinearMap offsets = smemOffsets(smem);
  std::vector<uint32_t> memory(smem.getNumElements());
  for (uint32_t index = 0; index < memory.size(); ++index)
    memory[offsets(index)] = index;
  unsigned regs = reg.getNumBases(kRegister);
  // Registers of an instruction, and of its repetitions.
  std::vector<uint64_t> words = {uint64_t(1) << match.pairBit}, rest, parts;
  for (unsigned bit : match.wordBits)
    if (bit == match.wordBits[0] && match.num == 4) {
      words.push_back(uint64_t(1) << bit);
    } else {
      rest.push_back(match.registerOffsets[bit]);
      parts.push_back(uint64_t(1) << bit);
    }
  for (unsigned part = 0; part < 1u << parts.size(); ++part)
    for (unsigned lane = 0; lane < 32; ++lane) {
      // Pairs of matrices, transposed.
      std::vector<std::array<uint32_t, 4>> given;
      for (unsigned matrix = 0; matrix < match.num; ++matrix) {
        std::array<uint32_t, 4> word;
        for (unsigned half = 0; half < 2; ++half) {
          unsigned row = 2 * (lane % 4) + half, giver = 8 * matrix + row;
          uint64_t address = combine(match.threadOffsets, giver | warp << 5) ^
                             combine(rest, part);
          for (unsigned byte = 0; byte < 2; ++byte)
            word[2 * half + byte] = memory[address + 2 * (lane / 4) + byte];
        }
        given.push_back(word);
      }
      unsigned selector =
          lane & ByteTranspose::exchangesMatrices ? 0x2064 : 0x6420;
      if (__builtin_parity(lane & match.exchangesRegisters))
        selector ^= 0x1111;
      for (unsigned word = 0; word < match.num; ++word) {
        unsigned pair = word / 2 * 2;
        std::array<uint32_t, 4> sorted =
            permute(given[pair], given[pair + 1],
                    word % 2 ? selector ^ 0x1111 : selector);
        for (unsigned byte = 0; byte < 4; ++byte) {
          uint64_t location = combine(parts, part) | combine(words, word) |
                              byte | uint64_t(lane) << regs |
                              uint64_t(warp) << (regs + 5);
          ASSERT_EQ(sorted[byte], reg.applyFlat(location))
              << "lane " << lane << " word " << word;
        }
      }
    }
}

TEST(ByteTranspose, GivesEveryThreadItsElements) {
  for (Layout::Shape shape : {Layout::Shape{32, 128}, Layout::Shape{128, 256},
                              Layout::Shape{64, 64}, Layout::Shape{16, 32}})
    for (unsigned major : {0u, 1u})
      for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32})
        for (unsigned warps : {1u, 4u, 8u}) {
          std::optional<Layout> smem =
              swizzledSmem(shape, swizzle, 1 - major, 8);
          if (!smem)
            continue;
          Layout reg = transposingLayout(shape, major, 8, warps);
          EXPECT_EQ(reg.verify(), "");
          std::optional<ByteTranspose> match = matchByteTranspose(reg, *smem);
          ASSERT_TRUE(match);
          for (unsigned warp = 0; warp < warps; ++warp)
            readTransposed(reg, *smem, *match, warp);
        }
}

// Fragments of B with interleaved columns, in memory that has rows of bytes.
TEST(ByteTranspose, GivesInterleavedFragments) {
  Fragment fragment =
      interleaveColumns(*mmaSyncFragment(MmaRole::B, 16, 8, 32, 8));
  for (Layout::Shape shape :
       {Layout::Shape{32, 16}, Layout::Shape{64, 64}, Layout::Shape{128, 128}})
    for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32})
      for (int64_t columnWarps : {1, 2, 4}) {
        std::optional<Layout> smem = swizzledSmem(shape, swizzle, 1, 8);
        std::optional<Layout> reg =
            mmaLayout(shape, fragment, MmaRole::B, 2, columnWarps);
        if (!smem)
          continue;
        std::optional<ByteTranspose> match = matchByteTranspose(*reg, *smem);
        ASSERT_TRUE(match);
        EXPECT_EQ(match->num, 4u);
        for (int64_t warp = 0; warp < 2 * columnWarps; ++warp)
          readTransposed(*reg, *smem, *match, warp);
      }
  // Neighbouring columns of an instruction are in different threads.
  std::optional<Layout> plain = mmaLayout(
      {64, 64}, *mmaSyncFragment(MmaRole::B, 16, 8, 32, 8), MmaRole::B, 2, 2);
  EXPECT_FALSE(
      matchByteTranspose(*plain, *swizzledSmem({64, 64}, Swizzle::B64, 1, 8)));
}

// The accumulators of two instructions with interleaved columns cover the
// columns of both.
TEST(FragmentsTest, InterleavedAccumulator) {
  Fragment fragment =
      interleaveColumns(*mmaSyncFragment(MmaRole::Acc, 16, 8, 32, 32));
  EXPECT_EQ(fragment.shape, (std::array<int64_t, 2>{16, 16}));
  Layout layout = *mmaLayout({16, 16}, fragment, MmaRole::Acc, 1, 1);
  EXPECT_EQ(layout.verify(), "");
  // Registers 0 and 1 of the first instruction are columns 0 and 2, those of
  // the second 1 and 3; the next thread continues at column 4.
  auto column = [&](unsigned reg, unsigned lane) {
    return layout.unflatten(layout.applyFlat(reg | lane << 3))[1];
  };
  EXPECT_EQ(column(1, 0), 2);
  EXPECT_EQ(column(4, 0), 1);
  EXPECT_EQ(column(5, 0), 3);
  EXPECT_EQ(column(0, 1), 4);
}

// Registers along the contiguous direction of memory need no transposition.
TEST(ByteTranspose, LeavesOtherFormsAlone) {
  Layout reg = transposingLayout({64, 128}, /*major=*/0, 8, 4);
  EXPECT_FALSE(
      matchByteTranspose(reg, *swizzledSmem({64, 128}, Swizzle::B64, 0, 8)));
  // Elements of 32 bits move one by one, and are written 16 bytes at a time.
  Layout wide = transposingLayout({32, 128}, /*major=*/0, 32, 4);
  EXPECT_EQ(wide.verify(), "");
  EXPECT_EQ(smemAccess(wide, *swizzledSmem({32, 128}, Swizzle::B128, 0, 32), 32)
                .vectorBits,
            2u);
}

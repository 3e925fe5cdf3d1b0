// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Conversion.h"
#include "dialects/support/layout/Fragments.h"
#include "dialects/support/layout/RandomLayout.h"
#include "dialects/support/layout/SharedMemory.h"

#include "gtest/gtest.h"

#include <set>

using namespace tileir;
using tileir::test::randomRegLayout;

/// Runs `plan` on a warp whose registers hold element indices and compares
/// every destination register.
static void expectShuffle(const ShufflePlan &plan, const Layout &dst,
                          const Layout &src, unsigned packed, uint64_t warp) {
  unsigned dstRegs = dst.getNumBases(kRegister);
  unsigned srcRegs = src.getNumBases(kRegister);
  auto element = [&](const Layout &layout, unsigned regs, uint64_t reg,
                     uint64_t lane) {
    return layout.applyFlat(reg | lane << regs | warp << (regs + 5));
  };
  size_t slots = size_t(1) << (dstRegs - packed);
  ASSERT_EQ(plan.sourceRegister.size(), slots);
  std::vector<std::vector<uint64_t>> result(slots, std::vector<uint64_t>(32));
  for (uint64_t round = 0; round < slots; ++round)
    for (uint64_t lane = 0; lane < 32; ++lane) {
      uint64_t from = plan.sourceLane(lane) ^ plan.sourceLaneXor[round];
      ASSERT_LT(from, 32u);
      uint64_t slot = plan.sourceRegister[round] ^ plan.select(from);
      ASSERT_LT(slot, uint64_t(1) << (srcRegs - packed));
      result[round][lane] = slot << 5 | from;
    }
  for (uint64_t lane = 0; lane < 32; ++lane)
    for (uint64_t reg = 0; reg < uint64_t(1) << dstRegs; ++reg) {
      uint64_t round = (reg >> packed) ^ plan.undo(lane);
      uint64_t got = result[round][lane];
      uint64_t low = reg & ((uint64_t(1) << packed) - 1);
      EXPECT_EQ(element(src, srcRegs, (got >> 5) << packed | low, got & 31),
                element(dst, dstRegs, reg, lane));
    }
}

/// Random layouts that keep the data of a warp in the warp.
static void makePair(std::mt19937 &rng, unsigned tileBits, bool unitBases,
                     Layout &dst, Layout &src) {
  Layout::Shape shape = {int64_t(1) << tileBits};
  dst = randomRegLayout(rng, shape, 0, unitBases);
  src = randomRegLayout(rng, shape, 0, unitBases);
}

TEST(ConversionTest, ShuffleMovesEveryElement) {
  unsigned planned = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Layout dst, src;
    makePair(rng, rng() % 9, seed & 1, dst, src);
    std::optional<ShufflePlan> plan = planShuffle(dst, src);
    ASSERT_TRUE(plan.has_value()) << dst.str() << " from " << src.str();
    ++planned;
    expectShuffle(*plan, dst, src, 0, 0);
    unsigned packed = commonPackedBits(dst, src, 2);
    if (packed) {
      std::optional<ShufflePlan> grouped = planShuffle(dst, src, packed);
      ASSERT_TRUE(grouped.has_value());
      expectShuffle(*grouped, dst, src, packed, 0);
    }
  }
  EXPECT_EQ(planned, 2000u);
}

TEST(ConversionTest, ShuffleKeepsWarps) {
  Layout src = Layout::blocked({4, 64}, {1, 2}, {1, 32}, {4, 1}, {1, 0});
  Layout dst = Layout::blocked({4, 64}, {1, 1}, {1, 32}, {4, 1}, {1, 0});
  std::optional<ShufflePlan> plan = planShuffle(dst, src);
  ASSERT_TRUE(plan.has_value());
  for (uint64_t warp = 0; warp < 4; ++warp)
    expectShuffle(*plan, dst, src, 0, warp);
  Layout other = Layout::blocked({4, 64}, {4, 1}, {1, 16}, {1, 4}, {1, 0});
  EXPECT_FALSE(planShuffle(other, src).has_value());
}

TEST(ConversionTest, PairsStayTogether) {
  // The accumulator of one MMA becomes operand A of the next.
  Fragment acc = *mmaSyncFragment(MmaRole::Acc, 16, 8, 16, 16);
  Fragment a = *mmaSyncFragment(MmaRole::A, 16, 8, 16, 16);
  Layout src = *mmaLayout({64, 64}, acc, MmaRole::Acc, 4, 1);
  Layout dst = *mmaLayout({64, 64}, a, MmaRole::A, 4, 1);
  EXPECT_EQ(chooseConversion(dst, src, 16).kind, ConversionKind::Identity);
}

/// Number of wavefronts of one access: different 32-bit words of one bank.
static unsigned wavefronts(const std::vector<uint64_t> &bytes,
                           unsigned accessBytes) {
  // A wide access is split into groups of lanes that move 128 bytes.
  unsigned group = std::min(32u, 128 / std::max(4u, accessBytes));
  unsigned worst = 1;
  for (unsigned first = 0; first < 32; first += group) {
    std::vector<std::set<uint64_t>> banks(32);
    for (unsigned lane = first; lane < first + group; ++lane)
      for (uint64_t at = bytes[lane] & ~uint64_t(3);
           at < bytes[lane] + accessBytes; at += 4)
        banks[at / 4 % 32].insert(at / 4);
    for (const std::set<uint64_t> &bank : banks)
      worst = std::max<unsigned>(worst, bank.size());
  }
  return worst;
}

/// Stores with `src`, loads with `dst`, checks every element and every access.
static void expectExchange(const Layout &dst, const Layout &src, unsigned bits,
                           bool unitBases) {
  ExchangePlan plan = planExchange(dst, src, bits);
  ASSERT_EQ(plan.smem.verify(), "") << plan.smem.str();
  std::vector<int64_t> memory(plan.smem.getNumElements(), -1);
  for (const Layout *side : {&src, &dst}) {
    SmemAccess access = smemAccess(*side, plan.smem, bits);
    unsigned regs = side->getNumBases(kRegister);
    if (unitBases) {
      EXPECT_GE(access.vectorBits, plan.vectorBits);
    }
    unsigned width = 1u << access.vectorBits;
    uint64_t threads = uint64_t(32) << side->getNumBases(kWarp);
    for (uint64_t reg = 0; reg < uint64_t(1) << regs; reg += width)
      for (uint64_t thread = 0; thread < threads; thread += 32) {
        std::vector<uint64_t> bytes;
        for (uint64_t lane = 0; lane < 32; ++lane) {
          uint64_t at = access.offsets(reg | (thread + lane) << regs);
          bytes.push_back(at * bits / 8);
          for (uint64_t i = 0; i < width; ++i) {
            int64_t element =
                side->applyFlat((reg + i) | (thread + lane) << regs);
            if (side == &src)
              memory[at + i] = element;
            else
              EXPECT_EQ(memory[at + i], element);
          }
        }
        if (bits <= 32) {
          EXPECT_EQ(wavefronts(bytes, width * bits / 8), 1u)
              << dst.str() << "\nfrom " << src.str() << "\nvia "
              << plan.smem.str();
        }
      }
  }
}

TEST(ConversionTest, ExchangeMovesEveryElementWithoutConflicts) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Layout::Shape shape = {int64_t(1) << rng() % 6, int64_t(1) << rng() % 6};
    unsigned warpBits = rng() % 4;
    Layout src = randomRegLayout(rng, shape, warpBits, seed & 1);
    Layout dst = randomRegLayout(rng, shape, warpBits, seed & 1);
    expectExchange(dst, src, 8u << rng() % 3, seed & 1);
  }
}

TEST(ConversionTest, ExchangeOfMatrixOperands) {
  Layout blocked = Layout::blocked({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0});
  Fragment a = *mmaSyncFragment(MmaRole::A, 16, 8, 16, 16);
  Fragment b = *mmaSyncFragment(MmaRole::B, 16, 8, 16, 16);
  expectExchange(*mmaLayout({64, 64}, a, MmaRole::A, 2, 2), blocked, 16, true);
  expectExchange(*mmaLayout({64, 64}, b, MmaRole::B, 2, 2), blocked, 16, true);
  Layout transposed = Layout::blocked({64, 64}, {8, 1}, {8, 4}, {1, 4}, {0, 1});
  for (unsigned bits : {8, 16, 32})
    expectExchange(transposed, blocked, bits, true);
}

TEST(ConversionTest, Classification) {
  Layout a = Layout::blocked({256}, {4}, {32}, {2}, {0});
  EXPECT_EQ(chooseConversion(a, a, 32).kind, ConversionKind::Identity);
  Layout::FlatBases swapped = a.getFlatBases();
  std::swap(swapped[kRegister][0], swapped[kRegister][1]);
  Layout b = Layout::getUnchecked(LayoutSpace::Reg, {256}, swapped);
  EXPECT_EQ(chooseConversion(b, a, 32).kind, ConversionKind::Registers);
  // The lowest bit is exchanged with a lane bit.
  Layout::FlatBases crossed = a.getFlatBases();
  std::swap(crossed[kRegister][0], crossed[kLane][0]);
  Layout c = Layout::getUnchecked(LayoutSpace::Reg, {256}, crossed);
  EXPECT_EQ(chooseConversion(c, a, 32).kind, ConversionKind::Shuffle);
  Layout::FlatBases far = a.getFlatBases();
  std::swap(far[kRegister][0], far[kWarp][0]);
  Layout d = Layout::getUnchecked(LayoutSpace::Reg, {256}, far);
  EXPECT_EQ(chooseConversion(d, a, 32).kind, ConversionKind::Shared);
  // A source with a copy in every warp needs no other warp.
  Layout replicated = Layout::replicated({8}, 4);
  Layout spread = Layout::blocked({8}, {1}, {32}, {4}, {0});
  EXPECT_NE(chooseConversion(spread, replicated, 32).kind,
            ConversionKind::Shared);
}

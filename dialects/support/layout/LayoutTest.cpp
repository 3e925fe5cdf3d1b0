// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Layout.h"
#include "dialects/support/layout/RandomLayout.h"

#include "gtest/gtest.h"

using namespace tileir;
using tileir::test::randomRegLayout;

static std::string errorOf(LayoutSpace space, const Layout::Shape &shape,
                           const Layout::Bases &bases) {
  std::string error;
  EXPECT_FALSE(Layout::get(space, shape, bases, error).has_value());
  return error;
}

static const std::vector<Layout::Coord> kLanes16x8 = {
    {0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};

TEST(LayoutTest, BuildsAndPrints) {
  std::string error;
  auto layout = Layout::get(LayoutSpace::Reg, {16, 8},
                            {{{0, 1}, {8, 0}}, kLanes16x8}, error);
  ASSERT_TRUE(layout) << error;
  EXPECT_EQ(layout->str(),
            "<reg, [16, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, "
            "4], [1, 0], [2, 0], [4, 0]]>");
  EXPECT_EQ(layout->apply({3, 0x1f}), (Layout::Coord{15, 7}));
  EXPECT_EQ(layout->getNumRegisters(), 4);
  EXPECT_EQ(layout->contiguity(1), 1u);
  EXPECT_EQ(layout->contiguity(0), 0u);
}

TEST(LayoutTest, ReportsEveryFault) {
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {16, 8}, {{{0, 8}}, kLanes16x8}),
            "layout basis component 8 out of range for dimension 1 of extent "
            "8");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {16, 8}, {{{0, 1}}, kLanes16x8}),
            "layout is not surjective onto the tile");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {16, 8},
                    {{{0, 1}, {8, 0}, {8, 1}}, kLanes16x8}),
            "register bases must be linearly independent");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {2}, {{{1}}, {{0}, {0}}}),
            "expects exactly 5 lane bases, but got 2");
  EXPECT_EQ(errorOf(LayoutSpace::Tmem, {2}, {{}, {}, {{1}}}),
            "expects exactly 7 row bases, but got 1");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {3}, {}),
            "layout extents must be powers of two, got 3");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {1 << 13, 1 << 12}, {}),
            "tile would exceed the maximum of 16777216 elements");
  EXPECT_EQ(errorOf(LayoutSpace::Reg, {2}, {{{1, 0}}}),
            "layout basis has 2 components, but the rank is 1");
  EXPECT_EQ(errorOf(LayoutSpace::Smem, {2}, {{{1}}, {{1}}}),
            "smem layout must not place an element twice");
  EXPECT_EQ(errorOf(LayoutSpace::Smem, {4}, {{{1}, {1}}, {{2}}}),
            "offset bases must be linearly independent");
}

TEST(LayoutTest, BlockedGivesBitsInOrder) {
  Layout layout = Layout::blocked({4, 256}, {1, 8}, {1, 32}, {4, 1}, {1, 0});
  EXPECT_EQ(layout.str(),
            "<reg, [4, 256], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, "
            "8], [0, 16], [0, 32], [0, 64], [0, 128]], warp = [[1, 0], [2, "
            "0]]>");
  EXPECT_EQ(layout.verify(), "");
  // A dim without further bits drops registers and replicates lanes and warps.
  Layout small = Layout::blocked({8}, {4}, {32}, {4}, {0});
  EXPECT_EQ(small.str(), "<reg, [8], register = [[1], [2]], lane = [[4], [0], "
                         "[0], [0], [0]], warp = [[0], [0]]>");
  // Remaining bases go to registers.
  Layout rest = Layout::blocked({256}, {1}, {32}, {1}, {0});
  EXPECT_EQ(rest.getNumRegisters(), 8);
  EXPECT_EQ(rest.getBasis(kRegister, 0), Layout::Coord{32});
}

TEST(LayoutTest, DefaultBlockedIsValid) {
  for (int64_t m : {1, 2, 16, 128})
    for (int64_t n : {1, 4, 64, 1024})
      for (unsigned bits : {1, 8, 16, 32, 64})
        for (unsigned warps : {1, 4, 8})
          for (bool rowMajor : {true, false}) {
            std::vector<unsigned> order = {1, 0};
            if (!rowMajor)
              order = {0, 1};
            Layout layout = Layout::defaultBlocked({m, n}, bits, warps, order);
            EXPECT_EQ(layout.verify(), "") << layout.str();
            EXPECT_EQ(1u << layout.getNumBases(kWarp), warps);
            if (m * n >= 32 * warps) {
              EXPECT_EQ(layout.getNumRegisters() * 32 * warps, m * n)
                  << layout.str();
            }
          }
  Layout scalar = Layout::defaultBlocked({}, 32, 4, {});
  EXPECT_EQ(scalar.verify(), "");
  EXPECT_EQ(scalar.getNumRegisters(), 1);
}

TEST(LayoutTest, InverseAndComposition) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Layout::Shape shape = {int64_t(1) << rng() % 6, int64_t(1) << rng() % 6};
    Layout a = randomRegLayout(rng, shape, rng() % 4, seed & 1);
    Layout d = randomRegLayout(rng, shape, rng() % 4, seed & 2);
    ASSERT_EQ(a.verify(), "");
    LinearMap inverse = a.leftInverse();
    uint64_t redundant = a.redundantMask();
    for (int64_t i = 0; i < a.getNumElements(); ++i) {
      EXPECT_EQ(a.applyFlat(inverse(i)), i);
      EXPECT_EQ(inverse(i) & redundant, 0u);
    }
    LinearMap map = invertAndCompose(d, a);
    for (uint64_t x = 0; x < uint64_t(1) << d.getNumLocationBits(); ++x)
      EXPECT_EQ(a.applyFlat(map(x)), d.applyFlat(x));
    Layout again = compose(a, map,
                           {d.getNumBases(0), d.getNumBases(1),
                            d.getNumBases(2), d.getNumBases(3)},
                           LayoutSpace::Reg);
    EXPECT_EQ(again, d);
    EXPECT_EQ(again.hash(), d.hash());
  }
}

TEST(LayoutTest, TransfersMeanWhatTheOperationsDo) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Layout::Shape shape = {4, 8, 16};
    Layout layout = randomRegLayout(rng, shape, 2, seed & 1);
    auto forAll = [&](const Layout &of, auto &&check) {
      for (uint64_t x = 0; x < uint64_t(1) << of.getNumLocationBits(); ++x)
        check(x);
    };
    Layout permuted = layout.permute({2, 0, 1});
    EXPECT_EQ(permuted.getShape(), (Layout::Shape{16, 4, 8}));
    forAll(layout, [&](uint64_t x) {
      Layout::Coord from = layout.unflatten(layout.applyFlat(x));
      EXPECT_EQ(permuted.unflatten(permuted.applyFlat(x)),
                (Layout::Coord{from[2], from[0], from[1]}));
    });
    EXPECT_EQ(permuted.inversePermute({2, 0, 1}), layout);

    Layout expanded = layout.expandDims(1);
    EXPECT_EQ(expanded.getShape(), (Layout::Shape{4, 1, 8, 16}));
    EXPECT_EQ(expanded.squeeze(1), layout);

    Layout reshaped = layout.reshape({32, 16});
    forAll(layout, [&](uint64_t x) {
      EXPECT_EQ(reshaped.applyFlat(x), layout.applyFlat(x));
    });

    Layout sliced = layout.slice(1);
    EXPECT_EQ(sliced.verify(), "");
    EXPECT_EQ(sliced.unslice(1, 8).slice(1), sliced);
    EXPECT_EQ(sliced.unslice(1, 8).verify(), "");

    Layout narrow = layout.unbroadcast({4, 1, 16});
    EXPECT_EQ(narrow.verify(), "");
    Layout wide = narrow.broadcast(shape);
    EXPECT_EQ(wide.verify(), "");
    EXPECT_EQ(wide.unbroadcast({4, 1, 16}), narrow);

    Layout doubled = layout.cat(0);
    EXPECT_EQ(doubled.verify(), "");
    EXPECT_EQ(doubled.uncat(0), layout);

    Layout bigger = layout.unextract({4, 32, 32});
    EXPECT_EQ(bigger.verify(), "");
    EXPECT_EQ(bigger.extract(shape), layout);
  }
}

TEST(LayoutTest, ExtractNeedsRegisterBits) {
  Layout layout = Layout::blocked({64}, {2}, {32}, {1}, {0});
  EXPECT_FALSE(layout.extract({32}).has_value());
  Layout split = Layout::blocked({64}, {1}, {32}, {1}, {0});
  ASSERT_TRUE(split.extract({32}).has_value());
  EXPECT_EQ(split.extract({32})->getNumRegisters(), 1);
}

TEST(LayoutTest, ExtractReplicatedKeepsOtherBits) {
  // Rows: a register, two lanes, a warp. Columns: a register, three lanes.
  Layout layout = Layout::blocked({16, 16}, {2, 2}, {4, 8}, {2, 1}, {1, 0});
  EXPECT_FALSE(layout.extract({16, 1}).has_value());
  std::optional<Layout> column = layout.extractReplicated({16, 1});
  ASSERT_TRUE(column.has_value());
  EXPECT_EQ(column->verify(), "");
  EXPECT_EQ(column->getNumRegisters(), 2);
  EXPECT_EQ(column->zeroMask(kLane), 7u);
  EXPECT_EQ(column->zeroMask(kWarp), 0u);
  std::optional<Layout> row = layout.extractReplicated({1, 16});
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->zeroMask(kLane), 0x18u);
  EXPECT_EQ(row->zeroMask(kWarp), 1u);
  // Where only registers hold discarded bits, both functions agree.
  EXPECT_EQ(layout.extractReplicated({16, 16}), layout.extract({16, 16}));
  Layout tall = layout.unextract({32, 16});
  EXPECT_EQ(tall.extractReplicated({16, 16}), tall.extract({16, 16}));
}

TEST(LayoutTest, ExtractReplicatedNeedsBitsAlone) {
  // A lane whose elements are on a diagonal.
  Layout swizzled = Layout::getUnchecked(LayoutSpace::Reg, {2, 2},
                                         {{1}, {3, 0, 0, 0, 0}, {}, {}});
  EXPECT_FALSE(swizzled.extractReplicated({1, 2}).has_value());
}

TEST(LayoutTest, ZeroMask) {
  Layout layout = Layout::blocked({8}, {4}, {32}, {4}, {0});
  EXPECT_EQ(layout.zeroMask(kLane), 0x1eu);
  EXPECT_EQ(layout.zeroMask(kWarp), 3u);
  EXPECT_EQ(layout.zeroMask(kRegister), 0u);
  EXPECT_EQ(layout.redundantMask(), 0x1f8u);
}

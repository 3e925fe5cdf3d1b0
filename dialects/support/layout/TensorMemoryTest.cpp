// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/TensorMemory.h"
#include "dialects/support/layout/Fragments.h"

#include "gtest/gtest.h"

#include <map>

using namespace tileir;

namespace {

using Cell = std::pair<int64_t, int64_t>;

} // namespace

/// Lane and column of element (row, column), as the PTX ISA defines them for
/// MMAs of one CTA.
static Cell getCell(const Layout::Shape &shape, int64_t row, int64_t column) {
  if (shape[0] == 64)
    return {row % 16 + 32 * (row / 16), column};
  return {row % 128, column + row / 128 * shape[1]};
}

TEST(TensorMemoryTest, Accumulators) {
  for (Layout::Shape shape :
       {Layout::Shape{64, 64}, {128, 32}, {128, 256}, {256, 128}}) {
    std::optional<Layout> layout = tensorAccLayout(shape);
    ASSERT_TRUE(layout.has_value());
    EXPECT_EQ(layout->verify(), "");
    EXPECT_EQ(tensorColumns(*layout),
              shape[1] * std::max<int64_t>(1, shape[0] / 128));
    LinearMap cells = layout->leftInverse();
    for (int64_t row = 0; row < shape[0]; row += 5)
      for (int64_t column = 0; column < shape[1]; column += 3) {
        uint64_t cell = cells(layout->flatten({row, column}));
        Cell want = getCell(shape, row, column);
        EXPECT_EQ(cell >> layout->getFirstBit(kRow), uint64_t(want.first));
        EXPECT_EQ(cell & ((uint64_t(1) << layout->getFirstBit(kRow)) - 1),
                  uint64_t(want.second));
      }
  }
  EXPECT_FALSE(tensorAccLayout({8, 64}).has_value());
}

TEST(TensorMemoryTest, RowsThatAreThereAgain) {
  for (Layout::Shape shape : {Layout::Shape{32, 64}, {16, 16}}) {
    Layout layout = *tensorAccLayout(shape);
    EXPECT_EQ(layout.verify(), "");
    EXPECT_EQ(tensorColumns(layout), shape[1]);
    for (uint64_t row = 0; row < 128; ++row)
      for (uint64_t column = 0; column < uint64_t(shape[1]); column += 3)
        EXPECT_EQ(layout.apply({0, column, row}),
                  (Layout::Coord{int64_t(row % 16 + row / 32 * 16) % shape[0],
                                 int64_t(column)}));
  }
}

/// Checks that every register is loaded once, by a warp that may access its
/// row, from the cell of its element.
static void expectLoads(const Layout::Shape &shape, int64_t warps,
                        size_t accesses) {
  std::optional<Layout> reg = tensorLoadLayout(shape, warps);
  ASSERT_TRUE(reg.has_value());
  EXPECT_EQ(reg->verify(), "");
  std::optional<TensorTransfer> transfer =
      tensorTransfer(*reg, *tensorAccLayout(shape));
  ASSERT_TRUE(transfer.has_value());
  EXPECT_EQ(transfer->accesses.size(), accesses);
  for (int64_t warp = 0; warp < warps; ++warp) {
    int64_t baseRow = 0, baseColumn = 0;
    for (size_t bit = 0; bit < transfer->warps.size(); ++bit)
      if (warp >> bit & 1) {
        baseRow += transfer->warps[bit][0];
        baseColumn += transfer->warps[bit][1];
      }
    std::map<int64_t, int> loaded;
    for (const TensorAccess &access : transfer->accesses)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t i = 0; i < 4 * access.repeats; ++i) {
          // Shape 16x256b of the PTX ISA.
          int64_t row = baseRow + access.row + lane / 4 + 8 * (i >> 1 & 1);
          int64_t column = baseColumn + access.column + 2 * (lane % 4) +
                           (i & 1) + 8 * (i >> 2);
          EXPECT_EQ(row / 32, warp % 4);
          Layout::Coord element = reg->apply(
              {uint64_t(access.first + i), uint64_t(lane), uint64_t(warp)});
          if (shape[0] < 64)
            EXPECT_EQ(element, tensorAccLayout(shape)->apply(
                                   {0, uint64_t(column), uint64_t(row)}));
          else
            EXPECT_EQ(getCell(shape, element[0], element[1]),
                      Cell(row, column));
          loaded[access.first + i] += lane == 0;
        }
    EXPECT_EQ(loaded.size(), size_t(reg->getNumRegisters()));
    for (auto [number, times] : loaded)
      EXPECT_EQ(times, 1) << "register " << number;
  }
}

TEST(TensorMemoryTest, Loads) {
  expectLoads({64, 64}, 4, 1);
  expectLoads({64, 256}, 8, 1);
  expectLoads({128, 128}, 4, 2);
  expectLoads({128, 256}, 8, 2);
  expectLoads({256, 64}, 4, 4);
  // Several warps have the same rows.
  expectLoads({32, 64}, 4, 1);
  expectLoads({16, 16}, 4, 1);
  expectLoads({32, 128}, 8, 1);
}

TEST(TensorMemoryTest, OthersAreNoLoads) {
  // Warps of `mma.sync` interleave rows, warpgroups have all columns.
  Layout mma = *mmaLayout(
      {128, 64}, *mmaSyncFragment(MmaRole::Acc, 16, 8, 16, 32), MmaRole::Acc,
      /*wm=*/4, /*wn=*/1);
  EXPECT_FALSE(tensorTransfer(mma, *tensorAccLayout({128, 64})).has_value());
  EXPECT_FALSE(tensorLoadLayout({128, 64}, 2).has_value());
  EXPECT_FALSE(tensorLoadLayout({128, 8}, 8).has_value());
  // A warp has rows outside of its quarter of tensor memory.
  Layout narrow = *tensorLoadLayout({32, 64}, 4);
  EXPECT_FALSE(tensorTransfer(narrow, *tensorAccLayout({64, 64})).has_value());
  EXPECT_FALSE(
      tensorTransfer(*tensorLoadLayout({16, 64}, 4), *tensorAccLayout({32, 64}))
          .has_value());
}

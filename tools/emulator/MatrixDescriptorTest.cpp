// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/MatrixDescriptor.h"

#include "tools/emulator/Descriptor.h"

#include <gtest/gtest.h>

namespace tileir {
namespace {

/// Compares the address of every element of one K step of `rows` rows, as the
/// emulator's hardware computes it, with the layout's.
void expectElements(const Layout &layout, unsigned bits, unsigned kDim,
                    int64_t rows, int64_t firstRow, int64_t firstK) {
  std::string why;
  std::optional<MatrixDescriptor> descriptor =
      matrixDescriptor(layout, bits, kDim, &why);
  ASSERT_TRUE(descriptor.has_value()) << layout.str() << ": " << why;
  LinearMap offsets = smemOffsets(layout);
  int64_t bytes = bits / 8, depth = 32 / bytes;
  auto at = [&](int64_t row, int64_t k) {
    Layout::Coord coord(2);
    coord[kDim] = k;
    coord[1 - kDim] = row;
    return offsets(layout.flatten(coord)) * bytes;
  };
  uint64_t start = at(firstRow, firstK);
  ASSERT_EQ(start % 16, 0u);
  // Warpgroups know no wide chunks.
  emu::MatrixDescriptor hardware =
      descriptor->swizzle == Swizzle::B128Wide
          ? emu::MatrixDescriptor::tcgen05(descriptor->tcgen05Bits() |
                                           start >> 4)
          : emu::MatrixDescriptor::wgmma(descriptor->wgmmaBits() | start >> 4);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < depth; ++k) {
      uint64_t address = descriptor->isKMajor
                             ? hardware.kMajor(row, k * bytes)
                             : hardware.rowMajor(row, k, bytes);
      ASSERT_EQ(address, at(firstRow + row, firstK + k))
          << layout.str() << " row " << row << " k " << k;
    }
}

TEST(MatrixDescriptorTest, AddressesAreTheHardwares) {
  for (unsigned kDim : {0u, 1u})
    for (unsigned bits : {8u, 16u, 32u})
      for (int64_t rows : {8, 64, 128, 256})
        for (int64_t depth : {16, 32, 64, 128, 256})
          for (Swizzle swizzle :
               {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128})
            for (unsigned major : {0u, 1u}) {
              Layout::Shape shape(2);
              shape[kDim] = depth;
              shape[1 - kDim] = rows;
              int64_t step = 32 * 8 / bits;
              std::optional<Layout> layout =
                  swizzledSmem(shape, swizzle, major, bits);
              // Rows are contiguous for 16-bit elements alone.
              if (!layout || depth < step || (major != kDim && bits != 16))
                continue;
              for (int64_t k = 0; k < depth; k += step)
                for (int64_t row = 0; row < rows; row += 64)
                  expectElements(*layout, bits, kDim,
                                 std::min<int64_t>(64, rows), row, k);
            }
}

TEST(MatrixDescriptorTest, RowsOfWideChunks) {
  for (unsigned kDim : {0u, 1u})
    for (int64_t rows : {32, 64, 128, 256})
      for (int64_t depth : {8, 16, 32, 64}) {
        Layout::Shape shape(2);
        shape[kDim] = depth;
        shape[1 - kDim] = rows;
        std::optional<Layout> layout =
            swizzledSmem(shape, Swizzle::B128Wide, 1 - kDim, 32);
        ASSERT_TRUE(layout.has_value());
        std::optional<MatrixDescriptor> descriptor =
            matrixDescriptor(*layout, 32, kDim);
        ASSERT_TRUE(descriptor.has_value());
        EXPECT_EQ(descriptor->swizzle, Swizzle::B128Wide);
        EXPECT_EQ(descriptor->groupStride, 512);
        for (int64_t k = 0; k < depth; k += 8)
          expectElements(*layout, 32, kDim, rows, /*firstRow=*/0, k);
        // With K contiguous there is no such form.
        EXPECT_FALSE(matrixDescriptor(
            *swizzledSmem({64, 64}, Swizzle::B128Wide, kDim, 32), 32, kDim));
      }
}

TEST(MatrixDescriptorTest, ExampleOfTheManual) {
  // bf16, K-major, 128-byte swizzle, 64 rows: 1024 bytes per 8 rows.
  std::optional<MatrixDescriptor> descriptor = matrixDescriptor(
      *swizzledSmem({64, 64}, Swizzle::B128, 1, 16), 16, /*kDim=*/1);
  ASSERT_TRUE(descriptor.has_value());
  EXPECT_EQ(descriptor->wgmmaBits() | 0x400 >> 4, 0x4000004000010040u);
  EXPECT_TRUE(descriptor->holdsStep(32));
}

TEST(MatrixDescriptorTest, RefusesOtherLayouts) {
  std::string why;
  EXPECT_FALSE(
      matrixDescriptor(Layout::linearSmem({64, 64}, {1, 0}), 16, 1, &why));
  EXPECT_NE(why.find("follows no swizzle"), std::string::npos) << why;
  EXPECT_FALSE(matrixDescriptor(Layout::linearSmem({4, 64}, {1, 0}), 16, 1));
}

} // namespace
} // namespace tileir

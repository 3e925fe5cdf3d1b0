// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/TensorBox.h"

#include "gtest/gtest.h"

using namespace tileir;

// Fills boxes one after the other, each with its elements in the order of
// memory and its chunks swizzled by the byte address, as the TMA unit does.
static void expectFilled(const Layout &layout,
                         const std::vector<unsigned> &order, unsigned bits,
                         const TensorBox &box) {
  LinearMap offsets = smemOffsets(layout);
  int64_t bytes = bits / 8, chunk = getChunkBytes(box.swizzle),
          chunks = getSpanBytes(box.swizzle) / chunk;
  std::vector<bool> seen(layout.getNumElements(), false);
  for (int64_t flat = 0; flat < layout.getNumElements(); ++flat) {
    Layout::Coord coord(layout.getRank()), start(layout.getRank());
    int64_t rest = flat;
    for (unsigned d = layout.getRank(); d-- > 0;) {
      coord[d] = rest % layout.getExtent(d);
      rest /= layout.getExtent(d);
      start[d] = coord[d] / box.extents[d] * box.extents[d];
    }
    int64_t inBox = 0, stride = 1;
    for (unsigned d : order) {
      inBox += (coord[d] - start[d]) * stride;
      stride *= box.extents[d];
    }
    int64_t address =
        int64_t(offsets(layout.flatten(start))) * bytes + inBox * bytes;
    if (box.swizzle != Swizzle::None)
      address ^= (address / 128 % chunks) * chunk;
    int64_t offset = offsets(layout.flatten(coord));
    ASSERT_EQ(offset * bytes, address);
    ASSERT_FALSE(seen[offset]);
    seen[offset] = true;
  }
}

TEST(TensorBoxTest, FillsTheCanonicalForms) {
  for (Swizzle swizzle :
       {Swizzle::B128, Swizzle::B128Wide, Swizzle::B64, Swizzle::B32})
    for (unsigned bits : {8, 16, 32, 64})
      for (unsigned major : {0, 1})
        for (int64_t panels : {1, 2, 4}) {
          int64_t inSpan = getSpanBytes(swizzle) * 8 / bits;
          Layout::Shape shape = {64, panels * inSpan};
          std::vector<unsigned> order = {1, 0};
          if (major == 0) {
            std::swap(shape[0], shape[1]);
            order = {0, 1};
          }
          std::optional<Layout> layout =
              swizzledSmem(shape, swizzle, major, bits);
          ASSERT_TRUE(layout.has_value());
          std::optional<TensorBox> box = tensorBox(*layout, order, bits);
          ASSERT_TRUE(box.has_value());
          EXPECT_EQ(box->swizzle, swizzle);
          EXPECT_EQ(box->extents[major], inSpan);
          EXPECT_EQ(box->extents[1 - major], 64);
          expectFilled(*layout, order, bits, *box);
          // The other dimension is not contiguous.
          EXPECT_FALSE(
              tensorBox(*layout, {order[1], order[0]}, bits).has_value());
        }
}

TEST(TensorBoxTest, CutsWhatIsLongerThanABox) {
  std::optional<Layout> layout = swizzledSmem({512, 64}, Swizzle::B128, 1, 16);
  ASSERT_TRUE(layout.has_value());
  std::optional<TensorBox> box = tensorBox(*layout, {1, 0}, 16);
  ASSERT_TRUE(box.has_value());
  EXPECT_EQ(box->extents, (Layout::Shape{256, 64}));
  expectFilled(*layout, {1, 0}, 16, *box);
}

TEST(TensorBoxTest, TakesUnitDimensionsAlong) {
  std::optional<Layout> layout =
      swizzledSmem({1, 1, 128, 128}, Swizzle::B128, 3, 16);
  ASSERT_TRUE(layout.has_value());
  std::optional<TensorBox> box = tensorBox(*layout, {3, 2, 1, 0}, 16);
  ASSERT_TRUE(box.has_value());
  EXPECT_EQ(box->extents, (Layout::Shape{1, 1, 128, 64}));
  expectFilled(*layout, {3, 2, 1, 0}, 16, *box);
}

TEST(TensorBoxTest, FillsPlainStorage) {
  Layout plain = Layout::linearSmem({32, 16}, {1, 0});
  std::optional<TensorBox> box = tensorBox(plain, {1, 0}, 32);
  ASSERT_TRUE(box.has_value());
  EXPECT_EQ(box->swizzle, Swizzle::None);
  EXPECT_EQ(box->extents, (Layout::Shape{32, 16}));
  expectFilled(plain, {1, 0}, 32, *box);
  // Lines of 8 bytes are too short, and so are elements of less than a byte.
  EXPECT_FALSE(
      tensorBox(Layout::linearSmem({32, 4}, {1, 0}), {1, 0}, 16).has_value());
  std::string why;
  EXPECT_FALSE(tensorBox(plain, {1, 0}, 4, &why).has_value());
  EXPECT_EQ(why, "its elements are parts of bytes");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/BlockOrder.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace tileir;

namespace {

/// Computes the result of a kernel. Undefined behaviour ends the test.
struct Machine {
  using Number = uint32_t;

  Number constant(Number n) { return n; }
  Number add(Number a, Number b) { return a + b; }
  Number subtract(Number a, Number b) { return a - b; }
  Number multiply(Number a, Number b) { return a * b; }
  Number divide(Number a, Number b) {
    EXPECT_NE(b, 0u);
    return b ? a / b : 0;
  }
  Number min(Number a, Number b) { return std::min(a, b); }
  Number bitAnd(Number a, Number b) { return a & b; }
  Number bitOr(Number a, Number b) { return a | b; }
  Number exclusiveOr(Number a, Number b) { return a ^ b; }
  Number shiftLeft(Number a, Number b) {
    EXPECT_LT(b, 32u);
    return b < 32 ? a << b : 0;
  }
  Number shiftRight(Number a, Number b) {
    EXPECT_LT(b, 32u);
    return b < 32 ? a >> b : 0;
  }
  Number countLeadingZeros(Number a) {
    EXPECT_NE(a, 0u);
    return a ? __builtin_clz(a) : 32;
  }
  Number isDotBelow(Number a, Number b, uint64_t limit) {
    return uint64_t(a) * b < limit;
  }
  Number select(Number condition, Number a, Number b) {
    return condition ? a : b;
  }
};

using Place = std::array<uint32_t, 3>;

Place place(const BlockOrder &order, const Place &ids, const Place &extents) {
  Machine machine;
  return orderBlock(machine, order, ids, extents);
}

/// Every choice of dimensions that a kernel can lead to.
std::vector<BlockOrder> allOrders(unsigned groupBits) {
  std::vector<BlockOrder> orders;
  for (unsigned grouped : {1, 2})
    for (unsigned walked = 0; walked < grouped; ++walked) {
      BlockOrder order{grouped, walked, std::nullopt, groupBits};
      orders.push_back(order);
      if (grouped == 2) {
        order.shared = 1 - walked;
        orders.push_back(order);
      }
    }
  return orders;
}

/// The place of the block that is started as number `number`.
Place started(uint64_t number, const Place &extents) {
  return {uint32_t(number % extents[0]),
          uint32_t(number / extents[0] % extents[1]),
          uint32_t(number / extents[0] / extents[1])};
}

} // namespace

TEST(BlockOrder, everyPlaceOnce) {
  for (unsigned groupBits : {0, 1, 2, 3, 4})
    for (const BlockOrder &order : allOrders(groupBits))
      for (uint32_t x = 1; x <= 12; ++x)
        for (uint32_t y = 1; y <= 12; ++y)
          for (uint32_t z = 1; z <= 20; ++z) {
            Place extents{x, y, z};
            std::vector<bool> taken(x * y * z);
            for (uint32_t number = 0; number < x * y * z; ++number) {
              Place to = place(order, started(number, extents), extents);
              ASSERT_TRUE(to[0] < x && to[1] < y && to[2] < z);
              size_t at = to[0] + x * (to[1] + y * to[2]);
              ASSERT_FALSE(taken[at])
                  << x << " x " << y << " x " << z << ", block " << number;
              taken[at] = true;
            }
          }
}

// Groups come one after the other, each walked to its end.
TEST(BlockOrder, wholeGroups) {
  Place extents{5, 19, 1};
  BlockOrder order{1, 0, std::nullopt, 3};
  uint32_t number = 0, first = 0;
  for (uint32_t size : {8, 8, 2, 1}) {
    for (uint32_t row = 0; row < 5; ++row)
      for (uint32_t column = first; column < first + size; ++column)
        EXPECT_EQ(place(order, started(number++, extents), extents),
                  (Place{row, column, 0}));
    first += size;
  }
}

TEST(BlockOrder, whatBothShareGoesSlowest) {
  Place extents{3, 4, 7};
  BlockOrder order{2, 1, 0, 2};
  uint32_t number = 0, first = 0;
  for (uint32_t size : {4, 2, 1}) {
    for (uint32_t batch = 0; batch < 3; ++batch)
      for (uint32_t row = 0; row < 4; ++row)
        for (uint32_t column = first; column < first + size; ++column)
          EXPECT_EQ(place(order, started(number++, extents), extents),
                    (Place{batch, row, column}));
    first += size;
  }
}

// Large grids: places are inside of them, and nearby blocks have their own.
TEST(BlockOrder, largeGrids) {
  std::mt19937_64 random(1);
  auto draw = [&](unsigned bits) {
    return uint32_t(1 + random() % (uint64_t(1) << (1 + random() % bits)));
  };
  uint32_t most = (1u << 24) - 1;
  for (unsigned round = 0; round < 20000; ++round) {
    Place extents{std::min(draw(24), most), std::min(draw(24), most),
                  std::min(draw(24), most)};
    if (round % 16 == 0)
      extents = {most, most, most};
    std::vector<BlockOrder> orders = allOrders(round % 6);
    const BlockOrder &order = orders[random() % orders.size()];
    Place from{uint32_t(random() % extents[0]), uint32_t(random() % extents[1]),
               uint32_t(random() % extents[2])};
    std::set<Place> starts, places;
    for (uint32_t x : {0u, 1u, extents[0] / 2, extents[0] - 1})
      for (uint32_t y : {0u, 1u, extents[1] / 2, extents[1] - 1})
        for (uint32_t z : {0u, 1u, 8u, extents[2] - 1}) {
          Place ids{(from[0] + x) % extents[0], (from[1] + y) % extents[1],
                    (from[2] + z) % extents[2]};
          Place to = place(order, ids, extents);
          ASSERT_TRUE(to[0] < extents[0] && to[1] < extents[1] &&
                      to[2] < extents[2])
              << "round " << round;
          starts.insert(ids);
          places.insert(to);
        }
    ASSERT_EQ(starts.size(), places.size()) << "round " << round;
  }
}

// Where a number of 32 bits cannot count the row of a group, nothing moves.
TEST(BlockOrder, tooManyForOneNumber) {
  Place ids{17, 5, 5};
  for (bool fits : {false, true}) {
    Place extents{1u << 15, (1u << 14) - fits, 16}; // 2^29 before a group
    Place to = place(BlockOrder{2, 1, 0, 3}, ids, extents);
    EXPECT_EQ(to != ids, fits);
    EXPECT_TRUE(to[0] < extents[0] && to[1] < extents[1] && to[2] < 16);
  }
  // The last block of a grid that fits comes last.
  Place extents{1u << 15, (1u << 14) - 1, 16}, last = extents;
  for (uint32_t &n : last)
    --n;
  EXPECT_EQ(place(BlockOrder{2, 1, 0, 3}, last, extents), last);
}

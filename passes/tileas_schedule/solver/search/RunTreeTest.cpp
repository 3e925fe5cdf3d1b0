// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/RunTree.h"
#include "passes/tileas_schedule/solver/SplitMix.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <vector>

namespace tileir::schedule {
namespace {

int64_t findSlowly(const std::vector<bool> &bits, int64_t from,
                   int64_t length) {
  for (int64_t at = from; at + length <= int64_t(bits.size()); ++at) {
    bool isClear = true;
    for (int64_t i = at; i < at + length; ++i)
      isClear &= !bits[size_t(i)];
    if (isClear)
      return at;
  }
  return -1;
}

TEST(RunTreeTest, FindsWhatAScanFinds) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SplitMix random(seed);
    int64_t size = random.between(1, 700);
    RunTree tree;
    tree.reset(size);
    std::vector<bool> bits(size_t(size), false);
    for (int round = 0; round < 60; ++round) {
      int64_t from = random.between(0, size - 1);
      int64_t length = random.between(1, std::min<int64_t>(size - from, 90));
      bool value = random.below(3) != 0;
      tree.assign(from, length, value);
      for (int64_t i = from; i < from + length; ++i)
        bits[size_t(i)] = value;
      int64_t start = random.between(0, size - 1);
      int64_t run = random.between(1, 130);
      ASSERT_EQ(tree.findRun(start, run), findSlowly(bits, start, run))
          << "seed " << seed << ", round " << round;
    }
  }
}

} // namespace
} // namespace tileir::schedule

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Heuristics.h"

#include "gtest/gtest.h"

#include <set>
#include <string>

using namespace tileir;

TEST(Heuristics, EveryRowSaysWhatItIsAndWhereItIsFrom) {
  std::set<std::string> names;
#define TILEIR_HEURISTIC(Name, Value, Unit, Meaning, Source)                   \
  EXPECT_TRUE(names.insert(#Name).second) << #Name;                            \
  EXPECT_GT(heuristics::Name, 0) << #Name;                                     \
  for (std::string text : {Unit, Meaning, Source})                             \
    EXPECT_FALSE(text.empty()) << #Name;
#include "dialects/support/Heuristics.def"
}

TEST(Heuristics, EveryTargetThatTakesScalesMultipliesLargeBlocks) {
  constexpr int64_t kLarge = 256;
  for (const Target &target : Target::all())
    EXPECT_EQ(paysScaledDot(target, kLarge, kLarge),
              target.supportedForTileLowering() &&
                  (target.hasTcgen05() || target.hasMmaBlockScale()))
        << target.name();
}

TEST(Heuristics, BothExtentsCount) {
  Target tensorMemory = *Target::parse("sm_100a"),
         warps = *Target::parse("sm_120a");
  EXPECT_TRUE(paysScaledDot(tensorMemory, 128, 128));
  EXPECT_FALSE(paysScaledDot(tensorMemory, 64, 256));
  EXPECT_FALSE(paysScaledDot(tensorMemory, 256, 64));
  EXPECT_TRUE(paysScaledDot(warps, 64, 64));
  EXPECT_FALSE(paysScaledDot(warps, 32, 128));
  EXPECT_FALSE(paysScaledDot(warps, 128, 32));
}

TEST(Heuristics, RestagedOperandsAreForTensorMemory) {
  for (const Target &target : Target::all())
    EXPECT_EQ(paysRestagedDot(target, 256, 256, 256),
              target.supportedForTileLowering() && target.hasTcgen05())
        << target.name();
  Target target = *Target::parse("sm_100a");
  EXPECT_TRUE(paysRestagedDot(target, 64, 64, 64));
  EXPECT_FALSE(paysRestagedDot(target, 64, 64, 32));
}

TEST(Heuristics, EveryTargetWithTensorCopiesStoresTilesByThem) {
  for (const Target &target : Target::all())
    EXPECT_EQ(paysCopiedStore(target, 1 << 15), target.hasTma())
        << target.name();
  Target target = *Target::parse("sm_90a");
  EXPECT_TRUE(paysCopiedStore(target, 2048));
  EXPECT_FALSE(paysCopiedStore(target, 1024));
}

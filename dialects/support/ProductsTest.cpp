// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Products.h"
#include "dialects/support/Target.h"

#include "gtest/gtest.h"

using namespace tileir;

TEST(Products, NamesAsPeopleWriteThem) {
  for (const char *name : {"h100", "H100", "NVIDIA H100"})
    EXPECT_EQ(chipOfProduct(name), "sm_90") << name;
  EXPECT_EQ(chipOfProduct("RTX 4090"), "sm_89");
  EXPECT_EQ(chipOfProduct("GeForce RTX 5090"), "sm_120");
  EXPECT_EQ(chipOfProduct("Jetson AGX Thor"), "sm_110");
  for (const char *name : {"", "sm_90", "h1000", "rtx"})
    EXPECT_EQ(chipOfProduct(name), "") << name;
}

TEST(Products, ChipsAreTargets) {
  for (const char *name : {"a100", "a40", "orin", "l4", "h200", "b200", "b300",
                           "thor", "5090", "spark"}) {
    std::optional<Target> target = Target::parse(chipOfProduct(name));
    ASSERT_TRUE(target) << name;
    EXPECT_TRUE(target->supportedForTileLowering()) << name;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Target.h"

#include "gtest/gtest.h"

#include <string>

using namespace tileir;

static Target get(const char *name) {
  std::optional<Target> target = Target::parse(name);
  EXPECT_TRUE(target) << name;
  return target ? *target : *Target::fromNumber(80);
}

TEST(Target, parsesEveryNameOfTheTableAndPrintsItBack) {
  const char *names[] = {"sm_75",   "sm_80",   "sm_86",   "sm_87",   "sm_88",
                         "sm_89",   "sm_90",   "sm_90a",  "sm_100",  "sm_100a",
                         "sm_100f", "sm_103",  "sm_103a", "sm_103f", "sm_107",
                         "sm_107a", "sm_107f", "sm_110",  "sm_110a", "sm_110f",
                         "sm_120",  "sm_120a", "sm_120f", "sm_121",  "sm_121a",
                         "sm_121f"};
  for (const char *name : names)
    EXPECT_EQ(get(name).name(), name);
}

TEST(Target, refusesWhatIsNoName) {
  const char *names[] = {"",
                         "sm_",
                         "sm_a",
                         "90",
                         "SM_90",
                         "sm_090",
                         "sm_90b",
                         "sm_90aa",
                         "sm_90f",
                         "sm_80a",
                         "sm_101",
                         "sm_70",
                         "sm_99999",
                         "sm_-90",
                         "sm_9 0",
                         "compute_90",
                         " sm_90",
                         "sm_90 ",
                         "sm_1000000000000"};
  for (const char *name : names)
    EXPECT_FALSE(Target::parse(name)) << name;
}

TEST(Target, tileLoweringStartsAtSm80) {
  EXPECT_EQ(Target::tileLoweringNames(),
            "sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, "
            "sm_110, sm_120, sm_121");
  EXPECT_FALSE(get("sm_75").supportedForTileLowering());
}

TEST(Target, codeForAChipThatLLVMDoesNotKnow) {
  EXPECT_EQ(get("sm_90a").codegen().name(), "sm_90a");
  EXPECT_EQ(get("sm_107").codegen().name(), "sm_100");
  EXPECT_EQ(get("sm_107a").codegen().name(), "sm_100f");
  EXPECT_EQ(get("sm_107f").codegen().name(), "sm_100f");
  for (const Target &target : Target::all()) {
    EXPECT_TRUE(target.codegen().assemblesFor(target)) << target.name();
    Target full = target.accelerated();
    EXPECT_TRUE(full.codegen().assemblesFor(full)) << full.name();
    EXPECT_EQ(target.codegen().codegen(), target.codegen()) << target.name();
  }
  // Features of the family, without those that need an 'a'.
  EXPECT_EQ(get("sm_107").accelerated().name(), "sm_107a");
  EXPECT_TRUE(get("sm_107").hasTcgen05());
  EXPECT_TRUE(get("sm_107").needsAccelerated(Feature::Tcgen05));
  EXPECT_FALSE(get("sm_107a").hasTcgen05MmaI8());
  EXPECT_FALSE(get("sm_107").needsAccelerated(Feature::Tcgen05MmaI8));
  EXPECT_EQ(get("sm_107a").ptxMinimum(), get("sm_100f").ptxMinimum());
  EXPECT_EQ(get("sm_103").ptxasMinimum(), 1300u);
  EXPECT_EQ(get("sm_107").ptxasMinimum(), 1304u);
}

TEST(Target, acceleratedNamesFromSm90On) {
  EXPECT_EQ(get("sm_89").accelerated().name(), "sm_89");
  EXPECT_EQ(get("sm_90").accelerated().name(), "sm_90a");
  EXPECT_EQ(get("sm_100").accelerated().name(), "sm_100a");
  EXPECT_EQ(get("sm_100f").accelerated().name(), "sm_100f");
  EXPECT_EQ(get("sm_100").minimal(false).name(), "sm_100");
  EXPECT_EQ(get("sm_100").minimal(true).name(), "sm_100a");
  EXPECT_EQ(get("sm_120a").minimal(false).name(), "sm_120a");
  EXPECT_EQ(get("sm_120a").withoutSuffix().name(), "sm_120");
}

TEST(Target, tensorCoreFamilies) {
  EXPECT_FALSE(get("sm_80").hasWgmma());
  EXPECT_TRUE(get("sm_90").hasWgmma());
  EXPECT_TRUE(get("sm_90a").hasWgmma());
  EXPECT_FALSE(get("sm_100a").hasWgmma());
  EXPECT_TRUE(get("sm_100a").hasTcgen05());
  EXPECT_TRUE(get("sm_110f").hasTcgen05());
  EXPECT_FALSE(get("sm_120a").hasTcgen05());
  EXPECT_TRUE(get("sm_120a").hasMmaBlockScale());
  EXPECT_FALSE(get("sm_100a").hasMmaBlockScale());
  EXPECT_FALSE(get("sm_86").hasMmaFp8());
  EXPECT_TRUE(get("sm_89").hasMmaFp8());
  EXPECT_TRUE(get("sm_80").hasMmaInt4());
  EXPECT_FALSE(get("sm_90").hasMmaInt4());
  for (const Target &target : Target::all())
    EXPECT_FALSE(target.hasWgmma() && target.hasTcgen05()) << target.name();
}

TEST(Target, memoryFamilies) {
  for (const Target &target : Target::all()) {
    if (!target.supportedForTileLowering())
      continue;
    EXPECT_TRUE(target.hasCpAsync()) << target.name();
    EXPECT_TRUE(target.hasMmaSync()) << target.name();
    EXPECT_EQ(target.hasTma(), target.number() >= 90) << target.name();
    EXPECT_EQ(target.hasCluster(), target.clusterMax() > 1) << target.name();
    EXPECT_EQ(target.hasTcgen05(), target.tensorMemoryColumns() == 512)
        << target.name();
  }
  EXPECT_FALSE(get("sm_120a").hasTmaMulticast());
  EXPECT_TRUE(get("sm_120a").hasTmaGather4Cta());
  EXPECT_FALSE(get("sm_90a").hasTmaGather4Cta());
}

TEST(Target, suffixDecidesWhatTheNameOffers) {
  EXPECT_FALSE(get("sm_100").hasExactly(Feature::Tcgen05));
  EXPECT_TRUE(get("sm_100f").hasExactly(Feature::Tcgen05));
  EXPECT_TRUE(get("sm_100").has(Feature::Tcgen05MmaI8));
  EXPECT_FALSE(get("sm_100f").has(Feature::Tcgen05MmaI8));
  EXPECT_FALSE(get("sm_103a").has(Feature::Tcgen05MmaI8));
  EXPECT_TRUE(get("sm_90").needsAccelerated(Feature::Wgmma));
  EXPECT_FALSE(get("sm_90").needsAccelerated(Feature::Tma));
  EXPECT_FALSE(get("sm_80").needsAccelerated(Feature::Wgmma));
}

TEST(Target, assemblyOfOneTargetForAnother) {
  EXPECT_TRUE(get("sm_80").assemblesFor(get("sm_120a")));
  EXPECT_FALSE(get("sm_120").assemblesFor(get("sm_90")));
  EXPECT_TRUE(get("sm_90a").assemblesFor(get("sm_90a")));
  EXPECT_FALSE(get("sm_90a").assemblesFor(get("sm_90")));
  EXPECT_FALSE(get("sm_90a").assemblesFor(get("sm_100a")));
  EXPECT_TRUE(get("sm_100f").assemblesFor(get("sm_103a")));
  EXPECT_TRUE(get("sm_100f").assemblesFor(get("sm_100f")));
  EXPECT_TRUE(get("sm_100f").assemblesFor(get("sm_100")));
  EXPECT_TRUE(get("sm_100f").assemblesFor(get("sm_107")));
  EXPECT_FALSE(get("sm_100f").assemblesFor(get("sm_110a")));
  EXPECT_FALSE(get("sm_103f").assemblesFor(get("sm_100a")));
}

TEST(Target, sharedMemory) {
  EXPECT_EQ(get("sm_80").sharedMemoryPerBlock(), 0x28c00);
  EXPECT_EQ(get("sm_86").sharedMemoryPerBlock(), 0x18c00);
  EXPECT_EQ(get("sm_87").sharedMemoryPerBlock(), 0x28c00);
  EXPECT_EQ(get("sm_89").sharedMemoryPerBlock(), 0x18c00);
  EXPECT_EQ(get("sm_90a").sharedMemoryPerBlock(), 0x38c00);
  EXPECT_EQ(get("sm_110").sharedMemoryPerBlock(), 0x38c00);
  EXPECT_EQ(get("sm_121").sharedMemoryPerBlock(), 0x18c00);
  EXPECT_EQ(get("sm_90").sharedMemoryWithoutOption(), 0xc000);
  EXPECT_EQ(get("sm_90a").sharedMemoryWithoutOption(), 0x38c00);
  EXPECT_EQ(get("sm_100f").sharedMemoryWithoutOption(), 0xc000);
  for (const Target &target : Target::all())
    EXPECT_LE(target.sharedMemoryPerBlock() + target.sharedMemoryReserved(),
              target.sharedMemoryPerSM())
        << target.name();
}

TEST(Target, parameterBlock) {
  EXPECT_EQ(get("sm_89").parameterBankOffset(), 0x160u);
  EXPECT_EQ(get("sm_90a").parameterBankOffset(), 0x210u);
  EXPECT_EQ(get("sm_121").parameterBankOffset(), 0x380u);
  // A 64-byte aligned map after 0x48 bytes of visible parameters.
  EXPECT_EQ(parameterOffset(get("sm_80"), 0x48, 64), 0x60);
  EXPECT_EQ(parameterOffset(get("sm_90"), 0x48, 64), 0x70);
  EXPECT_EQ(parameterOffset(get("sm_100"), 0x48, 64), 0x80);
  EXPECT_EQ(parameterOffset(get("sm_90"), 0x4c, 8), 0x50);
  EXPECT_EQ(parameterOffset(get("sm_90"), 0x4c, 1), 0x4c);
}

TEST(Target, ptxVersions) {
  EXPECT_EQ(get("sm_80").ptxMinimum(), 70u);
  EXPECT_EQ(get("sm_80").ptxDefault(), 81u);
  EXPECT_EQ(get("sm_90").ptxMinimum(), 78u);
  EXPECT_EQ(get("sm_90a").ptxMinimum(), 80u);
  EXPECT_EQ(get("sm_100f").ptxMinimum(), 88u);
  EXPECT_EQ(get("sm_100f").ptxDefault(), 88u);
  EXPECT_EQ(get("sm_110").ptxMinimum(), 90u);
  for (const Target &target : Target::all()) {
    EXPECT_LE(target.ptxMinimum(), target.ptxDefault()) << target.name();
    EXPECT_LE(target.ptxDefault(), limits::ptxCodegen) << target.name();
  }
}

TEST(Target, ptxFloors) {
  PtxNeeds none;
  EXPECT_EQ(ptxFloor(get("sm_80"), none), 70u);
  EXPECT_EQ(ptxFloor(get("sm_120f"), none), 88u);
  PtxNeeds large;
  large.parameterBytes = 4352;
  EXPECT_EQ(ptxFloor(get("sm_80"), large), 70u);
  large.parameterBytes = 4353;
  EXPECT_EQ(ptxFloor(get("sm_80"), large), 81u);
  PtxNeeds hidden;
  hidden.hiddenParameters = true;
  EXPECT_EQ(ptxFloor(get("sm_90a"), hidden), 88u);
  hidden.blocksAreClusters = true;
  EXPECT_EQ(ptxFloor(get("sm_90a"), hidden), 90u);
  EXPECT_EQ(parameterByteLimit(80), 4352);
  EXPECT_EQ(parameterByteLimit(81), 32764);
}

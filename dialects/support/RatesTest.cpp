// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table against published figures: dense peaks of the datasheets in 10^12
// multiply-adds and additions a second, and the relations between tables.
#include "dialects/support/Rates.h"

#include "gtest/gtest.h"

using namespace tileir;

static double teraflops(const char *chip, Rates::Mma kind) {
  Target t = *Target::parse(chip);
  Rates r(t);
  return 2.0 * r.rate(kind) * t.typicalSMs() * r.clockMHz() * 1e-6;
}

TEST(Rates, PeaksOfTheDatasheets) {
  struct Published {
    const char *chip;
    Rates::Mma kind;
    double figure;
  };
  using M = Rates::Mma;
  for (const Published &p : {
           Published{"sm_80", M::F16, 312},
           {"sm_80", M::Tf32, 156},
           {"sm_80", M::I8, 624},
           {"sm_80", M::F64, 19.5},
           {"sm_90", M::F16, 989},
           {"sm_90", M::Tf32, 494},
           {"sm_90", M::F8, 1979},
           {"sm_90", M::F64, 67},
           {"sm_100", M::F16, 2250},
           {"sm_100", M::Tf32, 1125},
           {"sm_100", M::F8, 4500},
           {"sm_100", M::F4, 9000},
       })
    EXPECT_NEAR(teraflops(p.chip, p.kind) / p.figure, 1, 0.08)
        << p.chip << " " << p.figure;
}

TEST(Rates, MemoryOfTheDatasheets) {
  struct Published {
    const char *chip;
    double terabytes;
  };
  for (const Published &p :
       {Published{"sm_80", 2.04}, {"sm_90", 3.35}, {"sm_100", 8.0}}) {
    Target t = *Target::parse(p.chip);
    Rates r(t);
    EXPECT_NEAR(r.dramBytesPerCycle() * t.typicalSMs() * r.clockMHz() * 1e-6,
                p.terabytes, 0.01)
        << p.chip;
  }
}

TEST(Rates, EveryChipHasAColumn) {
  for (const Target &t : Target::all()) {
    Rates r(t);
    EXPECT_GT(r.rate(Rates::Lsu), 0u) << t.name();
    EXPECT_EQ(r.rate(Rates::TensorRead) > 0, t.tensorMemoryColumns() > 0)
        << t.name();
    // The column of the oldest chip also serves chips without a row.
    if (t.supportedForTileLowering() && t.number() != 80)
      EXPECT_STRNE(r.family(), "A80") << t.name();
  }
  EXPECT_STREQ(Rates(*Target::parse("sm_90a")).family(), "H90");
  EXPECT_STREQ(Rates(*Target::parse("sm_121")).family(), "B120");
  EXPECT_EQ(Rates::version(), 1u);
}

// Shares of the dense peak on sm_90: 62 % for mma.sync, and that of m64n256k16.
TEST(Rates, SharesOfThePeak) {
  Rates r(*Target::parse("sm_90a"));
  EXPECT_NEAR(double(r.rate(Rates::Mma::F16WarpWide)) / r.rate(Rates::Mma::F16),
              0.62, 0.01);
  EXPECT_EQ(64u * 256 * 16 / r.rate(Rates::Mma::F16), 128u);
}

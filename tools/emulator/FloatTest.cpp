// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats and conversions against the definitions of the PTX manual, computed
// here in another way than the emulator does.
#include "tools/emulator/TestSupport.h"

#include <cmath>

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;
using cases::Rounding;

namespace {

int32_t s(uint64_t v) { return int32_t(v); }
uint32_t u(uint64_t v) { return uint32_t(v); }
using I128 = __int128;

} // namespace

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static double f32(uint64_t bits) {
  return cases::decodeFloat(cases::kF32, bits);
}

static uint64_t roundF32(double exact, Rounding r = Rounding::NearestEven) {
  return cases::encodeFloat(cases::kF32, exact, r);
}

static std::vector<uint64_t> floats32(uint64_t seed) {
  cases::SplitMix64 random(seed);
  std::vector<uint64_t> out = {0,          0x80000000, 0x3F800000, 0x7F800000,
                               0xFF800000, 0x7FC00000, 1,          0x807FFFFF,
                               0x00800000, 0x7F7FFFFF};
  while (out.size() < 32)
    out.push_back(
        roundF32(std::ldexp(random.normal(), int(random.next() % 60) - 30)));
  for (size_t k = 31; k > 0; --k)
    std::swap(out[k], out[random.next() % (k + 1)]);
  return out;
}

TEST(Float, RoundingModesOfF32) {
  const std::pair<const char *, Rounding> modes[] = {
      {"rn", Rounding::NearestEven},
      {"rz", Rounding::TowardZero},
      {"rm", Rounding::Down},
      {"rp", Rounding::Up}};
  for (const auto &one : modes) {
    const Rounding mode = one.second;
    std::vector<uint64_t> a = floats32(1), b = floats32(2), c = floats32(3);
    std::string n = one.first;
    auto out = runLanes("add." + n + ".f32 %z0, %w0, %w1; mul." + n +
                            ".f32 %z1, %w0, %w1; fma." + n +
                            ".f32 %z2, %w0, %w1, %w2; sub." + n +
                            ".f32 %z3, %w0, %w1;",
                        {a, b, c}, "wwww");
    for (int l = 0; l < 32; ++l) {
      double x = f32(a[l]), y = f32(b[l]), z = f32(c[l]);
      // Zero sums have the sign that the rounding gives them.
      auto sum = [&](double p, double q) -> uint64_t {
        if (p + q == 0 &&
            !(p == 0 && q == 0 && std::signbit(p) == std::signbit(q)))
          return mode == Rounding::Down ? 0x80000000 : 0;
        return roundF32(cases::addRoundOdd(p, q), mode);
      };
      EXPECT_EQ(out[0][l], sum(x, y)) << n << " " << x << " " << y;
      EXPECT_EQ(out[1][l], roundF32(x * y, mode)) << n << x << " " << y;
      EXPECT_EQ(out[2][l], sum(x * y, z))
          << n << " " << x << " " << y << " " << z;
      EXPECT_EQ(out[3][l], sum(x, -y)) << n;
    }
  }
}

TEST(Float, FlushAndSaturate) {
  std::vector<uint64_t> a(32, 0x00400000), b(32, 0x3F000000); // Subnormal, 0.5
  a[1] = 0x00800000;                                          // Times 0.5.
  a[2] = 0x80400000;
  a[3] = 0x40400000;
  a[4] = 0x7FC00000;
  a[5] = 0xBF800000;
  auto out = runLanes("mul.ftz.f32 %z0, %w0, %w1; add.sat.f32 %z1, %w0, %w1; "
                      "mul.f32 %z2, %w0, %w1; abs.ftz.f32 %z3, %w0; neg.f32 "
                      "%z4, %w0;",
                      {a, b}, "wwwww");
  EXPECT_EQ(out[0][0], 0u);
  EXPECT_EQ(out[0][1], 0u);
  EXPECT_EQ(out[0][2], 0x80000000u);
  EXPECT_EQ(out[2][0], 0x00200000u);
  EXPECT_EQ(out[1][3], 0x3F800000u);
  EXPECT_EQ(out[1][4], 0u);
  EXPECT_EQ(out[1][5], 0u);
  EXPECT_EQ(out[3][2], 0u);
  EXPECT_EQ(out[4][5], 0x3F800000u);
  EXPECT_EQ(out[2][4], 0x7FFFFFFFu);
}

// .ftz goes by the exact value: half of the last place below the least normal
// number, which would be rounded up to it.
TEST(Float, FlushesWhatIsTinyBeforeItIsRounded) {
  std::vector<uint64_t> a(32, 0x3F7FFFFF), b(32, 0x00800000), h(32, 0x3BFF),
      k(32, 0x0400);
  a[1] = 0xBF7FFFFF;
  a[2] = 0x3F800000;
  h[1] = 0xBBFF;
  h[2] = 0x3C00;
  auto out = runLanes("mul.ftz.f32 %z0, %w0, %w1; fma.rn.ftz.f32 %z1, %w0, "
                      "%w1, 0f80000000; mul.ftz.f16 %g2, %h2, %h3; mul.f32 "
                      "%z3, %w0, %w1; mul.f16 %g4, %h2, %h3; mul.rp.ftz.f32 "
                      "%z5, %w0, %w1;",
                      {a, b, h, k}, "wwhwhw");
  for (int n : {0, 1, 5}) {
    EXPECT_EQ(out[n][0], 0u);
    EXPECT_EQ(out[n][1], 0x80000000u);
    EXPECT_EQ(out[n][2], 0x00800000u);
  }
  EXPECT_EQ(out[2][0], 0u);
  EXPECT_EQ(out[2][1], 0x8000u);
  EXPECT_EQ(out[2][2], 0x0400u);
  EXPECT_EQ(out[3][0], 0x00800000u);
  EXPECT_EQ(out[4][0], 0x0400u);
}

// One that an operation makes has its sign set, one among the operands is
// passed on.
TEST(Float, NaNsOfF64) {
  const uint64_t inf = 0x7FF0000000000000, nan = 0x7FF8000000000000;
  const uint64_t made = 0xFFF8000000000000;
  std::vector<uint64_t> a(32, inf), b(32, 0);
  a[1] = nan;
  b[2] = nan;
  a[3] = 0xBFF0000000000000;
  auto out = runLanes("mul.f64 %q0, %a0, %a1; fma.rn.f64 %q1, %a0, %a1, %a0; "
                      "sqrt.rn.f64 %q2, %a0; mul.rz.f64 %q3, %a0, %a1; "
                      "cvt.rn.f32.f64 %z4, %q0; cvt.rn.f16.f64 %g5, %q0;",
                      {a, b}, "ddddwh");
  for (int n : {0, 1, 3}) {
    EXPECT_EQ(out[n][0], made);
    EXPECT_EQ(out[n][1], nan);
    EXPECT_EQ(out[n][2], nan);
  }
  EXPECT_EQ(out[2][0], inf);
  EXPECT_EQ(out[2][1], nan);
  EXPECT_EQ(out[2][3], made);
  EXPECT_EQ(out[4][1], 0x7FC00000u);
  EXPECT_EQ(out[5][1], 0x7E00u);
}

TEST(Float, MinMaxAndCompare) {
  std::vector<uint64_t> a(32, 0x3F800000), b(32, 0x40000000);
  a[0] = 0x7FC00000;
  a[1] = 0x80000000;
  b[1] = 0;
  a[2] = b[2] = 0x7FC00000;
  a[3] = 0xC0000000;
  auto out = runLanes(
      "min.f32 %z0, %w0, %w1; max.f32 %z1, %w0, %w1; max.NaN.f32 %z2, %w0, "
      "%w1; min.xorsign.abs.f32 %z3, %w0, %w1; copysign.f32 %z4, %w0, %w1;",
      {a, b}, "wwwww");
  EXPECT_EQ(out[0][0], 0x40000000u);
  EXPECT_EQ(out[2][0], 0x7FFFFFFFu);
  EXPECT_EQ(out[0][1], 0x80000000u);
  EXPECT_EQ(out[1][1], 0u);
  EXPECT_EQ(out[0][2], 0x7FFFFFFFu);
  EXPECT_EQ(out[3][3], 0xC0000000u);
  // copysign takes the sign of the first and the magnitude of the second.
  EXPECT_EQ(out[4][3], 0xC0000000u);
  EXPECT_EQ(out[4][5], 0x40000000u);
  auto p = runLanes("setp.ne.f32 %p0, %w0, %w1; setp.neu.f32 %p1, %w0, %w1; "
                    "setp.lt.f32 %p2, %w0, %w1; setp.geu.f32 %p3, %w0, %w1; "
                    "setp.nan.f32 %p4, %w0, %w1; setp.num.f32 %p5, %w0, %w1;",
                    {a, b}, "pppppp");
  EXPECT_EQ(p[0][0], 0u); // ne is false with a NaN.
  EXPECT_EQ(p[1][0], 1u);
  EXPECT_EQ(p[2][0], 0u);
  EXPECT_EQ(p[3][0], 1u);
  EXPECT_EQ(p[4][0], 1u);
  EXPECT_EQ(p[5][0], 0u);
  EXPECT_EQ(p[0][1], 0u);
  EXPECT_EQ(p[2][5], 1u);
}

TEST(Float, SetpCombines) {
  std::vector<uint64_t> a(32), b(32);
  for (int l = 0; l < 32; ++l) {
    a[l] = l;
    b[l] = l & 1;
  }
  auto out =
      runLanes("setp.ne.s32 %p5, %w1, 0; setp.lt.and.s32 %p0|%p1, %w0, "
               "16, %p5; setp.hi.or.u32 %p2, %w0, 20, !%p5; set.gt.u32.s32 "
               "%z3, %w0, 3; set.ge.f32.s32 %z4, %w0, 4;",
               {a, b}, "pppww");
  for (int l = 0; l < 32; ++l) {
    bool c = l & 1;
    EXPECT_EQ(out[0][l], uint64_t(l < 16 && c));
    EXPECT_EQ(out[1][l], uint64_t(!(l < 16) && c));
    EXPECT_EQ(out[2][l], uint64_t(l > 20 || !c));
    EXPECT_EQ(out[3][l], l > 3 ? 0xFFFFFFFF : 0);
    EXPECT_EQ(out[4][l], l >= 4 ? 0x3F800000u : 0);
  }
}

// f16 and bf16: the exact value rounded once.
TEST(Float, HalfPrecisionRoundsOnce) {
  cases::SplitMix64 random(8);
  for (bool isBf : {false, true}) {
    const cases::FloatFormat &f = isBf ? cases::kBF16 : cases::kF16;
    std::vector<uint64_t> a(32), b(32), c(32);
    for (auto *v : {&a, &b, &c})
      for (uint64_t &x : *v)
        x = random.next() & 0xFFFFFFFF;
    std::string t = isBf ? "bf16x2" : "f16x2";
    auto out = runLanes("add.rn." + t + " %z0, %w0, %w1; mul." + t +
                            " %z1, %w0, %w1; fma.rn." + t +
                            " %z2, %w0, %w1, %w2; min." + t + " %z3, %w0, %w1;",
                        {a, b, c}, "wwww");
    for (int l = 0; l < 32; ++l)
      for (int h = 0; h < 32; h += 16) {
        double x = cases::decodeFloat(f, a[l] >> h & 0xFFFF);
        double y = cases::decodeFloat(f, b[l] >> h & 0xFFFF);
        double z = cases::decodeFloat(f, c[l] >> h & 0xFFFF);
        // long double has 64 bits of mantissa: enough for the exact product,
        // and its sum decides ties by a sticky check.
        auto encode = [&](long double v, long double rest) {
          double d = double(v);
          long double left = (v - (long double)d) + rest;
          return cases::encodeFloat(
              f, left == 0 ? d : cases::addRoundOdd(d, double(left)),
              Rounding::NearestEven);
        };
        EXPECT_EQ(out[0][l] >> h & 0xFFFF, std::isfinite(x + y)
                                               ? encode((long double)x + y, 0)
                                               : encode(x + y, 0));
        double p = x * y;
        EXPECT_EQ(out[1][l] >> h & 0xFFFF, encode(p, 0));
        uint64_t want = std::isfinite(p + z)
                            ? cases::encodeFloat(f, cases::addRoundOdd(p, z),
                                                 Rounding::NearestEven)
                            : encode(p + z, 0);
        EXPECT_EQ(out[2][l] >> h & 0xFFFF, want);
      }
  }
}

TEST(Float, ApproximationsKeepTheirBounds) {
  cases::SplitMix64 random(4);
  std::vector<uint64_t> a(32);
  for (uint64_t &x : a)
    x = roundF32(std::fabs(random.normal()) * 4 + 0.01);
  auto out = runLanes("ex2.approx.ftz.f32 %z0, %w0; lg2.approx.f32 %z1, %w0; "
                      "rcp.approx.f32 %z2, %w0; rsqrt.approx.f32 %z3, %w0; "
                      "sqrt.rn.f32 %z4, %w0; tanh.approx.f32 %z5, %w0; "
                      "sin.approx.f32 %z6, %w0; div.full.f32 %z7, %w0, %w0;",
                      {a}, "wwwwwwww");
  for (int l = 0; l < 32; ++l) {
    double x = f32(a[l]);
    EXPECT_NEAR(f32(out[0][l]) / std::exp2(x), 1, 2.4e-7);
    EXPECT_NEAR(f32(out[1][l]), std::log2(x),
                2.4e-7 * (1 + std::fabs(std::log2(x))));
    EXPECT_NEAR(f32(out[2][l]) * x, 1, 1.2e-7);
    EXPECT_NEAR(f32(out[3][l]) * std::sqrt(x), 1, 1.3e-7);
    EXPECT_EQ(out[4][l], roundF32(std::sqrt(x)));
    EXPECT_NEAR(f32(out[5][l]), std::tanh(x), 5e-4);
    EXPECT_NEAR(f32(out[6][l]), std::sin(x), 1e-6);
    EXPECT_NEAR(f32(out[7][l]), 1, 2.4e-7);
  }
  auto special = runLanes(
      "mov.b32 %w1, 0fFF800000; ex2.approx.f32 %z0, %w1; lg2.approx.f32 %z1, "
      "%w2; rcp.approx.f32 %z2, %w3; rsqrt.approx.f32 %z3, %w4;",
      {a, a, std::vector<uint64_t>(32, 0),
       std::vector<uint64_t>(32, 0x80000000),
       std::vector<uint64_t>(32, 0xBF800000)},
      "wwww");
  EXPECT_EQ(special[0][0], 0u);
  EXPECT_EQ(special[1][0], 0xFF800000u);
  EXPECT_EQ(special[2][0], 0xFF800000u);
  EXPECT_EQ(special[3][0], 0x7FFFFFFFu);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

TEST(Convert, FloatToIntegerClamps) {
  std::vector<uint64_t> a(32, 0);
  double values[] = {2.5,     -2.5, 3.5,          1e20,         -1e20, NAN,
                     0.49999, -0.5, 2147483648.0, 4294967296.0, -1.0};
  for (int k = 0; k < 11; ++k)
    a[k] = roundF32(values[k]);
  auto out = runLanes(
      "cvt.rni.s32.f32 %z0, %w0; cvt.rzi.s32.f32 %z1, %w0; cvt.rmi.s32.f32 "
      "%z2, %w0; cvt.rpi.s32.f32 %z3, %w0; cvt.rzi.u32.f32 %z4, %w0; "
      "cvt.rzi.s64.f32 %q5, %w0; cvt.rzi.s16.f32 %g6, %w0;",
      {a}, "wwwwwdh");
  EXPECT_EQ(out[0][0], 2u);
  EXPECT_EQ(out[0][1], u(-2));
  EXPECT_EQ(out[0][2], 4u);
  EXPECT_EQ(out[1][1], u(-2));
  EXPECT_EQ(out[2][1], u(-3));
  EXPECT_EQ(out[3][0], 3u);
  EXPECT_EQ(out[1][3], 0x7FFFFFFFu);
  EXPECT_EQ(out[1][4], 0x80000000u);
  EXPECT_EQ(out[1][5], 0u);         // NaN, narrow target.
  EXPECT_EQ(out[5][5], 1ull << 63); // NaN, 64 bits.
  EXPECT_EQ(out[4][3], 0xFFFFFFFFu);
  EXPECT_EQ(out[4][10], 0u);
  EXPECT_EQ(out[4][8], 0x80000000u);
  EXPECT_EQ(out[6][3], 0x7FFFu);
}

TEST(Convert, IntegersToFloatsRoundOnce) {
  std::vector<uint64_t> a = mixedValues(64, 31);
  a[0] = 0xFFFFFFFFFFFFFFFF;
  a[1] = 0x8000008000000001; // Just above a tie of f32.
  a[2] = 0x8000008000000000; // The tie.
  auto out = runLanes(
      "cvt.rn.f32.u64 %z0, %a0; cvt.rz.f32.s64 %z1, %a0; cvt.rn.f64.s64 %q2, "
      "%a0; cvt.rn.f16.s32 %g3, %w0; cvt.rp.f32.u32 %z4, %w0; cvt.rn.bf16.s32 "
      "%g5, %w0;",
      {a}, "wwdhwh");
  auto reference = [](I128 v, const cases::FloatFormat &f, Rounding r) {
    bool negative = v < 0;
    unsigned __int128 m = negative ? -v : v;
    // Keep 50 bits and a sticky one.
    int shift = 0;
    bool sticky = false;
    while (m >> 50) {
      sticky |= m & 1;
      m >>= 1;
      ++shift;
    }
    double d = std::ldexp(double(uint64_t(m << 1 | sticky)), shift - 1);
    return cases::encodeFloat(f, negative ? -d : d, r);
  };
  for (int l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l],
              reference(I128(a[l]), cases::kF32, Rounding::NearestEven));
    EXPECT_EQ(out[1][l],
              reference(int64_t(a[l]), cases::kF32, Rounding::TowardZero));
    double d = double(int64_t(a[l]));
    uint64_t bits;
    std::memcpy(&bits, &d, 8);
    EXPECT_EQ(out[2][l], bits);
    EXPECT_EQ(out[3][l],
              reference(s(a[l]), cases::kF16, Rounding::NearestEven));
    EXPECT_EQ(out[4][l], reference(u(a[l]), cases::kF32, Rounding::Up));
    EXPECT_EQ(out[5][l],
              reference(s(a[l]), cases::kBF16, Rounding::NearestEven));
  }
}

TEST(Convert, NarrowFloats) {
  std::vector<uint64_t> a = floats32(41), b = floats32(42);
  a[0] = roundF32(500);
  a[1] = roundF32(-500);
  a[2] = roundF32(5);
  auto out = runLanes(
      "cvt.rn.f16.f32 %g0, %w0; cvt.rz.bf16.f32 %g1, %w0; cvt.rna.tf32.f32 "
      "%z2, %w0; cvt.rn.f16x2.f32 %z3, %w0, %w1; cvt.rn.satfinite.e4m3x2.f32 "
      "%g4, %w0, %w1; cvt.rn.satfinite.e5m2x2.f32 %g5, %w0, %w1; "
      "cvt.rn.relu.bf16x2.f32 %z6, %w0, %w1; cvt.rn.satfinite.e2m1x2.f32 %c0, "
      "%w0, %w1; cvt.u16.u8 %g7, %c0; cvt.rp.satfinite.ue8m0x2.f32 %g8, %w0, "
      "%w1; cvt.rn.f16x2.e4m3x2 %z9, %g4; cvt.rn.f16x2.e2m1x2 %z10, %c0;",
      {a, b}, "hhwwhhwhhww");
  for (int l = 0; l < 32; ++l) {
    double x = f32(a[l]), y = f32(b[l]);
    using namespace cases;
    auto e = [](const FloatFormat &f, double v, Rounding r, bool sat = false) {
      return encodeFloat(f, v, r, sat);
    };
    Rounding rn = Rounding::NearestEven;
    EXPECT_EQ(out[0][l], e(kF16, x, rn));
    EXPECT_EQ(out[1][l], e(kBF16, x, Rounding::TowardZero));
    EXPECT_EQ(out[2][l],
              x != x ? 0x7FC00000 : e(kTF32, x, Rounding::NearestAway) << 13);
    EXPECT_EQ(out[3][l], e(kF16, x, rn) << 16 | e(kF16, y, rn));
    EXPECT_EQ(out[4][l], e(kE4M3, x, rn, true) << 8 | e(kE4M3, y, rn, true));
    EXPECT_EQ(out[5][l], e(kE5M2, x, rn, true) << 8 | e(kE5M2, y, rn, true));
    auto relu = [](double v) { return v <= 0 ? 0 : v; };
    EXPECT_EQ(out[6][l] & 0x7FFF7FFF, // The sign of a relu'd zero is +.
              e(kBF16, relu(x), rn) << 16 | e(kBF16, relu(y), rn));
    EXPECT_EQ(out[7][l], e(kE2M1, x, rn, true) << 4 | e(kE2M1, y, rn, true));
    EXPECT_EQ(out[9][l], e(kF16, decodeFloat(kE4M3, out[4][l] >> 8), rn) << 16 |
                             e(kF16, decodeFloat(kE4M3, out[4][l] & 255), rn));
    EXPECT_EQ(out[10][l], e(kF16, decodeFloat(kE2M1, out[7][l] >> 4), rn)
                                  << 16 |
                              e(kF16, decodeFloat(kE2M1, out[7][l] & 15), rn));
  }
  EXPECT_EQ(out[4][0] >> 8, 0x7Eu);
  EXPECT_EQ(out[4][1] >> 8, 0xFEu);
  EXPECT_EQ(out[8][2] >> 8, 130u); // 5 rounds up to 8.
}

TEST(Convert, IntegerToInteger) {
  std::vector<uint64_t> a = mixedValues(64, 51);
  auto out = runLanes("cvt.s32.s8 %z0, %w0; cvt.u32.u16 %z1, %h0; cvt.s64.s32 "
                      "%q2, %w0; cvt.sat.s8.s32 %z3, %w0; cvt.sat.u32.s64 %z4, "
                      "%a0; cvt.u16.u32 %g5, %w0; cvt.sat.u8.s32 %z6, %w0;",
                      {a}, "wwdwwhw");
  for (int l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l], u(int8_t(a[l])));
    EXPECT_EQ(out[1][l], a[l] & 0xFFFF);
    EXPECT_EQ(out[2][l], uint64_t(int64_t(s(a[l]))));
    int64_t v = s(a[l]);
    EXPECT_EQ(out[3][l], u(int32_t(v > 127 ? 127 : v < -128 ? -128 : v)));
    int64_t w = int64_t(a[l]);
    EXPECT_EQ(out[4][l], u(uint64_t(w < 0            ? 0
                                    : w > 0xFFFFFFFF ? 0xFFFFFFFF
                                                     : w)));
    EXPECT_EQ(out[5][l], a[l] & 0xFFFF);
    EXPECT_EQ(out[6][l], u(int32_t(v > 255 ? 255 : v < 0 ? 0 : v)));
  }
}

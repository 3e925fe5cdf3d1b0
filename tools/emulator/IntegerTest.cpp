// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer instructions against the definitions of the PTX manual, computed here
// in another way than the emulator does.
#include "tools/emulator/TestSupport.h"

#include <cmath>

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

using Fn = std::function<uint64_t(const uint64_t *)>;

struct Row {
  std::string code;
  int bits;    ///< Of the inputs.
  char output; ///< Letter of runLanes.
  Fn expected;
};

void check(const Row &row, int inputs, uint64_t seed) {
  std::vector<std::vector<uint64_t>> in;
  for (int k = 0; k < inputs; ++k)
    in.push_back(mixedValues(row.bits, seed * 16 + k));
  auto out = runLanes(row.code, in, std::string(1, row.output));
  for (int l = 0; l < 32; ++l) {
    uint64_t args[4] = {};
    for (int k = 0; k < inputs; ++k)
      args[k] = in[k][l];
    ASSERT_EQ(out[0][l], row.expected(args))
        << row.code << " a=" << std::hex << args[0] << " b=" << args[1]
        << " c=" << args[2];
  }
}

int32_t s(uint64_t v) { return int32_t(v); }
uint32_t u(uint64_t v) { return uint32_t(v); }
using I128 = __int128;

} // namespace

TEST(Integer, TwoOperands) {
  const Row rows[] = {
      {"add.s32 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) { return u(a[0] + a[1]); }},
      {"sub.s16 %g0, %h0, %h1;", 16, 'h',
       [](auto *a) { return uint16_t(a[0] - a[1]); }},
      {"add.sat.s32 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) {
         int64_t r = int64_t(s(a[0])) + s(a[1]);
         return u(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
       }},
      {"mul.hi.s32 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) { return u(uint64_t(int64_t(s(a[0])) * s(a[1])) >> 32); }},
      {"mul.hi.u64 %q0, %a0, %a1;", 64, 'd',
       [](auto *a) {
         uint64_t r[2];
         unsigned __int128 p = (unsigned __int128)a[0] * a[1];
         std::memcpy(r, &p, 16);
         return r[1];
       }},
      {"mul.hi.u16 %g0, %h0, %h1;", 16, 'h',
       [](auto *a) { return a[0] * a[1] >> 16; }},
      {"mul.wide.s16 %z0, %h0, %h1;", 16, 'w',
       [](auto *a) { return u(int16_t(a[0]) * int16_t(a[1])); }},
      {"mul.wide.u32 %q0, %w0, %w1;", 32, 'd',
       [](auto *a) { return a[0] * a[1]; }},
      {"mul.lo.s64 %q0, %a0, %a1;", 64, 'd',
       [](auto *a) { return a[0] * a[1]; }},
      {"min.s32 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) { return u(s(a[0]) < s(a[1]) ? a[0] : a[1]); }},
      {"max.u64 %q0, %a0, %a1;", 64, 'd',
       [](auto *a) { return a[0] > a[1] ? a[0] : a[1]; }},
      {"max.u16x2 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) {
         uint64_t lo = std::max(a[0] & 0xFFFF, a[1] & 0xFFFF);
         return lo | std::max(a[0] >> 16, a[1] >> 16) << 16;
       }},
      {"add.s16x2 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) {
         return ((a[0] + a[1]) & 0xFFFF) |
                (((a[0] >> 16) + (a[1] >> 16)) & 0xFFFF) << 16;
       }},
      {"and.b16 %g0, %h0, %h1;", 16, 'h', [](auto *a) { return a[0] & a[1]; }},
      {"xor.b64 %q0, %a0, %a1;", 64, 'd', [](auto *a) { return a[0] ^ a[1]; }},
      {"bmsk.clamp.b32 %z0, %w0, %w1;", 32, 'w',
       [](auto *a) {
         uint32_t r = 0;
         for (uint64_t k = 0; k < 32; ++k)
           if (k >= a[0] && k - a[0] < a[1])
             r |= 1u << k;
         return r;
       }},
  };
  for (const Row &row : rows)
    for (uint64_t seed = 1; seed < 4; ++seed)
      check(row, 2, seed);
}

TEST(Integer, DivisionTruncatesTowardZero) {
  auto in0 = mixedValues(32, 5), in1 = mixedValues(32, 6);
  for (uint64_t &v : in1)
    v |= 1; // Division by zero has no value.
  auto out = runLanes("div.s32 %z0, %w0, %w1; rem.s32 %z1, %w0, %w1; div.u32 "
                      "%z2, %w0, %w1; rem.u32 %z3, %w0, %w1;",
                      {in0, in1}, "wwww");
  for (int l = 0; l < 32; ++l) {
    int64_t a = s(in0[l]), b = s(in1[l]);
    EXPECT_EQ(out[0][l], u(a / b));
    EXPECT_EQ(out[1][l], u(a % b));
    EXPECT_EQ(out[2][l], u(in0[l]) / u(in1[l]));
    EXPECT_EQ(out[3][l], u(in0[l]) % u(in1[l]));
  }
}

TEST(Integer, ShiftsClampTheAmount) {
  std::vector<uint64_t> a = mixedValues(64, 9), n(32);
  for (int l = 0; l < 32; ++l)
    n[l] = l < 16 ? l * 5 : (l == 31 ? 0xFFFFFFFF : 60 + l % 8);
  auto out = runLanes("shl.b32 %z0, %w0, %w1; shr.s32 %z1, %w0, %w1; shr.u64 "
                      "%q2, %a0, %w1; shr.s64 %q3, %a0, %w1; shr.b32 %z4, %w0, "
                      "%w1; shl.b16 %g5, %h0, %w1;",
                      {a, n}, "wwddwh");
  for (int l = 0; l < 32; ++l) {
    uint64_t k = n[l];
    EXPECT_EQ(out[0][l], k > 31 ? 0 : u(a[l] << k));
    EXPECT_EQ(out[1][l], u(s(a[l]) >> (k > 31 ? 31 : k)));
    EXPECT_EQ(out[2][l], k > 63 ? 0 : a[l] >> k);
    EXPECT_EQ(out[3][l], uint64_t(int64_t(a[l]) >> (k > 63 ? 63 : k)));
    EXPECT_EQ(out[4][l], k > 31 ? 0 : u(a[l]) >> k);
    EXPECT_EQ(out[5][l], k > 15 ? 0 : (a[l] << k) & 0xFFFF);
  }
}

TEST(Integer, FunnelShift) {
  std::vector<uint64_t> a = mixedValues(32, 1), b = mixedValues(32, 2), n(32);
  for (int l = 0; l < 32; ++l)
    n[l] = l < 30 ? l + 3 : 100;
  auto out = runLanes(
      "shf.l.wrap.b32 %z0, %w0, %w1, %w2; shf.r.wrap.b32 %z1, %w0, %w1, %w2; "
      "shf.l.clamp.b32 %z2, %w0, %w1, %w2; shf.r.clamp.b32 %z3, %w0, %w1, %w2;",
      {a, b, n}, "wwww");
  for (int l = 0; l < 32; ++l) {
    unsigned __int128 v = (unsigned __int128)(b[l] << 32 | a[l]);
    uint32_t w = n[l] & 31, c = n[l] > 32 ? 32 : n[l];
    EXPECT_EQ(out[0][l], u(uint64_t(v << w >> 32)));
    EXPECT_EQ(out[1][l], u(uint64_t(v >> w)));
    EXPECT_EQ(out[2][l], u(uint64_t(v << c >> 32)));
    EXPECT_EQ(out[3][l], u(uint64_t(v >> c)));
  }
}

TEST(Integer, PermuteBytes) {
  std::vector<uint64_t> a(32, 0x83020100), b(32, 0x87868504), c(32);
  for (int l = 0; l < 32; ++l)
    c[l] = (l * 0x1357 + 0x8421) & 0xFFFF;
  auto out = runLanes(
      "prmt.b32 %z0, %w0, %w1, %w2; prmt.b32.f4e %z1, %w0, %w1, %w2; "
      "prmt.b32.b4e %z2, %w0, %w1, %w2; prmt.b32.rc8 %z3, %w0, %w1, %w2; "
      "prmt.b32.ecl %z4, %w0, %w1, %w2; prmt.b32.ecr %z5, %w0, %w1, %w2; "
      "prmt.b32.rc16 %z6, %w0, %w1, %w2;",
      {a, b, c}, "wwwwwww");
  uint8_t bytes[8] = {0x00, 0x01, 0x02, 0x83, 0x04, 0x85, 0x86, 0x87};
  // Bytes 3 to 0 of each mode, from the manual's table.
  const int f4e[4][4] = {
      {3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}};
  const int b4e[4][4] = {
      {5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}};
  const int ecl[4][4] = {
      {3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}};
  const int ecr[4][4] = {
      {0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}};
  const int rc16[4][4] = {
      {1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}};
  auto by = [&](const int (&t)[4]) {
    return uint32_t(bytes[t[0]]) << 24 | bytes[t[1]] << 16 | bytes[t[2]] << 8 |
           bytes[t[3]];
  };
  for (int l = 0; l < 32; ++l) {
    uint32_t r = 0;
    for (int k = 0; k < 4; ++k) {
      int sel = c[l] >> (4 * k) & 15;
      uint8_t v = bytes[sel & 7];
      r |= uint32_t(sel & 8 ? (v & 0x80 ? 0xFF : 0) : v) << (8 * k);
    }
    int n = c[l] & 3;
    EXPECT_EQ(out[0][l], r);
    EXPECT_EQ(out[1][l], by(f4e[n]));
    EXPECT_EQ(out[2][l], by(b4e[n]));
    EXPECT_EQ(out[3][l], bytes[n] * 0x01010101u);
    EXPECT_EQ(out[4][l], by(ecl[n]));
    EXPECT_EQ(out[5][l], by(ecr[n]));
    EXPECT_EQ(out[6][l], by(rc16[n]));
  }
}

TEST(Integer, BitFields) {
  std::vector<uint64_t> a = mixedValues(64, 3), b = mixedValues(64, 4), p(32),
                        n(32);
  for (int l = 0; l < 32; ++l) {
    p[l] = l * 3;
    n[l] = (l * 7) % 40;
  }
  auto out = runLanes(
      "bfe.u32 %z0, %w0, %w2, %w3; bfe.s32 %z1, %w0, %w2, %w3; bfe.s64 %q2, "
      "%a0, %w2, %w3; bfi.b32 %z3, %w0, %w1, %w2, %w3; bfi.b64 %q4, %a0, %a1, "
      "%w2, %w3; lop3.b32 %z5, %w0, %w1, %w2, 0xD8; popc.b64 %z6, %a0; clz.b32 "
      "%z7, %w0; bfind.s32 %z8, %w0; bfind.shiftamt.u64 %z9, %a0; brev.b32 "
      "%z10, %w0; szext.wrap.s32 %z11, %w0, %w2; cnot.b32 %z12, %w0;",
      {a, b, p, n}, "wwdwdwwwwwwww");
  for (int l = 0; l < 32; ++l) {
    uint32_t x = u(a[l]);
    auto field = [&](uint64_t v, int width, bool isSigned) {
      uint64_t r = 0;
      int sign = n[l] == 0 ? -1 : std::min<int>(p[l] + n[l] - 1, width - 1);
      for (int k = 0; k < width; ++k) {
        int from = k < int(n[l]) ? int(p[l]) + k : width;
        bool bit = from < width ? v >> from & 1
                                : isSigned && sign >= 0 && (v >> sign & 1);
        r |= uint64_t(bit) << k;
      }
      return r;
    };
    EXPECT_EQ(out[0][l], field(x, 32, false));
    EXPECT_EQ(out[1][l], field(x, 32, true));
    EXPECT_EQ(out[2][l], field(a[l], 64, true));
    auto insert = [&](uint64_t f, uint64_t into, int width) {
      for (int k = 0; k < int(n[l]) && int(p[l]) + k < width; ++k) {
        into &= ~(uint64_t(1) << (p[l] + k));
        into |= (f >> k & 1) << (p[l] + k);
      }
      return into;
    };
    EXPECT_EQ(out[3][l], insert(x, u(b[l]), 32));
    EXPECT_EQ(out[4][l], insert(a[l], b[l], 64));
    // 0xD8 is c ? a : b by the law a = 0xF0, b = 0xCC, c = 0xAA: check bits.
    uint32_t r = 0;
    for (int k = 0; k < 32; ++k) {
      int at = (x >> k & 1) * 4 + (u(b[l]) >> k & 1) * 2 + (u(p[l]) >> k & 1);
      r |= uint32_t(0xD8 >> at & 1) << k;
    }
    EXPECT_EQ(out[5][l], r);
    int ones = 0, high = -1, high64 = -1, diff = -1;
    uint32_t rev = 0;
    for (int k = 0; k < 64; ++k) {
      ones += a[l] >> k & 1;
      if (a[l] >> k & 1)
        high64 = k;
    }
    for (int k = 0; k < 32; ++k) {
      if (x >> k & 1)
        high = k;
      if ((x >> k & 1) != (x >> 31))
        diff = k;
      rev |= (x >> k & 1) << (31 - k);
    }
    EXPECT_EQ(out[6][l], uint64_t(ones));
    EXPECT_EQ(out[7][l], uint64_t(31 - high));
    EXPECT_EQ(out[8][l], u(diff));
    EXPECT_EQ(out[9][l], high64 < 0 ? 0xFFFFFFFF : uint64_t(63 - high64));
    EXPECT_EQ(out[10][l], rev);
    int w = p[l] % 32;
    EXPECT_EQ(out[11][l], w == 0 ? 0 : u(s(x << (32 - w)) >> (32 - w)));
    EXPECT_EQ(out[12][l], uint64_t(x == 0));
  }
}

TEST(Integer, CarryChains) {
  std::vector<uint64_t> a = mixedValues(64, 11), b = mixedValues(64, 12);
  auto out = runLanes(
      "{ .reg .b32 l0,h0,l1,h1; mov.b64 {l0,h0}, %a0; mov.b64 {l1,h1}, %a1; "
      "add.cc.u32 %z0, l0, l1; addc.u32 %z1, h0, h1; sub.cc.u32 %z2, l0, l1; "
      "subc.u32 %z3, h0, h1; mul.lo.u32 %z4, l0, l1; mul.hi.u32 %z5, l0, l1; "
      "mad.lo.cc.u32 %z5, l0, h1, %z5; madc.hi.u32 %z6, l0, h1, 0; }",
      {a, b}, "wwwwwww");
  for (int l = 0; l < 32; ++l) {
    uint64_t sum = a[l] + b[l], diff = a[l] - b[l];
    EXPECT_EQ(out[0][l] | out[1][l] << 32, sum);
    EXPECT_EQ(out[2][l] | out[3][l] << 32, diff);
    I128 p = I128(uint32_t(a[l])) * b[l];
    EXPECT_EQ(out[4][l] | out[5][l] << 32, uint64_t(p));
    EXPECT_EQ(out[6][l], uint64_t(p >> 64));
  }
}

TEST(Integer, DotProductsAndVideo) {
  std::vector<uint64_t> a = mixedValues(32, 21), b = mixedValues(32, 22),
                        c = mixedValues(32, 23);
  auto out = runLanes(
      "dp4a.s32.u32 %z0, %w0, %w1, %w2; dp2a.hi.u32.s32 %z1, %w0, %w1, %w2; "
      "vadd4.s32.s32.s32.sat %z2, %w0, %w1, %w2; vabsdiff4.u32.u32.u32 %z3, "
      "%w0, %w1, %w2; vset4.u32.u32.gt %z4, %w0, %w1, %w2; sad.s32 %z5, %w0, "
      "%w1, %w2;",
      {a, b, c}, "wwwwww");
  for (int l = 0; l < 32; ++l) {
    uint32_t d4 = u(c[l]), d2 = u(c[l]), add = 0, diff = 0, set = 0;
    for (int k = 0; k < 4; ++k) {
      int8_t sa = int8_t(a[l] >> (8 * k)), sb = int8_t(b[l] >> (8 * k));
      uint8_t ua = uint8_t(sa), ub = uint8_t(sb);
      d4 += u(sa * ub);
      if (k < 2)
        d2 += u(int(a[l] >> (16 * k) & 0xFFFF) * int8_t(b[l] >> (16 + 8 * k)));
      int sum = sa + sb;
      add |= u(uint8_t(sum > 127 ? 127 : sum < -128 ? -128 : sum)) << (8 * k);
      diff |= u(ua > ub ? ua - ub : ub - ua) << (8 * k);
      set |= u(ua > ub) << (8 * k);
    }
    EXPECT_EQ(out[0][l], d4);
    EXPECT_EQ(out[1][l], d2);
    EXPECT_EQ(out[2][l], add);
    EXPECT_EQ(out[3][l], diff);
    EXPECT_EQ(out[4][l], set);
    int64_t delta = int64_t(s(a[l])) - s(b[l]);
    EXPECT_EQ(out[5][l], u(c[l] + uint64_t(delta < 0 ? -delta : delta)));
  }
}

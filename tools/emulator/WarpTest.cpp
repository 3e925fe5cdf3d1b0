// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of what the lanes of a warp do together: shuffles, votes, matrices.
#include "tools/emulator/TestSupport.h"

#include <cmath>

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

static std::vector<uint64_t> iota(uint64_t base = 0) {
  std::vector<uint64_t> v(32);
  for (int l = 0; l < 32; ++l)
    v[l] = base + l;
  return v;
}

TEST(Warp, Shuffles) {
  auto out = runLanes(
      "shfl.sync.up.b32 %z0|%p4, %w0, 3, 0, -1; shfl.sync.down.b32 %z1|%p5, "
      "%w0, 3, 31, -1; shfl.sync.bfly.b32 %z2, %w0, 5, 31, -1; "
      "shfl.sync.idx.b32 %z3, %w0, 2, 0x181f, -1; selp.b32 %z4, 1, 0, %p4; "
      "selp.b32 %z5, 1, 0, %p5;",
      {iota(100)}, "wwwwww");
  for (int l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l], uint64_t(100 + (l >= 3 ? l - 3 : l)));
    EXPECT_EQ(out[4][l], uint64_t(l >= 3));
    EXPECT_EQ(out[1][l], uint64_t(100 + (l + 3 < 32 ? l + 3 : l)));
    EXPECT_EQ(out[5][l], uint64_t(l + 3 < 32));
    EXPECT_EQ(out[2][l], uint64_t(100 + (l ^ 5)));
    EXPECT_EQ(out[3][l], uint64_t(100 + (l & 24) + 2)); // Segments of eight.
  }
}

TEST(Warp, VotesAndMatches) {
  std::vector<uint64_t> a = iota();
  auto out = runLanes(
      "setp.lt.u32 %p6, %w0, 5; vote.sync.ballot.b32 %z0, %p6, -1; "
      "vote.sync.all.pred %p1, %p6, -1; vote.sync.any.pred %p2, %p6, -1; "
      "vote.sync.uni.pred %p3, %p6, -1; and.b32 %w1, %w0, 3; "
      "match.any.sync.b32 %z4, %w1, -1; match.all.sync.b32 %z5|%p7, %w1, -1; "
      "redux.sync.add.s32 %z6, %w0, -1; redux.sync.max.u32 %z7, %w0, -1; "
      "redux.sync.xor.b32 %z8, %w0, -1; elect.sync %z9|%p10, -1; "
      "activemask.b32 %z11; mov.u32 %z12, %lanemask_lt;",
      {a}, "wpppwwwwwwpww");
  for (int l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l], 31u);
    EXPECT_EQ(out[1][l], 0u);
    EXPECT_EQ(out[2][l], 1u);
    EXPECT_EQ(out[3][l], 0u);
    EXPECT_EQ(out[4][l], 0x11111111u << (l & 3));
    EXPECT_EQ(out[5][l], 0u);
    EXPECT_EQ(out[6][l], 496u);
    EXPECT_EQ(out[7][l], 31u);
    EXPECT_EQ(out[8][l], 0u);
    EXPECT_EQ(out[9][l], 0u);
    EXPECT_EQ(out[10][l], uint64_t(l == 0));
    EXPECT_EQ(out[11][l], 0xFFFFFFFFu);
    EXPECT_EQ(out[12][l], (1u << l) - 1);
  }
}

// Lanes part, loop different numbers of times, and meet again.
TEST(Warp, DivergenceReconverges) {
  auto out = runLanes(
      "mov.u32 %z0, 0; mov.u32 %w1, %w0;\n"
      "L: setp.eq.u32 %p0, %w1, 0; @%p0 bra D; add.u32 %z0, %z0, %w1; sub.u32 "
      "%w1, %w1, 1; bra L;\n"
      "D: redux.sync.add.u32 %z1, %z0, -1; activemask.b32 %z2;",
      {iota()}, "www");
  uint64_t total = 0;
  for (uint64_t l = 0; l < 32; ++l)
    total += l * (l + 1) / 2;
  for (uint64_t l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l], l * (l + 1) / 2);
    EXPECT_EQ(out[1][l], total);
    EXPECT_EQ(out[2][l], 0xFFFFFFFFu);
  }
}

// Two branches name each other's lanes in bar.warp.sync at different places.
TEST(Warp, SyncAtDifferentPlaces) {
  auto out = runLanes("setp.lt.u32 %p0, %w0, 16; @%p0 bra A; mov.u32 %z0, 1; "
                      "bar.warp.sync -1; bra E;\n"
                      "A: mov.u32 %z0, 2; bar.warp.sync -1;\nE:",
                      {iota()}, "w");
  EXPECT_EQ(out[0][0], 2u);
  EXPECT_EQ(out[0][31], 1u);
}

// A lane that spins lets the lane that it waits for run.
TEST(Warp, SpinningLaneLetsOthersRun) {
  auto out = runLanes(
      "{ .shared .b32 flag; setp.ne.u32 %p0, %w0, 31; mov.u32 %z0, 0; @%p0 bra "
      "S; bar.warp.sync 0x80000000; st.volatile.shared.b32 [flag], 0; bra I;\n"
      "S: bar.warp.sync 0x7fffffff;\n"
      "I: bar.warp.sync -1; setp.eq.u32 %p1, %w0, 31; @%p1 bra W;\n"
      "P: ld.volatile.shared.b32 %z0, [flag]; setp.eq.u32 %p2, %z0, 0; @%p2 "
      "bra "
      "P; bra E;\n"
      "W: st.volatile.shared.b32 [flag], 7;\nE: }",
      {iota()}, "w");
  EXPECT_EQ(out[0][3], 7u);
}

TEST(Warp, IndexedBranch) {
  auto out = runLanes("{ and.b32 %w1, %w0, 3; T: .branchtargets A, B, C, A; "
                      "brx.idx %w1, T;\n"
                      "A: mov.u32 %z0, 10; bra E;\nB: mov.u32 %z0, 20; bra E;\n"
                      "C: mov.u32 %z0, 30;\nE: }",
                      {iota()}, "w");
  for (int l = 0; l < 32; ++l)
    EXPECT_EQ(out[0][l], std::vector<uint64_t>({10, 20, 30, 10})[l & 3]);
}

//===----------------------------------------------------------------------===//
// Matrices: fragments by the formulas of the manual
//===----------------------------------------------------------------------===//

namespace {

struct Shape {
  const char *opcode;
  int m, n, k;
  int bits;                         ///< Of an A or B element in its register.
  const cases::FloatFormat *format; ///< Null: signed integers.
  char accumulator;                 ///< f f32, h f16, i s32, d f64.
};

uint64_t encodeElement(const Shape &s, int value) {
  if (s.format == &cases::kTF32)
    return cases::encodeFloat(cases::kF32, value, cases::Rounding::NearestEven);
  if (s.format)
    return cases::encodeFloat(*s.format, value, cases::Rounding::NearestEven);
  return uint64_t(value) & ((uint64_t(1) << s.bits) - 1);
}

/// Factors and sum of a product with small numbers.
struct Operands {
  explicit Operands(const Shape &s) : A(s.m * s.k), B(s.k * s.n), C(s.m * s.n) {
    cases::SplitMix64 random(s.m * 1000 + s.k * 10 + s.bits);
    for (int &v : A)
      v = int(random.next() % 5) - 2;
    for (int &v : B)
      v = int(random.next() % 5) - 2;
    for (int &v : C)
      v = int(random.next() % 9) - 4;
  }

  std::vector<int> A, B, C;
};

/// Registers that a product takes.
struct MmaRegisters {
  explicit MmaRegisters(const Shape &s)
      : e(s.bits == 64 ? 1 : 32 / s.bits), a(s.m * s.k / 32 / e),
        b(s.n * s.k / 32 / e),
        c(s.accumulator == 'h' ? s.m * s.n / 64 : s.m * s.n / 32) {}

  /// Elements of a register, and registers of A, B and the sum.
  int e, a, b, c;
};

uint64_t bits64(double d) {
  uint64_t b;
  std::memcpy(&b, &d, 8);
  return b;
}

/// Lays `f` out in the fragments of PTX: by register, then by lane.
std::vector<std::vector<uint64_t>> makeFragments(const Shape &s,
                                                 const Operands &f) {
  MmaRegisters n(s);
  bool wide = s.bits == 64;
  int e = n.e, rows = s.m / 8;
  std::vector<std::vector<uint64_t>> in(n.a + n.b + n.c,
                                        std::vector<uint64_t>(32, 0));
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (int r = 0; r < n.a; ++r)
      for (int j = 0; j < e; ++j) {
        int row = g + 8 * (r % rows), col = e * t + j + 4 * e * (r / rows);
        int v = f.A[row * s.k + col];
        in[r][l] |= wide ? bits64(v) : encodeElement(s, v) << (j * s.bits);
      }
    for (int r = 0; r < n.b; ++r)
      for (int j = 0; j < e; ++j) {
        int k = e * t + j + 4 * e * r;
        int v = f.B[k * s.n + g];
        in[n.a + r][l] |=
            wide ? bits64(v) : encodeElement(s, v) << (j * s.bits);
      }
    for (int i = 0; i < s.m * s.n / 32; ++i) {
      int row = g + 8 * (i >> 1), col = 2 * t + (i & 1);
      int v = f.C[row * s.n + col];
      uint64_t &slot = in[n.a + n.b + (s.accumulator == 'h' ? i / 2 : i)][l];
      if (s.accumulator == 'h')
        slot |= cases::encodeFloat(cases::kF16, v, cases::Rounding::NearestEven)
                << (16 * (i & 1));
      else
        slot = s.accumulator == 'f'
                   ? cases::encodeFloat(cases::kF32, v,
                                        cases::Rounding::NearestEven)
               : s.accumulator == 'd' ? bits64(v)
                                      : uint32_t(v);
    }
  }
  return in;
}

void checkMma(const Shape &s) {
  Operands f(s);
  MmaRegisters n(s);
  bool wide = s.bits == 64;
  auto list = [&](const char *prefix, int first, int count) {
    std::string out = "{";
    for (int k = 0; k < count; ++k)
      out += (k ? ", " : "") + std::string(prefix) + std::to_string(first + k);
    return out + "}";
  };
  const char *reg = wide ? "%a" : "%w";
  std::string code = std::string(s.opcode) + " " +
                     list(wide ? "%q" : "%z", 0, n.c) + ", " +
                     list(reg, 0, n.a) + ", " + list(reg, n.a, n.b) + ", " +
                     list(reg, n.a + n.b, n.c) + ";";
  auto out =
      runLanes(code, makeFragments(s, f), std::string(n.c, wide ? 'd' : 'w'));
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (int i = 0; i < s.m * s.n / 32; ++i) {
      int row = g + 8 * (i >> 1), col = 2 * t + (i & 1);
      int want = f.C[row * s.n + col];
      for (int k = 0; k < s.k; ++k)
        want += f.A[row * s.k + k] * f.B[k * s.n + col];
      double got;
      if (s.accumulator == 'h')
        got = cases::decodeFloat(cases::kF16,
                                 out[i / 2][l] >> (16 * (i & 1)) & 0xFFFF);
      else if (s.accumulator == 'f')
        got = cases::decodeFloat(cases::kF32, out[i][l]);
      else if (s.accumulator == 'd')
        got = cases::decodeFloat(cases::kF64, out[i][l]);
      else
        got = int32_t(out[i][l]);
      ASSERT_EQ(got, want) << s.opcode << " row " << row << " col " << col;
    }
  }
}

} // namespace

TEST(Matrix, MmaFragments) {
  using namespace cases;
  const Shape shapes[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 16,
       &kF16, 'f'},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 16, &kF16,
       'f'},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, 16,
       &kF16, 'h'},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 16,
       &kBF16, 'f'},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 32,
       &kTF32, 'f'},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, 32,
       &kTF32, 'f'},
      {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 8,
       &kE4M3, 'f'},
      {"mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32", 16, 8, 16, 8,
       &kE5M2, 'f'},
      {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", 16, 8, 32, 8,
       &kE4M3, 'h'},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 8, nullptr,
       'i'},
      {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", 16, 8, 16, 8, nullptr,
       'i'},
      {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 8, nullptr,
       'i'},
      {"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, 4, nullptr,
       'i'},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32", 16, 8, 32, 4, nullptr,
       'i'},
      {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 64, &kF64,
       'd'},
      {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, 64, &kF64,
       'd'},
      {"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 8, 64, &kF64,
       'd'},
      {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 16, 64,
       &kF64, 'd'},
  };
  for (const Shape &s : shapes)
    checkMma(s);
}

TEST(Matrix, BitMma) {
  std::vector<std::vector<uint64_t>> in;
  cases::SplitMix64 random(3);
  for (int k = 0; k < 6; ++k) {
    in.emplace_back();
    for (int l = 0; l < 32; ++l)
      in.back().push_back(random.next() & 0xFFFFFFFF);
  }
  in.resize(10, std::vector<uint64_t>(32, 5));
  auto out =
      runLanes("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc "
               "{%z0,%z1,%z2,%z3}, {%w0,%w1,%w2,%w3}, {%w4,%w5}, "
               "{%w6,%w7,%w8,%w9};",
               in, "wwww");
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < 4; ++i) {
      int row = l / 4 + 8 * (i >> 1), col = 2 * (l % 4) + (i & 1), sum = 5;
      for (int k = 0; k < 256; ++k) {
        int word = k / 32, t = word % 4, half = word / 4;
        int a = in[(row >= 8) + 2 * half][4 * (row % 8) + t] >> (k % 32) & 1;
        int b = in[4 + half][4 * col + t] >> (k % 32) & 1;
        sum += a ^ b;
      }
      EXPECT_EQ(int(out[i][l]), sum);
    }
}

// Scales: of A from lane t = row / 8 of the quad, of B from lane t = 0.
TEST(Matrix, BlockScaledMma) {
  std::vector<std::vector<uint64_t>> in(12, std::vector<uint64_t>(32, 0));
  for (int r = 0; r < 6; ++r) // All ones of e4m3.
    in[r].assign(32, 0x38383838);
  for (int l = 0; l < 32; ++l) {
    in[10][l] = 127 + (l % 4 < 2 ? l / 4 % 3 + l % 4 : 99); // ue8m0 of A.
    in[11][l] = 127 + (l % 4 == 0 ? l / 4 % 2 : 99);
  }
  auto out = runLanes(
      "mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row."
      "col.f32.e4m3.e4m3.f32.ue8m0 {%z0,%z1,%z2,%z3}, {%w0,%w1,%w2,%w3}, "
      "{%w4,%w5}, {%w6,%w7,%w8,%w9}, %w10, {0, 0}, %w11, {0, 0};",
      in, "wwww", "sm_120a");
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < 4; ++i) {
      int g = l / 4, half = i >> 1, col = 2 * (l % 4) + (i & 1);
      double want = 32 * std::exp2(g % 3 + half) * std::exp2(col % 2);
      EXPECT_EQ(cases::decodeFloat(cases::kF32, out[i][l]), want);
    }
}

TEST(Matrix, LoadAndStoreMatrix) {
  auto out = runLanes(
      "{ .shared .align 16 .b8 tile[512]; .reg .b32 b, o; mov.u32 b, tile; "
      "mad.lo.u32 o, %w0, 16, b; mul.lo.u32 %w1, %w0, 8; mov.u32 %w2, 0;\n"
      // Lane l writes halves 8l … 8l+7: row l of four stacked 8 x 8 matrices.
      "L: add.u32 %w3, %w1, %w2; cvt.u16.u32 %h0, %w3; mad.lo.u32 %w4, %w2, 2, "
      "o; st.shared.b16 [%w4], %h0; add.u32 %w2, %w2, 1; setp.lt.u32 %p0, %w2, "
      "8; @%p0 bra L; bar.warp.sync -1;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%z0,%z1,%z2,%z3}, [o]; "
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%z4,%z5}, [o]; "
      "movmatrix.sync.aligned.m8n8.trans.b16 %z6, %z0; bar.warp.sync -1; "
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [o], {%z0,%z1,%z2,%z3}; "
      "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%z7}, [o]; "
      "}",
      {iota()}, "wwwwwwww");
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    auto element = [](int matrix, int row, int col) {
      return uint64_t(64 * matrix + 8 * row + col);
    };
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(out[j][l], element(j, g, 2 * t) | element(j, g, 2 * t + 1)
                                                      << 16);
    for (int j = 0; j < 2; ++j)
      EXPECT_EQ(out[4 + j][l], element(j, 2 * t, g) | element(j, 2 * t + 1, g)
                                                          << 16);
    EXPECT_EQ(out[6][l], out[4][l]);
    EXPECT_EQ(out[7][l], out[4][l]); // Stored transposed, read back plainly.
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Memory, VectorsAndExtension) {
  std::vector<uint64_t> a = mixedValues(64, 77);
  auto out = runLanes(
      "{ .local .align 16 .b8 depot[32]; st.local.v2.b64 [depot], {%a0, %a0}; "
      "ld.local.v4.b32 {%z0, %z1, %z2, %z3}, [depot]; ld.local.s8 %z4, "
      "[depot+1]; ld.local.u16 %q5, [depot+2]; ld.local.s16 %z6, [depot+4]; }",
      {a}, "wwwwwdw");
  for (int l = 0; l < 32; ++l) {
    EXPECT_EQ(out[0][l], a[l] & 0xFFFFFFFF);
    EXPECT_EQ(out[3][l], a[l] >> 32);
    EXPECT_EQ(out[4][l], uint32_t(int8_t(a[l] >> 8)));
    EXPECT_EQ(out[5][l], a[l] >> 16 & 0xFFFF);
    EXPECT_EQ(out[6][l], uint32_t(int16_t(a[l] >> 32)));
  }
}

TEST(Memory, Atomics) {
  auto out = runLanes(
      "{ .shared .align 8 .b32 c[8]; setp.eq.u32 %p5, %w0, 0; @%p5 "
      "st.shared.v4.b32 "
      "[c], {0, 0, 0, 3}; @%p5 st.shared.v2.b32 [c+16], {0, 0}; bar.warp.sync "
      "-1; atom.shared.add.u32 %z0, [c], 1; red.shared.max.s32 [c+4], %w0; "
      "atom.shared.inc.u32 %z1, [c+8], 2; atom.shared.cas.b32 %z2, [c+12], 3, "
      "%w0; red.shared.add.f32 [c+16], 0f3F000000; atom.shared.exch.b32 %z3, "
      "[c+20], %w0; bar.warp.sync -1; ld.shared.b32 %z4, [c]; ld.shared.b32 "
      "%z5, "
      "[c+4]; ld.shared.b32 %z6, [c+8]; ld.shared.b32 %z7, [c+12]; "
      "ld.shared.b32 %z8, [c+16]; }",
      {iota()}, "wwwwwwwww");
  uint64_t seen = 0;
  int threes = 0;
  for (int l = 0; l < 32; ++l) {
    seen |= 1ull << out[0][l];
    EXPECT_LT(out[1][l], 3u);
    threes += out[2][l] == 3;
    EXPECT_EQ(out[4][l], 32u);
    EXPECT_EQ(out[5][l], 31u);
    EXPECT_EQ(out[6][l], 2u); // 32 steps of a cycle of three.
    EXPECT_EQ(out[8][l], 0x41800000u);
  }
  EXPECT_EQ(seen, 0xFFFFFFFFu);
  EXPECT_GE(threes, 1);
}

static const char kAsyncCopy[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.shared .align 16 .b8 tile[1024];
.reg .b64 %a, %b, %o; .reg .b32 %s, %t, %v, %n; .reg .pred %p;
ld.param.u64 %a, [in]; ld.param.u64 %b, [out];
mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 16; add.u64 %a, %a, %o;
mov.u32 %s, tile; mad.lo.u32 %s, %t, 16, %s;
mov.u32 %n, 16; setp.eq.u32 %p, %t, 5; selp.b32 %n, 4, 16, %p;
cp.async.cg.shared.global [%s], [%a], 16, %n;
cp.async.commit_group;
cp.async.wait_group 0;
bar.sync 0;
mov.u32 %s, tile; xor.b32 %t, %t, 63; mad.lo.u32 %s, %t, 16, %s;
ld.shared.b32 %v, [%s+4];
mul.wide.u32 %o, %t, 4; add.u64 %b, %b, %o; st.global.b32 [%b], %v;
ret;
}
)";

TEST(Memory, AsyncCopyInEveryMode) {
  for (AsyncMode mode :
       {AsyncMode::Early, AsyncMode::Late, AsyncMode::Random}) {
    Runner r;
    Options options;
    options.async = mode;
    ASSERT_TRUE(r.load(kAsyncCopy, options)) << r.error;
    std::vector<uint32_t> in(256);
    for (uint32_t k = 0; k < 256; ++k)
      in[k] = k;
    r.buffer(in.data(), 1024);
    Region &out = r.buffer(nullptr, 256, false);
    ASSERT_TRUE(r.launch({1, 1, 1}, {64, 1, 1})) << r.error;
    EXPECT_EQ(r.kinds(), std::vector<std::string>());
    std::vector<uint32_t> got(64);
    std::memcpy(got.data(), out.data.data(), 256);
    for (uint32_t k = 0; k < 64; ++k)
      EXPECT_EQ(got[k], k == 5 ? 0 : 4 * k + 1); // Lane 5 took 4 bytes only.
  }
}

TEST(Memory, InitialisersAndCalls) {
  const char *ptx = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b32 table[4] = {1, 2, 3};
.global .align 8 .u64 pointer[2] = {generic(value), value+4};
.global .align 4 .u32 value[2] = {40, 2};
.func (.param .b32 r) twice(.param .b32 x) {
.reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret;
}
.visible .entry k(.param .u64 out) {
.reg .b64 %o, %p, %f; .reg .b32 %a, %b, %c;
ld.param.u64 %o, [out];
ld.global.u64 %p, [pointer+8]; ld.global.u32 %a, [%p]; ld.global.u64 %p, [pointer]; ld.u32 %b, [%p];
add.u32 %a, %a, %b; ld.const.u32 %b, [table+8]; ld.const.u32 %c, [table+12]; add.u32 %a, %a, %b; add.u32 %a, %a, %c;
{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %a; call.uni (r0), twice, (p0); ld.param.b32 %a, [r0]; }
mov.u64 %f, twice;
{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %a; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (r0), %f, (p0), P; ld.param.b32 %a, [r0]; }
st.global.b32 [%o], %a;
ret;
}
)";
  Runner r;
  ASSERT_TRUE(r.load(ptx)) << r.error;
  Region &out = r.buffer(nullptr, 4);
  ASSERT_TRUE(r.launch({1, 1, 1}, {1, 1, 1})) << r.error;
  EXPECT_EQ(r.kinds(), std::vector<std::string>());
  uint32_t value;
  std::memcpy(&value, out.data.data(), 4);
  EXPECT_EQ(value, 4u * (40 + 2 + 3));
}

TEST(Decode, ErrorsNameLineAndCause) {
  auto error = [](const std::string &body) {
    Runner r;
    EXPECT_FALSE(
        r.load(".version 8.0\n.target sm_90a\n.address_size 64\n.entry "
               "k() {\n.reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 "
               "%d<2>;\n" +
               body + "\n}\n"));
    return r.error;
  };
  EXPECT_EQ(error("frobnicate.b32 %r0, %r1;"),
            "line 6: 'frobnicate.b32': unknown instruction");
  EXPECT_EQ(error("add.wild.s32 %r0, %r1, %r2;"),
            "line 6: 'add.wild.s32': unknown modifier '.wild'");
  EXPECT_EQ(error("add.s32 %r0, %r1, %d0;"),
            "line 6: 'add.s32': operand has 64 bits, expected 32");
  EXPECT_EQ(error("bra NOWHERE;"), "line 6: unknown label 'NOWHERE'");
  EXPECT_EQ(error("mov.b32 %r0, %r9;"), "line 6: unknown register '%r9'");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05: one product of 128 x 16 x 16 from allocation to the free, and the
// same with a bug.
#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

using Kinds = std::vector<std::string>;

// A (128 x 64) and B (16 x 64) lie K-major with the 128-byte swizzle; the k
// step reads the first 16 of 64. The accumulator has 16 of 32 columns.
const char kMma[] = R"(.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.shared .align 1024 .b8 ops[18432];
.shared .align 8 .b64 bar;
.shared .align 8 .b32 slot;
.reg .b64 %i, %o, %x, %da, %db; .reg .b32 %t, %s, %v, %n, %ta, %w, %r<16>; .reg .pred %p, %q, %warp0;
ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %n, %t; setp.lt.u32 %warp0, %t, 32; setp.eq.u32 %p, %t, 0;
L: mul.wide.u32 %x, %n, 4; add.u64 %x, %x, %i; ld.global.b32 %v, [%x]; mov.u32 %s, ops; mad.lo.u32 %s, %n, 4, %s; st.shared.b32 [%s], %v;
add.u32 %n, %n, 128; setp.lt.u32 %q, %n, 4608; @%q bra L;
fence.proxy.async.shared::cta;
@%p mbarrier.init.shared::cta.b64 [bar], 1;
@%warp0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
@%warp0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
tcgen05.fence::before_thread_sync;
bar.sync 0;
tcgen05.fence::after_thread_sync;
ld.shared.b32 %ta, [slot];
mov.u32 %s, ops; shr.u32 %s, %s, 4; cvt.u64.u32 %x, %s; or.b64 %da, %x, 0x4000404000010000; add.u64 %x, %x, 1024; or.b64 %db, %x, 0x4000404000010000;
setp.ne.u32 %q, 0, 0;
@!%p bra W;
tcgen05.mma.cta_group::1.kind::f16 [%ta], %da, %db, 0x08040010, %q;
tcgen05.mma.cta_group::1.kind::f16 [%ta], %da, %db, 0x08040010, {0, 0, 0, 0}, 1;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
W: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra W;
tcgen05.fence::after_thread_sync;
and.b32 %w, %t, 96; shl.b32 %w, %w, 16; add.u32 %w, %w, %ta;
tcgen05.ld.sync.aligned.32x32b.x16.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15}, [%w];
tcgen05.wait::ld.sync.aligned;
mul.wide.u32 %x, %t, 64; add.u64 %o, %o, %x;
st.global.v4.b32 [%o], {%r0,%r1,%r2,%r3}; st.global.v4.b32 [%o+16], {%r4,%r5,%r6,%r7}; st.global.v4.b32 [%o+32], {%r8,%r9,%r10,%r11}; st.global.v4.b32 [%o+48], {%r12,%r13,%r14,%r15};
tcgen05.fence::before_thread_sync;
bar.sync 0;
@%warp0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, 32;
ret;
}
)";

struct Result {
  Kinds kinds;
  bool right = true;
};

Result run(std::string ptx, AsyncMode mode) {
  Result result;
  Runner r;
  Options options;
  options.async = mode;
  options.maxSteps = 5000000;
  EXPECT_TRUE(r.load(ptx, options)) << r.error;
  if (!r.error.empty())
    return result;
  std::vector<uint8_t> image(18432, 0);
  int a[128][16], b[16][16];
  cases::SplitMix64 random(5);
  auto put = [&](int base, int row, int k, int value) {
    int at = row * 128 + k * 2;
    at ^= (at >> 7 & 7) << 4;
    uint64_t bits =
        cases::encodeFloat(cases::kF16, value, cases::Rounding::NearestEven);
    std::memcpy(&image[size_t(base + at)], &bits, 2);
  };
  for (int k = 0; k < 16; ++k) {
    for (int m = 0; m < 128; ++m)
      put(0, m, k, a[m][k] = int(random.next() % 5) - 2);
    for (int n = 0; n < 16; ++n)
      put(16384, n, k, b[n][k] = int(random.next() % 5) - 2);
  }
  r.buffer(image.data(), image.size());
  Region &out = r.buffer(nullptr, 128 * 64, false);
  EXPECT_TRUE(r.launch({1, 1, 1}, {128, 1, 1})) << r.error;
  result.kinds = r.kinds();
  for (int m = 0; m < 128; ++m)
    for (int n = 0; n < 16; ++n) {
      float got, want = 0;
      std::memcpy(&got, &out.data[size_t(m * 64 + n * 4)], 4);
      for (int k = 0; k < 16; ++k)
        want += float(2 * a[m][k] * b[n][k]); // Twice the same product.
      result.right &= got == want;
    }
  return result;
}

std::string without(const std::string &text) {
  std::string ptx = kMma;
  size_t at = ptx.find(text);
  EXPECT_NE(at, std::string::npos);
  return ptx.replace(at, text.size(), "");
}

std::string with(const std::string &from, const std::string &to) {
  std::string ptx = kMma;
  size_t at = ptx.find(from);
  EXPECT_NE(at, std::string::npos);
  return ptx.replace(at, from.size(), to);
}

} // namespace

TEST(Tensor, MmaInEveryMode) {
  for (AsyncMode mode :
       {AsyncMode::Early, AsyncMode::Late, AsyncMode::Random}) {
    Result r = run(kMma, mode);
    EXPECT_EQ(r.kinds, Kinds());
    EXPECT_TRUE(r.right);
  }
}

TEST(Tensor, LeakIsNamed) {
  Result r = run(
      without("@%warp0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, 32;"),
      AsyncMode::Early);
  EXPECT_EQ(r.kinds, Kinds{"tmem-leak@14"});
}

TEST(Tensor, MissingWaitIsARace) {
  for (AsyncMode mode : {AsyncMode::Early, AsyncMode::Late}) {
    std::string ptx = with("W: mbarrier.try_wait.parity.shared::cta.b64 %q, "
                           "[bar], 0; @!%q bra W;",
                           "W:");
    Result r = run(ptx, mode);
    ASSERT_FALSE(r.kinds.empty());
    EXPECT_TRUE(r.kinds[0] == "race@29" || r.kinds[0] == "init@29")
        << r.kinds[0];
  }
}

TEST(Tensor, MissingProxyFence) {
  Result r = run(without("fence.proxy.async.shared::cta;"), AsyncMode::Early);
  ASSERT_FALSE(r.kinds.empty());
  EXPECT_EQ(r.kinds[0], "race@23");
}

TEST(Tensor, WarpsSeeTheirOwnLanesOnly) {
  Result r =
      run(with("and.b32 %w, %t, 96;", "mov.u32 %w, 0;"), AsyncMode::Early);
  EXPECT_EQ(r.kinds, Kinds{"tcgen05@29"});
}

TEST(Tensor, ColumnsBeyondTheAllocation) {
  Result r = run(with("[%w];\ntcgen05.wait", "[%w+24];\ntcgen05.wait"),
                 AsyncMode::Early);
  ASSERT_FALSE(r.kinds.empty());
  EXPECT_EQ(r.kinds.back(), "bounds@29");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma against the plain product, with operands laid out in shared memory by
// the rules of the descriptors.
#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

/// Where element (row, k) of a 16-bit operand lies in its image of 8 KiB.
using Layout = std::function<int(int row, int k)>;

/// K-major with a 128-byte swizzle: rows of 64 halves.
int kMajor128(int row, int k) {
  int a = row * 128 + k * 2;
  return a ^ (a >> 7 & 7) << 4;
}
/// K-major, 64-byte swizzle: rows of 32 halves.
int kMajor64(int row, int k) {
  int a = row * 64 + k * 2;
  return a ^ (a >> 7 & 3) << 4;
}
/// K-major without swizzle: core matrices of 8 rows and 16 bytes, along K
/// first.
int kMajorPlain(int row, int k) {
  return row / 8 * 256 + k / 8 * 128 + row % 8 * 16 + k % 8 * 2;
}
/// Rows contiguous, 128-byte swizzle: 64 rows to a line, one line a k.
int rowMajor128(int row, int k) {
  int a = row / 64 * 2048 + k * 128 + row % 64 * 2;
  return a ^ (a >> 7 & 7) << 4;
}

std::string hex(uint64_t v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", (unsigned long long)v);
  return buffer;
}

/// Descriptor bits without the start address.
uint64_t descriptor(int leading, int stride, int swizzle) {
  return uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
         uint64_t(swizzle) << 62;
}

struct Result {
  std::vector<std::string> kinds;
  bool right = true;
};

Result run(const Layout &la, uint64_t da, const Layout &lb, uint64_t db,
           int transA, int transB, AsyncMode mode,
           const std::function<std::string(std::string)> &edit = nullptr) {
  const int N = 16, K = 16;
  std::string ptx = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.shared .align 1024 .b8 ops[16384];
.reg .b64 %i, %o, %x, %da, %db; .reg .b32 %t, %s, %v, %n; .reg .f32 %f<8>; .reg .pred %p, %true;
ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %n, %t;
L: mul.wide.u32 %x, %n, 4; add.u64 %x, %x, %i; ld.global.b32 %v, [%x]; mov.u32 %s, ops; mad.lo.u32 %s, %n, 4, %s; st.shared.b32 [%s], %v;
add.u32 %n, %n, 128; setp.lt.u32 %p, %n, 4096; @%p bra L;
fence.proxy.async.shared::cta;
bar.sync 0;
mov.u32 %s, ops; shr.u32 %s, %s, 4; cvt.u64.u32 %x, %s; or.b64 %da, %x, DESCA; add.u64 %x, %x, 512; or.b64 %db, %x, DESCB;
mov.f32 %f0, 0f3F800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.f32 %f4, %f0; mov.f32 %f5, %f0; mov.f32 %f6, %f0; mov.f32 %f7, %f0;
setp.eq.u32 %true, 0, 0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %da, %db, %true, 1, 1, TA, TB;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
mul.wide.u32 %x, %t, 32; add.u64 %o, %o, %x;
st.global.v4.f32 [%o], {%f0,%f1,%f2,%f3}; st.global.v4.f32 [%o+16], {%f4,%f5,%f6,%f7};
ret;
}
)";
  auto replace = [&](const std::string &from, const std::string &to) {
    ptx.replace(ptx.find(from), from.size(), to);
  };
  replace("DESCA", hex(da));
  replace("DESCB", hex(db));
  replace("TA", std::to_string(transA));
  replace("TB", std::to_string(transB));
  if (edit)
    ptx = edit(ptx);
  Result result;
  Runner r;
  Options options;
  options.async = mode;
  EXPECT_TRUE(r.load(ptx, options)) << r.error;
  if (!r.error.empty())
    return result;
  std::vector<uint8_t> image(16384, 0);
  int a[64][16], b[16][16];
  cases::SplitMix64 random(9);
  auto put = [&](int at, int value) {
    uint64_t bits =
        cases::encodeFloat(cases::kF16, value, cases::Rounding::NearestEven);
    std::memcpy(&image[size_t(at)], &bits, 2);
  };
  for (int k = 0; k < K; ++k) {
    for (int m = 0; m < 64; ++m)
      put(la(m, k), a[m][k] = int(random.next() % 7) - 3);
    for (int n = 0; n < N; ++n)
      put(8192 + lb(n, k), b[n][k] = int(random.next() % 7) - 3);
  }
  r.buffer(image.data(), image.size());
  Region &out = r.buffer(nullptr, 128 * 32, false);
  EXPECT_TRUE(r.launch({1, 1, 1}, {128, 1, 1})) << r.error;
  result.kinds = r.kinds();
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 8; ++i) {
      float got;
      std::memcpy(&got, &out.data[size_t(t) * 32 + size_t(i) * 4], 4);
      int m = t / 32 * 16 + t % 32 / 4 + 8 * (i >> 1 & 1);
      int n = 8 * (i >> 2) + 2 * (t % 4) + (i & 1), want = 1;
      for (int k = 0; k < K; ++k)
        want += a[m][k] * b[n][k];
      result.right &= got == float(want);
    }
  return result;
}

} // namespace

TEST(Wgmma, LayoutsOfDescriptors) {
  for (AsyncMode mode : {AsyncMode::Early, AsyncMode::Late}) {
    struct {
      Layout a;
      uint64_t da;
      Layout b;
      uint64_t db;
      int ta, tb;
    } rows[] = {
        {kMajor128, descriptor(16, 1024, 1), kMajor128, descriptor(16, 1024, 1),
         0, 0},
        {kMajor64, descriptor(16, 512, 2), kMajorPlain, descriptor(128, 256, 0),
         0, 0},
        {kMajorPlain, descriptor(128, 256, 0), rowMajor128,
         descriptor(2048, 1024, 1), 0, 1},
        {rowMajor128, descriptor(2048, 1024, 1), kMajor64,
         descriptor(16, 512, 2), 1, 0},
    };
    for (auto &row : rows) {
      Result r = run(row.a, row.da, row.b, row.db, row.ta, row.tb, mode);
      EXPECT_TRUE(r.right);
      EXPECT_EQ(r.kinds, std::vector<std::string>());
    }
  }
}

TEST(Wgmma, PlantedBugs) {
  uint64_t d = descriptor(16, 1024, 1);
  auto without = [](const std::string &text) {
    return [text](std::string ptx) {
      size_t at = ptx.find(text);
      return ptx.replace(at, text.size(), "");
    };
  };
  // A swizzle that the data does not have.
  EXPECT_FALSE(run(kMajor128, descriptor(16, 1024, 2), kMajor128, d, 0, 0,
                   AsyncMode::Early)
                   .right);
  // No proxy fence after the stores.
  Result r = run(kMajor128, d, kMajor128, d, 0, 0, AsyncMode::Early,
                 without("fence.proxy.async.shared::cta;"));
  ASSERT_FALSE(r.kinds.empty());
  EXPECT_EQ(r.kinds[0], "race@16");
  // No wait: old accumulators, and work in flight at the exit.
  r = run(kMajor128, d, kMajor128, d, 0, 0, AsyncMode::Late,
          without("wgmma.wait_group.sync.aligned 0;"));
  EXPECT_FALSE(r.right);
  EXPECT_EQ(r.kinds, (std::vector<std::string>{"wgmma@20", "wgmma@16"}));
}

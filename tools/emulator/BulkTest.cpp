// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk and tensor copies, clusters: right kernels, and the same with a bug.
#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

using Kinds = std::vector<std::string>;

/// Loads a 64 x 32 box of f16 (128B swizzle... rows of 64 elements), waits, and
/// stores element (tid) of every row to `out` as the kernel finds it in shared
/// memory. Line numbers are those of this text.
const char kLoad[] = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {
.shared .align 1024 .b8 tile[4096];
.shared .align 8 .b64 bar;
.reg .b64 %m, %o, %x; .reg .b32 %t, %s, %b, %v, %w, %y; .reg .pred %p, %q; .reg .b16 %h;
mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %b, bar;
setp.eq.u32 %p, %t, 0;
@%p mbarrier.init.shared::cta.b64 [%b], 1;
@%p fence.mbarrier_init.release.cluster;
bar.sync 0;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], BYTES;
@%p cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%m, {C0, C1}], [%b];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra WAIT;
mov.u32 %y, 0;
LOOP: mad.lo.u32 %v, %y, 128, 0; mad.lo.u32 %v, %t, 2, %v;
shr.u32 %w, %v, 7; and.b32 %w, %w, 7; shl.b32 %w, %w, 4; xor.b32 %w, %v, %w; add.u32 %w, %w, %s;
ld.shared.b16 %h, [%w];
cvt.u64.u32 %x, %v; add.u64 %x, %x, %o; st.global.b16 [%x], %h;
add.u32 %y, %y, 1; setp.lt.u32 %q, %y, 32; @%q bra LOOP;
ret;
}
)";

std::string with(std::string text, const std::string &from,
                 const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

struct TmaRun {
  Runner r;
  std::vector<uint16_t> out;
  Kinds kinds;

  explicit TmaRun(const std::string &ptx, AsyncMode mode = AsyncMode::Random,
                  uint64_t seed = 1) {
    Options options;
    options.async = mode;
    options.seed = seed;
    options.maxSteps = 3000000;
    EXPECT_TRUE(r.load(ptx, options)) << r.error;
    if (!r.error.empty())
      return;
    // A tensor of 100 columns (pitch 104) and 40 rows: element = 100 row + col.
    std::vector<uint16_t> in(104 * 40);
    for (int row = 0; row < 40; ++row)
      for (int col = 0; col < 104; ++col)
        in[row * 104 + col] = uint16_t(100 * row + col);
    Region &source = r.machine->memory.allocate("tensor", in.size() * 2, 256);
    std::memcpy(source.data.data(), in.data(), in.size() * 2);
    Region &result = r.machine->memory.allocate("out", 4096, 256);
    result.written.assign(4096, 0);
    TensorMap map;
    map.address = source.base;
    map.rank = 2;
    map.format = 1;
    map.dims[0] = 100;
    map.dims[1] = 40;
    map.strides[1] = 208;
    map.box[0] = 64;
    map.box[1] = 32;
    map.swizzle = 3;
    Launch l;
    l.grid = {1, 1, 1};
    l.block = {64, 1, 1};
    uint64_t size;
    std::vector<uint64_t> at =
        r.machine->image.parameterOffsets(*r.module.functions[0], size);
    EXPECT_EQ(at[0], 0x30u); // Bank offset 0x210, aligned to 64.
    l.params.resize(size);
    encodeTensorMap(map, &l.params[at[0]]);
    std::memcpy(&l.params[at[1]], &result.base, 8);
    EXPECT_TRUE(r.machine->launch(l, r.error)) << r.error;
    out.resize(2048);
    std::memcpy(out.data(), result.data.data(), 4096);
    kinds = r.kinds();
  }
};

std::string load(int c0, int c1, const char *bytes = "4096") {
  return with(with(with(kLoad, "BYTES", bytes), "C0", std::to_string(c0)), "C1",
              std::to_string(c1));
}

} // namespace

TEST(Tma, LoadsBoxesWithSwizzleAndFill) {
  for (AsyncMode mode : {AsyncMode::Early, AsyncMode::Late, AsyncMode::Random})
    for (auto [c0, c1] : {std::pair<int, int>{0, 0}, {64, 16}, {-8, -3}}) {
      TmaRun run(load(c0, c1), mode);
      EXPECT_EQ(run.kinds, Kinds());
      for (int row = 0; row < 32; ++row)
        for (int col = 0; col < 64; ++col) {
          int x = c0 + col, y = c1 + row;
          bool inside = x >= 0 && x < 100 && y >= 0 && y < 40;
          ASSERT_EQ(run.out[row * 64 + col], inside ? 100 * y + x : 0)
              << row << " " << col << " at " << c0 << "," << c1;
        }
    }
}

TEST(Tma, RemovedWaitIsFound) {
  std::string bad = load(0, 0);
  bad = with(bad,
             "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; "
             "@!%q bra WAIT;",
             "");
  for (AsyncMode mode : {AsyncMode::Early, AsyncMode::Late}) {
    TmaRun run(bad, mode);
    ASSERT_FALSE(run.kinds.empty());
    bool found = false;
    for (const std::string &k : run.kinds)
      found |= k == "race@19" || k == "init@19" || k == "in-flight@14";
    EXPECT_TRUE(found) << run.kinds[0];
  }
}

TEST(Tma, WrongByteCountDeadlocks) {
  TmaRun more(load(0, 0, "4112"));
  ASSERT_FALSE(more.kinds.empty());
  EXPECT_EQ(more.kinds[0], "deadlock@15");
}

TEST(Tma, WrongParityIsFound) {
  TmaRun run(with(load(0, 0), "[%b], 0; @!%q", "[%b], 1; @!%q"),
             AsyncMode::Late);
  EXPECT_FALSE(run.kinds.empty());
}

TEST(Tma, WrongSwizzleGivesOtherValues) {
  TmaRun run(with(load(0, 0), "shl.b32 %w, %w, 4;", "shl.b32 %w, %w, 5;"));
  int wrong = 0;
  for (int k = 0; k < 2048; ++k)
    wrong += run.out[k] != 100 * (k / 64) + k % 64;
  EXPECT_GT(wrong, 0);
}

TEST(Tma, MisalignedDestination) {
  TmaRun run(with(load(0, 0), "[%s], [%m", "[%s+16], [%m"));
  ASSERT_FALSE(run.kinds.empty());
  EXPECT_EQ(run.kinds[0], "align@14");
}

TEST(Tma, BadMapIsNamed) {
  std::string text = with(load(0, 0), "mov.b64 %m, map;",
                          "mov.b64 %m, other; bra SKIP; SKIP:");
  text = with(text, "cvta.param.u64 %m, %m;", "");
  text = with(text, ".address_size 64\n",
              ".address_size 64 .global .align 128 .b8 other[128];\n");
  TmaRun run(text);
  EXPECT_EQ(run.kinds, Kinds{"tensormap@14"});
}

//===----------------------------------------------------------------------===//
// Stores and reductions
//===----------------------------------------------------------------------===//

static const char kStore[] = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
.shared .align 128 .b8 tile[256];
.reg .b64 %o; .reg .b32 %t, %s; .reg .pred %p;
ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;
st.shared.b32 [%s], %t;
fence.proxy.async.shared::cta;
bar.sync 0;
setp.ne.u32 %p, %t, 0; @%p bra END;
cp.async.bulk.global.shared::cta.bulk_group [%o], [tile], 256;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%o+256], [tile], 256;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
END: ret;
}
)";

static Kinds runStore(const std::string &ptx, std::vector<uint32_t> &out,
                      uint64_t seed = 1) {
  Runner r;
  Options options;
  options.seed = seed;
  EXPECT_TRUE(r.load(ptx, options)) << r.error;
  std::vector<uint32_t> in(128, 5);
  Region &b = r.buffer(in.data(), 512);
  EXPECT_TRUE(r.launch({1, 1, 1}, {64, 1, 1})) << r.error;
  out.resize(128);
  std::memcpy(out.data(), b.data.data(), 512);
  return r.kinds();
}

TEST(Bulk, StoresAndReductions) {
  std::vector<uint32_t> out;
  EXPECT_EQ(runStore(kStore, out), Kinds());
  for (uint32_t k = 0; k < 64; ++k) {
    EXPECT_EQ(out[k], k);
    EXPECT_EQ(out[64 + k], 5 + k);
  }
}

TEST(Bulk, MissingProxyFenceIsARace) {
  std::vector<uint32_t> out;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Kinds kinds =
        runStore(with(kStore, "fence.proxy.async.shared::cta;", ""), out, seed);
    ASSERT_FALSE(kinds.empty());
    EXPECT_EQ(kinds[0].substr(0, 6), "race@1");
  }
  // By the issuing thread after the barrier is as good.
  std::string reference = with(kStore, "fence.proxy.async.shared::cta;", "");
  reference = with(reference, "@%p bra END;\n",
                   "@%p bra END; fence.proxy.async.shared::cta;\n");
  EXPECT_EQ(runStore(reference, out), Kinds());
}

TEST(Bulk, MissingReadWaitAtExit) {
  std::vector<uint32_t> out;
  EXPECT_EQ(runStore(with(kStore, "cp.async.bulk.wait_group.read 0;", ""), out),
            Kinds{"in-flight@13"});
}

TEST(Bulk, ReuseBeforeTheReadWait) {
  std::vector<uint32_t> out;
  EXPECT_FALSE(runStore(with(kStore, "cp.async.bulk.wait_group.read 0;",
                             "st.shared.b32 [tile], 7; "
                             "cp.async.bulk.wait_group.read 0;"),
                        out)
                   .empty());
  EXPECT_EQ(runStore(with(kStore, "cp.async.bulk.wait_group.read 0;",
                          "cp.async.bulk.wait_group.read 0; st.shared.b32 "
                          "[tile], 7;"),
                     out),
            Kinds());
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

// Every block writes its rank into its right neighbour and reads its own.
static const char kCluster[] = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) .explicitcluster .reqnctapercluster 4 {
.shared .align 8 .b32 slot;
.reg .b64 %o, %x; .reg .b32 %r, %n, %s, %v;
ld.param.u64 %o, [out]; mov.u32 %r, %cluster_ctarank; add.u32 %n, %r, 1; and.b32 %n, %n, 3; mov.u32 %s, slot;
mapa.shared::cluster.u32 %s, %s, %n; st.shared::cluster.b32 [%s], %r;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
ld.shared.b32 %v, [slot];
mov.u32 %n, %ctaid.x; mul.wide.u32 %x, %n, 4; add.u64 %x, %x, %o; st.global.b32 [%x], %v;
ret;
}
)";

static Kinds runCluster(const std::string &ptx, std::vector<uint32_t> &out) {
  Runner r;
  EXPECT_TRUE(r.load(ptx)) << r.error;
  Region &b = r.buffer(nullptr, 32, false);
  EXPECT_TRUE(r.launch({8, 1, 1}, {32, 1, 1}, {4, 1, 1})) << r.error;
  out.resize(8);
  std::memcpy(out.data(), b.data.data(), 32);
  return r.kinds();
}

TEST(Cluster, DistributedSharedMemory) {
  std::vector<uint32_t> out;
  EXPECT_EQ(runCluster(kCluster, out), Kinds());
  for (uint32_t k = 0; k < 8; ++k)
    EXPECT_EQ(out[k], (k + 3) & 3);
}

TEST(Cluster, MissingBarrierIsFound) {
  std::vector<uint32_t> out;
  Kinds kinds =
      runCluster(with(with(kCluster, "barrier.cluster.arrive.aligned;", ""),
                      "barrier.cluster.wait.aligned;", ""),
                 out);
  ASSERT_FALSE(kinds.empty());
  std::string kind = kinds[0].substr(0, kinds[0].find('@'));
  EXPECT_TRUE(kind == "race" || kind == "init" || kind == "cluster-exit")
      << kind;
}

TEST(Cluster, RankBeyondTheClusterIsFound) {
  std::vector<uint32_t> out;
  EXPECT_EQ(runCluster(with(kCluster, "and.b32 %n, %n, 3;", ""), out),
            Kinds{"cluster@8"});
}

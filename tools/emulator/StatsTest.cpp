// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of --stats against kernels counted by hand.
#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

struct Counted {
  Runner runner;
  const Stats &stats() const { return runner.machine->stats; }
  uint64_t of(int warp, Class cls) const {
    auto it = stats().byWarp.find(warp);
    return it == stats().byWarp.end() ? 0 : it->second[size_t(cls)];
  }
};

/// Runs a body; %r0 is the thread, %d0 and %d1 the two buffers, s 16 KiB of
/// shared memory at %r1. The frame executes 5 instructions.
void count(Counted &c, const std::string &body, uint32_t threads = 32,
           uint32_t blocks = 1, uint32_t cluster = 1,
           const char *target = "sm_90a", const std::string &more = "") {
  std::string ptx =
      std::string(".version 8.3\n.target ") + target +
      "\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b) {\n"
      ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %d<16>; .reg .f32 %f<16>; "
      ".shared .align 1024 .b8 s[16384]; " +
      more +
      "\nld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r0, %tid.x; "
      "mov.u32 %r1, s;\n" +
      body + "\nret;\n}\n";
  Options options;
  options.stats = true;
  ASSERT_TRUE(c.runner.load(ptx, options)) << c.runner.error;
  std::vector<uint32_t> zeros(4096, 0);
  c.runner.buffer(zeros.data(), 16384);
  c.runner.buffer(zeros.data(), 16384);
  ASSERT_TRUE(c.runner.launch({blocks, 1, 1}, {threads, 1, 1}, {cluster, 1, 1}))
      << c.runner.error;
  EXPECT_EQ(c.runner.kinds(), std::vector<std::string>())
      << (c.runner.machine->findings.empty()
              ? ""
              : c.runner.machine->findings[0].message);
}

} // namespace

TEST(Stats, InstructionsByClassAndWarp) {
  Counted c;
  // Warp 1 goes three times around, lane by lane nothing differs; the add of
  // warp 0 runs for 5 lanes.
  count(c,
        "mov.u32 %r2, 0; setp.lt.u32 %p0, %r0, 32; @%p0 bra ONE;\n"
        "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra L;\n"
        "bra END;\nONE: setp.lt.u32 %p2, %r0, 5; @%p2 add.u32 %r2, %r2, 7;\n"
        "END: cvt.rn.f32.u32 %f0, %r2; mul.f32 %f1, %f0, %f0; "
        "st.shared.f32 [%r1+0], 0f00000000; bar.sync 0;",
        64);
  for (int warp : {0, 1}) {
    EXPECT_EQ(c.of(warp, Class::Constant), 2u) << warp; // ld.param
    EXPECT_EQ(c.of(warp, Class::Move), 3u) << warp;
    EXPECT_EQ(c.of(warp, Class::Convert), 1u) << warp;
    EXPECT_EQ(c.of(warp, Class::Float), 1u) << warp;
    EXPECT_EQ(c.of(warp, Class::Shared), 1u) << warp;
    EXPECT_EQ(c.of(warp, Class::Barrier), 1u) << warp;
  }
  // Warp 0: setp, setp, add. Warp 1: setp, three times add and setp.
  EXPECT_EQ(c.of(0, Class::Integer), 3u);
  EXPECT_EQ(c.of(1, Class::Integer), 7u);
  // Branches and the return that execute: warp 0 bra ONE; warp 1 twice bra L,
  // bra END.
  EXPECT_EQ(c.of(0, Class::Control), 2u);
  EXPECT_EQ(c.of(1, Class::Control), 4u);
  // Warp 0: 14 instructions, one of them for 5 lanes; warp 1: 20.
  EXPECT_EQ(c.stats().laneInstructions, 13u * 32 + 5 + 20u * 32);
}

TEST(Stats, BankConflicts) {
  struct {
    const char *body;
    uint64_t passes, ideal, bytes;
  } rows[] = {
      // Words side by side, words two apart, all in one bank, all the same.
      {"shl.b32 %r2, %r0, 2;", 1, 1, 128},
      {"shl.b32 %r2, %r0, 3;", 2, 1, 128},
      {"shl.b32 %r2, %r0, 7;", 32, 1, 128},
      {"mov.u32 %r2, 64;", 1, 1, 128},
      // Rows of 33 words: a column has no conflict.
      {"mul.lo.u32 %r2, %r0, 132;", 1, 1, 128},
  };
  for (auto &row : rows) {
    Counted c;
    count(c, std::string(row.body) +
                 " add.u32 %r2, %r2, %r1; st.shared.u32 [%r2], 0;");
    EXPECT_EQ(c.stats().sharedRequests, 1u) << row.body;
    EXPECT_EQ(c.stats().sharedPasses, row.passes) << row.body;
    EXPECT_EQ(c.stats().sharedIdeal, row.ideal) << row.body;
    EXPECT_EQ(c.stats().sharedBytesWritten, row.bytes) << row.body;
  }
  // 16 bytes a lane go in four phases of 8 lanes: dense, and with a pitch of
  // 128 bytes, where the 8 lanes of a phase meet in one column of banks.
  for (auto [shift, passes] : {std::pair<int, uint64_t>{4, 4}, {7, 32}}) {
    Counted c;
    count(c, "shl.b32 %r2, %r0, " + std::to_string(shift) +
                 "; add.u32 %r2, %r2, %r1; st.shared.v4.u32 [%r2], {%r0, %r0, "
                 "%r0, %r0}; ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];");
    EXPECT_EQ(c.stats().sharedPasses, 2 * passes);
    EXPECT_EQ(c.stats().sharedIdeal, 8u);
    EXPECT_EQ(c.stats().sharedBytesRead, 512u);
    EXPECT_EQ(c.stats().sharedBytesWritten, 512u);
  }
}

TEST(Stats, GlobalSectors) {
  struct {
    const char *address;
    const char *access;
    uint64_t sectors, ideal, bytes;
  } rows[] = {
      {"mul.wide.u32 %d2, %r0, 4;", "ld.global.u32 %r3, [%d2];", 4, 4, 128},
      // Off by four bytes: one sector more.
      {"mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, 4;",
       "ld.global.u32 %r3, [%d2];", 5, 4, 128},
      {"mul.wide.u32 %d2, %r0, 32;", "ld.global.u32 %r3, [%d2];", 32, 4, 128},
      {"mov.u64 %d2, 0;", "ld.global.u32 %r3, [%d2];", 1, 1, 128},
      {"mul.wide.u32 %d2, %r0, 16;",
       "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d2];", 16, 16, 512},
  };
  for (auto &row : rows) {
    Counted c;
    count(c,
          std::string(row.address) + " add.u64 %d2, %d2, %d0; " + row.access);
    EXPECT_EQ(c.stats().globalRequests, 1u) << row.address;
    EXPECT_EQ(c.stats().globalSectors, row.sectors) << row.address;
    EXPECT_EQ(c.stats().globalIdealSectors, row.ideal) << row.address;
    EXPECT_EQ(c.stats().globalBytesRead, row.bytes) << row.address;
  }
  Counted c;
  count(c, "mul.wide.u32 %d2, %r0, 8; add.u64 %d2, %d2, %d1; setp.lt.u32 %p0, "
           "%r0, 7; @%p0 st.global.u64 [%d2], %d0; red.global.add.u32 "
           "[%d1+512], 1;");
  EXPECT_EQ(c.stats().globalRequests, 2u);
  EXPECT_EQ(c.stats().globalSectors, 2u + 1u); // 56 bytes, and one word.
  EXPECT_EQ(c.stats().globalIdealSectors, 2u + 1u);
  EXPECT_EQ(c.stats().globalBytesWritten, 56u + 128u);
}

TEST(Stats, CopiesByPath) {
  Counted c;
  // 20 lanes copy 16 bytes, 5 lanes only 4 of their 8.
  count(c, "mul.wide.u32 %d2, %r0, 16; add.u64 %d2, %d2, %d0; shl.b32 %r2, "
           "%r0, 4; add.u32 %r2, %r2, %r1; setp.lt.u32 %p0, %r0, 20; @%p0 "
           "cp.async.cg.shared.global [%r2], [%d2], 16; setp.lt.u32 %p1, %r0, "
           "5; mov.u32 %r3, 4; add.u32 %r2, %r2, 4096; @%p1 "
           "cp.async.ca.shared.global [%r2], [%d2], 8, %r3; "
           "cp.async.wait_all;");
  EXPECT_EQ(c.stats().asyncBytes, 20u * 16 + 5 * 4);
  EXPECT_EQ(c.stats().globalSectors, 10u + 3u);
  EXPECT_EQ(c.stats().globalBytesRead, 0u);

  // One bulk copy in, one out; then one to both blocks of a cluster.
  const char *wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], "
                     "0; @!%p1 bra W;\n";
  std::string init =
      "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared::cta.b64 [bar], 1; "
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; "
      "barrier.cluster.wait.aligned;\n";
  Counted bulk;
  count(bulk,
        init +
            "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512; "
            "@%p0 "
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[s], [%d0], 512, [bar];\n" +
            wait +
            "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 256; "
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        32, 1, 1, "sm_90a", ".shared .align 8 .b64 bar;");
  EXPECT_EQ(bulk.stats().tmaBytes, 512u + 256u);
  EXPECT_EQ(bulk.stats().multicastBytes, 0u);
  Counted multicast;
  count(multicast,
        init +
            "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512; "
            "mov.u32 %r5, %cluster_ctarank; setp.eq.and.u32 %p2, %r5, 0, %p0; "
            "@%p2 "
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
            "multicast::cluster [s], [%d0], 512, [bar], 3;\n" +
            wait +
            "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
        32, 2, 2, "sm_90a", ".shared .align 8 .b64 bar;");
  EXPECT_EQ(multicast.stats().tmaBytes, 512u);
  EXPECT_EQ(multicast.stats().multicastBytes, 1024u);
}

TEST(Stats, BarrierWaits) {
  // One warp never waits for another.
  Counted one;
  count(one, "bar.sync 0; bar.sync 0;");
  EXPECT_EQ(one.stats().barrierWaitSteps, 0u);
  // Of two warps one waits until the other has arrived; a warp executes 11
  // instructions before the barrier.
  Counted two;
  count(two,
        "add.u32 %r2, %r0, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; "
        "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;\n"
        "bar.sync 0;",
        64);
  EXPECT_EQ(two.stats().barrierWaits, 2u);
  EXPECT_GE(two.stats().barrierWaitSteps, 1u);
  EXPECT_LE(two.stats().barrierWaitSteps, 11u);
}

TEST(Stats, TensorOperations) {
  Counted c;
  count(c,
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}"
        ", {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%f0,%f1,%f2,%f3};\n"
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r8,%r9,%r10,%r11}"
        ", {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%r8,%r9,%r10,%r11};",
        64);
  EXPECT_EQ(c.stats().tensorInstructions, 4u);
  EXPECT_EQ(c.stats().tensorMacs, 2u * (16 * 8 * 16 + 16 * 8 * 32));
  EXPECT_EQ(c.of(1, Class::Matrix), 2u);
  // One wgmma of a group of four warps.
  Counted group;
  count(group,
        "mul.lo.u32 %r2, %r0, 32; add.u32 %r2, %r2, %r1; mov.u32 %r3, 0; "
        "st.shared.v4.u32 [%r2], {%r3,%r3,%r3,%r3}; st.shared.v4.u32 [%r2+16], "
        "{%r3,%r3,%r3,%r3}; fence.proxy.async.shared::cta; bar.sync 0;\n"
        "shr.u32 %r4, %r1, 4; cvt.u64.u32 %d4, %r4; or.b64 %d4, %d4, "
        "0x1000080000; setp.ne.u32 %p0, %r0, %r0;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, "
        "%d4, %d4, %p0, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
        128);
  EXPECT_EQ(group.stats().tensorInstructions, 1u);
  EXPECT_EQ(group.stats().tensorMacs, 64u * 8 * 16);
}

TEST(Stats, SharedMemory) {
  Counted c;
  count(c, "");
  EXPECT_EQ(c.stats().peakShared, 16384u);
}

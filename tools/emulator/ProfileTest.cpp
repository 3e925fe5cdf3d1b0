// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of asynchronous code, each counted by hand beside it.
#include "tools/emulator/Profile.h"

#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

struct Profiled {
  Runner runner;
  const Profile &profile() const { return *runner.machine->profile; }
  const Counters &counters() const { return profile().counters; }
  /// The wait of a kind that was executed `count` times.
  const Counters::Wait *wait(const std::string &kind, uint64_t count) const {
    for (const auto &[at, w] : counters().waits) {
      const char *name = waitName(profile().operations[at].op);
      if (name && kind == name && w.count == count)
        return &w;
    }
    return nullptr;
  }
  uint64_t executed(size_t loop, Op op) const {
    uint64_t n = 0;
    for (size_t k = 0; k < counters().executed.size(); ++k) {
      const Operation &o = profile().operations[k];
      if (o.loop == int(loop) && o.op == op)
        n += counters().executed[k];
    }
    return n;
  }
};

/// Runs a body; %r0 is the thread, %r1 shared memory s, %d0 input and %d1
/// output at 16 bytes a thread.
void run(Profiled &p, const std::string &body, uint32_t threads = 32,
         const char *target = "sm_90a") {
  std::string ptx =
      std::string(".version 8.3\n.target ") + target +
      "\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b) {\n"
      ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %d<16>; .reg .f32 %f<16>; "
      ".shared .align 1024 .b8 s[16384]; .shared .align 8 .b64 bar;\n"
      "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r0, %tid.x; "
      "mov.u32 %r1, s; mul.wide.u32 %d2, %r0, 16; add.u64 %d0, %d0, %d2; "
      "add.u64 %d1, %d1, %d2; mad.lo.u32 %r2, %r0, 16, %r1;\n" +
      body + "\nret;\n}\n";
  Options options;
  options.stats = true;
  ASSERT_TRUE(p.runner.load(ptx, options)) << p.runner.error;
  std::vector<uint32_t> zeros(4096, 0);
  p.runner.buffer(zeros.data(), 16384);
  p.runner.buffer(zeros.data(), 16384);
  ASSERT_TRUE(p.runner.launch({1, 1, 1}, {threads, 1, 1})) << p.runner.error;
  EXPECT_EQ(p.runner.kinds(), std::vector<std::string>())
      << (p.runner.machine->findings.empty()
              ? ""
              : p.runner.machine->findings[0].message);
}

const char *const kMma =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, "
    "{%r12,%r13,%r14,%r15}, {%r16,%r17}, {%f0,%f1,%f2,%f3};\n";

/// Three stages of 512 bytes a warp; four trips that each copy the stage after
/// next and leave `left` groups in flight.
std::string pipeline(int left) {
  return "cp.async.cg.shared.global [%r2], [%d0], 16; "
         "cp.async.commit_group;\n"
         "cp.async.cg.shared.global [%r2+4096], [%d0], 16; "
         "cp.async.commit_group;\n"
         "mov.u32 %r3, 0; mov.u32 %r4, 8192;\n"
         "L: cp.async.wait_group " +
         std::to_string(left) + ";\nbar.sync 0;\n" + kMma +
         "add.u32 %r5, %r2, %r4; cp.async.cg.shared.global [%r5], [%d0], 16; "
         "cp.async.commit_group;\n"
         "add.u32 %r4, %r4, 4096; setp.eq.u32 %p1, %r4, 12288; "
         "selp.b32 %r4, 0, %r4, %p1; add.u32 %r3, %r3, 1; "
         "setp.lt.u32 %p0, %r3, 4;\n@%p0 bra L;\ncp.async.wait_all;";
}

} // namespace

// Two groups of 512 bytes before the loop. Every trip waits for one of them,
// multiplies with the other in flight, and issues a third.
TEST(Profile, BytesInFlightOfAPipeline) {
  Profiled p;
  run(p, pipeline(1), 32, "sm_80");
  const Counters &c = p.counters();
  EXPECT_EQ(c.peakBytes, 1024u);
  EXPECT_EQ(c.atTensorIssue.count, 4u);
  EXPECT_EQ(c.atTensorIssue.least, 512u);
  EXPECT_EQ(c.atTensorIssue.sum, 4u * 512);
  EXPECT_EQ(c.withStageInFlight, 4u);
  ASSERT_TRUE(p.wait("cp_group", 4));
  EXPECT_EQ(p.wait("cp_group", 4)->left.sum, 4u * 512);
  ASSERT_TRUE(p.wait("cp_group", 1)) << "the last one";
  EXPECT_EQ(p.wait("cp_group", 1)->left.sum, 0u);
}

// The same, waiting for everything: nothing is in flight at any product.
TEST(Profile, WaitOfDepthZero) {
  Profiled p;
  run(p, pipeline(0), 32, "sm_80");
  EXPECT_EQ(p.counters().withStageInFlight, 0u);
  EXPECT_EQ(p.counters().atTensorIssue.sum, 0u);
  EXPECT_EQ(p.counters().peakBytes, 1024u) << "before the loop";
}

// Two warps go four times around: a barrier, a product and a copy each time.
TEST(Profile, Loops) {
  Profiled p;
  run(p, pipeline(1), 64, "sm_80");
  ASSERT_EQ(p.profile().operations.loops.size(), 1u);
  EXPECT_EQ(p.counters().iterations[0], 8u);
  EXPECT_EQ(p.executed(0, Op::BarrierWait), 8u);
  EXPECT_EQ(p.executed(0, Op::MmaSync), 8u);
  EXPECT_EQ(p.executed(0, Op::CopyAsync), 8u);
  ASSERT_TRUE(p.wait("barrier", 8));
  const auto &warps = p.counters().byWarp;
  ASSERT_EQ(warps.size(), 2u);
  EXPECT_EQ(warps.at(1).tensor, 4u);
  EXPECT_EQ(warps.at(1).asyncIssues, 6u) << "two of them before the loop";
}

// An inner loop of three trips in an outer one of two, a barrier in the outer:
// what stands in the inner loop does not count for the outer one.
TEST(Profile, LoopsInLoops) {
  Profiled p;
  run(p, "mov.u32 %r3, 0;\nO: mov.u32 %r4, 0; bar.sync 0;\n"
         "I: add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, 3;\n@%p0 bra I;\n"
         "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 2;\n@%p1 bra O;");
  ASSERT_EQ(p.profile().operations.loops.size(), 2u);
  EXPECT_EQ(p.counters().iterations[0], 2u);
  EXPECT_EQ(p.counters().iterations[1], 6u);
  EXPECT_EQ(p.executed(0, Op::BarrierWait), 2u);
  EXPECT_EQ(p.executed(1, Op::BarrierWait), 0u);
  EXPECT_EQ(p.executed(0, Op::Alu), 2u * 3) << "mov, add, setp";
  EXPECT_EQ(p.executed(1, Op::Alu), 6u * 2) << "add, setp";
}

// Three groups of one wgmma and a wait at the end: the second is issued with
// one older group open, the third with two, by each of four warps.
TEST(Profile, OlderGroupsOfWgmma) {
  Profiled p;
  std::string mma =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, "
      "%d4, %d4, %p0, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\n";
  run(p,
      "mul.lo.u32 %r2, %r0, 32; add.u32 %r2, %r2, %r1; mov.u32 %r3, 0; "
      "st.shared.v4.u32 [%r2], {%r3,%r3,%r3,%r3}; st.shared.v4.u32 [%r2+16], "
      "{%r3,%r3,%r3,%r3}; fence.proxy.async.shared::cta; bar.sync 0;\n"
      "shr.u32 %r4, %r1, 4; cvt.u64.u32 %d4, %r4; or.b64 %d4, %d4, "
      "0x1000080000; setp.ne.u32 %p0, %r0, %r0;\nwgmma.fence.sync.aligned;\n" +
          mma + mma + mma + "wgmma.wait_group.sync.aligned 0;",
      128);
  const Counters &c = p.counters();
  EXPECT_EQ(c.wgmmaGroups.count, 12u);
  EXPECT_EQ(c.wgmmaGroups.sum, 4u * (0 + 1 + 2));
  EXPECT_EQ(c.wgmmaGroups.most, 2u);
  EXPECT_EQ(c.withOlderGroup, 8u);
  ASSERT_TRUE(p.wait("wgmma", 4));
}

// A bulk copy is in flight until a thread has waited at its mbarrier.
// However often a warp looks, that is one wait.
TEST(Profile, BulkCopies) {
  Profiled p;
  run(p, "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [bar], 1; "
         "fence.mbarrier_init.release.cluster; bar.sync 0;\n@!%p0 bra W;\n"
         "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512;\n"
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[s], [%d0], 512, [bar];\n"
         "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra W;\n"
         "bar.warp.sync -1;");
  EXPECT_EQ(p.counters().peakBytes, 512u);
  ASSERT_TRUE(p.wait("mbarrier", 1));
  EXPECT_EQ(p.wait("mbarrier", 1)->left.sum, 0u);
  EXPECT_TRUE(p.profile().operations.loops.empty())
      << "a loop that polls is no loop";
}

// Two warps with two loads of 512 bytes each in flight, and with one.
TEST(Profile, LoadsInFlight) {
  Profiled both, one;
  const char *sum = "st.global.v4.u32 [%d1], {%r4,%r5,%r6,%r7};\n";
  run(both,
      std::string("ld.global.v4.u32 {%r4,%r5,%r6,%r7}, [%d0];\n"
                  "ld.global.v4.u32 {%r8,%r9,%r10,%r11}, [%d0+1024];\n") +
          sum + "st.global.v4.u32 [%d1+1024], {%r8,%r9,%r10,%r11};",
      64);
  EXPECT_EQ(both.counters().peakLoadBytes, 2048u);
  run(one,
      std::string("ld.global.v4.u32 {%r4,%r5,%r6,%r7}, [%d0];\n") + sum +
          "ld.global.v4.u32 {%r4,%r5,%r6,%r7}, [%d0+1024];\n"
          "st.global.v4.u32 [%d1+1024], {%r4,%r5,%r6,%r7};",
      64);
  EXPECT_EQ(one.counters().peakLoadBytes, 1024u);
}

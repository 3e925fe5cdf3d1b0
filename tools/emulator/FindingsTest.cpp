// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with a planted bug, each found and named, and correct twins of them
// without a finding.
#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

/// A kernel with parameters `a` and `b`; the body starts at line 8.
std::string kernel(const std::string &body, const char *target = "sm_90a") {
  return std::string(".version 8.0\n.target ") + target +
         "\n.address_size 64\n"
         ".visible .entry k(.param .u64 a, .param .u64 b) {\n"
         ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %d<16>; .shared .align "
         "16 .b8 s[1024];\n"
         "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b];\n"
         "mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4; mov.u32 %r1, s; "
         "mad.lo.u32 %r2, %r0, 4, %r1; add.u64 %d3, %d0, %d2; add.u64 %d4, "
         "%d1, "
         "%d2;\n" +
         body + "\nret;\n}\n";
}

struct LaunchSetup {
  uint32_t blocks = 1, threads = 64;
  size_t aBytes = 1024, bBytes = 1024;
  bool bWritten = false;
  uint64_t seed = 1;
};

std::vector<std::string> find(const std::string &body,
                              LaunchSetup setup = LaunchSetup()) {
  Runner r;
  Options options;
  options.seed = setup.seed;
  options.maxSteps = 2000000;
  EXPECT_TRUE(r.load(kernel(body), options)) << r.error;
  if (!r.machine || !r.error.empty())
    return {"error"};
  std::vector<uint32_t> a(setup.aBytes / 4, 1);
  r.buffer(a.data(), setup.aBytes);
  r.buffer(nullptr, setup.bBytes, setup.bWritten);
  EXPECT_TRUE(r.launch({setup.blocks, 1, 1}, {setup.threads, 1, 1})) << r.error;
  return r.kinds();
}

using Kinds = std::vector<std::string>;

} // namespace

/// Of two quotients in a word one is undefined: a thread that stores the other
/// one does nothing wrong.
TEST(Findings, HalvesOfAWordAreFollowedApart) {
  std::string packed = ".reg .b16 %h<8>; mov.b16 %h0, 7; mov.b16 %h1, 0; "
                       "div.s16 %h2, %h0, %h0; div.s16 %h3, %h0, %h1;\n"
                       "mov.b32 %r3, {%h2, %h3}; add.s16x2 %r4, %r3, %r3; "
                       "mov.b32 {%h4, %h5}, %r4;\n";
  EXPECT_EQ(find(packed + "st.global.b16 [%d4], %h4;"), Kinds());
  EXPECT_EQ(find(packed + "st.global.b16 [%d4], %h5;"), Kinds{"ub@10"});
  EXPECT_EQ(find(packed + "st.global.b32 [%d4], %r4;"), Kinds{"ub@10"});
  EXPECT_EQ(find(packed + "mov.b32 %r5, {%h5, %h4}; mov.b32 {%h6, %h7}, %r5; "
                          "st.global.b16 [%d4], %h7;"),
            Kinds());
  EXPECT_EQ(find(packed + "add.u32 %r5, %r4, %r4; mov.b32 {%h6, %h7}, %r5; "
                          "st.global.b16 [%d4], %h6;"),
            Kinds{"ub@10"});
}

TEST(Findings, RemovedBarrierIsARace) {
  const char *good = "st.shared.b32 [%r2], %r0;\nbar.sync 0;\n"
                     "xor.b32 %r3, %r0, 63; mad.lo.u32 %r3, %r3, 4, %r1; "
                     "ld.shared.b32 %r4, [%r3];\nst.global.b32 [%d4], %r4;";
  EXPECT_EQ(find(good), Kinds());
  std::string bad = good;
  bad.replace(bad.find("bar.sync 0;"), 11, "");
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    LaunchSetup setup;
    setup.seed = seed;
    Kinds kinds = find(bad, setup);
    ASSERT_FALSE(kinds.empty());
    // The later access of the run: the read or the write. A read that comes
    // first reads memory that no thread has written.
    bool named = false;
    for (const std::string &k : kinds)
      named |= k == "race@10" || k == "race@8";
    EXPECT_TRUE(named) << seed;
  }
}

/// Lanes that lie side by side share an entry of who touched memory last: that
/// hides no race with a thread that reads all of it, however narrow they are.
TEST(Findings, NarrowLanesRaceWithAWideRead) {
  for (int bytes : {1, 2, 4, 8}) {
    std::string size = std::to_string(bytes);
    std::string write = "mul.lo.u32 %r3, %r0, " + size +
                        "; add.u32 %r3, %r3, %r1; cvt.u64.u32 %d5, %r0; "
                        "st.shared.u" +
                        std::to_string(8 * bytes) + " [%r3], " +
                        (bytes == 8 ? "%d5" : "%r0") + ";\n";
    // Of the other warp.
    std::string read = "sub.u32 %r4, 63, %r0; shl.b32 %r4, %r4, 4; "
                       "and.b32 %r4, %r4, " +
                       std::to_string(64 * bytes - 16) +
                       "; add.u32 %r4, %r4, %r1; "
                       "ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r4];\n"
                       "st.global.b32 [%d4], %r5;";
    EXPECT_EQ(find(write + "bar.sync 0;\n" + read), Kinds()) << bytes;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      LaunchSetup setup;
      setup.seed = seed;
      // All of it is written before: the first writes are not missed.
      Kinds kinds = find(write + "bar.sync 0; " + write + read, setup);
      ASSERT_FALSE(kinds.empty()) << bytes << " " << seed;
      EXPECT_EQ(kinds[0].substr(0, 5), "race@") << bytes << " " << seed;
    }
  }
}

TEST(Findings, ARunEndsWithAReasonWhateverIsSwitchedOff) {
  // Each stops the machine: the check that says why is off.
  const std::pair<FindingKind, const char *> programs[] = {
      {FindingKind::Bounds, "st.shared.b32 [%r1+4096], %r0;"},
      {FindingKind::Align, "mad.lo.u32 %r3, %r0, 4, 2; add.u32 %r3, %r3, %r1; "
                           "st.shared.b32 [%r3], %r0;"},
      {FindingKind::Mbarrier, "mbarrier.arrive.shared.b64 %d5, [s+512];"},
      {FindingKind::Undefined, "mov.u32 %r3, 17; bar.sync %r3;"},
      {FindingKind::Deadlock,
       "setp.lt.u32 %p0, %r0, 32; @%p0 bar.sync 1, 128;"},
      {FindingKind::Convergence,
       "setp.lt.u32 %p0, %r0, 7; @%p0 bra L; bar.sync 0; ret;\n"
       "L: bar.sync 1; ret;"},
      {FindingKind::MemberMask,
       "setp.lt.u32 %p0, %r0, 7; @%p0 bra L; bar.warp.sync -1; ret;\n"
       "L: shfl.sync.idx.b32 %r3, %r0, 0, 31, -1;"}};
  for (const auto &[kind, body] : programs) {
    Runner r;
    Options options;
    options.maxSteps = 100000;
    options.off.insert(kind);
    ASSERT_TRUE(r.load(kernel(body), options)) << r.error;
    std::vector<uint32_t> a(256, 1);
    r.buffer(a.data(), 1024);
    r.buffer(nullptr, 1024);
    ASSERT_TRUE(r.launch({1, 1, 1}, {64, 1, 1})) << r.error;
    if (kind == FindingKind::Align) { // It goes on.
      EXPECT_EQ(r.kinds(), Kinds());
      continue;
    }
    ASSERT_FALSE(r.machine->findings.empty()) << nameOf(kind);
    EXPECT_EQ(r.machine->findings[0].kind, FindingKind::Timeout)
        << nameOf(kind);
  }
}

TEST(Findings, RaceInsideAWarpNeedsItsBarrier) {
  LaunchSetup one;
  one.threads = 32;
  const char *good = "st.shared.b32 [%r2], %r0;\nbar.warp.sync -1;\n"
                     "xor.b32 %r3, %r0, 1; mad.lo.u32 %r3, %r3, 4, %r1; "
                     "ld.shared.b32 %r4, [%r3]; st.global.b32 [%d4], %r4;";
  EXPECT_EQ(find(good, one), Kinds());
  std::string bad = good;
  bad.replace(bad.find("bar.warp.sync -1;"), 17, "");
  EXPECT_EQ(find(bad, one), Kinds{"race@10"});
}

// Whichever of two floats that differ by rounding one store leaves is right.
TEST(Findings, LanesStoreCopiesOfASum) {
  LaunchSetup one;
  one.threads = 32;
  EXPECT_EQ(find("and.b32 %r3, %r0, 1; add.u32 %r3, %r3, 0x3f800000;\n"
                 "st.shared.b32 [%r1], %r3;",
                 one),
            Kinds());
  Kinds kinds = find("st.shared.b32 [%r1], %r0;", one);
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds[0].substr(0, 4), "race");
}

TEST(Findings, LoopWithABarrierWaitsForEver) {
  Kinds kinds = find("st.global.b32 [%d4], %r0;\n"
                     "L: atom.global.cas.b32 %r3, [%d4], 1, 1;\nbar.sync 0;\n"
                     "setp.ne.u32 %p0, %r3, 77; @%p0 bra L;");
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds[0].substr(0, 8), "deadlock");
}

// A warp-by-warp overwrite of a tile that others still read.
TEST(Findings, MissingBarrierBeforeReuse) {
  const char *loop =
      "mov.u32 %r5, 0; mov.u32 %r6, 0;\nL: st.shared.b32 [%r2], %r5;\nbar.sync "
      "0;\nxor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.b32 "
      "%r4, [%r3]; add.u32 %r6, %r6, %r4;\nbar.sync 0;\nadd.u32 %r5, %r5, 1; "
      "setp.lt.u32 %p0, %r5, 4; @%p0 bra L; st.global.b32 [%d4], %r6;";
  EXPECT_EQ(find(loop), Kinds());
  std::string bad = loop;
  bad.replace(bad.rfind("bar.sync 0;"), 11, "");
  Kinds kinds = find(bad);
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds[0].substr(0, 4), "race");
}

TEST(Findings, OffByOneStore) {
  LaunchSetup tight;
  tight.bBytes = 64 * 4;
  EXPECT_EQ(find("st.global.b32 [%d4], %r0;", tight), Kinds());
  EXPECT_EQ(find("st.global.b32 [%d4+4], %r0;", tight), Kinds{"bounds@8"});
  EXPECT_EQ(find("st.shared.b32 [%r2+1024], %r0;"), Kinds{"bounds@8"});
}

TEST(Findings, UnpredicatedTail) {
  LaunchSetup tail;
  tail.aBytes = 40 * 4;
  EXPECT_EQ(
      find("setp.lt.u32 %p0, %r0, 40; @%p0 ld.global.b32 %r3, [%d3];", tail),
      Kinds());
  EXPECT_EQ(find("setp.lt.u32 %p0, %r0, 40;\nld.global.b32 %r3, [%d3];", tail),
            Kinds{"bounds@9"});
}

TEST(Findings, MisalignedVector) {
  EXPECT_EQ(find("ld.global.v4.b32 {%r3,%r4,%r5,%r6}, [%d0+16];"), Kinds());
  EXPECT_EQ(find("ld.global.v4.b32 {%r3,%r4,%r5,%r6}, [%d0+8];"),
            Kinds{"align@8"});
}

TEST(Findings, UninitialisedRead) {
  EXPECT_EQ(find("ld.global.b32 %r3, [%d4];"), Kinds{"init@8"});
  EXPECT_EQ(find("ld.shared.b32 %r3, [%r2];"), Kinds{"init@8"});
  EXPECT_EQ(find("st.shared.b32 [%r2], 0; ld.shared.b32 %r3, [%r2];"), Kinds());
  EXPECT_EQ(find("{ .local .b32 x[2]; st.local.b32 [x], 0; ld.local.b32 %r3, "
                 "[x+4]; }"),
            Kinds{"init@8"});
}

TEST(Findings, DivergentAligned) {
  // Lane 0 waits for the others before an aligned barrier: correct.
  EXPECT_EQ(find("setp.eq.u32 %p0, %r0, 0; @%p0 bra A; bra B;\nA: add.u32 %r3, "
                 "%r0, 1;\nB: bar.sync 0;"),
            Kinds());
  // Half of the warp never comes.
  EXPECT_EQ(find("and.b32 %r3, %r0, 31; setp.lt.u32 %p0, %r3, 16;\n@%p0 bra "
                 "A;\nbar.sync 0;\nbra E;\nA:\nbar.sync 0;\nE:"),
            Kinds{"convergence@10"});
  EXPECT_EQ(find("and.b32 %r3, %r0, 31; setp.lt.u32 %p0, %r3, 16;\n@%p0 "
                 "bar.sync 0;"),
            Kinds{"convergence@9"});
  EXPECT_EQ(find("setp.eq.u32 %p0, %r0, 5; @%p0 exit;\nbar.sync 0;"),
            Kinds{"convergence@9"});
}

TEST(Findings, MaskOfAbsentLanes) {
  EXPECT_EQ(find("setp.lt.u32 %p0, %r0, 16; @%p0 bra A; bra E;\nA: "
                 "shfl.sync.idx.b32 %r3, %r0, 0, 31, -1;\nE: bar.sync 0;"),
            Kinds{"convergence@10"});
  EXPECT_EQ(find("setp.lt.u32 %p0, %r0, 16; @%p0 bra A; exit;\nA: "
                 "shfl.sync.idx.b32 %r3, %r0, 0, 31, 0xffff;"),
            Kinds());
  EXPECT_EQ(find("shfl.sync.idx.b32 %r3, %r0, 0, 31, 0xff;"), Kinds{"mask@8"});
}

TEST(Findings, TwoBarrierDeadlock) {
  // Each warp waits at another barrier for both.
  Kinds kinds = find("setp.lt.u32 %p0, %r0, 32; @%p0 bra A;\nbar.sync 1, "
                     "64;\nbar.sync 2, 64;\nbra E;\nA:\nbar.sync 2, "
                     "64;\nbar.sync 1, 64;\nE:");
  EXPECT_EQ(kinds, (Kinds{"deadlock@13", "deadlock@9"}));
}

TEST(Findings, ProducerConsumerBarriersAreNoDeadlock) {
  EXPECT_EQ(find("setp.lt.u32 %p0, %r0, 32; @%p0 bra A;\nbar.sync 1, 64; "
                 "add.u32 %r3, %r2, -128; ld.shared.b32 %r4, [%r3]; bra E;\nA: "
                 "st.shared.b32 [%r2], 7; bar.arrive 1, 64;\nE:"),
            Kinds());
}

TEST(Findings, EndlessLoopTimesOut) {
  EXPECT_EQ(find("L: bra L;"), Kinds{"timeout@8"});
}

TEST(Findings, AtomicsAreNoRaceButPlainStoresAre) {
  LaunchSetup two;
  two.blocks = 4;
  two.bWritten = true;
  EXPECT_EQ(find("red.global.add.u32 [%d1], 1;", two), Kinds());
  EXPECT_EQ(find("mov.u32 %r3, %ctaid.x; st.global.b32 [%d4], %r3;", two)[0],
            "race@8");
  // Everybody writes the same: nothing to lose.
  EXPECT_EQ(find("st.global.b32 [%d4], 0;", two), Kinds());
}

// Message passing between blocks: with release and acquire, and without.
TEST(Findings, FlagWithoutReleaseIsARace) {
  LaunchSetup two;
  two.blocks = 2;
  two.threads = 1;
  two.bWritten = true;
  auto body = [](const char *store, const char *load) {
    return std::string(
               "mov.u32 %r3, %ctaid.x; setp.eq.u32 %p0, %r3, 0; @%p0 bra "
               "P;\nW: ") +
           load +
           " setp.eq.u32 %p1, %r4, 0; @%p1 bra W;\nld.global.b32 %r5, "
           "[%d1+64];\nbra E;\nP: st.global.b32 [%d1+64], 9;\n" +
           store + "\nE:";
  };
  EXPECT_EQ(find(body("st.release.gpu.global.b32 [%d1], 1;",
                      "ld.acquire.gpu.global.b32 %r4, [%d1];"),
                 two),
            Kinds());
  EXPECT_EQ(
      find(body("fence.acq_rel.gpu; st.relaxed.gpu.global.b32 [%d1], 1;",
                "ld.relaxed.gpu.global.b32 %r4, [%d1]; fence.acq_rel.gpu;"),
           two),
      Kinds());
  Kinds kinds = find(body("st.relaxed.gpu.global.b32 [%d1], 1;",
                          "ld.relaxed.gpu.global.b32 %r4, [%d1];"),
                     two);
  EXPECT_EQ(kinds, Kinds{"race@10"});
}

TEST(Findings, MissingAsyncWait) {
  const char *good =
      "mad.lo.u32 %r5, %r0, 16, %r1; mul.wide.u32 %d5, %r0, 16; add.u64 %d5, "
      "%d0, %d5;\ncp.async.cg.shared.global [%r5], [%d5], 16; "
      "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.b32 %r6, "
      "[%r5];";
  EXPECT_EQ(find(good), Kinds());
  std::string bad = good;
  bad.replace(bad.find("cp.async.wait_group 0;"), 22, "");
  bool init = false, race = false;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    LaunchSetup setup;
    setup.seed = seed;
    for (const std::string &k : find(bad, setup)) {
      init |= k == "init@11";
      race |= k == "race@11" || k == "race@9";
    }
  }
  EXPECT_TRUE(init || race);
  // The wait covers the thread's own copies only.
  std::string others = good;
  others.replace(others.find("[%r5];", others.find("ld.shared")), 6,
                 "[%r1+256];");
  Kinds kinds = find(others);
  ASSERT_FALSE(kinds.empty());
}

TEST(Findings, Mbarriers) {
  const char *good =
      "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared::cta.b64 [s+512], "
      "64;\nbar.sync 0;\nst.shared.b32 [%r2], %r0; mbarrier.arrive.shared.b64 "
      "_, "
      "[s+512];\nW: mbarrier.try_wait.parity.shared.b64 %p1, [s+512], 0; @!%p1 "
      "bra W;\nxor.b32 %r3, %r0, 63; mad.lo.u32 %r3, %r3, 4, %r1; "
      "ld.shared.b32 "
      "%r4, [%r3]; st.global.b32 [%d4], %r4;";
  EXPECT_EQ(find(good), Kinds());
  // A removed wait.
  std::string bad = good;
  bad.replace(bad.find("W: mbarrier"),
              bad.find("\nxor") - bad.find("W: mbarrier"), "");
  Kinds kinds = find(bad);
  ASSERT_FALSE(kinds.empty());
  EXPECT_TRUE(kinds[0] == "race@12" || kinds[0] == "init@12" ||
              kinds[0] == "race@10")
      << kinds[0];
  // A wrong parity falls through.
  bad = good;
  bad.replace(bad.find("[s+512], 0;"), 11, "[s+512], 1;");
  EXPECT_FALSE(find(bad).empty());
  // One arrival too few.
  bad = good;
  bad.replace(bad.find("[s+512], 64;"), 12, "[s+512], 65;");
  EXPECT_EQ(find(bad)[0], "deadlock@11");
  // Too many.
  bad = good;
  bad.replace(bad.find("64;\nbar"), 3, "63;");
  kinds = find(bad);
  EXPECT_TRUE(kinds.empty() || kinds[0].substr(0, 8) == "mbarrier" ||
              kinds[0].substr(0, 4) == "race");
  // Use before the initialisation.
  EXPECT_EQ(find("mbarrier.arrive.shared.b64 _, [s+512];"),
            Kinds{"mbarrier@8"});
}

// One lane initialises an object, the elected one arrives: which one is
// unspecified: says, so that the barrier between them is needed.
TEST(Findings, TheElectedLaneMayBeAny) {
  const char *good =
      "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared::cta.b64 [s+512], "
      "1;\n"
      "bar.sync 0;\nsetp.lt.u32 %p1, %r0, 32; @!%p1 bra E; elect.sync %r5|%p2, "
      "-1; elect.sync %r6|%p3, -1; setp.ne.u32 %p4, %r5, %r6; @%p4 trap;\n"
      "@%p2 mbarrier.arrive.shared.b64 _, [s+512];\nE:";
  std::string bad = good;
  bad.replace(bad.find("bar.sync 0;"), 11, "");
  bool isFound = false;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    LaunchSetup setup;
    setup.seed = seed;
    EXPECT_EQ(find(good, setup), Kinds()) << seed;
    Kinds kinds = find(bad, setup);
    // The lowest lane first: what a GPU does.
    EXPECT_TRUE(seed > 1 || kinds.empty());
    isFound |= !kinds.empty();
  }
  EXPECT_TRUE(isFound);
}

TEST(Findings, TrapAndAssert) { EXPECT_EQ(find("trap;"), Kinds{"trap@8"}); }

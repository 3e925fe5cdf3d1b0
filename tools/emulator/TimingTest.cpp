// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model: against published figures, and that what makes a kernel
// slow makes it slow there.
#include "tools/emulator/Profile.h"

#include "tools/emulator/TestSupport.h"

using namespace tileir;
using namespace tileir::emu;
using namespace tileir::emu::testing;

namespace {

struct Timed {
  double cycles = 0, perIteration = 0;
  double util[Timing::Count] = {};
  unsigned bound = 0;
  Samples inFlight;
};

/// Times a body of `threads`; %r0 is the thread, %r1 shared memory, %d0 and %d1
/// the buffers at 16 bytes a thread and block. Unless `shared` is less, an SM
/// has one block.
Timed timeOf(const std::string &body, uint32_t threads = 32,
             const char *target = "sm_90a", uint32_t blocks = 1,
             uint32_t shared = 160000) {
  Runner r;
  std::string ptx =
      std::string(".version 8.3\n.target ") + target +
      "\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n"
      ".visible .entry k(.param .u64 a, .param .u64 b) {\n"
      ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b64 %d<16>; "
      ".reg .f32 %f<256>;\n"
      "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r0, %tid.x; "
      "mov.u32 %r1, s; mov.u32 %r3, 0; mov.u32 %r4, %ctaid.x; mov.u32 %r5, "
      "%ntid.x; mad.lo.u32 %r6, %r4, %r5, %r0; mul.wide.u32 %d2, %r6, 16; "
      "add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2; mad.lo.u32 %r2, %r0, 16, "
      "%r1;\n" +
      body + "\nret;\n}\n";
  Options options;
  options.timing = true;
  Timed out;
  EXPECT_TRUE(r.load(ptx, options)) << r.error;
  if (!r.error.empty())
    return out;
  std::vector<uint32_t> zeros(1 << 18, 0);
  r.buffer(zeros.data(), zeros.size() * 4);
  r.buffer(zeros.data(), zeros.size() * 4);
  EXPECT_TRUE(r.launch({blocks, 1, 1}, {threads, 1, 1}, {1, 1, 1}, shared))
      << r.error;
  EXPECT_EQ(r.kinds(), std::vector<std::string>())
      << (r.machine->findings.empty() ? "" : r.machine->findings[0].message);
  const Timing &t = *r.machine->profile->timing;
  EXPECT_EQ(t.blocks, blocks);
  out.cycles = double(t.blockCycles) / double(t.blocks);
  out.inFlight = t.inFlight;
  for (unsigned k = 0; k < Timing::Count; ++k) {
    out.util[k] = t.busy[k] / double(t.blockCycles);
    out.bound = out.util[k] > out.util[out.bound] ? k : out.bound;
  }
  for (const Timing::LoopTime &loop : t.loopTimes)
    if (loop.iterations)
      out.perIteration = std::max(
          out.perIteration, double(loop.cycles) / double(loop.iterations));
  return out;
}

std::string repeat(const std::string &text, int times) {
  std::string out;
  for (int k = 0; k < times; ++k)
    out += text;
  return out;
}

/// `iterations` times around `body`.
std::string loop(const std::string &body, int iterations) {
  return "mov.u32 %r3, 0;\nL:\n" + body +
         "\nadd.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, " +
         std::to_string(iterations) + ";\n@%p0 bra L;\n";
}

/// Cycles that one more of `text` takes.
double slope(const std::string &text, const std::string &before = "",
             uint32_t threads = 32, const std::string &after = "") {
  constexpr int kFew = 8, kMany = 40;
  double few = timeOf(before + repeat(text, kFew) + after, threads).cycles;
  double many = timeOf(before + repeat(text, kMany) + after, threads).cycles;
  return (many - few) / (kMany - kFew);
}

const std::string kDescriptor =
    "shr.u32 %r4, %r1, 4; cvt.u64.u32 %d4, %r4; or.b64 %d4, %d4, "
    "0x4000004000010000; setp.ne.u32 %p1, %r0, %r0;\n";

/// Shared memory that a product may read.
const std::string kFill =
    "mov.u32 %r7, %r2; mov.u32 %r8, 0;\nF: st.shared.v4.u32 [%r7], "
    "{%r8,%r8,%r8,%r8}; mad.lo.u32 %r7, %r5, 16, %r7; add.u32 %r9, %r1, 65536; "
    "setp.lt.u32 %p2, %r7, %r9;\n@%p2 bra F;\n"
    "fence.proxy.async.shared::cta; bar.sync 0;\n";

std::string registers(int first, int count) {
  std::string out = "{";
  for (int k = 0; k < count; ++k)
    out += (k ? ",%f" : "%f") + std::to_string(first + k);
  return out + "}";
}

/// One m64n256k16, an operand pair of 10 KiB.
std::string wideMma() {
  return "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " +
         registers(0, 128) + ", %d4, %d4, %p1, 1, 1, 0, 0;\n";
}

/// Trips of four products and their group, with `left` groups left open.
std::string gemm(int left, int iterations) {
  return kFill + kDescriptor + "wgmma.fence.sync.aligned;\n" +
         loop(repeat(wideMma(), 4) +
                  "wgmma.commit_group.sync.aligned;\n"
                  "wgmma.wait_group.sync.aligned " +
                  std::to_string(left) + ";\n",
              iterations) +
         "wgmma.wait_group.sync.aligned 0;\n";
}

/// Products of registers, four independent ones a trip.
std::string warpMmas(int iterations) {
  std::string body;
  for (int k = 0; k < 4; ++k) {
    std::string d = registers(4 * k, 4);
    body += "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " + d +
            ", {%r12,%r13,%r14,%r15}, {%r16,%r17}, " + d + ";\n";
  }
  return loop(body, iterations);
}

/// `count` products of 128x256x16 by tcgen05, and the wait for them.
std::string tensorMemoryMmas(int count) {
  return kFill +
         "add.u32 %r20, %r1, 69632; setp.eq.u32 %p3, %r0, 0; setp.lt.u32 %p4, "
         "%r0, 32; setp.ne.u32 %p5, 0, 0;\n"
         "@%p3 mbarrier.init.shared::cta.b64 [%r20], 1;\n"
         "@%p4 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
         "[%r20+8], 256;\n"
         "@%p4 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
         "tcgen05.fence::before_thread_sync; bar.sync 0; "
         "tcgen05.fence::after_thread_sync;\n"
         "ld.shared.b32 %r21, [%r20+8]; shr.u32 %r4, %r1, 4; cvt.u64.u32 %d5, "
         "%r4; or.b64 %d4, %d5, 0x4000404000010000; add.u64 %d5, %d5, 1024; "
         "or.b64 %d5, %d5, 0x4000404000010000;\n"
         "@!%p3 bra W;\n"
         "tcgen05.mma.cta_group::1.kind::f16 [%r21], %d4, %d5, 0x08400010, "
         "%p5;\n" +
         repeat("tcgen05.mma.cta_group::1.kind::f16 [%r21], %d4, %d5, "
                "0x08400010, {0, 0, 0, 0}, 1;\n",
                count) +
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster."
         "b64 [%r20];\n"
         "W: mbarrier.try_wait.parity.shared::cta.b64 %p6, [%r20], 0;\n"
         "@!%p6 bra W;\n"
         "tcgen05.fence::after_thread_sync; bar.sync 0;\n"
         "@%p4 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r21, 256;\n";
}

} // namespace

//===--- published figures
//-------------------------------------------------===//

TEST(Timing, LatenciesOfMicrobenchmarks) {
  EXPECT_NEAR(slope("add.f32 %f0, %f0, %f0;\n"), 4 + 1, 1.01);
  EXPECT_NEAR(slope("add.u32 %r4, %r4, %r4;\n"), 4 + 2, 1.01);
  EXPECT_NEAR(slope("shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1;\n"), 24, 3);
  // A chain of addresses through memory.
  EXPECT_NEAR(slope("ld.shared.u32 %r4, [%r4];\n",
                    "mov.u32 %r4, %r1; st.shared.u32 [%r1], %r1; "
                    "bar.warp.sync -1;\n"),
              29, 3);
  EXPECT_NEAR(slope("ld.global.u64 %d4, [%d0]; add.u64 %d0, %d0, %d4;\n"), 479,
              25);
  EXPECT_NEAR(slope("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                    "{%f0,%f1,%f2,%f3}, {%r12,%r13,%r14,%r15}, {%r16,%r17}, "
                    "{%f0,%f1,%f2,%f3};\n"),
              33, 8);
}

TEST(Timing, RatesOfTensorInstructions) {
  // 64·256·16 / 2048: the public figure of 128 cycles.
  EXPECT_NEAR(slope(wideMma(),
                    kFill + kDescriptor + "wgmma.fence.sync.aligned;\n", 128,
                    "wgmma.commit_group.sync.aligned;\n"
                    "wgmma.wait_group.sync.aligned 0;\n"),
              128, 3);
  EXPECT_GE(timeOf(gemm(1, 24), 128).util[Timing::Tensor], 0.8);
  // mma.sync reaches 62 % of what wgmma does, and the peak of sm_80.
  EXPECT_NEAR(timeOf(warpMmas(60), 512).util[Timing::Tensor], 0.62, 0.04);
  EXPECT_GE(timeOf(warpMmas(60), 512, "sm_80").util[Timing::Tensor], 0.9);
}

TEST(Timing, RateOfTensorMemoryMmas) {
  // 128·256·16 / 4096: 2.25 PFLOP/s of 148 SMs at 1.85 GHz.
  double few = timeOf(tensorMemoryMmas(16), 128, "sm_100a").cycles;
  Timed many = timeOf(tensorMemoryMmas(144), 128, "sm_100a");
  EXPECT_NEAR((many.cycles - few) / 128, 128, 3);
  EXPECT_GE(many.util[Timing::Tensor], 0.8);
}

TEST(Timing, ACopyIsBoundByMemory) {
  // 16 bytes a thread and direction; as many blocks to an SM as fit.
  std::string copy = "ld.global.v4.u32 {%r12,%r13,%r14,%r15}, [%d0];\n"
                     "ld.global.v4.u32 {%r16,%r17,%r18,%r19}, [%d0+65536];\n"
                     "ld.global.v4.u32 {%r20,%r21,%r22,%r23}, [%d0+131072];\n"
                     "ld.global.v4.u32 {%r24,%r25,%r26,%r27}, [%d0+196608];\n"
                     "st.global.v4.u32 [%d1], {%r12,%r13,%r14,%r15};\n"
                     "st.global.v4.u32 [%d1+65536], {%r16,%r17,%r18,%r19};\n"
                     "st.global.v4.u32 [%d1+131072], {%r20,%r21,%r22,%r23};\n"
                     "st.global.v4.u32 [%d1+196608], {%r24,%r25,%r26,%r27};\n";
  Timed t = timeOf(copy, 256, "sm_90a", 4, 0);
  EXPECT_EQ(t.bound, unsigned(Timing::L2));
  EXPECT_GE(t.util[Timing::L2], 0.8);
  EXPECT_LE(t.util[Timing::Tensor], 0);
}

//===--- bytes in flight --------------------------------------------------===//

// Three stages of 2 KB: an iteration waits for one, copies the stage after
// next, and multiplies. MMAs after the copies of the last iteration do not
// count.
TEST(Timing, BytesInFlightOfAPipeline) {
  auto pipeline = [](bool copiesFirst) {
    std::string copy = "cp.async.cg.shared.global [%r2], [%d0], 16;\n";
    std::string commit = "cp.async.commit_group;\n";
    std::string mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                      "{%f0,%f1,%f2,%f3}, {%r12,%r13,%r14,%r15}, "
                      "{%r16,%r17}, {%f0,%f1,%f2,%f3};\n";
    std::string wait = "cp.async.wait_group 1; bar.sync 0;\n";
    return copy + commit + copy + commit +
           loop(wait +
                    (copiesFirst ? copy + commit + mma : mma + copy + commit),
                6) +
           "cp.async.wait_all;";
  };
  Timed first = timeOf(pipeline(true), 128),
        last = timeOf(pipeline(false), 128);
  EXPECT_EQ(first.inFlight.count, 4u * 5);
  EXPECT_EQ(first.inFlight.least, 2u * 2048);
  EXPECT_EQ(last.inFlight.count, 4u * 6);
  EXPECT_EQ(last.inFlight.least, 2048u);
  EXPECT_EQ(last.inFlight.most, 2048u);
}

// One thread copies for all, and the others have no part in it: what they see
// does not depend on who runs first.
TEST(Timing, BytesInFlightOfBulkCopies) {
  std::string copy =
      "@%p3 mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 2048;\n"
      "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r9], [%d0], 2048, [%r8];\n"
      "xor.b32 %r8, %r8, 8; xor.b32 %r9, %r9, 4096;\n";
  std::string wait = "mbarrier.try_wait.parity.shared.b64 %p1, [%r10], %r11;\n";
  // The phase turns with every second trip.
  std::string next = "xor.b32 %r10, %r10, 8; and.b32 %r20, %r10, 8; "
                     "setp.eq.u32 %p2, %r20, 0; @%p2 xor.b32 %r11, %r11, 1;\n";
  Timed t = timeOf(
      "setp.eq.u32 %p3, %r0, 0; add.u32 %r8, %r1, 65536; add.u32 %r9, %r1, "
      "4096; mov.u32 %r10, %r8; mov.u32 %r11, 0;\n"
      "@%p3 mbarrier.init.shared.b64 [%r8], 1;\n"
      "@%p3 mbarrier.init.shared.b64 [%r8+8], 1;\n"
      "fence.mbarrier_init.release.cluster; bar.sync 0;\n" +
          copy + copy +
          loop("W: " + wait + "@!%p1 bra W;\nbar.sync 0;\n" + copy +
                   "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                   "{%f0,%f1,%f2,%f3}, {%r12,%r13,%r14,%r15}, {%r16,%r17}, "
                   "{%f0,%f1,%f2,%f3};\n" +
                   next,
               8) +
          "X: " + wait + "@!%p1 bra X;\n" + next + "Y: " + wait +
          "@!%p1 bra Y;\n",
      128);
  EXPECT_EQ(t.inFlight.count, 4u * 7);
  EXPECT_EQ(t.inFlight.mean(), 2.0 * 2048);
}

//===--- planted slowness
//---------------------------------------------------===//

TEST(Timing, AWaitOfDepthZeroCosts) {
  Timed deep = timeOf(gemm(1, 24), 128), flat = timeOf(gemm(0, 24), 128);
  EXPECT_GE(flat.cycles, deep.cycles * 1.05);
  EXPECT_LT(flat.util[Timing::Tensor], deep.util[Timing::Tensor] - 0.04);
  // The same of cp.async.
  auto pipeline = [&](int left) {
    std::string copy = "cp.async.cg.shared.global [%r2], [%d0], 16; "
                       "cp.async.commit_group;\n";
    return copy + "add.u32 %r2, %r2, 8192;\n" +
           loop(copy + "cp.async.wait_group " + std::to_string(left) +
                    "; bar.sync 0; xor.b32 %r2, %r2, 8192;\n",
                16) +
           "cp.async.wait_all;";
  };
  EXPECT_GE(timeOf(pipeline(0), 128).cycles,
            timeOf(pipeline(1), 128).cycles * 1.3);
}

/// Warps of small blocks are spread over all schedulers of an SM.
TEST(Timing, SmallBlocksFillAnSM) {
  std::string work;
  for (int k = 0; k < 200; ++k)
    work += "fma.rn.f32 %f" + std::to_string(k % 16) + ", %f16, %f17, %f18;\n";
  for (uint32_t threads : {32, 64, 96, 128}) {
    // As many warps as eight blocks of four warps have.
    uint32_t shared = 228 * 1024 / (8 * 128 / threads) - 1024;
    EXPECT_GE(timeOf(work, threads, "sm_90a", 1, shared).util[Timing::Issue],
              0.85)
        << threads;
  }
}

TEST(Timing, ABarrierMoreCosts) {
  std::string work = repeat("fma.rn.f32 %f0, %f0, %f0, %f0;\n", 8);
  Timed one = timeOf(loop(work + "bar.sync 0;\n", 16), 128);
  Timed two = timeOf(loop(work + "bar.sync 0;\nbar.sync 0;\n", 16), 128);
  EXPECT_GE(two.cycles, one.cycles + 16 * 32);
  EXPECT_GE(two.perIteration, one.perIteration + 32);
}

TEST(Timing, BankConflictsCost) {
  auto loads = [&](int stride) {
    std::string body;
    for (int k = 0; k < 8; ++k)
      body += "ld.shared.u32 %r" + std::to_string(12 + k) + ", [%r10+" +
              std::to_string(k * 1024) + "];\n";
    return kFill + "and.b32 %r11, %r0, 31; mad.lo.u32 %r10, %r11, " +
           std::to_string(stride) + ", %r1;\n" + loop(body, 32);
  };
  EXPECT_GE(timeOf(loads(8), 512).cycles, timeOf(loads(4), 512).cycles * 1.5);
}

TEST(Timing, NarrowAccessesCost) {
  std::string wide = "ld.global.v4.u32 {%r12,%r13,%r14,%r15}, [%d0];\n"
                     "st.global.v4.u32 [%d1], {%r12,%r13,%r14,%r15};\n";
  std::string narrow;
  for (int k = 0; k < 8; ++k)
    narrow += "ld.global.u16 %h" + std::to_string(k) + ", [%d0+" +
              std::to_string(2 * k) + "];\n";
  for (int k = 0; k < 8; ++k)
    narrow += "st.global.u16 [%d1+" + std::to_string(2 * k) + "], %h" +
              std::to_string(k) + ";\n";
  EXPECT_GE(timeOf(narrow, 256, "sm_90a", 2, 0).cycles,
            timeOf(wide, 256, "sm_90a", 2, 0).cycles * 1.5);
}

// ptxas makes moves and shifts of these; only floats and f64 take the unit of
// conversions, of which sm_120 has two lanes.
TEST(Timing, WideningIntegersIsNoConversion) {
  auto cycles = [&](const std::string &conversion) {
    std::string body;
    for (int k = 0; k < 16; ++k)
      body += "xor.b32 %r12, %r12, %r0;\n" + conversion;
    return timeOf("mov.u32 %r12, %r0; mov.u64 %d5, 0;\n" + body, 256, "sm_120a",
                  1, 90000)
        .cycles;
  };
  double none = cycles("add.u64 %d4, %d5, %d5;\n");
  EXPECT_LE(cycles("cvt.u64.u32 %d4, %r12;\n"), none * 1.1);
  EXPECT_LE(cycles("cvt.s64.s32 %d4, %r12;\n"), none * 1.1);
  EXPECT_GE(cycles("cvt.rn.f32.u64 %f0, %d5;\n"), none * 4);
}

//===--- the model itself
//---------------------------------------------------===//

TEST(Timing, PairsOfRegistersAreNames) {
  // Two halves become a wide register and come of it again: no instruction.
  const std::string pair = "mov.b64 %d5, {%f0, %f1}; mov.b64 {%f0, %f1}, %d5;";
  EXPECT_NEAR(slope("mul.f32 %f0, %f0, %f0;" + pair + "\n") -
                  slope("mul.f32 %f0, %f0, %f0;\n"),
              0, 0.01);
  EXPECT_NEAR(slope(pair + "\n", "mov.f32 %f0, 1.0; mov.f32 %f1, 1.0;\n"), 0,
              0.01);
  // The next load still waits for what they name.
  const std::string load = "ld.shared.u32 %r4, [%r4];",
                    name = "mov.b64 %d5, {%r4, %r3}; mov.b64 {%r4, %r9}, %d5;",
                    start = "st.shared.u32 [%r2], %r2; mov.u32 %r4, %r2;\n";
  EXPECT_GT(slope(load + "\n", start), 28);
  EXPECT_NEAR(slope(load + name + "\n", start) - slope(load + "\n", start), 0,
              0.01);
  // Halves of a word have to be put together.
  EXPECT_GT(slope("mov.b32 {%h0, %h1}, %r4; mov.b32 %r4, {%h1, %h0};\n"), 3);
}

TEST(Timing, DoesNotDependOnTheSchedule) {
  // Two warps hand a stage back and forth; how often they look in vain is a
  // matter of the seed.
  std::string body =
      "setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [s], 32; "
      "fence.mbarrier_init.release.cluster; bar.sync 0;\n"
      "setp.lt.u32 %p2, %r0, 32;\n@%p2 bra W;\n" +
      repeat("fma.rn.f32 %f0, %f0, %f0, %f0;\n", 40) +
      "mbarrier.arrive.shared.b64 _, [s];\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p3, [s], 0;\n@!%p3 bra W;\n";
  Timed first = timeOf(body, 64);
  for (int k = 0; k < 3; ++k) {
    // Instructions before it shift what the seed draws.
    Timed other = timeOf(repeat("mov.u32 %r20, 0;\n", k) + body, 64);
    EXPECT_NEAR(other.cycles, first.cycles, 12) << k;
  }
  EXPECT_GE(first.cycles, 40 * 4);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Convergence.h"
#include "serialize/ptx/FunctionBody.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace tileir;

/// Divergent instructions of a kernel of 128 threads, as `line<branch`.
static std::string find(const std::string &body,
                        const std::string &header = ".reqntid 128, 1, 1") {
  std::string text;
  for (const DivergentInstruction &found :
       findDivergence(".visible .entry k(.param .b64 k_param_0) " + header +
                      " {\n" + body + "}\n")) {
    if (!text.empty())
      text += " ";
    text += std::to_string(found.line) + "<" + std::to_string(found.branchLine);
  }
  return text;
}

TEST(FunctionBody, Reads) {
  auto functions = readFunctionBodies(R"(.version 8.8
.target sm_90
.global .align 4 .b8 bytes[4] = {1, 2, 3, 4};
.extern .func  (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.func (.param .b32 r) twice(.param .b32 x)
{ ret; }
.visible .entry k(.param .u64 .ptr .global .align 1 k_param_0)
.reqntid 64, 1, 1
{
	.reg .pred %p<3>; // { not a brace
	.loc 1 2 3
	mov.u32 %r1, %tid.x;
	@!%p1 bra $L__BB0_2;
	// begin inline asm
	{
	.reg .pred p;
	setp.ne.b32 p, %r1, 0;
	@p ld.global.v2.b32 {%r2, %r3}, [%rd1 + 8];
	}
	{
	.reg .pred p;
	setp.eq.b32 p, %r1, 0;
	}
$L__BB0_2:
	fence.proxy.async.shared::cta;
	mov.b64 %rd2, k_param_0;
	brx.idx %r1, $L_list;
$L_list: .branchtargets $L__BB0_2, $L__BB0_3;
$L__BB0_3:
	ret;
}
)");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].name, "twice");
  EXPECT_FALSE(functions[0].isKernel);
  const PtxFunction &k = functions[1];
  EXPECT_EQ(k.name, "k");
  EXPECT_TRUE(k.isKernel && k.hasOneDimension);
  ASSERT_EQ(k.instructions.size(), 9u);
  EXPECT_EQ(k.instructions[0].line, 12u);
  EXPECT_EQ(k.instructions[0].sources.size(), 1u);
  EXPECT_EQ(k.instructions[0].sources[0].text, "%tid.x");
  EXPECT_FALSE(k.instructions[0].sources[0].reg);
  EXPECT_TRUE(k.instructions[1].guard);
  const PtxInstruction &load = k.instructions[3];
  EXPECT_EQ(load.results.size(), 2u);
  EXPECT_EQ(load.shape, "{,},[%+8]");
  EXPECT_EQ(*load.guard, k.instructions[2].results[0]);
  // The same name between other braces is another register.
  EXPECT_NE(*load.guard, k.instructions[4].results[0]);
  ASSERT_EQ(k.blocks.size(), 4u);
  EXPECT_EQ(k.blocks[0].successors, (llvm::SmallVector<unsigned, 2>{2, 1}));
  EXPECT_EQ(k.blocks[2].successors, (llvm::SmallVector<unsigned, 2>{2, 3}));
  EXPECT_TRUE(k.blocks[3].leaves);
}

TEST(Convergence, TextWithoutFunctions) {
  EXPECT_TRUE(findDivergence("").empty());
  EXPECT_TRUE(findDivergence("/*").empty());
  EXPECT_TRUE(findDivergence(".entry k { @").empty());
  EXPECT_TRUE(findDivergence(".entry k { a: b } } { ; ] \" ").empty());
}

/// The path from one thread's store to a barrier, with and without copies.
TEST(Convergence, Branches) {
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra $L1;
st.shared.b32 [%rd1], %r2;
$L1:
bar.sync 0;
ret;
)"),
            "");
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra $L1;
st.shared.b32 [%rd1], %r2;
bar.sync 0;
bra.uni $L2;
$L1:
bar.sync 0;
$L2:
ret;
)"),
            "6<4 9<4");
  // A copy of the barrier in a peeled iteration, for one thread alone.
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
setp.ne.s32 %p1, %r1, 0;
@%p1 bra $L1;
bra.uni $L0;
$L0:
st.shared.b32 [%rd1], %r2;
bar.sync 0;
bra.uni $L2;
$L1:
bar.sync 0;
$L2:
ld.shared.b32 %r3, [%rd1];
setp.eq.s32 %p2, %r3, 0;
@%p1 bra $L1;
@%p2 bra $L0;
ret;
)"),
            "8<4 11<15");
}

TEST(Convergence, Predicates) {
  EXPECT_EQ(find("mov.u32 %r1, %laneid;\nsetp.eq.s32 %p1, %r1, 0;\n"
                 "@%p1 bar.sync 0;\nret;\n"),
            "4<4");
  EXPECT_EQ(find("mov.u32 %r1, %ctaid.x;\nsetp.eq.s32 %p1, %r1, 0;\n"
                 "@%p1 bar.sync 0;\nret;\n"),
            "");
  EXPECT_EQ(find("elect.sync %r1|%p1, -1;\n@%p1 bra $L1;\n"
                 "wgmma.fence.sync.aligned;\n$L1:\nret;\n"),
            "4<3");
}

/// Loops that threads leave one by one.
TEST(Convergence, Loops) {
  const char *wait = R"($L0:
mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;
@!%p1 bra $L0;
bar.sync 0;
ret;
)";
  EXPECT_EQ(find(wait), "");
  EXPECT_EQ(find(R"(mov.b32 %r1, 0;
mov.u32 %r2, %tid.x;
$L0:
add.s32 %r1, %r1, 1;
bar.warp.sync -1;
setp.lt.s32 %p1, %r1, %r2;
@%p1 bra $L0;
ret;
)"),
            "6<8");
  // A counter that each thread leaves with its own value.
  EXPECT_EQ(find(R"(mov.b32 %r1, 0;
mov.u32 %r2, %tid.x;
$L0:
add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, %r2;
@%p1 bra $L0;
setp.eq.s32 %p2, %r1, 5;
@%p2 bra $L1;
bar.sync 0;
$L1:
ret;
)"),
            "10<9");
}

/// A wait that is also the head of the loop around it.
TEST(Convergence, WaitAtHead) {
  EXPECT_EQ(find(R"(mov.b32 %r1, 0;
$L0:
add.s32 %r2, %r1, 8;
mbarrier.try_wait.parity.shared.b64 %p1, [%r2], %r1;
@!%p1 bra $L0;
bar.warp.sync -1;
add.s32 %r1, %r2, 1;
setp.lt.s32 %p2, %r1, 9;
@%p2 bra $L0;
ret;
)"),
            "");
}

/// One register for several numbers, of which only one differs between threads.
TEST(Convergence, SharedRegisters) {
  EXPECT_EQ(find(R"(mov.b32 %r1, 0;
mov.b32 %r2, %r1;
mov.u32 %r1, %tid.x;
st.shared.b32 [memory], %r1;
setp.eq.s32 %p1, %r2, 0;
@%p1 bra $L1;
bar.sync 0;
$L1:
ret;
)"),
            "");
  // A number that depends on the path, and one that does not.
  auto join = [](const std::string &second, const std::string &tested) {
    return find("mov.b32 %r1, 0;\nmov.b32 %r3, 7;\nmov.u32 %r2, %tid.x;\n"
                "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra $L1;\n" +
                second + "\n$L1:\nsetp.eq.s32 %p2, " + tested +
                ", 0;\n@%p2 bra $L2;\nbar.sync 0;\n$L2:\nret;\n");
  };
  EXPECT_EQ(join("mov.b32 %r1, 1;", "%r1"), "11<10");
  EXPECT_EQ(join("mov.b32 %r1, 1;", "%r3"), "");
  // An instruction with a predicate keeps the old value in other threads.
  EXPECT_EQ(find("mov.b32 %r1, 0;\nmov.u32 %r2, %tid.x;\n"
                 "setp.eq.s32 %p1, %r2, 0;\n@%p1 mov.b32 %r1, 1;\n"
                 "setp.eq.s32 %p2, %r1, 0;\n@%p2 bar.sync 0;\nret;\n"),
            "7<7");
}

/// Copies of one number on both paths are equal at the join.
TEST(Convergence, Copies) {
  auto join = [](const std::string &one, const std::string &other) {
    return find("mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.y;\n"
                "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n"
                "@%p1 bra $L1;\n" +
                one + "\nbra.uni $L2;\n$L1:\n" + other +
                "\n$L2:\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra $L3;\n"
                "bar.sync 0;\n$L3:\nret;\n");
  };
  EXPECT_EQ(join("mov.b32 %r4, %r2;", "mov.b32 %r4, %r2;"), "");
  EXPECT_EQ(join("mov.b32 %r4, %r2;", "mov.b32 %r4, %r3;"), "14<13");
  EXPECT_EQ(join("mov.b32 %r4, %r2;", "add.s32 %r4, %r2, 1;"), "14<13");
  // Each path copies another number.
  EXPECT_EQ(join("add.s32 %r5, %r2, 1; mov.b32 %r4, %r5;",
                 "add.s32 %r5, %r3, 1; mov.b32 %r4, %r5;"),
            "14<13");
  // Threads that stay in the loop copy the count of a later iteration.
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
mov.b32 %r2, 0;
$L0:
add.s32 %r2, %r2, 1;
mov.b32 %r4, %r2;
setp.lt.s32 %p1, %r2, %r1;
@%p1 bra $L0;
setp.eq.s32 %p2, %r4, 5;
@%p2 bra $L1;
bar.sync 0;
$L1:
ret;
)"),
            "11<10");
}

/// No thread waits for a thread that traps.
TEST(Convergence, Traps) {
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
setp.eq.s32 %p1, %r1, 0;
@%p1 bra $L1;
bar.sync 0;
ret;
$L1:
trap;
exit;
)"),
            "");
  EXPECT_EQ(find(R"(mov.u32 %r1, %tid.x;
setp.eq.s32 %p1, %r1, 0;
@%p1 exit;
bar.sync 0;
ret;
)"),
            "5<4");
}

/// Values that are uniform in a warp.
TEST(Convergence, Warps) {
  auto steer = [](const std::string &text) {
    return find(text + "\n@%p1 bra $L1;\nbar.sync 0;\n$L1:\nret;\n");
  };
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 64;"), "");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 31;"), "");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 65;"), "4<3");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 96; setp.eq.s32 "
                  "%p1, %r2, 0;"),
            "");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.s32 %p1, "
                  "%r2, 1;"),
            "");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 4; setp.eq.s32 %p1, "
                  "%r2, 1;"),
            "4<3");
  EXPECT_EQ(steer("mov.u32 %r1, %tid.y; setp.eq.s32 %p1, %r1, 0;"), "");
  const char *lane = "mov.u32 %r1, %laneid;";
  EXPECT_EQ(steer(std::string(lane) + "shfl.sync.idx.b32 %r2|%p2, %r1, 3, 31, "
                                      "-1; setp.eq.s32 %p1, %r2, 0;"),
            "");
  EXPECT_EQ(steer(std::string(lane) + "shfl.sync.idx.b32 %r2|%p2, %r1, %r1, "
                                      "31, -1; setp.eq.s32 %p1, %r2, 0;"),
            "4<3");
  EXPECT_EQ(steer(std::string(lane) +
                  "setp.eq.s32 %p2, %r1, 0; vote.sync.any.pred %p1, %p2, -1;"),
            "");
  EXPECT_EQ(steer("ld.shared.b32 %r1, [memory]; setp.eq.s32 %p1, %r1, 0;"), "");
  EXPECT_EQ(steer("ld.param.b64 %rd1, [k_param_0]; ld.global.b32 %r1, [%rd1]; "
                  "setp.eq.s32 %p1, %r1, 0;"),
            "");
  EXPECT_EQ(steer("ld.param.b32 %r1, [retval0]; setp.eq.s32 %p1, %r1, 0;"),
            "4<3");
  const char *parameter = "mov.b64 %rd1, k_param_0; add.s64 %rd2, %rd1, %rd3; "
                          "ld.param.b32 %r1, [%rd2]; setp.eq.s32 %p1, %r1, 0;";
  EXPECT_EQ(steer(parameter), "");
  EXPECT_EQ(steer("mov.u32 %r4, %laneid; cvt.u64.u32 %rd3, %r4; " +
                  std::string(parameter)),
            "4<3");
  EXPECT_EQ(steer("ld.volatile.global.b32 %r1, [memory]; setp.eq.s32 %p1, %r1, "
                  "0;"),
            "4<3");
  EXPECT_EQ(steer("atom.global.add.u32 %r1, [memory], 1; setp.eq.s32 %p1, %r1, "
                  "0;"),
            "4<3");
  // In two dimensions the x number of a thread does not determine its warp.
  EXPECT_EQ(find("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\n"
                 "setp.eq.s32 %p1, %r2, 0;\n@%p1 bar.sync 0;\nret;\n",
                 ".reqntid 8, 16, 1"),
            "5<5");
}

/// A sum over all lanes, one that leaves out lanes, and one that tells lanes
/// apart.
TEST(Convergence, Butterflies) {
  auto sum = [](std::initializer_list<unsigned> distances,
                const std::string &combine) {
    std::string text = "mov.u32 %r0, %laneid;\n";
    unsigned i = 0;
    for (unsigned distance : distances) {
      std::string from = std::to_string(i), to = std::to_string(++i);
      text += "shfl.sync.bfly.b32 %x" + to + "|%p9, %r" + from + ", " +
              std::to_string(distance) + ", 31, -1; " + combine + " %r" + to +
              ", %x" + to + ", %r" + from + ";";
    }
    return find(text + "\nsetp.eq.s32 %p1, %r" + std::to_string(i) +
                ", 0;\n@%p1 bra $L1;\nbar.sync 0;\n$L1:\nret;\n");
  };
  EXPECT_EQ(sum({16, 8, 4, 2, 1}, "add.s32"), "");
  EXPECT_EQ(sum({1, 2, 4, 8, 16}, "max.f32"), "");
  EXPECT_EQ(sum({16, 8, 4, 2}, "add.s32"), "6<5");
  EXPECT_EQ(sum({16, 8, 4, 2, 2}, "add.s32"), "6<5");
  EXPECT_EQ(sum({16, 8, 4, 2, 1}, "sub.s32"), "6<5");
}

/// Braces of inline assembly have labels of their own, with repeated names.
TEST(Convergence, LabelsInBraces) {
  const char *loop = "{\n.reg .pred more;\nAGAIN:\nsetp.ne.s32 more, %r2, 5;\n"
                     "@more bra AGAIN;\n}\n";
  EXPECT_EQ(find(std::string("mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n"
                             "@%p1 bra $L1;\n") +
                 loop + "$L1:\nbar.sync 0;\n" + loop + "ret;\n"),
            "");
}

/// A tile of two elements, repeated over the lanes, has a uniform sum after one
/// butterfly exchange; a longer tile takes more exchanges.
TEST(Convergence, LanesInTurns) {
  auto sum = [](const char *mask) {
    return find(std::string("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, ") + mask +
                ";\nmul.wide.u32 %rd1, %r2, 4;\nld.global.b32 %r3, [%rd1];\n"
                "shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;\n"
                "add.s32 %r5, %r4, %r3;\nsetp.eq.s32 %p1, %r5, 0;\n"
                "@%p1 bra $L1;\nbar.sync 0;\n$L1:\nret;\n");
  };
  EXPECT_EQ(sum("1"), "");
  EXPECT_EQ(sum("3"), "10<9");
}

/// A predicate that a butterfly exchange has carried as 1 or 0 is a predicate
/// again; a mask may be in a register.
TEST(Convergence, PredicatesInButterflies) {
  auto both = [](const char *combine) {
    return find(
        std::string("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\n"
                    "mov.b32 %r9, -1;\nsetp.gt.s32 %p1, %r2, 0;\n"
                    "selp.b32 %r3, 1, 0, %p1;\n"
                    "shfl.sync.bfly.b32 %r4, %r3, 1, 31, %r9;\n"
                    "and.b32 %r5, %r4, 1;\nsetp.ne.b32 %p2, %r5, 0;\n") +
        combine + " %p3, %p1, %p2;\n@%p3 bra $L1;\nbar.sync 0;\n$L1:\nret;\n");
  };
  EXPECT_EQ(both("xor.pred"), "");
  EXPECT_EQ(both("set.pred"), "12<11");
}

/// The number of a thread in a block of one dimension, computed for three.
TEST(Convergence, LinearNumber) {
  const char *first = "mov.u32 %r1, %tid.z;\nmov.u32 %r2, %ntid.y;\n"
                      "mov.u32 %r3, %tid.y;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
                      "mov.u32 %r5, %ntid.x;\nmov.u32 %r6, %tid.x;\n"
                      "mad.lo.s32 %r7, %r4, %r5, %r6;\n"
                      "setp.gt.u32 %p1, %r7, 31;\n@%p1 bra $L1;\n"
                      "bar.warp.sync -1;\n$L1:\nret;\n";
  EXPECT_EQ(find(first), "");
  EXPECT_EQ(find(first, ".reqntid 16, 8, 1"), "11<10");
}

/// A call of a function that synchronizes counts like an aligned instruction.
TEST(Convergence, Calls) {
  auto found = findDivergence(R"(.func meets() {
bar.sync 0;
ret;
}
.func far() {
call.uni meets, ();
ret;
}
.visible .entry k() {
mov.u32 %r1, %tid.x;
setp.eq.s32 %p1, %r1, 0;
@%p1 bra $L1;
call.uni far, ();
call.uni (retval0), other, (param0);
$L1:
ret;
}
)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 13u);
  EXPECT_EQ(found[0].opcode, "call.uni");
  EXPECT_EQ(found[0].function, "k");
}

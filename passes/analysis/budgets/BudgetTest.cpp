// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the register and memory budgets (MM-10).

#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/SharedMemoryBudget.h"
#include "passes/analysis/budgets/TensorMemoryBudget.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tileir;

namespace {

struct BudgetTest : testing::Test {
  BudgetTest() {
    context.loadDialect<nv_tileaa::TileAADialect, nv_tileas::TileASDialect>();
  }
  /// A kernel of four warps with the further parameters `spec` and the body
  /// `body`.
  nv_tileaa::FuncOp parse(StringRef spec, StringRef body = "") {
    std::string text =
        ("#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>\n"
         "nv_tileaa.func kernel @f() attributes {kernel_spec = "
         "#nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = "
         "[1, 1, 1]" +
         spec + ">} {\n" + body + "\nnv_tileaa.return\n}")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    return *module->getOps<nv_tileaa::FuncOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(BudgetTest, WarpsShareTheRegistersOfPartitions) {
  constexpr std::pair<int, int> kLimits[] = {
      {1, 255}, {8, 255}, {9, 168}, {12, 168}, {16, 128}, {17, 96}, {32, 64}};
  for (auto [warps, limit] : kLimits)
    EXPECT_EQ(RegisterBudget({}, warps).getLimit(), limit) << warps;
  EXPECT_EQ(RegisterBudget({}, 16).getLeft(100), 28);
  EXPECT_EQ(RegisterBudget({}, 16).getLeft(130), -2);
}

TEST_F(BudgetTest, HintsBoundRegisters) {
  EXPECT_FALSE(RegisterBudget(parse(""), 4).getHint());
  EXPECT_EQ(RegisterBudget(parse(", occupancy = 4"), 4).getLimit(), 128);
  EXPECT_EQ(RegisterBudget(parse(", max_regs = 96"), 4).getLimit(), 96);
  nv_tileaa::FuncOp both = parse(", occupancy = 8, max_regs = 96");
  EXPECT_EQ(RegisterBudget(both, 4).getLimit(), 64);
  // The smallest number that ptxas assigns is 24.
  EXPECT_EQ(RegisterBudget(both, 32).getHint(), 24);
}

TEST_F(BudgetTest, AgentsMoveRegisters) {
  Target hopper = *Target::parse("sm_90a"), ampere = *Target::parse("sm_80");
  AgentRegisters equal = shareRegisters(hopper, 8, 120, /*mayMove=*/true);
  EXPECT_EQ(equal.computing, 0);
  EXPECT_EQ(equal.most, 168);
  AgentRegisters moved = shareRegisters(hopper, 8, 200, /*mayMove=*/true);
  EXPECT_EQ(moved.copying, 24);
  EXPECT_EQ(moved.computing, 240);
  EXPECT_EQ(moved.copyingWarps, 4u);
  EXPECT_EQ(shareRegisters(hopper, 8, 200, /*mayMove=*/false).computing, 0);
  EXPECT_EQ(shareRegisters(ampere, 8, 200, /*mayMove=*/true).computing, 0);
}

TEST_F(BudgetTest, TheIRClaimsSharedMemory) {
  Target target = *Target::parse("sm_80");
  nv_tileaa::FuncOp func = parse(
      "", "%a = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32, #s>\n"
          "%p = nv_tileas.pipeline.create %a {producer = cp_async, "
          "consumers = [generic], sync = group, empty = barrier} : "
          "!nv_tileas.buffer<[3] 32x32xf32, #s> -> "
          "!nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>\n"
          "%b = nv_tileas.alloc_tensor : !nv_tileas.buffer<32x32xf32, #s>\n"
          "nv_tileas.dealloc %b : !nv_tileas.buffer<32x32xf32, #s>");
  ASSERT_TRUE(func);
  SharedMemoryBudget all(func, target);
  EXPECT_EQ(all.getClaimed(), 4 * 32 * 32 * 4);
  EXPECT_EQ(all.getLeft(), target.sharedMemoryPerBlock() - 16384);
  all.claimMbarriers(/*perSlot=*/2);
  EXPECT_EQ(all.getClaimed(), 16384 + 2 * 3 * 8);
  SharedMemoryBudget pipeline(
      func, target,
      [](Operation *op) {
        return op->hasOneUse() &&
               isa<nv_tileas::PipelineCreateOp>(*op->user_begin());
      },
      /*align=*/16384);
  EXPECT_EQ(pipeline.getClaimed(), 16384);
}

TEST_F(BudgetTest, TensorMemoryHasColumns) {
  TensorMemoryBudget budget(*Target::parse("sm_100a"));
  budget.claim(384);
  EXPECT_EQ(budget.check(128), "");
  EXPECT_EQ(budget.check(256),
            "256 of 512 columns are wanted and 384 are taken");
  EXPECT_EQ(TensorMemoryBudget(*Target::parse("sm_90a")).getCap(), 0);
}

TEST_F(BudgetTest, HintedCtasShareMemory) {
  Target target = *Target::parse("sm_100a");
  nv_tileaa::FuncOp two = parse(", occupancy = 2");
  // An SM has 228 KB, of which the driver takes 1 KB for each CTA.
  EXPECT_EQ(getHintedSharedBytes(two, target), 113 * 1024);
  EXPECT_EQ(TensorMemoryBudget(target).getShare(two), 256);
  nv_tileaa::FuncOp any = parse("");
  EXPECT_EQ(getHintedSharedBytes(any, target), target.sharedMemoryPerBlock());
  EXPECT_EQ(TensorMemoryBudget(target).getShare(any), 512);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Machine.h"

#include "gtest/gtest.h"

namespace tileir::schedule {
namespace {

Machine machineOf(const char *name) { return Machine(*Target::parse(name)); }

Cycles usedOf(const Node &node, Slot slot) {
  for (const SlotUse &use : node.uses)
    if (use.row == rowOf(slot))
      return use.duration;
  return 0;
}

Node priced(const char *target, const OpWork &work, int warps) {
  Node node;
  machineOf(target).price(node, work, warps);
  return node;
}

TEST(MachineTest, CopiesOfTheTensorMemoryAccelerator) {
  OpWork load;
  load.cls = OpClass::TmaLoad;
  load.bytes = 16384;
  load.boxes = 1;
  Node hopper = priced("sm_90a", load, 1);
  EXPECT_EQ(usedOf(hopper, Slot::Tma), 8);
  EXPECT_EQ(usedOf(hopper, Slot::TpGnicRd), 256);
  EXPECT_EQ(usedOf(hopper, Slot::TpSmemWr), 128);
  EXPECT_EQ(hopper.latency, 649 + 256);
  EXPECT_EQ(priced("sm_100a", load, 1).latency, 870 + 256);
  load.multicast = 2;
  EXPECT_EQ(usedOf(priced("sm_90a", load, 1), Slot::TpGnicRd), 128);
}

TEST(MachineTest, Mmas) {
  OpWork mma;
  mma.cls = OpClass::Wgmma;
  mma.macs = 128 * 256 * 64;
  mma.operandBytes = 2 * (8192 + 32768);
  Node hopper = priced("sm_90a", mma, 8);
  EXPECT_EQ(usedOf(hopper, Slot::TcAndMma), 1024);
  EXPECT_EQ(usedOf(hopper, Slot::TpMma), 640);
  EXPECT_EQ(hopper.latency, 32 + 1024);
  mma.cls = OpClass::Tcgen05Mma;
  mma.operandBytes = 49152;
  Node blackwell = priced("sm_100a", mma, 1);
  EXPECT_EQ(usedOf(blackwell, Slot::TcAndMma), 512);
  EXPECT_EQ(usedOf(blackwell, Slot::TpMma), 384);
  EXPECT_EQ(blackwell.latency, 64 + 512);
}

TEST(MachineTest, Softmax) {
  OpWork maximum;
  maximum.cls = OpClass::Reduce;
  maximum.resultElements = 64;
  maximum.lanes = 4;
  maximum.more = {{Slot::DualAlu, 64 * 128}};
  Node node = priced("sm_90a", maximum, 4);
  EXPECT_EQ(usedOf(node, Slot::DualAlu), 128);
  EXPECT_EQ(usedOf(node, Slot::Lsu), 16);
  EXPECT_EQ(node.latency, 152);
  OpWork power;
  power.cls = OpClass::Xu;
  power.elements = 64 * 128;
  power.more = {{Slot::AluOrFmaHeavy, 64 * 128}};
  node = priced("sm_90a", power, 4);
  EXPECT_EQ(usedOf(node, Slot::Xu), 512);
  EXPECT_EQ(usedOf(node, Slot::AluOrFmaHeavy), 64);
  EXPECT_EQ(node.latency, 530);
  // Two tiles of 128 by 128: as much as the MMAs, except on sm_103.
  power.elements = 2 * 128 * 128;
  EXPECT_EQ(usedOf(priced("sm_100a", power, 8), Slot::Xu), 2048);
  EXPECT_EQ(usedOf(priced("sm_103a", power, 8), Slot::Xu), 1024);
}

TEST(MachineTest, FewWarpsReachFewParts) {
  Machine machine = machineOf("sm_90a");
  EXPECT_EQ(machine.rate(Slot::Xu, 4), 16);
  EXPECT_EQ(machine.rate(Slot::Xu, 1), 4);
  EXPECT_EQ(machine.rate(Slot::TpSmemRd, 1), 128);
  EXPECT_EQ(machine.rate(Slot::TpTmemRd, 4), 0);
}

TEST(MachineTest, LatencyHints) {
  Machine machine = machineOf("sm_80");
  EXPECT_EQ(machine.globalLatency(5, /*tma=*/false), 466);
  EXPECT_EQ(machine.globalLatency(1, /*tma=*/false), 262 + 204 / 5);
}

TEST(MachineTest, AgentsIssue) {
  Node node;
  node.agent = 1;
  OpWork sum;
  sum.cls = OpClass::Fp32;
  sum.elements = 64 * 128;
  machineOf("sm_90a").price(node, sum, 4);
  EXPECT_EQ(node.uses.back().row, rowOfAgent(1));
  EXPECT_EQ(node.uses.back().duration, 64);
}

} // namespace
} // namespace tileir::schedule

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check of what must have ended before a thread or a block may exit.
#include "tools/emulator/Machine.h"

#include <algorithm>
#include <set>

namespace tileir::emu {

void Scheduler::exitLanes(Exec &x, Mask lanes) {
  Warp &w = *x.warp;
  Place here = machine.placeOf(*x.block, w.index, __builtin_ctz(lanes),
                               machine.image.code[size_t(x.group->pc)]);
  if (!x.block->bulkStates.empty())
    forLanes(lanes, [&](int l) {
      auto it = x.block->bulkStates.find(uint32_t(w.firstThread + l));
      if (it == x.block->bulkStates.end() ||
          it->second.read >= it->second.issued)
        return;
      machine.report(
          FindingKind::InFlight, x, *it->second.last, l,
          "the thread exits while a bulk copy may still read its shared "
          "memory",
          {here});
    });
  if (w.wgmma && w.wgmma->waited < w.wgmma->issued &&
      (lanes & w.live & (0u - w.live)))
    machine.report(FindingKind::Wgmma, x, *w.wgmma->last, __builtin_ctz(lanes),
                   "the warp exits without waiting for its wgmma", {here});
  machine.registers.settleEarlyReads(x);
  if (w.unwritten)
    machine.registers.forgetUnwritten(w, lanes);
  if (w.async) // They arrive all the same, if late.
    forLanes(lanes,
             [&](int l) { machine.async.finishAsync(x, w, l, ~uint32_t(0)); });
  w.live &= ~lanes;
  x.group->mask &= ~lanes;
  x.block->liveThreads -= uint32_t(__builtin_popcount(lanes));
  x.block->exit = here;
  if (x.block->cluster) {
    x.block->cluster->expected -= uint32_t(__builtin_popcount(lanes));
    checkClusterBarrier(*x.block->cluster);
  }
  for (Group &g : w.groups)
    if (g.state == Group::Parked)
      g.state = Group::Ready;
  x.regroup = true;
  changed();
  checkBarriers(*x.block);
}

void Scheduler::checkExit(Exec &x, Block &b) {
  // Everything that any thread of the block knows; the last one keeps the block
  // alive.
  std::set<const VectorClock *> known;
  for (auto &w : b.warps)
    for (const ThreadClock &t : w->clocks)
      if (t.known)
        known.insert(t.known.get());
  auto happened = [&](Agent agent, uint32_t clock) {
    for (const VectorClock *k : known)
      if (k->get(agent) >= clock || k->get(agent, Plane::Order) >= clock)
        return true;
    return false;
  };
  for (const auto &[agent, access] : b.remoteAccesses)
    if (!happened(agent, access.clock))
      machine.report(
          FindingKind::ClusterExit, machine.placeOf(agent, access.inst),
          "nothing keeps block " + std::to_string(b.clusterRank) +
              " of the cluster from exiting before this access to its "
              "shared memory",
          {b.exit});
  while (b.tmem && !b.tmem->queue.empty() && !machine.stopped) {
    TensorOp op = std::move(b.tmem->queue.front());
    b.tmem->queue.pop_front();
    if (op.kind == TensorOp::Commit) // Others may wait for it.
      machine.tensor.performTensor(x, b, op);
  }
  std::vector<BulkOp> pending;
  pending.swap(b.bulk);
  for (const BulkOp &op : pending) {
    // Stores of registers into other blocks have left this one.
    bool here = op.multicast ? op.multicast >> b.clusterRank & 1
                             : op.shared >> 24 == b.clusterRank;
    if (op.kind == BulkOp::SharedToShared ||
        ((op.kind == BulkOp::Load || op.kind == BulkOp::Element) && here))
      machine.report(FindingKind::InFlight,
                     machine.placeOf(b, op.warp->index, op.lane, *op.inst),
                     "the block exits while a copy is in flight", {b.exit});
    if (!machine.stopped)
      machine.async.performBulk(x, b, op);
  }
  for (const auto &[offset, bar] : b.mbarriers) {
    const Mbarrier::Signal &s = bar.signal;
    if (s.phase <= bar.observed || happened(s.agent, s.clock))
      continue;
    if (s.remote)
      machine.report(FindingKind::ClusterExit, s.where,
                     "nothing keeps block " + std::to_string(b.clusterRank) +
                         " of the cluster from exiting before its mbarrier is "
                         "signalled",
                     {b.exit});
    else
      machine.report(FindingKind::InFlight, s.where,
                     "the block exits without waiting for this copy", {b.exit});
  }
  for (const auto &[group, log] : b.wgmmaLog)
    for (int w = group * 4; w < group * 4 + 4; ++w) {
      const WgmmaState *s = b.warps[size_t(w)]->wgmma.get();
      if (s && s->issued >= log.size())
        continue;
      const WgmmaIssue &first = log[s ? s->issued : 0];
      machine.report(FindingKind::Wgmma,
                     machine.placeOf(b, first.warp, 0, *first.inst),
                     "warp " + std::to_string(w) +
                         " of the group does not execute this wgmma",
                     {b.exit});
      break;
    }
  machine.registers.checkRegisterChanges(b);
  if (b.tmem)
    for (const TensorMemory::Piece &piece : b.tmem->pieces)
      machine.report(
          FindingKind::TensorLeak, piece.where,
          std::to_string(piece.columns) +
              " columns of tensor memory are not freed at the block's end",
          {b.exit});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who may touch tensor memory when. Products and copies are ordered by the
// thread that issues them, loads and stores end at tcgen05.wait, others know of
// either through tcgen05.commit or synchronisation between the two
// tcgen05.fence.
#include "tools/emulator/Machine.h"

namespace tileir::emu {

Agent TensorMemory::queueAgent(Block &block, Agent thread) {
  auto [it, isNew] = issuers.try_emplace(thread);
  if (isNew)
    it->second.agent = block.newAgentPair();
  return it->second.agent;
}

static ClockRef emptyClock(const Block &block) {
  auto *clock = new VectorClock();
  clock->block = block.agentBase() / kAgentsPerBlock;
  return ClockRef(clock);
}

TensorUser TensorUnit::tensorUser(Exec &x, int lane) {
  TensorUser user;
  const ThreadClock &t = x.clock(lane);
  user.known = t.known;
  user.seen = tensorFences ? t.tensorKnown : t.known;
  user.warp = x.warp->tensor;
  return user;
}

void TensorUnit::tensorPublish(Exec &x, Mask lanes, bool fence) {
  // Without a single tcgen05.fence in the module, other synchronisation is
  // taken to be enough; Triton relies on it.
  Warp::TensorState &w = x.warp->tensor;
  ClockRef done = emptyClock(*x.block);
  for (bool store : {false, true})
    if (w.agent[store] != kNoAgent)
      done.modify().set(w.agent[store], w.waited[store]);
  forLanes(lanes, [&](int l) {
    ThreadClock &t = x.clock(l);
    ClockRef mine = done;
    if (x.block->tmem) {
      auto it = x.block->tmem->issuers.find(t.agent);
      if (it != x.block->tmem->issuers.end() && it->second.agent != kNoAgent)
        mine.modify().set(it->second.agent + 1, it->second.issued);
    }
    if (fence || !tensorFences)
      t.acquire(mine);
    else
      t.acquireInto(Plane::Order, mine);
  });
}

bool TensorUnit::tensorOrdered(const TensorUser &user, Agent agent,
                               uint32_t clock, bool isQueue,
                               bool &fence) const {
  fence = false;
  if (agent == user.as && isQueue)
    return true;
  for (bool store : {false, true})
    if (agent == user.warp.agent[store])
      return clock <= user.warp.waited[store] || agent == user.as;
  auto knows = [&](const ClockRef &c, Plane plane) {
    return c && (c->get(agent, plane) >= clock ||
                 (isQueue && c->get(agent + 1, plane) >= clock));
  };
  if (knows(user.seen, Plane::Base))
    return true;
  fence = knows(user.known, Plane::Base) || knows(user.known, Plane::Order);
  return false;
}

void TensorUnit::touchTensor(Exec &x, const Inst &inst, int lane,
                             TensorMemory &memory, uint64_t offset,
                             AccessKind kind, const TensorUser &user,
                             std::string *unwritten) {
  Region &r = memory.region;
  if (kind != AccessKind::Write && !r.written[offset]) {
    const Inst *pending = nullptr;
    for (const TensorOp &op : memory.queue)
      if (op.kind != TensorOp::Commit)
        pending = op.inst;
    std::string what =
        "read of tensor memory lane " + std::to_string(offset / 2048) +
        ", column " + std::to_string(offset / 4 % 512) +
        (pending ? ", which nobody has written; the instruction at line " +
                       std::to_string(pending->line) + " is under way"
                 : ", which was never written");
    if (pending || !unwritten)
      machine.report(pending ? FindingKind::Tcgen05 : FindingKind::Init, x,
                     inst, lane, what);
    else
      *unwritten = what;
  }
  if (kind != AccessKind::Read)
    r.written[offset] = 1;
  if (!machine.reports(FindingKind::Tcgen05) || user.as == kNoAgent)
    return;
  if (memory.cells.empty())
    memory.cells.resize(r.size / 4);
  TensorMemory::Access *cell = memory.cells[offset / 4].data();
  uint32_t index = uint32_t(&inst - machine.image.code.data());
  auto check = [&](const TensorMemory::Access &a, bool wrote) {
    bool fence;
    if (a.agent == kNoAgent ||
        tensorOrdered(user, a.agent, a.clock, user.isQueue, fence))
      return;
    // The barrier of tcgen05.commit says that products have ended, and a read
    // has ended when its wait has: compilers leave out the fences around the
    // synchronisation that follows.
    if (fence && (!wrote || (a.isQueue && user.known->get(a.agent) >= a.clock)))
      return;
    Place earlier = a.where(machine);
    std::string message =
        std::string(kind == AccessKind::Read ? "read" : "write") +
        " of tensor memory column " + std::to_string(offset / 4 % 512) +
        " while the " + (wrote ? "write" : "read") + " of line " +
        std::to_string(earlier.line) + " may be under way; ";
    message += fence ? "tcgen05.fence::before_thread_sync or "
                       "::after_thread_sync is missing"
                     : "tcgen05.commit, tcgen05.wait or the synchronisation "
                       "after it is missing";
    machine.report(FindingKind::Tcgen05, x, inst, lane, message, {earlier});
  };
  check(cell[0], true);
  TensorMemory::Access mine{user.as, user.clock, index,
                            lane,    x.warp,     user.isQueue};
  if (kind == AccessKind::Read) {
    // Two readers are remembered; one's own gives way first.
    cell[cell[1].agent == user.as || cell[1].agent == kNoAgent ? 1 : 2] = mine;
    return;
  }
  check(cell[1], false);
  check(cell[2], false);
  cell[0] = mine;
  cell[1] = cell[2] = TensorMemory::Access();
}

void TensorUnit::touchTensors(Exec &x, const Inst &inst, int lane,
                              TensorMemory &memory, uint64_t offset,
                              uint32_t count, AccessKind kind,
                              const TensorUser &user) {
  bool isChecked = machine.reports(FindingKind::Tcgen05) && user.as != kNoAgent;
  // Operations of one queue run in order: where it was the last to touch a
  // place there is nothing to check, and it stays the last.
  auto passes = [&](uint64_t at) {
    if (!memory.region.written[at])
      return false;
    if (!isChecked)
      return true;
    if (kind == AccessKind::Read || !user.isQueue || memory.cells.empty())
      return false;
    TensorMemory::Access *cell = memory.cells[at / 4].data();
    if (cell[0].agent != user.as || cell[1].agent != kNoAgent ||
        cell[2].agent != kNoAgent)
      return false;
    cell[0].clock = user.clock;
    cell[0].inst = uint32_t(&inst - machine.image.code.data());
    cell[0].lane = lane;
    cell[0].warp = x.warp;
    return true;
  };
  for (uint32_t c = 0; c < count; ++c, offset += 4)
    if (!passes(offset))
      touchTensor(x, inst, lane, memory, offset, kind, user);
}

Place TensorMemory::Access::where(const Machine &m) const {
  return m.placeOf(*warp->block, warp->index, lane, m.image.code[inst]);
}

void TensorUnit::checkTensorFree(Exec &x, const Inst &inst, int lane,
                                 TensorMemory &memory, uint32_t column,
                                 uint32_t columns) {
  TensorUser user = tensorUser(x, lane);
  user.seen = user.known;
  for (const TensorOp &op : memory.queue)
    if (op.kind != TensorOp::Commit) {
      machine.report(FindingKind::Tcgen05, x, inst, lane,
                     "tensor memory is freed while the instruction at line " +
                         std::to_string(op.inst->line) + " may be under way",
                     {machine.placeOf(*op.warp->block, op.warp->index, op.lane,
                                      *op.inst)});
      return;
    }
  if (memory.cells.empty())
    return;
  for (uint32_t l = 0; l < 128; ++l)
    for (uint32_t c = column; c < column + columns && c < 512; ++c)
      for (TensorMemory::Access &a : memory.cells[l * 512 + c]) {
        bool fence;
        if (a.agent != kNoAgent &&
            !tensorOrdered(user, a.agent, a.clock, false, fence) && !fence) {
          Place earlier = a.where(machine);
          machine.report(FindingKind::Tcgen05, x, inst, lane,
                         "tensor memory is freed while the access of line " +
                             std::to_string(earlier.line) + " may be under way",
                         {earlier});
          return;
        }
      }
  for (uint32_t l = 0; l < 128; ++l)
    for (uint32_t c = column; c < column + columns && c < 512; ++c) {
      memory.cells[l * 512 + c] = {};
      memory.region.written[(l * 512 + c) * 4] = 0;
    }
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who may touch tensor memory when. Products and copies are ordered by the
// thread that issues them, loads and stores end at tcgen05.wait, others know of
// either through tcgen05.commit or synchronisation between the two
// tcgen05.fence.
#include "tools/emulator/Machine.h"

namespace tileir::emu {

Agent TensorMemory::queueAgent(Block &block, Agent thread) {
  auto [it, isNew] = issuingThreads.try_emplace(thread);
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
      auto it = x.block->tmem->issuingThreads.find(t.agent);
      if (it != x.block->tmem->issuingThreads.end() &&
          it->second.agent != kNoAgent)
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

uint32_t TensorMemory::number(const Access &access) {
  const Access &last = accesses.back();
  if (last.agent != access.agent || last.clock != access.clock ||
      last.inst != access.inst || last.warp != access.warp)
    accesses.push_back(access);
  return uint32_t(accesses.size() - 1);
}

Place TensorMemory::where(const Machine &m, const Cell &cell,
                          size_t which) const {
  const Access &a = accesses[cell.by[which]];
  return m.placeOf(*a.warp->block, a.warp->index, cell.lanes[which],
                   m.image.code[a.inst]);
}

namespace {

/// Reads and writes of tensor memory by one user.
class TensorTouch {
public:
  TensorTouch(Machine &m, Exec &x, const Inst &inst, int lane,
              TensorMemory &memory, AccessKind kind, const TensorUser &user)
      : m(m), x(x), inst(inst), lane(lane), memory(memory), kind(kind),
        user(user),
        isChecked(m.reports(FindingKind::Tcgen05) && user.as != kNoAgent) {
    if (!isChecked)
      return;
    if (memory.cells.empty())
      memory.cells.resize(memory.region.size / 4);
    mine = memory.number({user.as, user.clock,
                          uint32_t(&inst - m.image.code.data()), x.warp,
                          user.isQueue});
  }

  /// One column of a lane. `unwritten`: where to report unwritten bytes,
  /// instead of a finding.
  void column(uint64_t offset, std::string *unwritten = nullptr) {
    uint8_t &written = memory.region.written[offset];
    if (kind != AccessKind::Read)
      written = written || kind == AccessKind::Write || reportUnwritten(offset);
    else if (!written)
      reportUnwritten(offset, unwritten);
    if (isChecked)
      order(memory.cells[offset / 4], offset);
  }

  /// `count` columns side by side. Most are as those before them: their last
  /// write is known to come before this one, and no thread has read since.
  void columns(uint64_t offset, uint32_t count) {
    for (uint32_t c = 0; c < count; ++c, offset += 4) {
      if (!isChecked || kind == AccessKind::Read ||
          !memory.region.written[offset]) {
        column(offset);
        continue;
      }
      TensorMemory::Cell &cell = memory.cells[offset / 4];
      if (cell.by[0] != ordered[0] || cell.by[1] || cell.by[2]) {
        order(cell, offset);
        continue;
      }
      cell.by[0] = mine;
      cell.lanes[0] = uint8_t(lane);
    }
  }

private:
  /// Returns true: an atomic access writes all the same.
  bool reportUnwritten(uint64_t offset, std::string *unwritten = nullptr) {
    const Inst *pending = nullptr;
    for (const TensorOp &op : memory.queue)
      if (op.kind != TensorOp::Commit)
        pending = op.inst;
    std::string what =
        "read of tensor memory lane " + std::to_string(offset / 2048) +
        ", column " + std::to_string(offset / 4 % 512) +
        (pending ? ", which no thread has written; the instruction at line " +
                       std::to_string(pending->line) + " is in flight"
                 : ", which was never written");
    if (pending || !unwritten)
      m.report(pending ? FindingKind::Tcgen05 : FindingKind::Init, x, inst,
               lane, what);
    else
      *unwritten = what;
    return true;
  }

  void order(TensorMemory::Cell &cell, uint64_t offset) {
    auto by = [&](size_t which) -> const TensorMemory::Access & {
      return memory.accesses[cell.by[which]];
    };
    check(cell, 0, offset);
    if (kind == AccessKind::Read) {
      // Two readers are remembered; one's own gives way first.
      size_t at = !cell.by[1] || by(1).agent == user.as ? 1 : 2;
      cell.by[at] = mine;
      cell.lanes[at] = uint8_t(lane);
      return;
    }
    check(cell, 1, offset);
    check(cell, 2, offset);
    cell.by[0] = mine;
    cell.lanes[0] = uint8_t(lane);
    cell.by[1] = cell.by[2] = 0;
  }

  /// An access before this one. Columns side by side mostly have the same.
  void check(const TensorMemory::Cell &cell, size_t which, uint64_t offset) {
    uint32_t number = cell.by[which];
    if (!number || number == ordered[which > 0])
      return;
    const TensorMemory::Access &a = memory.accesses[number];
    bool wrote = which == 0, fence;
    if (m.tensor.tensorOrdered(user, a.agent, a.clock, user.isQueue, fence) ||
        // The barrier of tcgen05.commit says that products have ended, and a
        // read has ended when its wait has: compilers leave out the fences
        // around the synchronisation that follows.
        (fence &&
         (!wrote || (a.isQueue && user.known->get(a.agent) >= a.clock)))) {
      ordered[which > 0] = number;
      return;
    }
    Place earlier = memory.where(m, cell, which);
    std::string message =
        std::string(kind == AccessKind::Read ? "read" : "write") +
        " of tensor memory column " + std::to_string(offset / 4 % 512) +
        " while the " + (wrote ? "write" : "read") + " of line " +
        std::to_string(earlier.line) + " may be in flight; ";
    message += fence ? "tcgen05.fence::before_thread_sync or "
                       "::after_thread_sync is missing"
                     : "tcgen05.commit, tcgen05.wait or the synchronisation "
                       "after it is missing";
    m.report(FindingKind::Tcgen05, x, inst, lane, message, {earlier});
  }

  Machine &m;
  Exec &x;
  const Inst &inst;
  int lane;
  TensorMemory &memory;
  AccessKind kind;
  const TensorUser &user;
  bool isChecked;
  uint32_t mine = 0;
  uint32_t ordered[2] = {}; ///< A write and a read known to come before.
};

} // namespace

void TensorUnit::touchTensor(Exec &x, const Inst &inst, int lane,
                             TensorMemory &memory, uint64_t offset,
                             AccessKind kind, const TensorUser &user,
                             std::string *unwritten) {
  TensorTouch(machine, x, inst, lane, memory, kind, user)
      .column(offset, unwritten);
}

void TensorUnit::touchTensors(Exec &x, const Inst &inst, int lane,
                              TensorMemory &memory, uint64_t offset,
                              uint32_t count, AccessKind kind,
                              const TensorUser &user) {
  TensorTouch(machine, x, inst, lane, memory, kind, user)
      .columns(offset, count);
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
                         std::to_string(op.inst->line) + " may be in flight",
                     {machine.placeOf(*op.warp->block, op.warp->index, op.lane,
                                      *op.inst)});
      return;
    }
  if (memory.cells.empty())
    return;
  std::vector<bool> known(memory.accesses.size()); // To come before.
  for (uint32_t l = 0; l < 128; ++l)
    for (uint32_t c = column; c < column + columns && c < 512; ++c)
      for (size_t which = 0; which < 3; ++which) {
        const TensorMemory::Cell &cell = memory.cells[l * 512 + c];
        uint32_t number = cell.by[which];
        if (known[number])
          continue;
        const TensorMemory::Access &a = memory.accesses[number];
        bool fence;
        if (number && !tensorOrdered(user, a.agent, a.clock, false, fence) &&
            !fence) {
          Place earlier = memory.where(machine, cell, which);
          machine.report(FindingKind::Tcgen05, x, inst, lane,
                         "tensor memory is freed while the access of line " +
                             std::to_string(earlier.line) + " may be in flight",
                         {earlier});
          return;
        }
        known[number] = true;
      }
  for (uint32_t l = 0; l < 128; ++l)
    for (uint32_t c = column; c < column + columns && c < 512; ++c) {
      memory.cells[l * 512 + c] = {};
      memory.region.written[(l * 512 + c) * 4] = 0;
    }
}

} // namespace tileir::emu

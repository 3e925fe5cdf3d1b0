// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for what never comes: at barriers, at instructions of the
// whole warp, in loops that look at memory.
#include "tools/emulator/Machine.h"

#include <algorithm>

namespace tileir::emu {

//===--- loops ------------------------------------------------------------===//

/// Returns what decides how the warp goes on, memory apart.
static uint64_t stateOf(const Warp &w) {
  uint64_t hash = 1469598103934665603u;
  auto add = [&](uint64_t v) { hash = (hash ^ v) * 1099511628211u; };
  for (const Group &g : w.groups) {
    add(uint64_t(g.mask) << 32 | uint32_t(g.pc));
    add(uint64_t(g.state));
    for (const Frame *f = g.frame; f; f = f->parent) {
      const auto *rows = reinterpret_cast<const uint64_t *>(f->rows);
      for (size_t k = 0; k < size_t(f->code->rows) * 16; ++k)
        add(rows[k]);
      for (uint32_t p : f->predicates)
        add(p);
    }
  }
  return hash;
}

void Scheduler::watchSpin(Warp &w) {
  Warp::Spin &s = w.loop;
  if (++s.steps % 32) // Looking takes longer than running.
    return;
  uint64_t now = stateOf(w);
  if (s.version != version) {
    s = Warp::Spin();
    s.version = version;
  } else if (now == s.state) {
    ++s.hits;
    return;
  }
  // Loops of any length, in any place: the state to come back to is recorded
  // again after 1, 2, 4, … looks.
  if (s.looks++ >= s.next) {
    s.state = now;
    s.hits = 0;
    s.looks = 0;
    s.next = 2 * s.next + 1;
  }
}

/// The access to memory in the loop around `pc`, or null.
static const Inst *loopAccess(const Machine &m, size_t pc) {
  constexpr size_t kReach = 200;
  for (size_t k = pc; k < std::min(pc + kReach, m.image.code.size()); ++k) {
    const Inst &i = m.image.code[k];
    if (i.target < 0 || size_t(i.target) > pc)
      continue;
    for (size_t j = size_t(i.target); j <= k; ++j)
      if (m.image.code[j].effect == Effect::Load ||
          m.image.code[j].effect == Effect::Atomic)
        return &m.image.code[j];
  }
  return nullptr;
}

bool Scheduler::allSpin() const {
  // Several groups alternate at random: many returns, so that each had some.
  constexpr unsigned kOne = 3, kMany = 64;
  for (auto &b : blocks)
    for (auto &w : b->warps) {
      if (w->done() || (w->polling && w->sleepVersion == version))
        continue;
      unsigned ready = 0;
      for (const Group &g : w->groups) {
        ready += g.state != Group::Waiting;
        // A loop that does not look at memory waits for nothing.
        if (g.state == Group::Ready && !(g.poll && g.pollVersion == version) &&
            !loopAccess(machine, size_t(g.pc)))
          return false;
      }
      if (ready && (w->loop.version != version ||
                    w->loop.hits < (ready > 1 ? kMany : kOne)))
        return false;
    }
  return true;
}

//===--- reports ----------------------------------------------------------===//

void Scheduler::reportStuckWarp(Warp &w) {
  // Every live group waits for lanes of the warp that stand elsewhere.
  const Group &g = w.groups[0];
  const Inst &i = machine.image.code[size_t(g.pc)];
  std::vector<Place> related;
  for (size_t k = 1; k < w.groups.size(); ++k)
    related.push_back(
        machine.placeOf(*w.block, w.index, __builtin_ctz(w.groups[k].mask),
                        machine.image.code[size_t(w.groups[k].pc)]));
  bool anyAligned = false;
  for (const Group &one : w.groups)
    anyAligned |= machine.image.code[size_t(one.pc)].aligned;
  char lanes[64];
  std::snprintf(lanes, sizeof lanes, "0x%08x of 0x%08x", g.mask, w.live);
  FindingKind kind =
      anyAligned ? FindingKind::Convergence : FindingKind::MemberMask;
  machine.report(
      kind, machine.placeOf(*w.block, w.index, __builtin_ctz(g.mask), i),
      anyAligned ? std::string("aligned instruction reached by lanes ") +
                       lanes + " only; the others cannot come"
                 : std::string("member mask names lanes that do not take "
                               "part; here are lanes ") +
                       lanes,
      related);
  machine.fatal();
}

void Scheduler::reportDeadlock(FindingKind kind) {
  if (!machine.reports(kind))
    kind = FindingKind::Timeout;
  bool any = false;
  for (auto &b : blocks)
    for (auto &w : b->warps)
      for (const Group &g : w->groups) {
        if (any && g.state == Group::Ready && kind == FindingKind::Timeout)
          continue;
        bool polls = g.state == Group::Ready && g.poll && g.pollFor &&
                     g.pollVersion == version;
        const Inst *look = g.state == Group::Ready && !polls
                               ? loopAccess(machine, size_t(g.pc))
                               : nullptr;
        const Inst &i = polls  ? *g.poll
                        : look ? *look
                               : machine.image.code[size_t(g.pc)];
        int lane = polls ? g.pollLane : __builtin_ctz(g.mask | 1u << 31);
        std::string what;
        if (polls && g.pollFor->tx < 0 && g.pollFor->signal.phase)
          machine.report(
              FindingKind::Mbarrier, g.pollFor->signal.where,
              std::to_string(-g.pollFor->tx) +
                  " bytes more than expected have arrived at the barrier "
                  "object of line " +
                  std::to_string(g.pollFor->where.line));
        uint32_t awaited = machine.registers.awaitedRegisters(i);
        if (awaited && w->registers &&
            machine.reports(FindingKind::Registers)) {
          machine.report(
              FindingKind::Registers, machine.placeOf(*b, w->index, lane, i),
              "setmaxnreg.inc waits for " +
                  std::to_string(awaited - w->registers) +
                  " more registers a thread; the block has " +
                  std::to_string(b->freeRegisters) + " for one warp left");
          any = true;
          continue;
        }
        if (polls)
          what = "waits for the mbarrier of line " +
                 std::to_string(g.pollFor->where.line) + ", " +
                 std::to_string(g.pollFor->pending) + " of " +
                 std::to_string(g.pollFor->expected) + " arrivals and " +
                 std::to_string(g.pollFor->tx) + " bytes are missing";
        else if (g.state == Group::Waiting && g.clusterWait)
          what = "waits for the other blocks of the cluster";
        else if (g.state == Group::Waiting) {
          const Barrier &bar = b->barriers[g.waitId];
          what = "waits at barrier " + std::to_string(g.waitId) + ", " +
                 std::to_string(bar.arrived) + " of " +
                 std::to_string(bar.expected ? bar.expected : b->liveThreads) +
                 " threads have arrived";
        } else if (kind == FindingKind::Timeout)
          what = "still running when the bound of steps was reached";
        else if (look)
          what =
              "is in a loop that waits for memory to change, and no thread is "
              "left that would change it";
        else
          what = "polls a barrier that no thread will complete";
        machine.report(kind, machine.placeOf(*b, w->index, lane, i), what);
        any = true;
        if (machine.findings.size() > 64)
          break;
      }
  machine.fatal();
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a block and of a cluster.
#include "tools/emulator/Decode.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// bar and barrier.
struct BarrierOperands {
  int32_t d = 0; ///< Of a reduction; a predicate but for popc.
  int32_t id = 0;
  int32_t count = -1; ///< -1: all threads.
  int32_t p = 0;      ///< What is reduced.
  enum Reduction : uint8_t { None, Popc, And, Or } reduction = None;
  bool arrives = false; ///< And does not wait.
};

/// barrier.cluster.
struct ClusterBarrier {
  bool isRelaxed = false;
};

void giveReduction(const BarrierOperands &in, Frame &f, Mask lanes,
                   uint32_t popc, uint32_t voters) {
  if (in.reduction == BarrierOperands::None)
    return;
  if (in.reduction == BarrierOperands::Popc) {
    auto *d = reinterpret_cast<uint32_t *>(f.rows + size_t(in.d) * 128);
    forLanes(lanes, [&](int l) { d[l] = popc; });
    return;
  }
  bool yes = in.reduction == BarrierOperands::And ? popc == voters : popc != 0;
  uint32_t &p = f.predicates[in.d >> 1];
  p = yes ? p | lanes : p & ~lanes;
}

} // namespace

void Scheduler::barrierArrive(Exec &x, const Inst &inst, uint32_t id,
                              uint32_t count, Mask lanes, bool waits) {
  if (id > 15) {
    machine.report(FindingKind::Undefined, x, inst, __builtin_ctz(lanes),
                   "barrier " + std::to_string(id) +
                       " does not exist; use 0 to 15");
    machine.fatal();
    return;
  }
  Barrier &bar = x.block->barriers[id];
  if (bar.arrived == 0) {
    if (machine.profile)
      bar.serial = machine.profile->newId();
    bar.expected = count;
    bar.line = inst.line;
  } else if (bar.expected != count) {
    Place other;
    other.line = bar.line;
    other.block = x.block->id;
    machine.report(FindingKind::Protocol, x, inst, __builtin_ctz(lanes),
                   "barrier " + std::to_string(id) + " is used with " +
                       (count ? std::to_string(count) : "all") +
                       " threads, by others in this phase with " +
                       (bar.expected ? std::to_string(bar.expected) : "all"),
                   {other});
    if (machine.reports(FindingKind::Protocol)) {
      machine.fatal();
      return;
    }
  }
  if (machine.profile) {
    machine.profile->contributes(*x.block, Profile::keyOf(bar),
                                 machine.profile->ticket(), 0);
    if (waits)
      machine.profile->waits(Profile::keyOf(bar), true);
  }
  // An aligned form counts whole warps.
  bar.arrived +=
      count && inst.aligned ? 32 : uint32_t(__builtin_popcount(lanes));
  std::vector<ThreadClock *> mine;
  forLanes(lanes, [&](int l) { mine.push_back(&x.clock(l)); });
  if (waits) {
    bar.participants.insert(bar.participants.end(), mine.begin(), mine.end());
    bar.waiting.push_back({x.warp, lanes, &inst});
    x.group->state = Group::Waiting;
    x.group->waitId = id;
    x.group->clusterWait = false;
    x.wait = true;
    waitStarts(*x.group);
  } else {
    bar.released = joinClocks(bar.released, joinThreads(mine));
    for (ThreadClock *t : mine)
      ++t->clock;
  }
  checkBarriers(*x.block);
}

void Scheduler::waitStarts(Group &group) {
  if (group.waitFrom)
    return;
  group.waitFrom = steps;
  ++machine.stats.barrierWaits;
}

void Scheduler::waitEnds(Group &group, const Inst &inst) {
  if (group.waitFrom) {
    machine.stats.barrierWaitSteps += steps - group.waitFrom;
    if (machine.profile)
      machine.profile->waited(inst, steps - group.waitFrom);
  }
  group.waitFrom = 0;
}

void Scheduler::checkBarriers(Block &block) {
  for (Barrier &bar : block.barriers) {
    if (bar.arrived == 0)
      continue;
    uint32_t need = bar.expected ? bar.expected : block.liveThreads;
    if (bar.arrived < need)
      continue;
    if (!bar.participants.empty()) {
      ClockRef joined = joinThreads(bar.participants);
      if (bar.released)
        joined = joinClocks(joined, bar.released);
      for (ThreadClock *t : bar.participants) {
        t->known = joined;
        ++t->clock;
      }
    }
    std::vector<Barrier::Waiter> waiting;
    waiting.swap(bar.waiting);
    uint32_t popc = bar.popc, voters = bar.voters;
    bar = Barrier();
    for (const Barrier::Waiter &w : waiting) {
      for (Group &g : w.warp->groups) {
        if (g.state != Group::Waiting || g.clusterWait ||
            (g.mask & w.lanes) == 0)
          continue;
        g.state = Group::Ready;
        ++g.pc;
        waitEnds(g, *w.inst);
        giveReduction(w.inst->as<BarrierOperands>(), *g.frame, w.lanes, popc,
                      voters);
      }
    }
  }
}

void Scheduler::checkClusterBarrier(Cluster &c) {
  if (!c.arrived || c.arrived < c.expected)
    return;
  // No thread arrives again before it has waited.
  c.completed = std::move(c.arriving);
  c.arriving.clear();
  c.arrived = 0;
  ++c.phase;
  for (Block *b : c.blocks)
    for (auto &w : b->warps)
      for (Group &g : w->groups)
        if (g.state == Group::Waiting && g.clusterWait)
          g.state = Group::Ready; // Runs the wait again, which now passes.
}

namespace {

void barrier(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<BarrierOperands>();
  uint32_t id = x.row<uint32_t>(in.id)[__builtin_ctz(m)];
  uint32_t count =
      in.count < 0 ? 0 : x.row<uint32_t>(in.count)[__builtin_ctz(m)];
  // A part of the group may use another barrier.
  auto *ids = x.row<uint32_t>(in.id);
  Mask same = 0;
  forLanes(m, [&](int l) { same |= Mask(ids[l] == id) << l; });
  if (same != m) {
    if (i.aligned) {
      x.m.report(FindingKind::Convergence, x, i, __builtin_ctz(m & ~same),
                 "lanes of a warp name different barriers");
      x.m.fatal();
      return;
    }
    x.m.scheduler.splitGroup(x, m & ~same, x.group->pc);
    x.m.scheduler.merge(*x.warp);
    x.wait = true;
    return;
  }
  if (m != x.group->mask) { // Predicated off lanes go on.
    x.m.scheduler.splitGroup(x, x.group->mask & ~m, x.group->pc + 1);
    x.group->mask = m;
  }
  if (count % 32) {
    x.m.report(FindingKind::Protocol, x, i, __builtin_ctz(m),
               "thread count " + std::to_string(count) +
                   " of a barrier is no multiple of 32");
    x.m.fatal();
    return;
  }
  if (in.reduction && id < 16) {
    Barrier &bar = x.block->barriers[id];
    bar.popc += uint32_t(__builtin_popcount(x.predicate(in.p) & m));
    bar.voters += uint32_t(__builtin_popcount(m));
  }
  x.m.scheduler.barrierArrive(x, i, id, count, m, !in.arrives);
}

void clusterArrive(Exec &x, const Inst &i, Mask m) {
  Cluster &c = *x.block->cluster;
  if (Mask twice = m & x.warp->clusterArrived) {
    x.m.report(FindingKind::Cluster, x, i, __builtin_ctz(twice),
               "barrier.cluster.arrive again, without barrier.cluster.wait in "
               "between");
    x.m.fatal();
    return;
  }
  x.warp->clusterArrived |= m;
  std::vector<ThreadClock *> threads;
  forLanes(m, [&](int l) { threads.push_back(&x.clock(l)); });
  ClockRef joined = joinThreads(threads);
  uint32_t block = x.block->linear % (1u << 20);
  c.arriving.add(block, Scope::Cluster, i.as<ClusterBarrier>().isRelaxed,
                 joined);
  if (i.as<ClusterBarrier>()
          .isRelaxed) // Relaxed: what fences have released before.
    for (ThreadClock *t : threads)
      x.m.races.publish(*t, c.arriving, false, Scope::Cluster);
  forLanes(m, [&](int l) {
    ++c.arrived;
    // Clocks that the wait of this phase has to see.
    x.warp->clusterPhase[l] = c.phase;
  });
  if (Profile *p = x.m.profile.get())
    p->contributes(*x.block, Profile::keyOf(c), p->ticket(), 0);
  x.m.scheduler.checkClusterBarrier(c);
  forLanes(m, [&](int l) { ++x.clock(l).clock; });
}

void clusterWait(Exec &x, const Inst &i, Mask m) {
  Cluster &c = *x.block->cluster;
  if (Mask never = m & ~x.warp->clusterArrived) {
    x.m.report(FindingKind::Cluster, x, i, __builtin_ctz(never),
               "barrier.cluster.wait without barrier.cluster.arrive before it");
    x.m.fatal();
    return;
  }
  bool open = true;
  forLanes(m, [&](int l) { open &= x.warp->clusterPhase[l] < c.phase; });
  if (!open) {
    x.group->state = Group::Waiting;
    x.group->clusterWait = true;
    x.wait = true;
    x.m.scheduler.waitStarts(*x.group);
    return;
  }
  x.m.scheduler.waitEnds(*x.group, i);
  if (Profile *p = x.m.profile.get())
    p->waits(Profile::keyOf(c, x.warp->clusterPhase[__builtin_ctz(m)]), true);
  x.warp->clusterArrived &= ~m;
  forLanes(m, [&](int l) {
    x.m.races.learn(x.clock(l), c.completed, true, Scope::Cluster, true);
  });
}

bool decodeBar(Decoder &d) {
  bool short_ = d.s->words[0] == "bar";
  if (d.has("warp"))
    return decodeTable().at("bar#warp")(d);
  if (d.has("cluster")) {
    bool arrive = d.has("arrive");
    if (!arrive && !d.has("wait"))
      return d.fail("expected '.arrive' or '.wait'");
    d.make<ClusterBarrier>().isRelaxed = d.has("relaxed");
    for (const char *w : {"release", "acquire"})
      d.has(w);
    d.inst.aligned = d.has("aligned");
    if (!d.operands(0, 0))
      return false;
    d.emit(arrive ? clusterArrive : clusterWait, Class::Barrier);
    return true;
  }
  auto &in = d.make<BarrierOperands>();
  d.has("cta");
  bool arrive = d.has("arrive"), red = d.has("red");
  if (!arrive && !red && !d.has("sync"))
    return d.fail("expected '.sync', '.arrive' or '.red'");
  d.inst.aligned = d.has("aligned") || short_;
  in.arrives = arrive;
  size_t at = 0;
  if (red) {
    in.reduction = d.has("popc")  ? BarrierOperands::Popc
                   : d.has("and") ? BarrierOperands::And
                   : d.has("or")  ? BarrierOperands::Or
                                  : BarrierOperands::None;
    d.type();
    if (!in.reduction || !d.operands(3, 4))
      return d.fail("expected '.popc', '.and' or '.or'");
    at = 1;
    bool ok = in.reduction == BarrierOperands::Popc
                  ? d.destination(d.operand(0), Type::U32, in.d)
                  : d.predicateDestination(d.operand(0), in.d);
    if (!ok || !d.predicateSource(d.operand(d.count() - 1), in.p))
      return false;
  } else if (!d.operands(1, 2)) {
    return false;
  }
  size_t end = d.count() - (red ? 1 : 0);
  if (!d.source(d.operand(at), Type::U32, in.id) ||
      (at + 1 < end && !d.source(d.operand(at + 1), Type::U32, in.count)))
    return false;
  if (arrive && in.count < 0)
    return d.fail("'.arrive' needs a thread count");
  d.emit(barrier, Class::Barrier);
  return true;
}

} // namespace

void registerBarriers() {
  RegisterDecoders({{"bar", decodeBar}, {"barrier", decodeBar}});
}

} // namespace tileir::emu

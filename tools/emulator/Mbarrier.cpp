// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier objects.
#include "tools/emulator/MemoryOps.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

Block *Machine::ownerOf(Exec &x, const Region &region) {
  for (Block *b : x.block->cluster->blocks)
    if (&b->shared == &region)
      return b;
  return nullptr;
}

Mbarrier *Machine::mbarrierAt(Exec &x, const Inst &inst, int lane, Space space,
                              uint64_t address, MissingBarrier missing,
                              Region *&region) {
  uint64_t offset;
  region = nullptr;
  if (!access(x, inst, lane, space, address, 8, AccessKind::Atomic, region,
              offset))
    return nullptr;
  Block *owner = region ? ownerOf(x, *region) : nullptr;
  if (!owner) {
    report(FindingKind::Mbarrier, x, inst, lane,
           "a barrier object must lie in shared memory");
    fatal();
    return nullptr;
  }
  auto it = owner->mbarriers.find(offset);
  if (it == owner->mbarriers.end()) {
    if (missing == MissingBarrier::Nothing)
      return nullptr;
    report(FindingKind::Mbarrier, x, inst, lane,
           "barrier object is used before mbarrier.init");
    fatal();
    return nullptr;
  }
  if (reports(FindingKind::Race)) {
    ThreadClock &who = x.clock(lane);
    const Mbarrier &bar = it->second;
    // The cell forgets the initialisation once somebody has used the barrier.
    if (bar.maker != kNoAgent && !who.ordered(bar.maker, bar.made))
      report(FindingKind::Race, x, inst, lane,
             "barrier object is used while its mbarrier.init at line " +
                 std::to_string(bar.where.line) +
                 " is not known to have happened",
             {bar.where});
    touchAs(x, inst, lane, who, who.agent, who.clock, *region, offset, 8,
            AccessKind::Atomic,
            Cell::Strong | Cell::Atomic |
                uint32_t(Scope::Gpu) << Cell::ScopeShift,
            false);
  }
  return &it->second;
}

void Machine::mbarrierCheck(Mbarrier &bar) {
  if (bar.pending || bar.tx)
    return;
  ++bar.phase;
  bar.pending = bar.expected;
  bar.completed.add(bar.arriving);
  bar.arriving.clear();
  bar.arrivalsBefore.swap(bar.arrivals);
  bar.arrivals.clear();
  bar.unknown = Mbarrier::Unknown();
  changed();
}

void Machine::checkBarrierObject(Exec &x, const Inst &inst, int lane,
                                 Region &region, uint64_t offset,
                                 uint32_t bytes) {
  if (offset >= region.barriersTo || offset + bytes <= region.barriersFrom)
    return;
  Block *owner = ownerOf(x, region);
  if (!owner)
    return;
  auto at = owner->mbarriers.upper_bound(offset + bytes - 1);
  if (at == owner->mbarriers.begin() || (--at)->first + 8 <= offset)
    return;
  Place where = at->second.where;
  report(FindingKind::Mbarrier, x, inst, lane,
         "ordinary access to the barrier object of line " +
             std::to_string(where.line) +
             ", which is in use until "
             "mbarrier.inval",
         {where});
}

void Machine::checkArrivalOrder(Exec &x, const Inst &inst, int lane,
                                Mbarrier &bar, const Knowledge &who, Agent as) {
  // The lanes of a warp mostly know the same of others.
  Mbarrier::Unknown &u = bar.unknown;
  if (u.known != who.known) {
    u.known = who.known;
    u.arrivals.clear();
    for (size_t k = 0; k < bar.arrivalsBefore.size(); ++k) {
      const Mbarrier::Arrival &a = bar.arrivalsBefore[k];
      if (who.known->get(a.agent) < a.clock &&
          who.known->get(a.agent, Plane::Order) < a.clock)
        u.arrivals.push_back(uint32_t(k));
    }
  }
  for (uint32_t k : u.arrivals) {
    const Mbarrier::Arrival &a = bar.arrivalsBefore[k];
    // What one thread commits to the tensor core completes in order.
    if (a.agent == as || who.executed(a.agent, a.clock))
      continue;
    Place where = placeOf(a.thread, uint32_t(a.inst - code.data()));
    report(FindingKind::Mbarrier, x, inst, lane,
           "arrives for the next phase without knowing that the arrival at "
           "line " +
               std::to_string(where.line) +
               " has completed the phase before; it may count there. Wait for "
               "that phase first",
           {where});
    return;
  }
}

void Machine::mbarrierArrive(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                             uint32_t count, const Knowledge &who, Agent as,
                             uint32_t clock, uint64_t ticket) {
  if (profile)
    profile->contributes(*bar.home, Profile::keyOf(bar, bar.phase), ticket, 0);
  if (as != kNoAgent) {
    checkArrivalOrder(x, inst, lane, bar, who, as);
    bar.arrivals.push_back({as, clock, who.agent, &inst});
  }
  if (count > bar.pending) {
    report(FindingKind::Mbarrier, x, inst, lane,
           "more arrivals than the phase expects: " + std::to_string(count) +
               " with " + std::to_string(bar.pending) + " pending");
    fatal();
    return;
  }
  bar.pending -= count;
  changed();
  mbarrierCheck(bar);
}

void Machine::mbarrierTx(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                         int64_t bytes, uint64_t ticket, bool copied) {
  if (profile)
    profile->contributes(*bar.home, Profile::keyOf(bar, bar.phase), ticket,
                         copied ? uint64_t(-bytes) : 0);
  bar.tx += bytes;
  if (bar.tx > (1 << 20) - 1 || bar.tx < -((1 << 20) - 1)) {
    report(FindingKind::Mbarrier, x, inst, lane,
           "transaction count " + std::to_string(bar.tx) + " is out of range");
    fatal();
    return;
  }
  changed();
  mbarrierCheck(bar);
}

namespace {

enum BarOp : uint8_t {
  BInit,
  BInval,
  BArrive,
  BArriveDrop,
  BExpectTx,
  BCompleteTx,
  BTestWait,
  BTryWait
};

/// mbarrier.init, and mbarrier.inval when `count` is null.
void initBarrier(Exec &x, const Inst &i, int l, uint64_t address,
                 const uint32_t *count) {
  Region *region = nullptr;
  uint64_t offset;
  if (!count) {
    // Of memory without a barrier object it does nothing.
    Mbarrier *bar = x.m.mbarrierAt(x, i, l, Space(i.c), address,
                                   MissingBarrier::Nothing, region);
    if (!bar)
      return;
    offset = address & 0xFFFFFF;
    x.m.ownerOf(x, *region)->mbarriers.erase(offset);
    std::memset(&region->written[offset], 0, 8);
    x.m.changed();
    return;
  }
  if (!x.m.access(x, i, l, Space(i.c), address, 8, AccessKind::Write, region,
                  offset))
    return;
  Block *owner = region ? x.m.ownerOf(x, *region) : nullptr;
  if (!owner) {
    x.m.report(FindingKind::Mbarrier, x, i, l,
               "a barrier object must lie in shared memory");
    x.m.fatal();
    return;
  }
  uint32_t n = *count;
  if (n == 0 || n > (1u << 20) - 1) {
    x.m.report(FindingKind::Mbarrier, x, i, l,
               "arrival count " + std::to_string(n) + " is out of range");
    x.m.fatal();
    return;
  }
  auto [it, isNew] = owner->mbarriers.try_emplace(offset);
  Mbarrier &bar = it->second;
  // Several lanes may say the same.
  bool same =
      !isNew && bar.expected == n && bar.pending == n && !bar.tx && !bar.phase;
  if (!isNew && !same)
    x.m.report(FindingKind::Mbarrier, x, i, l,
               "barrier object is initialised again without mbarrier.inval",
               {bar.where});
  bar = Mbarrier();
  bar.home = owner;
  if (x.m.profile)
    bar.id = x.m.profile->newId();
  bar.expected = bar.pending = n;
  bar.where = x.m.placeOf(*x.block, x.warp->index, l, i);
  if (!same) {
    bar.maker = x.clock(l).agent;
    bar.made = x.clock(l).clock;
  }
  region->barriersFrom = std::min(region->barriersFrom, offset);
  region->barriersTo = std::max(region->barriersTo, offset + 8);
  std::memset(&region->written[offset], 1, 8);
  if (x.m.reports(FindingKind::Race)) {
    ThreadClock &who = x.clock(l);
    x.m.touchAs(x, i, l, who, who.agent, who.clock, *region, offset, 8,
                AccessKind::Write, 0, same);
  }
  x.m.changed();
}

// Inst: a operation; b flags: 1 expect_tx with the arrival, 2 noComplete,
// 4 parity, 8 relaxed, 16 times the scope, 64 result unused; c space; o[0]
// token or predicate; o[1] address; o[2] count, bytes, token or parity (-1: one
// arrival).
void mbarrier(Exec &x, const Inst &i, Mask m) {
  Mask done = 0;
  bool failed = false;
  Profile *profile = x.m.profile.get();
  uint64_t ticket = profile ? profile->ticket() : 0;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region;
    uint64_t address = laneAddress(x, i, i.o[1], l);
    auto operand = [&]() -> uint32_t {
      return i.o[2] < 0 ? 1 : x.row<uint32_t>(i.o[2])[l];
    };
    if (i.a == BInit || i.a == BInval) {
      uint32_t n = i.a == BInit ? operand() : 0;
      initBarrier(x, i, l, address, i.a == BInit ? &n : nullptr);
      return;
    }
    Mbarrier *bar = x.m.mbarrierAt(x, i, l, Space(i.c), address,
                                   MissingBarrier::Finding, region);
    if (!bar)
      return;
    ThreadClock &t = x.clock(l);
    Block *owner = x.m.ownerOf(x, *region);
    Scope scope = Scope(i.b >> 4 & 3);
    switch (i.a) {
    case BArrive:
    case BArriveDrop: {
      uint64_t token = bar->phase << 32 | bar->pending;
      if (owner != x.block)
        bar->signal = {bar->phase + 1, true, t.agent, t.clock,
                       x.m.placeOf(*x.block, x.warp->index, l, i)};
      x.m.publish(t, bar->arriving, !(i.b & 8), scope);
      if (i.b & 8)
        bar->arriving.add(t.agent / kAgentsPerBlock, scope, true, t.snapshot());
      uint32_t clock = t.clock++;
      uint32_t n = i.b & 1 ? 1 : operand();
      if (i.b & 1)
        bar->tx += operand();
      if (i.a == BArriveDrop)
        bar->expected -= std::min(n, bar->expected);
      uint64_t phase = bar->phase;
      x.m.mbarrierArrive(x, i, l, *bar, n, t, t.agent, clock, ticket);
      if ((i.b & 2) && bar->phase != phase) {
        x.m.report(FindingKind::Mbarrier, x, i, l,
                   "arrival with .noComplete completes the phase");
        x.m.fatal();
        return;
      }
      if (i.o[0] >= 0)
        x.row<uint64_t>(i.o[0])[l] = token;
      break;
    }
    case BExpectTx:
      bar->tx += operand();
      x.m.changed();
      break;
    case BCompleteTx:
      x.m.mbarrierTx(x, i, l, *bar, -int64_t(operand()), ticket, false);
      break;
    case BTestWait:
    case BTryWait: {
      bool passed;
      if (i.b & 4) {
        passed = (bar->phase & 1) != (operand() & 1);
      } else {
        uint64_t phase = x.row<uint64_t>(i.o[2])[l] >> 32;
        passed = phase != (bar->phase & 0xFFFFFFFF);
        if (passed && ((phase + 1) & 0xFFFFFFFF) != (bar->phase & 0xFFFFFFFF)) {
          x.m.report(FindingKind::Mbarrier, x, i, l,
                     "the token is older than the phase before this one");
          x.m.fatal();
          return;
        }
      }
      done |= Mask(passed) << l;
      if (profile)
        profile->waits(bar->phase ? Profile::keyOf(*bar, bar->phase - 1) : 0,
                       passed);
      if (passed) {
        // A wait whose result nobody looks at orders nothing.
        if (i.b & 64)
          break;
        if (owner == x.block)
          bar->observed = bar->phase;
        x.m.learn(t, bar->completed, !(i.b & 8), scope, true);
      } else {
        failed = true;
        x.group->pollFor = bar;
        x.group->pollLane = l;
      }
      break;
    }
    }
  });
  if (i.a != BTestWait && i.a != BTryWait)
    return;
  x.setPredicate(uint32_t(i.o[0]), done, m);
  if (!failed)
    return x.m.waitEnds(*x.group, i);
  x.m.waitStarts(*x.group);
  // Nobody completes it by waiting: let outstanding copies and others go on.
  if (x.m.advanceAsync(x, *x.block))
    return;
  for (Block *b : x.block->cluster->blocks)
    if (!b->done && b != x.block && x.m.advanceAsync(x, *b))
      return;
  x.yield = true;
  x.group->poll = &i;
  x.group->pollVersion = x.m.version;
  x.warp->polling = x.warp->groups.size() == 1;
  x.warp->sleepVersion = x.m.version;
}

void pendingCount(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]);
  auto *a = x.row<uint64_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = uint32_t(a[l]); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeMbarrier(Decoder &d) {
  static const std::pair<const char *, BarOp> ops[] = {
      {"init", BInit},          {"inval", BInval},
      {"arrive", BArrive},      {"arrive_drop", BArriveDrop},
      {"test_wait", BTestWait}, {"try_wait", BTryWait}};
  if (d.has("pending_count")) {
    d.type();
    return d.operands(2, 2) &&
           d.destination(d.operand(0), Type::U32, d.inst.o[0]) &&
           d.source(d.operand(1), Type::B64, d.inst.o[1]) &&
           (d.emit(pendingCount, Class::Mbarrier), true);
  }
  bool found = false;
  for (auto &[name, op] : ops)
    if (!found && d.has(name)) {
      d.inst.a = op;
      found = true;
    }
  bool expect = d.has("expect_tx"), complete = d.has("complete_tx");
  if (!found) {
    if (!expect && !complete)
      return d.fail("unknown operation");
    d.inst.a = expect ? BExpectTx : BCompleteTx;
  } else if (expect) {
    d.inst.b |= 1;
  }
  if (d.has("noComplete"))
    d.inst.b |= 2;
  if (d.has("parity"))
    d.inst.b |= 4;
  bool relaxed = false;
  Scope scope = Scope::Cta; // When none is written.
  for (const std::string &w : d.s->words) {
    relaxed |= w == "relaxed";
    if (w == "cluster")
      scope = Scope::Cluster;
    if (w == "gpu" || w == "sys")
      scope = Scope::Gpu;
  }
  d.inst.b |= uint8_t(scope) << 4;
  takeSemantics(d, true);
  if (relaxed && d.inst.a != BExpectTx)
    d.inst.b |= 8;
  Space s;
  takeMemorySpace(d, s);
  d.type();
  bool hasResult = d.inst.a == BArrive || d.inst.a == BArriveDrop ||
                   d.inst.a == BTestWait || d.inst.a == BTryWait;
  // A remote arrival has no token and may leave the destination out.
  bool noDestination =
      hasResult && d.count() && d.operand(0).kind == Operand::Kind::Address;
  size_t at = hasResult && !noDestination ? 1 : 0;
  d.inst.o[0] = -1;
  bool isWait = d.inst.a == BTestWait || d.inst.a == BTryWait;
  if (at && isWait) {
    if (!d.predicateDestination(d.operand(0), d.inst.o[0]))
      return false;
  } else if (at && d.operand(0).kind != Operand::Kind::Sink) {
    if (!d.destination(d.operand(0), Type::B64, d.inst.o[0]))
      return false;
  }
  if (!d.operands(at + 1, at + 3) || !d.memoryOperand(d.operand(at), s))
    return false;
  d.inst.o[2] = -1;
  if (d.count() > at + 1) {
    Type t = isWait && !(d.inst.b & 4) ? Type::B64 : Type::B32;
    if (!d.source(d.operand(at + 1), t, d.inst.o[2]))
      return false;
  } else if (d.inst.a != BArrive && d.inst.a != BArriveDrop &&
             d.inst.a != BInval) {
    return d.fail("an operand is missing");
  }
  d.emit(mbarrier, Class::Mbarrier);
  return true;
}

} // namespace

void registerMbarrier() { RegisterDecoders({{"mbarrier", decodeMbarrier}}); }

} // namespace tileir::emu

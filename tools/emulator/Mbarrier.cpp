// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier objects.
#include "tools/emulator/MemoryOps.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

Block *AsyncEngine::ownerOf(Exec &x, const Region &region) {
  for (Block *b : x.block->cluster->blocks)
    if (&b->shared == &region)
      return b;
  return nullptr;
}

Mbarrier *AsyncEngine::mbarrierAt(Exec &x, const Inst &inst, int lane,
                                  Space space, uint64_t address,
                                  MissingBarrier missing, Region *&region) {
  uint64_t offset;
  region = nullptr;
  if (!machine.memory.access(x, inst, lane, space, address, 8,
                             AccessKind::Atomic, region, offset))
    return nullptr;
  Block *owner = region ? ownerOf(x, *region) : nullptr;
  if (!owner) {
    machine.report(FindingKind::Mbarrier, x, inst, lane,
                   "an mbarrier must lie in shared memory");
    machine.fatal();
    return nullptr;
  }
  auto it = owner->mbarriers.find(offset);
  if (it == owner->mbarriers.end()) {
    if (missing == MissingBarrier::Nothing)
      return nullptr;
    machine.report(FindingKind::Mbarrier, x, inst, lane,
                   "mbarrier is used before mbarrier.init");
    machine.fatal();
    return nullptr;
  }
  if (machine.reports(FindingKind::Race)) {
    ThreadClock &who = x.clock(lane);
    const Mbarrier &bar = it->second;
    // The cell forgets the initialisation once a thread has used the barrier.
    if (bar.initializer != kNoAgent && !who.ordered(bar.initializer, bar.made))
      machine.report(FindingKind::Race, x, inst, lane,
                     "mbarrier is used while its mbarrier.init at line " +
                         std::to_string(bar.where.line) +
                         " is not known to have happened",
                     {bar.where});
    machine.races.touchAs(x, inst, lane, who, who.agent, who.clock, *region,
                          offset, 8, AccessKind::Atomic,
                          Cell::Strong | Cell::Atomic |
                              uint32_t(Scope::Gpu) << Cell::ScopeShift,
                          false);
  }
  return &it->second;
}

void AsyncEngine::mbarrierCheck(Mbarrier &bar) {
  if (bar.pending || bar.tx)
    return;
  ++bar.phase;
  bar.pending = bar.expected;
  bar.completed.add(bar.arriving);
  bar.arriving.clear();
  bar.arrivalsBefore.swap(bar.arrivals);
  bar.arrivals.clear();
  bar.unknown = Mbarrier::Unknown();
  machine.scheduler.changed();
}

void AsyncEngine::checkMbarrier(Exec &x, const Inst &inst, int lane,
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
  machine.report(FindingKind::Mbarrier, x, inst, lane,
                 "ordinary access to the mbarrier of line " +
                     std::to_string(where.line) +
                     ", which is in use until "
                     "mbarrier.inval",
                 {where});
}

void AsyncEngine::checkArrivalOrder(Exec &x, const Inst &inst, int lane,
                                    Mbarrier &bar, const Knowledge &who,
                                    Agent as) {
  if (!machine.reports(FindingKind::Mbarrier))
    return;
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
    // Commits of one thread to the tensor core complete in order.
    if (a.agent == as || who.executed(a.agent, a.clock))
      continue;
    Place where =
        machine.placeOf(a.thread, uint32_t(a.inst - machine.image.code.data()));
    machine.report(
        FindingKind::Mbarrier, x, inst, lane,
        "arrives for the next phase without knowing that the arrival at "
        "line " +
            std::to_string(where.line) +
            " has completed the phase before; it may count there. Wait for "
            "that phase first",
        {where});
    return;
  }
}

void AsyncEngine::mbarrierArrive(Exec &x, const Inst &inst, int lane,
                                 Mbarrier &bar, uint32_t count,
                                 const Knowledge &who, Agent as, uint32_t clock,
                                 uint64_t ticket) {
  if (machine.profile)
    machine.profile->contributes(*bar.home, Profile::keyOf(bar, bar.phase),
                                 ticket, 0);
  if (as != kNoAgent) {
    checkArrivalOrder(x, inst, lane, bar, who, as);
    bar.arrivals.push_back({as, clock, who.agent, &inst});
  }
  if (count > bar.pending) {
    machine.report(
        FindingKind::Mbarrier, x, inst, lane,
        "more arrivals than the phase expects: " + std::to_string(count) +
            " with " + std::to_string(bar.pending) + " pending");
    machine.fatal();
    return;
  }
  bar.pending -= count;
  machine.scheduler.changed();
  mbarrierCheck(bar);
}

void AsyncEngine::mbarrierTx(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                             int64_t bytes, uint64_t ticket, bool copied) {
  if (machine.profile)
    machine.profile->contributes(*bar.home, Profile::keyOf(bar, bar.phase),
                                 ticket, copied ? uint64_t(-bytes) : 0);
  bar.tx += bytes;
  if (bar.tx > (1 << 20) - 1 || bar.tx < -((1 << 20) - 1)) {
    machine.report(FindingKind::Mbarrier, x, inst, lane,
                   "transaction count " + std::to_string(bar.tx) +
                       " is out of range");
    machine.fatal();
    return;
  }
  machine.scheduler.changed();
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

struct MbarrierOperands {
  AddressOperand address;
  int32_t d = -1;       ///< A token, or the predicate of a wait; -1: none.
  int32_t operand = -1; ///< Count, bytes, token or parity; -1: one arrival.
  BarOp op = BInit;
  Scope scope = Scope::Cta;
  bool expectsBytes = false; ///< With the arrival.
  bool noComplete = false;
  bool isParity = false;  ///< What is waited for.
  bool isRelaxed = false; ///< Else a release, or an acquire.
  bool isUnused = false;  ///< The result of a wait.

  bool isWait() const { return op == BTestWait || op == BTryWait; }
  bool isArrival() const { return op == BArrive || op == BArriveDrop; }
};

void invalidate(Exec &x, const Inst &i, int l, uint64_t address) {
  // Of memory without an mbarrier it does nothing.
  Region *region = nullptr;
  if (!x.m.async.mbarrierAt(x, i, l, i.as<MbarrierOperands>().address.space,
                            address, MissingBarrier::Nothing, region))
    return;
  uint64_t offset = address & 0xFFFFFF;
  x.m.async.ownerOf(x, *region)->mbarriers.erase(offset);
  std::memset(&region->written[offset], 0, 8);
  x.m.scheduler.changed();
}

void initBarrier(Exec &x, const Inst &i, int l, uint64_t address, uint32_t n) {
  Region *region = nullptr;
  uint64_t offset;
  if (!x.m.memory.access(x, i, l, i.as<MbarrierOperands>().address.space,
                         address, 8, AccessKind::Write, region, offset))
    return;
  Block *owner = region ? x.m.async.ownerOf(x, *region) : nullptr;
  if (!owner) {
    x.m.report(FindingKind::Mbarrier, x, i, l,
               "an mbarrier must lie in shared memory");
    x.m.fatal();
    return;
  }
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
               "mbarrier is initialised again without mbarrier.inval",
               {bar.where});
  bar = Mbarrier();
  bar.home = owner;
  if (x.m.profile)
    bar.id = x.m.profile->newId();
  bar.expected = bar.pending = n;
  bar.where = x.m.placeOf(*x.block, x.warp->index, l, i);
  if (!same) {
    bar.initializer = x.clock(l).agent;
    bar.made = x.clock(l).clock;
  }
  region->barriersFrom = std::min(region->barriersFrom, offset);
  region->barriersTo = std::max(region->barriersTo, offset + 8);
  std::memset(&region->written[offset], 1, 8);
  if (x.m.reports(FindingKind::Race)) {
    ThreadClock &who = x.clock(l);
    x.m.races.touchAs(x, i, l, who, who.agent, who.clock, *region, offset, 8,
                      AccessKind::Write, 0, same);
  }
  x.m.scheduler.changed();
}

/// Returns what a lane gives beside the mbarrier.
uint32_t operandOf(Exec &x, const MbarrierOperands &in, int l) {
  return in.operand < 0 ? 1 : x.row<uint32_t>(in.operand)[l];
}

void arrive(Exec &x, const Inst &i, int l, Mbarrier &bar, uint64_t ticket) {
  const auto &in = i.as<MbarrierOperands>();
  ThreadClock &t = x.clock(l);
  uint64_t token = bar.phase << 32 | bar.pending;
  if (bar.home != x.block)
    bar.signal = {bar.phase + 1, true, t.agent, t.clock,
                  x.m.placeOf(*x.block, x.warp->index, l, i)};
  x.m.races.publish(t, bar.arriving, !in.isRelaxed, in.scope);
  if (in.isRelaxed)
    bar.arriving.add(t.agent / kAgentsPerBlock, in.scope, true, t.snapshot());
  uint32_t clock = t.clock++;
  uint32_t n = in.expectsBytes ? 1 : operandOf(x, in, l);
  if (in.expectsBytes)
    bar.tx += operandOf(x, in, l);
  if (in.op == BArriveDrop)
    bar.expected -= std::min(n, bar.expected);
  uint64_t phase = bar.phase;
  x.m.async.mbarrierArrive(x, i, l, bar, n, t, t.agent, clock, ticket);
  if (in.noComplete && bar.phase != phase) {
    x.m.report(FindingKind::Mbarrier, x, i, l,
               "arrival with .noComplete completes the phase");
    x.m.fatal();
    return;
  }
  if (in.d >= 0)
    x.row<uint64_t>(in.d)[l] = token;
}

/// Returns whether the phase that a lane waits for has completed; false, too,
/// after a finding that ends the run.
bool looksAt(Exec &x, const Inst &i, int l, Mbarrier &bar) {
  const auto &in = i.as<MbarrierOperands>();
  bool passed;
  if (in.isParity) {
    passed = (bar.phase & 1) != (operandOf(x, in, l) & 1);
  } else {
    uint64_t phase = x.row<uint64_t>(in.operand)[l] >> 32;
    passed = phase != (bar.phase & 0xFFFFFFFF);
    if (passed && ((phase + 1) & 0xFFFFFFFF) != (bar.phase & 0xFFFFFFFF)) {
      x.m.report(FindingKind::Mbarrier, x, i, l,
                 "the token is older than the phase before this one");
      x.m.fatal();
      return false;
    }
  }
  if (Profile *profile = x.m.profile.get())
    profile->waits(bar.phase ? Profile::keyOf(bar, bar.phase - 1) : 0, passed);
  // A wait whose result no instruction reads orders nothing.
  if (passed && !in.isUnused) {
    if (bar.home == x.block)
      bar.observed = bar.phase;
    x.m.races.learn(x.clock(l), bar.completed, !in.isRelaxed, in.scope, true);
  }
  return passed;
}

/// After a wait that some lanes did not pass.
void pollAgain(Exec &x, const Inst &i) {
  x.m.scheduler.waitStarts(*x.group);
  // No thread completes it by waiting: let outstanding copies and others go on.
  if (x.m.async.advanceAsync(x, *x.block))
    return;
  for (Block *b : x.block->cluster->blocks)
    if (!b->done && b != x.block && x.m.async.advanceAsync(x, *b))
      return;
  x.yield = true;
  x.group->poll = &i;
  x.group->pollVersion = x.m.scheduler.version;
  x.warp->polling = x.warp->groups.size() == 1;
  x.warp->sleepVersion = x.m.scheduler.version;
}

void mbarrier(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MbarrierOperands>();
  Mask done = 0;
  bool failed = false;
  uint64_t ticket = x.m.profile ? x.m.profile->ticket() : 0;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t address = laneAddress(x, in.address, l);
    if (in.op == BInit)
      return initBarrier(x, i, l, address, operandOf(x, in, l));
    if (in.op == BInval)
      return invalidate(x, i, l, address);
    Region *region;
    Mbarrier *bar = x.m.async.mbarrierAt(x, i, l, in.address.space, address,
                                         MissingBarrier::Finding, region);
    if (!bar)
      return;
    if (in.isArrival()) {
      arrive(x, i, l, *bar, ticket);
    } else if (in.op == BExpectTx) {
      bar->tx += operandOf(x, in, l);
      x.m.scheduler.changed();
    } else if (in.op == BCompleteTx) {
      x.m.async.mbarrierTx(x, i, l, *bar, -int64_t(operandOf(x, in, l)), ticket,
                           false);
    } else if (looksAt(x, i, l, *bar)) {
      done |= 1u << l;
    } else if (!x.m.stopped) {
      failed = true;
      x.group->pollFor = bar;
      x.group->pollLane = l;
    }
  });
  if (!in.isWait())
    return;
  x.setPredicate(uint32_t(in.d), done, m);
  if (failed)
    pollAgain(x, i);
  else
    x.m.scheduler.waitEnds(*x.group, i);
}

void pendingCount(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<uint32_t>(in.d);
  auto *a = x.row<uint64_t>(in.a);
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
    auto &in = d.make<Rows>();
    return d.operands(2, 2) && d.destination(d.operand(0), Type::U32, in.d) &&
           d.source(d.operand(1), Type::B64, in.a) &&
           (d.emit(pendingCount, Class::Mbarrier), true);
  }
  auto &in = d.make<MbarrierOperands>();
  bool found = false;
  for (auto &[name, op] : ops)
    if (!found && d.has(name)) {
      in.op = op;
      found = true;
    }
  bool expect = d.has("expect_tx"), complete = d.has("complete_tx");
  if (!found) {
    if (!expect && !complete)
      return d.fail("unknown operation");
    in.op = expect ? BExpectTx : BCompleteTx;
  } else if (expect) {
    in.expectsBytes = true;
  }
  in.noComplete = d.has("noComplete");
  in.isParity = d.has("parity");
  bool relaxed = false;
  for (const std::string &w : d.s->words) {
    relaxed |= w == "relaxed";
    if (w == "cluster")
      in.scope = Scope::Cluster;
    if (w == "gpu" || w == "sys")
      in.scope = Scope::Gpu;
  }
  takeSemantics(d, true);
  in.isRelaxed = relaxed && in.op != BExpectTx;
  Space s;
  takeMemorySpace(d, s);
  d.type();
  bool isWait = in.isWait(), hasResult = isWait || in.isArrival();
  // A remote arrival has no token and may leave the destination out.
  bool noDestination =
      hasResult && d.count() && d.operand(0).kind == Operand::Kind::Address;
  size_t at = hasResult && !noDestination ? 1 : 0;
  if (at && isWait) {
    if (!d.predicateDestination(d.operand(0), in.d))
      return false;
  } else if (at && d.operand(0).kind != Operand::Kind::Sink) {
    if (!d.destination(d.operand(0), Type::B64, in.d))
      return false;
  }
  if (!d.operands(at + 1, at + 3) ||
      !d.memoryOperand(d.operand(at), s, in.address))
    return false;
  if (d.count() > at + 1) {
    Type t = isWait && !in.isParity ? Type::B64 : Type::B32;
    if (!d.source(d.operand(at + 1), t, in.operand))
      return false;
  } else if (!in.isArrival() && in.op != BInval) {
    return d.fail("an operand is missing");
  }
  d.emit(mbarrier, Class::Mbarrier);
  return true;
}

} // namespace

void markUnusedWait(Inst &wait) { wait.as<MbarrierOperands>().isUnused = true; }

void registerMbarrier() { RegisterDecoders({{"mbarrier", decodeMbarrier}}); }

} // namespace tileir::emu

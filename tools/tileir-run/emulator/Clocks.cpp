// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-run/emulator/Clocks.h"

#include <algorithm>

namespace tileir::emu {

static void raise(std::vector<uint32_t> &clock, uint32_t at, uint32_t value) {
  if (clock.size() <= at)
    clock.resize(at + 1);
  clock[at] = std::max(clock[at], value);
}

static void joinInto(std::vector<uint32_t> &to,
                     const std::vector<uint32_t> &from) {
  if (to.size() < from.size())
    to.resize(from.size());
  uint32_t *a = to.data();
  const uint32_t *b = from.data();
  for (size_t i = 0; i < from.size(); ++i)
    a[i] = a[i] < b[i] ? b[i] : a[i];
}

void VectorClock::set(Agent agent, uint32_t value, Plane plane) {
  uint32_t b = agent / kAgentsPerBlock;
  Planes &planes = b == block ? own : foreign[b].planes;
  raise(planes[size_t(plane)], agent % kAgentsPerBlock, value);
}

void VectorClock::join(const VectorClock &other) {
  auto part = [&](uint32_t b, const Planes &from) {
    Planes &to = b == block ? own : foreign[b].planes;
    for (size_t p = 0; p < size_t(Plane::Count); ++p)
      joinInto(to[p], from[p]);
  };
  part(other.block, other.own);
  for (const auto &[b, clocks] : other.foreign)
    part(b, clocks.planes);
}

void VectorClock::joinOrder(const VectorClock &other) {
  auto part = [&](uint32_t b, const Planes &from) {
    Planes &to = b == block ? own : foreign[b].planes;
    std::vector<uint32_t> &order = to[size_t(Plane::Order)];
    joinInto(order, from[size_t(Plane::Base)]);
    joinInto(order, from[size_t(Plane::Order)]);
  };
  part(other.block, other.own);
  for (const auto &[b, clocks] : other.foreign)
    part(b, clocks.planes);
}

void VectorClock::fenceProxy(bool shared, bool global) {
  auto part = [&](Planes &planes) {
    if (shared)
      planes[size_t(Plane::SharedProxy)] = planes[size_t(Plane::Base)];
    if (global)
      planes[size_t(Plane::GlobalProxy)] = planes[size_t(Plane::Base)];
  };
  part(own);
  for (auto &[b, clocks] : foreign)
    part(clocks.planes);
}

static void addThread(VectorClock &clock, const Knowledge &thread) {
  clock.set(thread.agent, thread.clock);
  if (thread.asyncDone)
    clock.set(thread.asyncAgent, thread.asyncDone);
  for (bool global : {false, true}) {
    Plane plane = global ? Plane::GlobalProxy : Plane::SharedProxy;
    if (thread.proxyClock[global])
      clock.set(thread.agent, thread.proxyClock[global], plane);
    if (thread.proxyAsync[global])
      clock.set(thread.asyncAgent, thread.proxyAsync[global], plane);
  }
}

static ClockRef copyOf(const ClockRef &clock) {
  auto *copy = new VectorClock(*clock.get());
  copy->refs = 0;
  return ClockRef(copy);
}

ClockRef Knowledge::snapshot() const {
  ClockRef copy = copyOf(known);
  addThread(copy.modify(), *this);
  return copy;
}

void Knowledge::acquire(const ClockRef &other) {
  if (!other || other == known)
    return;
  known = joinClocks(known, other);
}

void Knowledge::acquireOrder(const ClockRef &other) {
  if (!other || other == known)
    return;
  // The lanes of a warp do this together.
  static ClockRef lastFrom, lastOther, lastTo;
  if (lastFrom != known || lastOther != other || !lastTo) {
    lastFrom = known;
    lastOther = other;
    lastTo = copyOf(known);
    lastTo.modify().joinOrder(*other.get());
  }
  known = lastTo;
}

void Knowledge::fenceProxy(bool shared, bool global) {
  for (bool space : {false, true})
    if (space ? global : shared) {
      proxyClock[space] = clock;
      proxyAsync[space] = asyncDone;
    }
  // Lanes of a warp fence together: share the fenced copy.
  static ClockRef lastFrom, lastTo;
  static int lastKind = 0;
  int kind = int(shared) + 2 * int(global);
  if (!lastFrom || lastFrom != known || kind != lastKind) {
    lastFrom = known;
    lastKind = kind;
    lastTo = copyOf(known);
    lastTo.modify().fenceProxy(shared, global);
  }
  known = lastTo;
}

void Released::add(uint32_t block, Scope scope, bool relaxed,
                   const ClockRef &clock) {
  if (!clock)
    return;
  for (Entry &e : entries)
    if (e.block == block && e.scope == scope && e.relaxed == relaxed) {
      e.clock = joinClocks(e.clock, clock);
      return;
    }
  if (entries.size() >= 16 && block != kManyBlocks && scope == Scope::Gpu)
    return add(kManyBlocks, scope, relaxed, clock);
  entries.push_back({block, scope, relaxed, clock});
}

void Released::add(const Released &other) {
  for (const Entry &e : other.entries)
    add(e.block, e.scope, e.relaxed, e.clock);
}

ClockRef joinThreads(const std::vector<ThreadClock *> &threads) {
  std::vector<const VectorClock *> unique;
  for (ThreadClock *t : threads)
    unique.push_back(t->known.get());
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  ClockRef joined = copyOf(threads[0]->known);
  VectorClock &to = joined.modify();
  for (const VectorClock *clock : unique)
    if (clock != threads[0]->known.get())
      to.join(*clock);
  for (ThreadClock *t : threads)
    addThread(to, *t);
  return joined;
}

ClockRef joinClocks(const ClockRef &a, const ClockRef &b) {
  if (!a)
    return b;
  if (!b || a == b)
    return a;
  // The lanes of a warp usually join the same two clocks one after another.
  static ClockRef lastA, lastB, lastJoined;
  if (lastA == a && lastB == b)
    return lastJoined;
  lastA = a;
  lastB = b;
  lastJoined = copyOf(a);
  lastJoined.modify().join(*b.get());
  return lastJoined;
}

} // namespace tileir::emu

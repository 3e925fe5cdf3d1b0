// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/Clocks.h"

#include <algorithm>

namespace tileir::emu {

static void raise(std::vector<uint32_t> &clock, uint32_t at, uint32_t value) {
  if (clock.size() <= at)
    clock.resize(at + 1);
  clock[at] = std::max(clock[at], value);
}

#if defined(__x86_64__)
__attribute__((target_clones("avx2", "default")))
#endif
static void maximumInto(uint32_t *to, const uint32_t *from, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = to[i] < from[i] ? from[i] : to[i];
}

static void joinInto(std::vector<uint32_t> &to,
                     const std::vector<uint32_t> &from) {
  if (to.size() < from.size())
    to.resize(from.size());
  maximumInto(to.data(), from.data(), from.size());
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

void VectorClock::joinPlane(Plane plane, const VectorClock &other) {
  auto part = [&](uint32_t b, const Planes &from) {
    Planes &to = b == block ? own : foreign[b].planes;
    std::vector<uint32_t> &joined = to[size_t(plane)];
    joinInto(joined, from[size_t(Plane::Base)]);
    if (plane == Plane::Order || plane == Plane::View)
      joinInto(joined, from[size_t(plane)]);
  };
  part(other.block, other.own);
  for (const auto &[b, clocks] : other.foreign)
    part(b, clocks.planes);
}

void VectorClock::fence(unsigned planes) {
  auto part = [&](Planes &p) {
    for (size_t k = 0; k < kFencePlanes; ++k)
      if (planes >> k & 1) {
        if (kFencePlane[k] == Plane::Fenced)
          joinInto(p[size_t(Plane::Base)], p[size_t(Plane::Seen)]);
        p[size_t(kFencePlane[k])] = p[size_t(Plane::Base)];
      }
  };
  part(own);
  for (auto &[b, clocks] : foreign)
    part(clocks.planes);
}

VectorClock VectorClock::fenced() const {
  VectorClock out;
  out.block = block;
  out.own[size_t(Plane::Base)] = own[size_t(Plane::Fenced)];
  for (const auto &[b, clocks] : foreign)
    if (!clocks.planes[size_t(Plane::Fenced)].empty())
      out.foreign[b].planes[size_t(Plane::Base)] =
          clocks.planes[size_t(Plane::Fenced)];
  return out;
}

bool VectorClock::has(Plane plane) const {
  if (!own[size_t(plane)].empty())
    return true;
  for (const auto &[b, clocks] : foreign)
    if (!clocks.planes[size_t(plane)].empty())
      return true;
  return false;
}

static void addThread(VectorClock &clock, const Knowledge &thread) {
  clock.set(thread.agent, thread.clock);
  if (thread.asyncDone)
    clock.set(thread.asyncAgent, thread.asyncDone);
  for (size_t k = 0; k < kFencePlanes; ++k) {
    if (thread.fenceClock[k])
      clock.set(thread.agent, thread.fenceClock[k], kFencePlane[k]);
    if (thread.fenceAsync[k])
      clock.set(thread.asyncAgent, thread.fenceAsync[k], kFencePlane[k]);
  }
}

static ClockRef copyOf(const ClockRef &clock) {
  auto *copy = new VectorClock(*clock.get());
  copy->refs = 0;
  return ClockRef(copy);
}

bool Knowledge::isFollowed = true;

ClockRef Knowledge::snapshot() const {
  if (!isFollowed)
    return ClockRef();
  ClockRef copy = copyOf(known);
  addThread(copy.modify(), *this);
  return copy;
}

void Knowledge::acquire(const ClockRef &other) {
  if (!isFollowed || !other || other == known)
    return;
  known = joinClocks(known, other);
}

void Knowledge::acquireInto(Plane plane, const ClockRef &other) {
  if (!isFollowed || !other || other == known)
    return;
  // The lanes of a warp do this together.
  static ClockRef lastFrom, lastOther, lastTo;
  static Plane lastPlane = Plane::Count;
  if (lastFrom != known || lastOther != other || lastPlane != plane) {
    lastFrom = known;
    lastOther = other;
    lastPlane = plane;
    lastTo = copyOf(known);
    lastTo.modify().joinPlane(plane, *other.get());
  }
  known = lastTo;
}

void Knowledge::fence(unsigned planes) {
  if (!isFollowed)
    return;
  for (size_t k = 0; k < kFencePlanes; ++k)
    if (planes >> k & 1) {
      fenceClock[k] = clock;
      fenceAsync[k] = asyncDone;
    }
  // Lanes of a warp fence together: share the fenced copy.
  static ClockRef lastFrom, lastTo;
  static unsigned lastPlanes = 0;
  if (lastFrom != known || planes != lastPlanes) {
    lastFrom = known;
    lastPlanes = planes;
    lastTo = copyOf(known);
    lastTo.modify().fence(planes);
  }
  known = lastTo;
}

ClockRef Knowledge::fenced() const {
  constexpr size_t k = 2;
  static_assert(kFencePlane[k] == Plane::Fenced);
  if (!fenceClock[k] && !known->has(Plane::Fenced))
    return ClockRef();
  // The lanes of a warp know the same of others.
  static ClockRef lastFrom, lastTo;
  if (lastFrom != known) {
    lastFrom = known;
    lastTo = ClockRef(new VectorClock(known->fenced()));
  }
  ClockRef clock = copyOf(lastTo);
  if (fenceClock[k])
    clock.modify().set(agent, fenceClock[k]);
  if (fenceAsync[k])
    clock.modify().set(asyncAgent, fenceAsync[k]);
  return clock;
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
  if (!Knowledge::isFollowed)
    return threads[0]->known;
  std::vector<const VectorClock *> unique;
  for (ThreadClock *t : threads)
    if (unique.empty() || unique.back() != t->known.get())
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

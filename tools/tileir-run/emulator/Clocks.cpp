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

void VectorClock::set(Agent agent, uint32_t value) {
  uint32_t b = agent / kAgentsPerBlock;
  raise(b == block ? own : foreign[b].first, agent % kAgentsPerBlock, value);
}

void VectorClock::setProxy(Agent agent, uint32_t value) {
  uint32_t b = agent / kAgentsPerBlock;
  raise(b == block ? ownProxy : foreign[b].second, agent % kAgentsPerBlock,
        value);
}

void VectorClock::join(const VectorClock &other) {
  auto part = [&](uint32_t b, const std::vector<uint32_t> &clock,
                  const std::vector<uint32_t> &proxy) {
    if (b == block) {
      joinInto(own, clock);
      joinInto(ownProxy, proxy);
    } else {
      auto &slot = foreign[b];
      joinInto(slot.first, clock);
      joinInto(slot.second, proxy);
    }
  };
  part(other.block, other.own, other.ownProxy);
  for (const auto &[b, clocks] : other.foreign)
    part(b, clocks.first, clocks.second);
}

void VectorClock::fenceProxy() {
  ownProxy = own;
  for (auto &[b, clocks] : foreign)
    clocks.second = clocks.first;
}

static void addThread(VectorClock &clock, const ThreadClock &thread) {
  clock.set(thread.agent, thread.clock);
  if (thread.asyncDone)
    clock.set(thread.asyncAgent, thread.asyncDone);
  if (thread.proxyClock)
    clock.setProxy(thread.agent, thread.proxyClock);
}

ClockRef ThreadClock::snapshot() const {
  auto *copy = new VectorClock(*known.get());
  copy->refs = 0;
  addThread(*copy, *this);
  return ClockRef(copy);
}

void ThreadClock::acquire(const ClockRef &other) {
  if (!other || other == known)
    return;
  known = joinClocks(known, other);
}

void ThreadClock::fenceProxy() {
  proxyClock = clock;
  // Lanes of a warp fence together: share the fenced copy.
  static ClockRef lastFrom, lastTo;
  if (lastFrom && lastFrom == known) {
    known = lastTo;
    return;
  }
  ClockRef from = known;
  auto *copy = new VectorClock(*known.get());
  copy->refs = 0;
  copy->fenceProxy();
  known = ClockRef(copy);
  lastFrom = from;
  lastTo = known;
}

ClockRef joinThreads(const std::vector<ThreadClock *> &threads) {
  std::vector<const VectorClock *> unique;
  for (ThreadClock *t : threads)
    unique.push_back(t->known.get());
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  auto *joined = new VectorClock(*threads[0]->known.get());
  joined->refs = 0;
  for (const VectorClock *clock : unique)
    if (clock != threads[0]->known.get())
      joined->join(*clock);
  for (ThreadClock *t : threads)
    addThread(*joined, *t);
  return ClockRef(joined);
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
  auto *copy = new VectorClock(*a.get());
  copy->refs = 0;
  copy->join(*b.get());
  lastA = a;
  lastB = b;
  lastJoined = ClockRef(copy);
  return lastJoined;
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Releases and acquires of threads, for the race check.
#include "tools/emulator/Machine.h"

#include <algorithm>

namespace tileir::emu {

Scope RaceDetector::scopeBetween(uint32_t a, uint32_t b) const {
  if (a == b)
    return Scope::Cta;
  if (machine.scheduler.clusterSize == 1 || a == Released::kManyBlocks ||
      b == Released::kManyBlocks)
    return Scope::Gpu;
  const std::array<uint32_t, 3> &c = machine.config.cluster;
  uint32_t x = machine.scheduler.totalGrid[0],
           y = machine.scheduler.totalGrid[1];
  bool same = a % x / c[0] == b % x / c[0] &&
              a / x % y / c[1] == b / x % y / c[1] &&
              a / x / y / c[2] == b / x / y / c[2];
  return same ? Scope::Cluster : Scope::Gpu;
}

void RaceDetector::publish(const ThreadClock &who, Released &to, bool release,
                           Scope scope) {
  uint32_t block = who.agent / kAgentsPerBlock;
  if (release)
    return to.add(block, scope, false, who.snapshot());
  for (Scope s : {Scope::Cta, Scope::Cluster, Scope::Gpu})
    to.add(block, std::min(s, scope), false, who.releaseFence[size_t(s)]);
  if (fencedOnce)
    to.add(block, scope, false, who.fenced());
}

void RaceDetector::learn(ThreadClock &who, const Released &from, bool acquire,
                         Scope scope, bool order) {
  uint32_t block = who.agent / kAgentsPerBlock;
  for (const Released::Entry &e : from.entries) {
    Scope need = scopeBetween(e.block, block);
    bool reaches = !e.relaxed && std::min(e.scope, scope) >= need;
    if (reaches && acquire) {
      who.acquire(e.clock);
      continue;
    }
    if (reaches) {
      ClockRef &pending = who.pendingAcquire[size_t(need)];
      pending = joinClocks(pending, e.clock);
      if (fencedOnce && who.lastSeen != e.clock) {
        who.lastSeen = e.clock;
        who.acquireInto(Plane::Seen, e.clock);
      }
    }
    if (reaches && machine.weak.weakLoads && who.lastViewed != e.clock) {
      who.lastViewed = e.clock;
      who.acquireInto(Plane::View, e.clock);
    }
    if (order)
      who.acquireInto(Plane::Order, e.clock);
  }
}

void RaceDetector::acquireAt(ThreadClock &who, const Region &region,
                             uint64_t offset, const Semantics &semantics) {
  auto it = releases.find(region.base + offset);
  if (it != releases.end())
    learn(who, it->second, semantics.acquire, semantics.scope, false);
}

void RaceDetector::releaseAt(ThreadClock &who, const Region &region,
                             uint64_t offset, const Semantics &semantics,
                             bool readModifyWrite) {
  uint64_t key = region.base + offset;
  bool nothing = !semantics.release && !who.releaseFence[0] &&
                 !who.releaseFence[1] && !who.releaseFence[2] &&
                 !(fencedOnce && who.known->has(Plane::Fenced));
  // A plain strong store ends what was released there before, but not what its
  // own thread released: the two together are a release pattern.
  if (!readModifyWrite && !releases.empty()) {
    auto it = releases.find(key);
    if (it != releases.end()) {
      Released::Own own = it->second.own;
      if (own.agent == who.agent) {
        it->second.entries.clear();
        it->second.add(who.agent / kAgentsPerBlock,
                       std::min(own.scope, semantics.scope), false, own.clock);
      } else {
        releases.erase(it);
      }
    }
  }
  if (nothing)
    return;
  Released &to = releases[key];
  publish(who, to, semantics.release, semantics.scope);
  if (semantics.release) {
    to.own = {who.agent, semantics.scope, who.snapshot()};
    ++who.clock;
  }
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_RUN_EMULATOR_CLOCKS_H
#define TOOLS_TILEIR_RUN_EMULATOR_CLOCKS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tileir::emu {

/// Who accesses memory: a thread, or asynchronous work that a thread started.
/// The number of its block times `kAgentsPerBlock` plus its place there:
/// threads first, then one agent per thread for its cp.async copies, then the
/// ones that are made on demand.
using Agent = uint32_t;
constexpr Agent kAgentsPerBlock = 4096;
constexpr Agent kNoAgent = ~Agent(0);

/// A vector clock: for every agent, how far its accesses happened before. The
/// proxy part says the same of accesses that the async proxy may see.
/// Immutable once shared.
struct VectorClock {
  uint32_t refs = 0;
  uint32_t block = 0;
  std::vector<uint32_t> own, ownProxy;
  std::map<uint32_t, std::pair<std::vector<uint32_t>, std::vector<uint32_t>>>
      foreign;

  uint32_t get(Agent agent) const {
    uint32_t b = agent / kAgentsPerBlock, at = agent % kAgentsPerBlock;
    if (b == block)
      return at < own.size() ? own[at] : 0;
    auto it = foreign.find(b);
    return it != foreign.end() && at < it->second.first.size()
               ? it->second.first[at]
               : 0;
  }
  uint32_t getProxy(Agent agent) const {
    uint32_t b = agent / kAgentsPerBlock, at = agent % kAgentsPerBlock;
    if (b == block)
      return at < ownProxy.size() ? ownProxy[at] : 0;
    auto it = foreign.find(b);
    return it != foreign.end() && at < it->second.second.size()
               ? it->second.second[at]
               : 0;
  }
  void set(Agent agent, uint32_t value);
  void setProxy(Agent agent, uint32_t value);
  void join(const VectorClock &other);
  /// Everything that happened before is now also seen by the async proxy.
  void fenceProxy();
};

/// Counted reference to a clock; the emulator has one host thread.
class ClockRef {
public:
  ClockRef() = default;
  explicit ClockRef(VectorClock *clock) : clock(clock) { retain(); }
  ClockRef(const ClockRef &other) : clock(other.clock) { retain(); }
  ClockRef(ClockRef &&other) noexcept : clock(other.clock) {
    other.clock = nullptr;
  }
  ~ClockRef() { release(); }
  ClockRef &operator=(ClockRef other) {
    std::swap(clock, other.clock);
    return *this;
  }
  const VectorClock *operator->() const { return clock; }
  const VectorClock *get() const { return clock; }
  explicit operator bool() const { return clock; }
  bool operator==(const ClockRef &other) const { return clock == other.clock; }
  bool operator!=(const ClockRef &other) const { return clock != other.clock; }
  /// A clock of one's own to change.
  VectorClock &modify() {
    if (clock->refs > 1) {
      VectorClock *copy = new VectorClock(*clock);
      copy->refs = 0;
      *this = ClockRef(copy);
    }
    return *clock;
  }

private:
  void retain() {
    if (clock)
      ++clock->refs;
  }
  void release() {
    if (clock && --clock->refs == 0)
      delete clock;
  }
  VectorClock *clock = nullptr;
};

/// What one thread knows. Its own entries are kept apart, so that the threads
/// of a block can share one clock after a barrier.
struct ThreadClock {
  Agent agent = 0, asyncAgent = 0;
  uint32_t clock = 1;      ///< Of the thread's own accesses.
  uint32_t asyncDone = 0;  ///< Its cp.async copies that it waited for.
  uint32_t proxyClock = 0; ///< Own accesses that the async proxy may see.
  ClockRef known;
  ClockRef releaseFence;   ///< At the last releasing fence.
  ClockRef pendingAcquire; ///< From relaxed reads, for the next fence.

  bool ordered(Agent other, uint32_t otherClock) const {
    if (other == agent)
      return true;
    if (other == asyncAgent)
      return otherClock <= asyncDone;
    return known->get(other) >= otherClock;
  }
  bool orderedProxy(Agent other, uint32_t otherClock) const {
    if (other == agent)
      return otherClock <= proxyClock;
    return known->getProxy(other) >= otherClock;
  }
  /// The clock that a release by this thread publishes.
  ClockRef snapshot() const;
  void acquire(const ClockRef &other);
  void fenceProxy();
};

/// The clock of all of `threads` together.
ClockRef joinThreads(const std::vector<ThreadClock *> &threads);
ClockRef joinClocks(const ClockRef &a, const ClockRef &b);

} // namespace tileir::emu

#endif // TOOLS_TILEIR_RUN_EMULATOR_CLOCKS_H

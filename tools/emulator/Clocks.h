// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_CLOCKS_H
#define TOOLS_EMULATOR_CLOCKS_H

#include <array>
#include <cstddef>
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

/// Meaning of an entry of a clock for the accesses of an agent up to it.
enum class Plane : uint8_t {
  Base,        ///< They happened before.
  SharedProxy, ///< ... and the async proxy may see those in shared memory.
  GlobalProxy, ///< ... in global memory.
  Fenced,      ///< ... and a fence.sc of the GPU came after them: a relaxed
               ///< store that it happened before releases them.
  Order,       ///< They were executed before; their values need not be visible.
  Seen,        ///< A relaxed load has seen what releases them: a fence.sc that
               ///< it happened before acquires them.
  View,        ///< A later strong load cannot return what was there before.
  Count
};
/// Planes that a fence raises to `Base`, and their number.
constexpr size_t kFencePlanes = 3;
constexpr Plane kFencePlane[kFencePlanes] = {Plane::SharedProxy,
                                             Plane::GlobalProxy, Plane::Fenced};

/// Reach of a thread's ordering. Each level includes those before it.
enum class Scope : uint8_t { Cta, Cluster, Gpu };

/// A vector clock: for every agent, how far its accesses happened before, one
/// vector a plane. `Order` is meant on top of `Base` and mostly empty.
/// Immutable once shared.
struct VectorClock {
  using Planes = std::array<std::vector<uint32_t>, size_t(Plane::Count)>;
  struct Foreign {
    Planes planes;
  };
  uint32_t refs = 0;
  uint32_t block = 0;
  Planes own;
  std::map<uint32_t, Foreign> foreign;

  uint32_t get(Agent agent, Plane plane = Plane::Base) const {
    uint32_t b = agent / kAgentsPerBlock, at = agent % kAgentsPerBlock;
    if (b == block) {
      const std::vector<uint32_t> &v = own[size_t(plane)];
      return at < v.size() ? v[at] : 0;
    }
    auto it = foreign.find(b);
    if (it == foreign.end())
      return 0;
    const std::vector<uint32_t> &v = it->second.planes[size_t(plane)];
    return at < v.size() ? v[at] : 0;
  }
  void set(Agent agent, uint32_t value, Plane plane = Plane::Base);
  void join(const VectorClock &other);
  /// Joins what `other` knows as happened before into one plane, and nothing
  /// more. `Order` and `View` take what they have of `other`, too.
  void joinPlane(Plane plane, const VectorClock &other);
  /// Everything that happened before is now in these planes of `kFencePlane`,
  /// one bit each; `Fenced` acquires what was seen first.
  void fence(unsigned planes);
  /// The clock that says of `Fenced` that it happened before.
  VectorClock fenced() const;
  bool has(Plane plane) const;
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

/// Knowledge that one thread has of the accesses of others. Its own entries are
/// kept apart, so that the threads of a block can share one clock after a
/// barrier.
struct Knowledge {
  /// Nothing is released and acquired when no check looks at it.
  static bool isFollowed;
  Agent agent = 0, asyncAgent = 0;
  uint32_t clock = 1;     ///< Of the thread's own accesses.
  uint32_t asyncDone = 0; ///< Its cp.async copies that it waited for.
  /// The same two, in the planes of `kFencePlane`.
  uint32_t fenceClock[kFencePlanes] = {}, fenceAsync[kFencePlanes] = {};
  ClockRef known;

  bool ordered(Agent other, uint32_t otherClock) const {
    if (other == agent)
      return true;
    // Of one's own copies one may also hear through an mbarrier.
    return (other == asyncAgent && otherClock <= asyncDone) ||
           known->get(other) >= otherClock;
  }
  /// Executed before, if perhaps not visible.
  bool executed(Agent other, uint32_t otherClock) const {
    return ordered(other, otherClock) ||
           known->get(other, Plane::Order) >= otherClock;
  }
  bool orderedProxy(Agent other, uint32_t otherClock, bool global) const {
    if (other == agent)
      return otherClock <= fenceClock[global];
    return (other == asyncAgent && otherClock <= fenceAsync[global]) ||
           known->get(other, global ? Plane::GlobalProxy
                                    : Plane::SharedProxy) >= otherClock;
  }
  /// The clock that a release by this thread publishes; null when clocks are
  /// not followed.
  ClockRef snapshot() const;
  void acquire(const ClockRef &other);
  void acquireInto(Plane plane, const ClockRef &other);
  void fence(unsigned planes);
  /// Returns what relaxed stores release because a fence.sc has come before;
  /// may be null.
  ClockRef fenced() const;
};

/// A thread: what it knows, and what waits for its next fence.
struct ThreadClock : Knowledge {
  ClockRef releaseFence[3];   ///< At the last releasing fence of each scope.
  ClockRef pendingAcquire[3]; ///< From relaxed reads, by the scope it takes.
  ClockRef lastSeen;          ///< The last of these, from the whole GPU.
  ClockRef lastViewed;        ///< The last that went into `View`.
  ClockRef tensorKnown;       ///< At the last tcgen05.fence::after_thread_sync.
};

/// Clocks that were released at one place, until a thread acquires them.
struct Released {
  struct Entry {
    uint32_t block; ///< Of the releasing thread, or kManyBlocks.
    Scope scope;
    bool relaxed; ///< Only execution is ordered.
    ClockRef clock;
  };
  /// The last release operation here, which later strong stores of its thread
  /// pass on.
  struct Own {
    Agent agent = ~Agent(0);
    Scope scope = Scope::Cta;
    ClockRef clock;
  };
  static constexpr uint32_t kManyBlocks = ~uint32_t(0);
  std::vector<Entry> entries;
  Own own;

  void add(uint32_t block, Scope scope, bool relaxed, const ClockRef &clock);
  void add(const Released &other);
  void clear() { entries.clear(); }
  bool empty() const { return entries.empty(); }
};

/// The clock of all of `threads` together.
ClockRef joinThreads(const std::vector<ThreadClock *> &threads);
ClockRef joinClocks(const ClockRef &a, const ClockRef &b);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_CLOCKS_H

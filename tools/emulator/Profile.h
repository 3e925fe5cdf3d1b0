// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of what instructions do while they run: counters of asynchronous
// code, and the trace that the timing model reads.
#ifndef TOOLS_EMULATOR_PROFILE_H
#define TOOLS_EMULATOR_PROFILE_H

#include "tools/emulator/Operations.h"
#include "tools/emulator/State.h"
#include "tools/emulator/Timing.h"

#include <memory>
#include <unordered_map>

namespace tileir::emu {

struct Exec;

/// Counts of what instructions do while they run.
struct Counters {
  /// Bytes that blocks have asked for and not waited for.
  uint64_t peakBytes = 0;
  Samples atTensorIssue;
  /// Bytes of plain loads whose registers no instruction has read yet.
  uint64_t peakLoadBytes = 0;
  uint64_t withStageInFlight = 0, withOlderGroup = 0;
  Samples wgmmaGroups; ///< Committed and not waited for, at a wgmma.
  struct Wait {
    uint64_t count = 0, steps = 0;
    Samples left; ///< Bytes in flight after it.
  };
  std::map<size_t, Wait> waits;     ///< By instruction.
  std::vector<uint64_t> executed;   ///< By instruction, polls apart.
  std::vector<uint64_t> iterations; ///< By loop.
  struct WarpWork {
    uint64_t steps = 0, tensor = 0, asyncIssues = 0;
    std::vector<bool> loops; ///< Entered.
  };
  std::map<int, WarpWork> byWarp;
};

class Profile {
public:
  explicit Profile(Machine &m);
  ~Profile();

  // Around every executed instruction of a warp.
  void before(Exec &x, const Inst &inst);
  void after(Exec &x, const Inst &inst, Mask lanes);
  /// One that every lane's predicate switches off.
  void skipped(Exec &x, const Inst &inst);

  /// Of the instruction that runs, for asynchronous work that it starts.
  uint64_t ticket() const { return current; }
  /// Work that `ticket` started adds to what `key` waits for.
  void contributes(const Block &owner, uint64_t key, uint64_t ticket,
                   uint64_t bytes);
  /// The instruction that runs waits for `key`, or would have to.
  void waits(uint64_t key, bool passed);
  /// A copy into the shared memory of `block` starts.
  void copies(const Block &block, uint64_t bytes);
  /// The instruction that runs moves so many bytes elsewhere.
  void moves(uint64_t bytes) { copied += bytes; }
  /// Notes what an operation of the tensor core turned out to be.
  void tensorWork(const Block &block, uint64_t ticket, uint64_t macs,
                  uint64_t operandBytes);
  void waited(const Inst &inst, uint64_t steps);
  /// All blocks of a cluster have ended.
  void finish(const Cluster &cluster);

  static uint64_t keyOf(const Mbarrier &bar, uint64_t phase) {
    return uint64_t(bar.id) << 32 | uint32_t(phase);
  }
  static uint64_t keyOf(const Barrier &bar) {
    return uint64_t(1) << 63 | bar.serial;
  }
  static uint64_t keyOf(const Cluster &cluster, uint64_t phase) {
    return uint64_t(1) << 62 | uint64_t(cluster.id) << 32 | uint32_t(phase);
  }
  static uint64_t keyOf(const Cluster &cluster) {
    return keyOf(cluster, cluster.phase);
  }
  uint32_t newId() { return ++lastId; }

  const Operations operations;
  Counters counters;
  std::unique_ptr<Timing> timing; ///< Null unless cycles are asked for.

private:
  struct WarpState {
    uint64_t openBytes = 0; ///< cp.async, since the last group.
    std::deque<uint64_t> groups;
    std::map<int32_t, uint32_t> pendingLoads; ///< Bytes by row.
    uint64_t loadBytes = 0, peakLoads = 0;
    int pollAt = -1;     ///< The wait that failed last,
    size_t pollFrom = 0; ///< and how long the trace was.
  };
  struct BlockState {
    uint64_t inFlight = 0;
    std::vector<WarpState> warps;
  };
  struct PhaseState {
    uint64_t bytes = 0;
    const Block *block = nullptr;
  };
  BlockState &stateOf(const Block &block);
  Trace &traceOf(const Cluster &cluster);
  std::vector<Event> &eventsOf(const Exec &x);
  void polled(Exec &x, WarpState &w, size_t at);
  void count(Exec &x, size_t at, const Operation &o);
  void follow(Exec &x, size_t at, const Operation &o);
  void trackLoads(WarpState &w, const Operation &o, uint64_t bytes);
  void record(Exec &x, size_t at, const Operation &o, Mask lanes);

  Machine &m;
  std::unordered_map<const Block *, BlockState> blocks;
  std::unordered_map<uint64_t, PhaseState> phases;
  std::unordered_map<const Cluster *, std::unique_ptr<Trace>> traces;
  std::unordered_map<uint64_t, uint64_t> arriveBytes; ///< By ticket.
  uint64_t current = 0, lastTicket = 0;
  uint32_t lastId = 0;
  // Of the instruction that runs.
  uint64_t waitKey = 0;
  bool waitFailed = false;
  uint64_t copied = 0;
  struct Traffic {
    uint64_t sharedPasses = 0, sectors = 0, globalRequests = 0, asyncBytes = 0,
             sharedBytes = 0, globalBytes = 0;
  } was;
  Traffic traffic() const;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_PROFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps, blocks and clusters while they run.
#ifndef TOOLS_EMULATOR_STATE_H
#define TOOLS_EMULATOR_STATE_H

#include "tools/emulator/AsyncState.h"

#include <map>

namespace tileir::emu {

struct Block;
struct Warp;
struct Cluster;

/// Registers of one call of one function by some lanes of a warp.
struct Frame {
  const FunctionCode *code = nullptr;
  Frame *parent = nullptr;
  int depth = 0;
  uint64_t allRows = 0; ///< Rows of registers, those of callers included.
  int returnPc = 0;
  const Inst *call = nullptr;
  Mask lanes = 0; ///< Lanes that have not returned.
  std::vector<uint64_t> storage;
  uint8_t *rows = nullptr;
  std::vector<uint32_t> predicates;
  std::vector<uint8_t> params; ///< paramBytes a lane.
  std::vector<uint8_t> carry;
  uint32_t localBase = 0;
  std::vector<uint32_t> dynamic; ///< Bytes of alloca, by lane.
  /// Where the local memory of a call from here begins.
  uint32_t localEnd() const;
};

struct Mbarrier;

/// Lanes of a warp that run together.
struct Group {
  enum State : uint8_t {
    Ready,
    Parked, ///< At an instruction that waits for other lanes of the warp.
    Waiting ///< At a barrier.
  } state = Ready;
  Mask mask = 0;
  int pc = 0;
  Frame *frame = nullptr;
  uint32_t waitId = 0;
  bool clusterWait = false;
  /// The last wait for an mbarrier that failed.
  const Inst *poll = nullptr;
  const Mbarrier *pollFor = nullptr;
  int pollLane = 0;
  uint64_t pollVersion = 0;
  uint64_t waitFrom = 0; ///< For the statistics: since which step it waits.
};

/// By row of a frame: the last asynchronous instruction that uses it.
struct RegisterWatch {
  Frame *frame = nullptr;
  std::vector<uint32_t> accumulator, fragment, tensor;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> dirty; ///< Written since the last wgmma.fence.
  bool fenced = false;
  bool fresh = false; ///< Since a wgmma.fence no wgmma has followed.
  const Inst *wgmma = nullptr, *load = nullptr;
  /// Reads of registers of a tcgen05.ld before its wait, and the load.
  std::vector<std::pair<const Inst *, const Inst *>> early;
};

/// Registers, by row, with bytes that loads found never written.
struct UnwrittenValues {
  struct Row {
    std::array<uint16_t, 32> bytes{}; ///< A bit for each, by lane.
    const Inst *from = nullptr;       ///< A load, and its place.
    Place place;
    std::string what;
    bool whole = false; ///< Of a word that no thread has written a byte of,
    bool used = false;  ///< and that something was done with.
  };
  Frame *frame = nullptr;
  std::map<int32_t, Row> rows;
};

/// Lanes whose registers hold what the ISA leaves undefined, or what was in
/// tensor memory before anybody wrote it.
struct UndefinedValues {
  struct Cause {
    const Inst *inst;
    std::string unwritten; ///< What was read; empty when it is the result.
  };
  /// By half of a word; of what is shorter both halves say the same.
  struct Row {
    Mask halves[2] = {0, 0};
    size_t cause = 0;
    Mask lanes() const { return halves[0] | halves[1]; }
  };
  Frame *frame = nullptr;
  std::map<int32_t, Row> rows, predicates;
  std::vector<Cause> causes;
};

struct Warp {
  Block *block = nullptr;
  int index = 0;
  int firstThread = 0;
  Mask initial = 0, live = 0;
  std::vector<Group> groups;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<ThreadClock> clocks;
  std::unique_ptr<std::array<LaneAsync, 32>> async;
  std::unique_ptr<WgmmaState> wgmma;
  std::unique_ptr<RegisterWatch> watch;
  std::unique_ptr<UndefinedValues> undefined;
  std::unique_ptr<UnwrittenValues> unwritten;
  std::vector<TensorAccess> tensorLoads;
  using TensorState = WarpTensor;
  TensorState tensor;
  std::vector<uint8_t> local, localWritten;
  uint32_t localBytes = 0;
  uint32_t carry[32] = {};
  uint64_t clusterPhase[32] = {}; ///< At the last arrival.
  Mask clusterArrived = 0;        ///< Lanes that have arrived and not waited.
  uint32_t registers = 0;         ///< A thread, by setmaxnreg; 0: unknown.
  uint32_t registerChanges = 0;
  const Inst *registersAt = nullptr; ///< The last change.
  bool done() const { return live == 0; }
  uint64_t sleepVersion = 0; ///< Polling until the machine's state changes.
  bool polling = false;
  uint64_t spin = 0;
  /// While nothing changes: a state of its registers, and how often it was
  /// seen again.
  struct Spin {
    uint64_t state = 0, version = ~uint64_t(0);
    uint64_t looks = 0, next = 0;
    unsigned hits = 0, steps = 0;
  } loop;
  int focus = -1; ///< Group that runs although another one is behind.
  uint64_t counts[size_t(Class::Count)] = {};
};

/// One of the 16 barriers of a block.
struct Barrier {
  uint32_t serial = 0; ///< Of the profile: of this use of it.
  uint32_t expected = 0, arrived = 0;
  std::vector<ThreadClock *> participants;
  ClockRef released; ///< Of threads that arrived without waiting.
  struct Waiter {
    Warp *warp;
    Mask lanes;
    const Inst *inst;
  };
  std::vector<Waiter> waiting;
  int reduction = 0; ///< 1 popc, 2 and, 3 or.
  uint32_t popc = 0, voters = 0;
  int line = 0;
};

struct Mbarrier {
  Block *home = nullptr; ///< In whose shared memory it lies.
  uint32_t id = 0;       ///< Of the profile: no two of a run have the same.
  uint32_t expected = 0, pending = 0;
  int64_t tx = 0;
  uint64_t phase = 0;
  Agent agent = kNoAgent; ///< Of the asynchronous writes that signal it.
  Released arriving, completed;
  /// Who has arrived in this phase and who in the one before it, as others
  /// would know of it.
  struct Arrival {
    Agent agent = kNoAgent;
    uint32_t clock = 0;
    Agent thread = kNoAgent;
    const Inst *inst = nullptr;
  };
  std::vector<Arrival> arrivals, arrivalsBefore;
  /// Part that one clock says of `arrivalsBefore`: those that it does not know.
  struct Unknown {
    ClockRef known;
    std::vector<uint32_t> arrivals;
  } unknown;
  uint64_t observed = 0; ///< Phases that its block knows to have completed.
  /// The last signal from elsewhere: a copy, or another block of the cluster.
  struct Signal {
    uint64_t phase = 0; ///< 0: none; else one more than its phase.
    bool remote = false;
    Agent agent = kNoAgent; ///< Who knows this entry knows of the signal.
    uint32_t clock = 0;
    Place where;
  } signal;
  Place where; ///< Of its mbarrier.init.
  Agent initializer = kNoAgent;
  uint32_t made = 0; ///< The maker's clock then.
};

struct Block {
  uint32_t linear = 0;
  std::array<uint32_t, 3> id{};
  std::array<uint32_t, 3> clusterId{}, clusterCta{};
  uint32_t clusterRank = 0;
  Cluster *cluster = nullptr;
  int sm = 0;
  int firstWarpSlot = 0;
  uint32_t threads = 0, liveThreads = 0;
  Region shared;
  std::vector<std::unique_ptr<Warp>> warps;
  Barrier barriers[16];
  std::map<uint64_t, Mbarrier> mbarriers;
  std::vector<BulkOp> bulk;
  std::unique_ptr<TensorMemory> tmem;
  std::map<uint32_t, BulkState> bulkStates; ///< By thread.
  Agent newAgent() {
    return nextAgent < kAgentsPerBlock ? agentBase() + nextAgent++ : kNoAgent;
  }
  /// Two in a row.
  Agent newAgentPair() {
    Agent first = newAgent();
    return newAgent() == kNoAgent ? kNoAgent : first;
  }
  uint32_t nextAgent = 0;
  Agent agentBase() const { return linear % (1u << 20) * kAgentsPerBlock; }
  bool done = false;
  uint32_t freeRegisters = 0; ///< Given back, for each thread of a warp.
  /// The last access of every thread elsewhere to this block's shared memory.
  struct RemoteAccess {
    uint32_t clock, inst;
  };
  std::unordered_map<Agent, RemoteAccess> remoteAccesses;
  Place exit; ///< Of the last lanes that exited.
  std::map<int, std::vector<WgmmaIssue>> wgmmaLog; ///< By group of four warps.
};

struct Cluster {
  uint32_t id = 0; ///< Of the profile.
  std::vector<Block *> blocks;
  uint32_t arrived = 0, expected = 0;
  uint64_t phase = 0;
  Released arriving, completed;
  /// Instruction that saw that a try_cancel of this cluster had failed.
  const Inst *refused = nullptr;
  int refusedWarp = 0;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_STATE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_RUN_EMULATOR_MACHINE_H
#define TOOLS_TILEIR_RUN_EMULATOR_MACHINE_H

#include "dialects/support/Target.h"
#include "tools/tileir-run/case/Case.h"
#include "tools/tileir-run/emulator/Clocks.h"
#include "tools/tileir-run/emulator/Ptx.h"
#include "tools/tileir-run/emulator/TensorMap.h"

#include <deque>
#include <set>
#include <unordered_map>

namespace tileir::emu {

using Mask = uint32_t;
constexpr Mask kAllLanes = ~Mask(0);

struct Exec;
struct Inst;
class Machine;
using Handler = void (*)(Exec &, const Inst &, Mask);

//===----------------------------------------------------------------------===//
// Decoded program
//===----------------------------------------------------------------------===//

/// Classes of instructions for `--stats`.
enum class Class : uint8_t {
  Integer,
  Float,
  Double,
  Special,
  Convert,
  Move,
  Control,
  Barrier,
  WarpSync,
  Global,
  Shared,
  Local,
  Constant,
  Atomic,
  Matrix,
  Tensor,
  Async,
  Mbarrier,
  Other,
  Count
};
const char *className(Class cls);

/// What an instruction needs beyond its fixed fields.
struct Extra {
  std::vector<int32_t> v[4]; ///< Register rows or predicate codes of vectors.
  std::vector<int64_t> numbers;
  std::vector<int32_t> targets;
  Type types[5] = {};
  std::string text;
};

/// One instruction, ready to run. Registers are rows of 32 four-byte lanes
/// (64-bit registers take two rows, 128-bit ones four, low halves first);
/// predicate operands are an index times two, plus one when negated.
struct Inst {
  Handler fn = nullptr;
  int32_t o[8] = {};
  uint32_t guard = 0;
  uint8_t a = 0, b = 0, c = 0, e = 0;
  bool aligned = false;     ///< All live lanes of the warp run it together.
  bool releasesMap = false; ///< tensormap.cp_fenceproxy
  bool nonCoherent = false; ///< ld.global.nc: nobody writes there.
  bool blind = false;       ///< Atomic, and nobody looks at the old value.
  bool guesses = false;     ///< A load whose value a compare-and-swap checks.
  enum : uint8_t { Plain, Wgmma, TensorLoad } registers = Plain;
  uint8_t width = 0; ///< Bytes of an element that memory keeps whole; 0 any.
  Class cls = Class::Other;
  int32_t target = -1;
  int64_t imm = 0;
  int32_t line = 0;
  int32_t function = 0;
  SourceLoc loc;
  const Extra *extra = nullptr;
  int32_t watch = 0; ///< In `Machine::watches`; 0: no register is watched.
};

/// Registers of an instruction that asynchronous instructions of its function
/// use, too.
struct Watch {
  struct Use {
    int32_t row;
    bool written;
  };
  std::vector<Use> uses;
  int32_t from = -1, to = -1; ///< A move of one register into another.
  int rows = 1;
};

struct ConstantRow {
  int row;
  int bytes; ///< 4, 8 or 16 a lane.
  uint64_t bits;
};

struct SpecialRow {
  int row;
  std::string name;
};

/// Where a formal or actual parameter of a device function lies.
struct ParamSlot {
  bool inRegister = false;
  int row = 0;
  int bytes = 0;
  int offset = 0;
};

/// A parameter of a device function whose address is taken: its place in the
/// call frame and in local memory.
struct ParamCopy {
  int offset, local, bytes;
};

struct FunctionCode {
  const Function *function = nullptr;
  int first = -1; ///< Its first instruction, -1 for a declaration.
  int rows = 0, predicates = 4; ///< 0 true, 1 nobody's, 2 and 3 of 'set'.
  int paramBytes = 0, localBytes = 0;
  std::vector<ConstantRow> constants;
  std::vector<SpecialRow> specials;
  std::vector<ParamSlot> params, results;
  std::vector<ParamCopy> paramCopies;
  std::string error;                 ///< Why the function cannot be run.
  std::vector<int32_t> registerRows; ///< Row, or predicate index.
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Last accesses of one word, for the race check. `inst` has the instruction in
/// its low 27 bits; above, flags of `Cell`.
struct Cell {
  enum : uint32_t {
    Strong = 1u << 31,
    ScopeShift = 29, ///< Two bits: `Scope` of a strong access.
    Atomic = 1u << 28,
    AsyncProxy = 1u << 27,
    InstMask = (1u << 27) - 1
  };
  Agent writer = kNoAgent;
  uint32_t writeClock = 0, writeInst = 0;
  Agent reader = kNoAgent;
  uint32_t readClock = 0, readInst = 0;
};
/// `Cell::writer` of a word whose bytes have cells of their own, `writeClock`
/// says where.
constexpr Agent kSplit = kNoAgent - 1;
/// `Cell::reader` of a word with several readers, `readClock` says where.
constexpr Agent kMany = kNoAgent - 1;

/// Reads that had no order among them, and the atomic writes before the last
/// one that it did not follow.
struct ReaderSet {
  /// So many are kept for certain; of more, any gives way. In shared memory all
  /// warps of a block fit.
  static constexpr size_t kShared = 64, kGlobal = 16;
  /// Lanes of one warp (32 agents in a row) that did it together.
  struct Entry {
    Agent first = 0;
    Mask lanes = 0;
    uint32_t clock = 0, inst = 0;
    bool wrote = false;
  };
  std::vector<Entry> entries;
  bool wrote = false; ///< Some of them may have.
  void add(Agent agent, uint32_t clock, uint32_t inst, bool wrote) {
    this->wrote |= wrote;
    entries.push_back({agent & ~31u, 1u << (agent & 31), clock, inst, wrote});
  }
};

/// One piece of memory with its shadow.
struct Region {
  std::string name;
  Space space = Space::Global;
  uint64_t base = 0, size = 0;
  std::vector<uint8_t> data;
  std::vector<uint8_t> written; ///< One byte a byte; empty: all written.
  bool readOnly = false;
  uint64_t low = 0;                           ///< Offsets below are reserved.
  std::vector<std::unique_ptr<Cell[]>> cells; ///< Pages of kCellPage words.
  static constexpr uint64_t kCellPage = 1024;
  /// Offsets between which mbarrier objects live.
  uint64_t barriersFrom = ~uint64_t(0), barriersTo = 0;

  Cell &cell(uint64_t offset);
};

// Generic windows. Shared addresses carry the rank of their block in the
// cluster in bits 24 and up, as they do on hardware.
// The bases of .const and .param are multiples of 2^32: the lower halves of
// their addresses are addresses in these spaces, too.
constexpr uint64_t kGlobalBase = 0x0000700000000000;
constexpr uint64_t kConstBase = 0x00007a0000000000;
constexpr uint64_t kParamBase = 0x00007b0000000000;
constexpr uint64_t kCodeBase = 0x00007c0000000000;
constexpr uint64_t kLocalWindow = 0x00007d0000000000;
constexpr uint64_t kSharedWindow = 0x00007e0000000000;

//===----------------------------------------------------------------------===//
// Findings and options
//===----------------------------------------------------------------------===//

struct Place {
  int line = 0;
  std::array<uint32_t, 3> block{}, thread{};
  int warp = 0, lane = 0;
  std::string source;
};

struct Finding {
  std::string kind, message;
  Place place;
  std::vector<Place> related;
  uint64_t count = 1;
};

enum class AsyncMode { Early, Late, Random };

struct Options {
  uint64_t seed = 1;
  AsyncMode async = AsyncMode::Random;
  std::set<std::string> off; ///< Kinds of findings that are switched off.
  uint64_t maxSteps = 0;     ///< Warp instructions; 0: the default bound.
  bool stats = false;
  int driverVersion = 2;
};

struct Launch {
  std::string entry;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  bool explicitCluster = false;
  uint64_t sharedBytes = 0;
  uint32_t smCount = 0;
  bool coResident = false;
  std::vector<uint8_t> params;
  std::vector<uint8_t> paramsWritten;
  uint64_t workspace = 0;
};

struct Stats {
  uint64_t warpInstructions = 0, laneInstructions = 0;
  std::map<int, std::array<uint64_t, size_t(Class::Count)>> byWarp;
  uint64_t sharedRequests = 0, sharedPasses = 0, sharedIdeal = 0;
  uint64_t globalRequests = 0, globalSectors = 0, globalIdealSectors = 0;
  uint64_t globalBytesRead = 0, globalBytesWritten = 0;
  uint64_t sharedBytesRead = 0, sharedBytesWritten = 0;
  uint64_t asyncBytes = 0, tmaBytes = 0, multicastBytes = 0;
  uint64_t barrierWaits = 0, barrierWaitSteps = 0;
  uint64_t tensorInstructions = 0, tensorMacs = 0;
  uint64_t peakShared = 0;
};

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

struct Block;
struct Warp;
struct Cluster;

/// Registers of one call of one function by some lanes of a warp.
struct Frame {
  const FunctionCode *code = nullptr;
  Frame *parent = nullptr;
  int depth = 0;
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
  /// The last wait for a barrier object that failed.
  const Inst *poll = nullptr;
  const Mbarrier *pollFor = nullptr;
  int pollLane = 0;
  uint64_t pollVersion = 0;
  uint64_t waitFrom = 0; ///< For the statistics: since which step it waits.
};

/// A cp.async, or the arrival that follows some, issued and not yet performed.
struct AsyncCopy {
  bool isArrival = false;
  uint64_t source = 0, destination = 0;
  uint32_t bytes = 0, sourceBytes = 0;
  const Inst *inst = nullptr;
  uint32_t sequence = 0;
  Knowledge issuer; ///< What the issuing thread knew.
};

/// cp.async state of one thread.
struct LaneAsync {
  std::vector<AsyncCopy> pending;
  std::deque<uint32_t> groups; ///< Last sequence of each committed group.
  uint32_t issued = 0;
};

/// A bulk or tensor copy, issued and not yet performed.
struct BulkOp {
  enum Kind : uint8_t {
    Load,
    Store,
    Reduce,
    SharedToShared,
    Element
  } kind = Load;
  bool tensor = false;
  bool genericProxy = false; ///< Not the async proxy.
  const Inst *inst = nullptr;
  Warp *warp = nullptr;
  int lane = 0;
  Knowledge issuer;
  uint64_t shared = 0; ///< Source or destination in shared memory.
  uint64_t peer = 0;   ///< The other shared address of a copy in a cluster.
  uint64_t global = 0;
  uint32_t bytes = 0;
  uint64_t barrier = 0;
  uint32_t multicast = 0; ///< 0: the block that `shared` names.
  TensorMap map;
  int64_t coordinates[5] = {};
  uint32_t offsets[3] = {};   ///< Of im2col loads.
  uint32_t byteMask = 0xFFFF; ///< Bytes of each 16 that are written.
  int gather = 0; ///< 1 gather4 or scatter4: rows in coordinates 1 to 4.
  uint64_t values[4] = {}; ///< Of st.async and red.async.
  uint32_t sequence = 0;
};

/// Bulk groups of one thread.
struct BulkState {
  std::deque<uint32_t> groups;
  uint32_t issued = 0, read = 0; ///< `read`: sources known to be read.
  const Inst *last = nullptr;
  Agent reader = kNoAgent, writer = kNoAgent;
};

/// A wgmma of one warp, issued and not yet performed.
struct WgmmaOp {
  const Inst *inst = nullptr;
  Frame *frame = nullptr;
  uint64_t a = 0, b = 0; ///< Descriptors.
  bool accumulate = false;
  std::vector<uint32_t> metadata; ///< Of a sparse A, by lane.
  uint32_t sequence = 0;
  Knowledge issuer;
};

/// tcgen05.ld and st of one warp: agents, how many it issued, how many it
/// waited for.
struct WarpTensor {
  Agent agent[2] = {kNoAgent, kNoAgent};
  uint32_t issued[2] = {0, 0}, waited[2] = {0, 0};
};

/// Who touches tensor memory, and what he knows of others that do.
struct TensorUser {
  Agent as = kNoAgent;
  uint32_t clock = 0;
  bool isQueue = false; ///< A product or copy; the queue runs in order.
  ClockRef known, seen; ///< `seen`: at the last ::after_thread_sync.
  WarpTensor warp;
};

/// Work of the tensor core of a block, performed in order.
struct TensorOp {
  enum Kind : uint8_t { Mma, Copy, Commit } kind = Mma;
  const Inst *inst = nullptr;
  Warp *warp = nullptr;
  int lane = 0;
  uint32_t d = 0, idesc = 0, scaleA = 0, scaleB = 0, metadata = 0;
  uint32_t disable[8] = {}; ///< Lanes of D that keep what they have.
  uint64_t a = 0, b = 0;
  bool accumulate = false;
  uint64_t barrier = 0;
  uint32_t multicast = 0;
  Knowledge issuer;
  TensorUser user;
};

/// Tensor memory of a block: 128 lanes of 512 columns.
struct TensorMemory {
  Region region;
  struct Piece {
    uint32_t column, columns;
    Place where;
  };
  std::vector<Piece> pieces;
  std::vector<Piece> freed; ///< For messages.
  std::deque<TensorOp> queue;
  /// Threads that issue products and copies. The second agent of a pair says
  /// what was issued, the first what is complete.
  struct Issuer {
    Agent agent = kNoAgent;
    uint32_t issued = 0;
  };
  std::unordered_map<Agent, Issuer> issuers;
  Agent queueAgent(Block &block, Agent thread);
  struct Access {
    Agent agent = kNoAgent;
    uint32_t clock = 0, inst = 0;
    int lane = 0;
    const Warp *warp = nullptr;
    bool isQueue = false; ///< Of a product or copy.
    Place where(const Machine &m) const;
  };
  std::vector<std::array<Access, 3>> cells; ///< Writer and two readers each.
  bool relinquished = false;
};

/// tcgen05.ld and st whose registers or columns are not settled yet.
struct TensorAccess {
  const Inst *inst;
  Frame *frame;
  uint32_t address;
  std::vector<uint32_t> values;
};

struct WgmmaState {
  std::vector<WgmmaOp> pending;
  std::deque<uint32_t> groups;
  uint32_t issued = 0, waited = 0;
  Agent agent = kNoAgent;
  const Inst *last = nullptr;
};

/// One wgmma as the first warp of a group issued it.
struct WgmmaIssue {
  const Inst *inst;
  uint64_t a, b;
  int warp;
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
    bool whole = false; ///< Of a word that nobody has written a byte of,
    bool used = false;  ///< and that something was done with.
  };
  Frame *frame = nullptr;
  std::map<int32_t, Row> rows;
};

/// Lanes whose registers hold what the ISA leaves undefined.
struct UndefinedValues {
  Frame *frame = nullptr;
  std::map<int32_t, Mask> rows, predicates;
  const Inst *cause = nullptr;
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
    unsigned hits = 0, turns = 0;
  } loop;
  int focus = -1; ///< Group that runs although another one is behind.
  uint64_t counts[size_t(Class::Count)] = {};
};

/// One of the 16 barriers of a block.
struct Barrier {
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
  uint32_t expected = 0, pending = 0;
  int64_t tx = 0;
  uint64_t phase = 0;
  Agent agent = kNoAgent; ///< Of the asynchronous writes that signal it.
  Released arriving, completed;
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
  Agent maker = kNoAgent;
  uint32_t made = 0; ///< The maker's clock then.
};

struct Block {
  Machine *machine = nullptr;
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
  std::vector<Block *> blocks;
  uint32_t arrived = 0, expected = 0;
  uint64_t phase = 0;
  Released arriving, completed;
  /// What saw that a try_cancel of this cluster had failed.
  const Inst *refused = nullptr;
  int refusedWarp = 0;
};

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// What a handler sees: the lanes' registers and the machine around them.
struct Exec {
  Machine &m;
  Block *block = nullptr;
  Warp *warp = nullptr;
  Group *group = nullptr;
  Frame *frame = nullptr;
  uint8_t *rows = nullptr;
  uint32_t *predicates = nullptr;
  int next = 0;
  bool regroup = false; ///< The groups of the warp changed.
  bool wait = false;    ///< The group waits; its pc does not advance.
  bool yield = false;   ///< Let others run.

  explicit Exec(Machine &m) : m(m) {}

  template <typename T> T *row(int32_t at) {
    return reinterpret_cast<T *>(rows + size_t(at) * 128);
  }
  Mask predicate(uint32_t code) const {
    return predicates[code >> 1] ^ (0u - (code & 1));
  }
  void setPredicate(uint32_t code, Mask value, Mask lanes) {
    uint32_t &p = predicates[code >> 1];
    p = (p & ~lanes) | (value & lanes);
  }
  ThreadClock &clock(int lane) { return warp->clocks[lane]; }
};

/// While it lives, `Exec` stands for the warp that issued a piece of
/// asynchronous work: findings name the issuing thread, whoever performs it.
class AsIssuer {
public:
  AsIssuer(Exec &x, Warp &issuer) : x(x), warp(x.warp), block(x.block) {
    x.warp = &issuer;
    x.block = issuer.block;
  }
  AsIssuer(const AsIssuer &) = delete;
  AsIssuer &operator=(const AsIssuer &) = delete;
  ~AsIssuer() {
    x.warp = warp;
    x.block = block;
  }

private:
  Exec &x;
  Warp *warp;
  Block *block;
};

/// Calls `body(lane)` for each lane of `mask`.
template <typename F> inline void forLanes(Mask mask, F body) {
  while (mask) {
    int lane = __builtin_ctz(mask);
    mask &= mask - 1;
    body(lane);
  }
}

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// Ordering that an access asks for.
struct Semantics {
  bool strong = false, acquire = false, release = false;
  Scope scope = Scope::Gpu;
};

class Machine {
public:
  Machine(const Module &module, const Target &target, const Options &options);
  ~Machine();

  /// Decodes every function and places the module's variables.
  bool load(std::string &error);
  /// A global allocation; its address is `base`.
  Region &allocate(const std::string &name, uint64_t size, uint64_t align);
  Region *findGlobal(const std::string &name);
  const Function *findEntry(const std::string &name, std::string &error) const;
  /// Places the parameters of an entry by the absolute rule.
  std::vector<uint64_t> parameterOffsets(const Function &entry,
                                         uint64_t &size) const;
  bool launch(const Launch &launch, std::string &error);

  /// Where the CTAs' own memory begins, 0 without, and how much each gets.
  uint64_t perCtaBase = 0, perCtaBytes = 0;

  std::vector<Finding> findings;
  std::string printed;
  bool asserted = false;
  std::string failure; ///< What cannot be run: outcome "error".
  Stats stats;
  const Target target;

  // For handlers.

  bool reports(const char *kind) const;
  void report(const char *kind, Exec &x, const Inst &inst, int lane,
              const std::string &message,
              const std::vector<Place> &related = {});
  void report(const char *kind, const Place &place, const std::string &message,
              const std::vector<Place> &related = {});
  void fatal() { stopped = true; }
  Place placeOf(const Block &block, int warp, int lane, const Inst &inst) const;
  Place placeOf(Agent agent, uint32_t inst) const;

  /// The memory of `bytes` at `address`, or null after a finding.
  uint8_t *access(Exec &x, const Inst &inst, int lane, Space space,
                  uint64_t address, uint32_t bytes, AccessKind kind,
                  Region *&region, uint64_t &offset, uint32_t align = 0);
  /// Checks and marks a read or write for initialisation and races. Who changes
  /// memory by an atomic access says so itself.
  void touch(Exec &x, const Inst &inst, int lane, Region &region,
             uint64_t offset, uint32_t bytes, AccessKind kind,
             const Semantics &semantics, bool sameValue = false,
             bool checkInit = true);
  void touchAs(Exec &x, const Inst &inst, int lane, const Knowledge &who,
               Agent as, uint32_t asClock, Region &region, uint64_t offset,
               uint32_t bytes, AccessKind kind, uint32_t flags, bool sameValue);
  void checkWritten(Exec &x, const Inst &inst, int lane, Region &region,
                    uint64_t offset, uint32_t bytes);
  Region *regionAt(uint64_t address);
  void acquireAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics);
  void releaseAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics, bool readModifyWrite);

  void splitGroup(Exec &x, Mask lanes, int pc);
  void exitLanes(Exec &x, Mask lanes);
  Frame *newFrame(Warp &warp, const FunctionCode &code, Frame *parent);
  void dropFrame(Warp &warp, Frame *frame);
  /// Gives every lane of the warp at least `need` bytes of local memory.
  void growLocal(Warp &warp, uint32_t need);
  /// Copies the parameters whose address is taken to local memory.
  void copyParameters(Warp &warp, Frame &frame, Mask lanes);
  void changed() { ++version; }
  uint64_t random() { return rng.next(); }
  uint64_t variableAddress(const Function *function, int index) const;
  int functionIndex(const std::string &name) const;
  void barrierArrive(Exec &x, const Inst &inst, uint32_t id, uint32_t count,
                     Mask lanes, bool waits);
  void checkBarriers(Block &block);
  void checkClusterBarrier(Cluster &cluster);
  /// Performs a copy; the group of the warp need not be there any more.
  void performAsync(Exec &x, Warp &warp, int lane, const AsyncCopy &copy);
  /// Performs what a lane issued up to a sequence number.
  void finishAsync(Exec &x, Warp &warp, int lane, uint32_t upTo);
  /// Performs some outstanding work of a block; false when there is none.
  bool advanceAsync(Exec &x, Block &block);
  /// An ordinary access where barrier objects may be.
  void checkBarrierObject(Exec &x, const Inst &inst, int lane, Region &region,
                          uint64_t offset, uint32_t bytes);
  /// For the statistics.
  void waitStarts(Group &group);
  void waitEnds(Group &group);
  /// A register got a value that the ISA does not define.
  void undefinedResult(Exec &x, const Inst &inst, Mask lanes, int32_t row,
                       int rows);
  void followUndefined(Exec &x, const Inst &inst, Mask m);
  /// Bytes of a load, one bit each, that nobody has written; a race instead
  /// when a copy under way will. `region` null: local memory.
  uint64_t unwrittenBytes(Exec &x, const Inst &inst, int lane, Region *region,
                          uint64_t offset, uint32_t bytes, std::string &what);
  void loadUnwritten(Exec &x, const Inst &inst, int lane, int32_t row,
                     uint64_t bytes, bool whole, const std::string &what);
  /// The registers of these lanes end: what was loaded and never looked at.
  void forgetUnwritten(Warp &warp, Mask lanes);
  void storeUnwritten(Exec &x, int lane, int32_t row, uint32_t bytes,
                      Region *region, uint64_t offset);
  void followUnwritten(Exec &x, const Inst &inst, Mask m);
  /// Whether an output has bytes (`whole`: consists of bytes) that were copied
  /// from where nobody had written; the load is reported.
  bool reportCopied(const Region &region, uint64_t offset, uint64_t bytes,
                    bool whole);
  struct Copied {
    Place place;
    std::string what;
  };
  std::unordered_map<uint64_t, Copied> copied; ///< By address.
  /// Registers of a thread when the entry starts; 0: not known.
  uint32_t registersAtEntry(const Function &entry) const;
  bool waitsForRegisters(const Inst &inst) const;
  void checkRegisterChanges(Block &block);
  /// The copy under way that may write here, or null.
  const Inst *pendingWrite(Exec &x, const Region &region, uint64_t offset,
                           uint32_t bytes, Place &issue);
  /// Reports reads of tcgen05.ld registers that no wait has followed.
  void settleEarlyReads(Exec &x);
  /// Before an instruction with watched registers runs.
  void watchRegisters(Exec &x, const Inst &inst, Mask m);
  void fenceRegisters(Exec &x);
  void wgmmaRegisters(Exec &x, const Inst &inst, uint32_t sequence);
  void loadRegisters(Exec &x, const Inst &inst);
  /// All four warps of a group execute the same.
  void groupWgmma(Exec &x, const Inst &inst, const WgmmaOp &op);
  void performWgmmas(Exec &x, uint32_t upTo);
  void deliverTensorLoads(Exec &x);
  /// What a lane knows about tensor memory; the caller adds who it is.
  TensorUser tensorUser(Exec &x, int lane);
  /// Makes complete loads and stores of the warp known to `lanes`.
  void tensorPublish(Exec &x, Mask lanes, bool fence);
  bool tensorOrdered(const TensorUser &user, Agent agent, uint32_t clock,
                     bool isQueue, bool &fence) const;
  void touchTensor(Exec &x, const Inst &inst, int lane, TensorMemory &memory,
                   uint64_t offset, AccessKind kind, const TensorUser &user);
  void checkTensorFree(Exec &x, const Inst &inst, int lane,
                       TensorMemory &memory, uint32_t column, uint32_t columns);
  bool fencedOnce = false;   ///< A fence.sc of the GPU was executed.
  bool tensorFences = false; ///< The module has a tcgen05.fence.
  int tensorGroup = 0;       ///< The `cta_group` of the first instruction.
  /// What is still under way when the block's last thread exits.
  void checkExit(Exec &x, Block &block);
  /// Rules of a tensor map that the kernel wrote itself.
  void checkMapProxy(Exec &x, const Inst &inst, int lane, Region &region,
                     uint64_t offset);
  /// The barrier object at an address, or null after a finding.
  Mbarrier *mbarrierAt(Exec &x, const Inst &inst, int lane, Space space,
                       uint64_t address, bool create, Region *&region);
  void mbarrierArrive(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                      uint32_t count);
  void mbarrierTx(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                  int64_t bytes);
  void mbarrierCheck(Mbarrier &bar);
  /// The least scope that includes threads of both blocks.
  Scope scopeBetween(uint32_t a, uint32_t b) const;
  /// Publishes what a thread knows into `to`, as a release of a scope does or,
  /// relaxed, as the fences before it do.
  void publish(const ThreadClock &who, Released &to, bool release, Scope scope);
  /// What `who` learns from `from` with an acquire or a relaxed read.
  void learn(ThreadClock &who, const Released &from, bool acquire, Scope scope,
             bool order);
  Block *ownerOf(Exec &x, const Region &region);
  void performBulk(Exec &x, Block &block, const BulkOp &op);
  void finishBulk(Exec &x, Block &block, uint32_t thread, uint32_t upTo);
  void performWgmma(Exec &x, Warp &warp, const WgmmaOp &op);
  void performTensor(Exec &x, Block &block, const TensorOp &op);
  /// Gives the block cluster number `n` back as stolen work.
  bool stealCluster(std::array<uint32_t, 3> &first);
  std::string readString(uint64_t address);
  void print(Exec &x, const Inst &inst, int lane, uint64_t format,
             uint64_t arguments);
  uint64_t readGeneric(Exec &x, int lane, uint64_t address, uint32_t bytes);

  const Module &module;
  Options options;
  std::vector<Inst> code;
  std::vector<const Statement *> statements; ///< Of each of `code`.
  std::deque<Extra> extras;
  std::vector<FunctionCode> functions;
  Launch config;
  uint64_t version = 0;
  uint64_t steps = 0;
  bool stopped = false;
  std::vector<ReaderSet> readerSets;
  std::vector<std::array<Cell, 4>> splitCells;
  std::unordered_map<uint64_t, Released> releases; ///< By address.
  std::vector<Watch> watches{1};
  /// fence.proxy.tensormap of threads: releases, and acquires by address.
  struct MapFence {
    ClockRef known;
    Agent agent;
    uint32_t clock;
    Scope scope;
  };
  std::deque<MapFence> mapReleases;
  std::unordered_map<uint64_t, std::deque<MapFence>> mapAcquires;
  Region *params = nullptr;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Cluster>> clusters;
  cases::SplitMix64 rng;
  uint64_t staticShared = 0; ///< End of the static shared memory of any kernel.
  std::vector<std::unique_ptr<Region>> regions; ///< Sorted by base.
  std::vector<uint64_t> moduleAddresses;        ///< Of the module's variables.
  uint32_t sharedBase = 0;
  std::vector<uint8_t> sharedGaps; ///< Bytes between variables, by offset.

  void merge(Warp &warp);

private:
  bool placeVariables(std::string &error);
  bool initialize(std::string &error);
  void startBlocks(uint32_t first, uint32_t count);
  void startWarp(Block &block, int index);
  void fillSpecials(Warp &warp, Frame &frame);
  void runWarp(Exec &x, Warp &warp, unsigned burst);
  Group *select(Warp &warp);
  bool schedule(std::string &error);
  void reportDeadlock(const char *kind);
  /// Looks whether the warp comes back to a state of its registers while
  /// nothing else changes; then nothing of its own will end its loop.
  void watchSpin(Warp &warp);
  /// All warps wait, or are in such loops.
  bool allSpin() const;
  bool watchesSpins = false;
  void reportStuckWarp(Warp &warp);
  void finishBlock(Exec &x, Block &block);

  uint64_t nextGlobal = kGlobalBase;
  std::map<const Function *, std::vector<uint64_t>> functionVariables;
  /// Where the shared memory of a kernel ends, and where it would without the
  /// gaps between its variables.
  struct SharedEnd {
    uint64_t spaced, tight;
  };
  std::map<const Function *, SharedEnd> sharedEnd;
  struct SharedPiece {
    const Function *owner; ///< Null: of the module.
    uint64_t at, size;
  };
  std::vector<SharedPiece> sharedPieces;
  uint64_t dynamicAlign = 1;
  uint64_t sharedUsed = 0; ///< Bytes of a block of this launch.
  std::map<std::string, size_t> findingIndex;
  uint32_t nextBlock = 0, totalBlocks = 0;
  std::array<uint32_t, 3> totalGrid{};
  uint64_t clusterSize = 1;
  uint64_t sharedSize =
      0; ///< Of a block of this launch, reserved part included.
  Region *lastRegion = nullptr;
};

/// Decodes all functions of `machine.module` into `machine.code`.
bool decodeModule(Machine &machine, std::string &error);

} // namespace tileir::emu

#endif // TOOLS_TILEIR_RUN_EMULATOR_MACHINE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region to schedule, without IR: reservations and dependences of its
// operations, storage of their values, and further constraints.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H

#include "passes/tileas_schedule/solver/Slots.h"

#include <utility>
#include <vector>

namespace tileir::schedule {

/// SM clock cycles; quanta of cycles where a problem was quantized.
using Cycles = int64_t;

/// Kind of an anchor; one line of the cost table.
enum class OpClass : uint8_t {
  Fp32,
  Half,
  F64,
  IntMul,
  Alu,
  Convert,
  Convert64,
  Xu,
  Elementwise,
  Reduce,
  LayoutConversion,
  GlobalLoad,
  CpAsync,
  TmaLoad,
  GlobalStore,
  TmaStore,
  SharedLoad,
  SharedStore,
  MmaSync,
  Wgmma,
  Tcgen05Mma,
  Tcgen05Copy,
  Tcgen05Load,
  Tcgen05Store,
  Atomic,
  Wait,
  Composite,
  Other
};

/// Returns the name, such as `tma_load`.
const char *nameOf(OpClass cls);
std::optional<OpClass> opClassOfName(std::string_view name);

constexpr bool isMma(OpClass cls) {
  return cls == OpClass::MmaSync || cls == OpClass::Wgmma ||
         cls == OpClass::Tcgen05Mma;
}
/// Returns whether `cls` is a global load that can run ahead of the loop.
constexpr bool isAsyncLoad(OpClass cls) {
  return cls == OpClass::CpAsync || cls == OpClass::TmaLoad;
}
constexpr bool isAsync(OpClass cls) {
  return isAsyncLoad(cls) || cls == OpClass::TmaStore ||
         cls == OpClass::Wgmma || cls == OpClass::Tcgen05Mma ||
         cls == OpClass::Tcgen05Copy;
}

/// Reservation of `row` that begins `offset` cycles after the node's start.
struct SlotUse {
  Row row = 0;
  Cycles offset = 0;
  Cycles duration = 0;
};

constexpr int kNoDepthLimit = -1;

struct Node {
  std::string name;
  OpClass cls = OpClass::Other;
  /// -1 if there are no agents.
  int agent = -1;
  std::vector<SlotUse> uses;
  Cycles latency = 0;
  Cycles issueCost = 0;
  /// Maximum stage.
  int maxDepth = kNoDepthLimit;
  /// For reports: operation, implementing instruction, source location.
  std::string op, atom, location;
};

enum class EdgeKind : uint8_t {
  Flow,
  Accumulate,
  Token,
  Async,
  Anti,
  Order,
  Capacity
};

const char *nameOf(EdgeKind kind);
std::optional<EdgeKind> edgeKindOfName(std::string_view name);

/// t(to) + II * distance >= t(from) + delay.
struct Edge {
  int from = 0, to = 0;
  Cycles delay = 0;
  int distance = 0;
  EdgeKind kind = EdgeKind::Flow;
};

/// Bandwidth that several rows share: all iterations together use at most
/// `capacity` per cycle. Only the bounds use it.
struct Pool {
  std::string name;
  int64_t capacity = 1;
  /// Units per reserved cycle of a row.
  std::vector<std::pair<Row, int64_t>> weights;
};

enum class Storage : uint8_t { Shared, Tensor, Registers };

const char *nameOf(Storage storage);

struct Reader {
  int node = 0;
  /// Latency of crossing to another agent.
  Cycles arriveLatency = 0;
  /// Iterations between the producer and this reader.
  int distance = 0;
};

/// A value, or the values of one producer token. In shared or tensor memory it
/// lives in a pipeline.
struct Value {
  std::string name;
  Storage storage = Storage::Shared;
  std::vector<int> producers;
  std::vector<Reader> readers;
  /// Size of one slot.
  int64_t bytes = 0;
  /// Tensor memory columns of one slot.
  int64_t columns = 0;
  /// Maximum number of slots; 0: as many as the schedule wants.
  int maxBuffers = 0;
  /// Bytes of mbarriers per slot.
  int64_t barrierBytes = 16;
  /// Maximum number of copies of the producer next to readers.
  int maxRecomputations = 0;
};

struct Agent {
  std::string name;
  int warps = 4;
  /// Per thread; 0: no limit.
  int registerBudget = 0;
};

/// `a` and `b` share one stage.
struct SameDepth {
  int a = 0, b = 0;
};

/// Resource limits of a kernel; 0: not limited.
struct Capacities {
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t namedBarriers = 0;
};

/// Resource usage beside the values.
struct FixedUse {
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t namedBarriers = 0;
  /// Registers per thread of every agent.
  int64_t registers = 40;
};

struct Problem {
  std::string name;
  /// `sm_90a`; only printed.
  std::string target;
  /// In program order.
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Pool> pools;
  std::vector<Value> values;
  std::vector<Agent> agents;
  std::vector<SameDepth> sameDepth;
  Capacities capacities;
  FixedUse fixed;
  /// Cost of long live ranges in registers, 0 to 255; only a preference.
  int surcharge = 0;
  /// Upper bound of the search; 0: none.
  Cycles maxII = 0;
  /// Iterations do not overlap.
  bool forceSerial = false;
  /// A straight line, not a loop.
  bool isLinear = false;

  int addNode(Node node);
  void addEdge(int from, int to, Cycles delay, int distance = 0,
               EdgeKind kind = EdgeKind::Flow);
  /// t(b) - t(a) <= c.
  void addMaxDistance(int a, int b, Cycles c);
  /// Limits the slots of `values[value]` and adds the edges that express the
  /// limit. A smaller depth replaces a larger one.
  void setMaxBuffers(int value, int depth);
  /// Returns the edge from a reader of a value to a producer for a circular
  /// buffer of `depth` slots.
  Edge pipelineEdge(const Reader &reader, int producer, int depth) const;
  /// Returns for each node the representative of its one-stage group.
  std::vector<int> depthGroups() const;
  /// Returns the first inconsistency (ids, negative durations, a use of a row
  /// that cannot be reserved) for diagnostics; empty if there is none.
  std::string verify() const;
};

/// Adds random delays by `seed`: [0, 2·delay] to flow, async and token edges,
/// [0, 16] where the delay is 0. Capacity edges stay. `symbol` is the
/// function's name.
void addRandomDelay(Problem &problem, uint64_t seed, std::string_view symbol);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H

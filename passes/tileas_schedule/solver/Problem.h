// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region to schedule, without IR: what its operations reserve, what they wait
// for, where their values live, and what else a schedule must respect.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H

#include "passes/tileas_schedule/solver/Slots.h"

#include <utility>
#include <vector>

namespace tileir::schedule {

/// SM clock cycles, or quanta of them where a problem was quantized.
using Cycles = int64_t;

/// The kind of an anchor, a line of the table of costs.
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

/// `tma_load`.
const char *nameOf(OpClass cls);
std::optional<OpClass> opClassOfName(std::string_view name);

constexpr bool isMma(OpClass cls) {
  return cls == OpClass::MmaSync || cls == OpClass::Wgmma ||
         cls == OpClass::Tcgen05Mma;
}
/// Global loads that can run ahead of the loop.
constexpr bool isAsyncLoad(OpClass cls) {
  return cls == OpClass::CpAsync || cls == OpClass::TmaLoad;
}
constexpr bool isAsync(OpClass cls) {
  return isAsyncLoad(cls) || cls == OpClass::TmaStore ||
         cls == OpClass::Wgmma || cls == OpClass::Tcgen05Mma ||
         cls == OpClass::Tcgen05Copy;
}

/// A reservation of `row` from `offset` cycles after the start on.
struct SlotUse {
  Row row = 0;
  Cycles offset = 0;
  Cycles duration = 0;
};

constexpr int kNoDepthLimit = -1;

struct Node {
  std::string name;
  OpClass cls = OpClass::Other;
  /// -1 while there are no agents.
  int agent = -1;
  std::vector<SlotUse> uses;
  Cycles latency = 0;
  Cycles issueCost = 0;
  /// Stage that it may not exceed.
  int maxDepth = kNoDepthLimit;
  /// For reports: the operation, the instruction that implements it, the place
  /// in the source.
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

/// A bandwidth that several rows share: all iterations together use no more
/// than `capacity` a cycle. Only the bounds know it.
struct Pool {
  std::string name;
  int64_t capacity = 1;
  /// Units that a reserved cycle of a row costs.
  std::vector<std::pair<Row, int64_t>> weights;
};

enum class Storage : uint8_t { Shared, Tensor, Registers };

const char *nameOf(Storage storage);

struct Reader {
  int node = 0;
  /// Of crossing to another agent.
  Cycles handoff = 0;
  /// Iterations after the one that produced what it reads.
  int distance = 0;
};

/// A value, or the values that share a producer token: a pipe where it lives in
/// shared or tensor memory.
struct Value {
  std::string name;
  Storage storage = Storage::Shared;
  std::vector<int> producers;
  std::vector<Reader> readers;
  /// Of one slot.
  int64_t bytes = 0;
  /// Of tensor memory, one slot.
  int64_t columns = 0;
  /// Rings that are no deeper; 0: as deep as the schedule wants.
  int maxBuffers = 0;
  /// Bytes of barriers that each slot brings along.
  int64_t barrierBytes = 16;
  /// Number of times that the producer may be repeated next to a reader.
  int maxRecomputations = 0;
};

struct Agent {
  std::string name;
  int warps = 4;
  /// A thread; 0: no limit.
  int registerBudget = 0;
};

/// `a` and `b` in one stage.
struct SameDepth {
  int a = 0, b = 0;
};

/// Amounts that a kernel may use; 0: not limited.
struct Capacities {
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t namedBarriers = 0;
};

/// Amounts that it uses beside its values.
struct FixedUse {
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t namedBarriers = 0;
  /// A thread of every agent.
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
  /// Cost of long lives in registers, from 0 to 255; only a preference.
  int surcharge = 0;
  /// Upper bound of the search; 0: none.
  Cycles maxII = 0;
  /// No overlap of iterations.
  bool forceSerial = false;
  /// A straight line, not a loop.
  bool isLinear = false;

  int addNode(Node node);
  void addEdge(int from, int to, Cycles delay, int distance = 0,
               EdgeKind kind = EdgeKind::Flow);
  /// t(b) - t(a) <= c.
  void addMaxDistance(int a, int b, Cycles c);
  /// Limits the ring of `values[value]`, with the edges that say so. A smaller
  /// depth replaces a larger one.
  void setMaxBuffers(int value, int depth);
  /// The edge from a reader of a value to a producer for a ring of `depth`.
  Edge ringEdge(const Reader &reader, int producer, int depth) const;
  /// A representative for each node of those in one stage.
  std::vector<int> depthGroups() const;
  /// The first thing that makes no sense (ids, negative durations, a use of a
  /// row that cannot be reserved), for diagnostics; empty: none.
  std::string verify() const;
};

/// Adds to delays what a seed says: [0, 2·delay] to flow, async and token
/// edges, [0, 16] where the delay is 0. `symbol` is the function's name.
/// Capacity edges stay.
void addRandomDelay(Problem &problem, uint64_t seed, std::string_view symbol);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEM_H

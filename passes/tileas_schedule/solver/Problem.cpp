// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Problem.h"
#include "passes/tileas_schedule/solver/SplitMix.h"

#include <algorithm>
#include <numeric>

namespace tileir::schedule {

static constexpr const char *kClassNames[] = {"fp32",
                                              "half",
                                              "f64",
                                              "int_mul",
                                              "alu",
                                              "convert",
                                              "convert64",
                                              "xu",
                                              "elementwise",
                                              "reduce",
                                              "layout_conversion",
                                              "global_load",
                                              "cp_async",
                                              "tma_load",
                                              "global_store",
                                              "tma_store",
                                              "shared_load",
                                              "shared_store",
                                              "mma_sync",
                                              "wgmma",
                                              "tcgen05_mma",
                                              "tcgen05_cp",
                                              "tcgen05_ld",
                                              "tcgen05_st",
                                              "atomic",
                                              "wait",
                                              "composite",
                                              "other"};
static constexpr const char *kEdgeNames[] = {
    "flow", "accumulate", "token", "async", "anti", "order", "capacity"};

static constexpr const char *kStorageNames[] = {"shared", "tensor",
                                                "registers"};

const char *nameOf(Storage s) { return kStorageNames[unsigned(s)]; }
const char *nameOf(OpClass cls) { return kClassNames[unsigned(cls)]; }
const char *nameOf(EdgeKind kind) { return kEdgeNames[unsigned(kind)]; }

std::optional<OpClass> opClassOfName(std::string_view name) {
  for (unsigned i = 0; i < std::size(kClassNames); ++i)
    if (name == kClassNames[i])
      return OpClass(i);
  return std::nullopt;
}

std::optional<EdgeKind> edgeKindOfName(std::string_view name) {
  for (unsigned i = 0; i < std::size(kEdgeNames); ++i)
    if (name == kEdgeNames[i])
      return EdgeKind(i);
  return std::nullopt;
}

int Problem::addNode(Node node) {
  nodes.push_back(std::move(node));
  return int(nodes.size()) - 1;
}

void Problem::addEdge(int from, int to, Cycles delay, int distance,
                      EdgeKind kind) {
  edges.push_back({from, to, delay, distance, kind});
}

void Problem::addMaxDistance(int a, int b, Cycles c) {
  addEdge(b, a, -c, 0, EdgeKind::Capacity);
}

Edge Problem::pipelineEdge(const Reader &reader, int producer,
                           int depth) const {
  return {reader.node, producer,
          nodes[reader.node].latency + reader.arriveLatency,
          std::max(0, depth - reader.distance), EdgeKind::Anti};
}

void Problem::setMaxBuffers(int index, int depth) {
  Value &value = values[index];
  if (value.maxBuffers && value.maxBuffers <= depth)
    return;
  // A producer fills a slot only after the last reader of the iteration `depth`
  // earlier has ended.
  for (const Reader &reader : value.readers)
    for (int producer : value.producers) {
      auto isOld = [&](const Edge &edge) {
        return edge.kind == EdgeKind::Anti && edge.from == reader.node &&
               edge.to == producer &&
               edge.distance == value.maxBuffers - reader.distance;
      };
      Edge edge = pipelineEdge(reader, producer, depth);
      auto old = value.maxBuffers
                     ? std::find_if(edges.begin(), edges.end(), isOld)
                     : edges.end();
      if (old != edges.end())
        *old = edge;
      else
        edges.push_back(edge);
    }
  value.maxBuffers = depth;
}

std::vector<int> Problem::depthGroups() const {
  std::vector<int> parent(nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](int v) {
    while (parent[v] != v)
      v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const SameDepth &pair : sameDepth) {
    int a = find(pair.a), b = find(pair.b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (int v = 0; v < int(nodes.size()); ++v)
    parent[v] = find(v);
  return parent;
}

namespace {

/// Looks for inconsistencies in a problem.
class Verifier {
public:
  explicit Verifier(const Problem &problem) : problem(problem) {}

  std::string run() {
    for (const Node &node : problem.nodes)
      if (std::string fault = checkNode(node); !fault.empty())
        return "node '" + node.name + "': " + fault;
    for (const Edge &edge : problem.edges)
      if (std::string fault = checkEdge(edge); !fault.empty())
        return fault;
    for (const SameDepth &pair : problem.sameDepth)
      if (!isNode(pair.a) || !isNode(pair.b))
        return "a group names a node that does not exist";
    for (const Pool &pool : problem.pools)
      if (pool.capacity < 1)
        return "pool '" + pool.name + "': capacity is " +
               std::to_string(pool.capacity) + ", expected 1 or more";
    for (const Value &value : problem.values)
      if (std::string fault = checkValue(value); !fault.empty())
        return "value '" + value.name + "': " + fault;
    return problem.maxII < 0 ? "the limit of the interval is negative" : "";
  }

private:
  bool isNode(int v) const { return v >= 0 && v < int(problem.nodes.size()); }

  std::string checkNode(const Node &node) const {
    if (node.agent >= int(kMaxAgents))
      return "agent " + std::to_string(node.agent) + ", there are " +
             std::to_string(kMaxAgents);
    if (node.latency < 0 || node.issueCost < 0)
      return "a negative latency";
    for (const SlotUse &use : node.uses) {
      if (!isReservable(use.row))
        return use.row < kNumRows
                   ? "'" + nameOfRow(use.row) + "' cannot be reserved"
                   : "row " + std::to_string(use.row) + " does not exist";
      if (use.offset < 0 || use.duration < 1)
        return "a reservation of '" + nameOfRow(use.row) + "' from " +
               std::to_string(use.offset) + " on for " +
               std::to_string(use.duration) + " cycles";
    }
    return "";
  }

  std::string checkEdge(const Edge &edge) const {
    if (!isNode(edge.from) || !isNode(edge.to))
      return "an edge names a node that does not exist";
    if (edge.distance < 0)
      return "edge '" + problem.nodes[edge.from].name + "' -> '" +
             problem.nodes[edge.to].name + "': a negative distance";
    return "";
  }

  std::string checkValue(const Value &value) const {
    if (value.producers.empty())
      return "no producer";
    for (int producer : value.producers)
      if (!isNode(producer))
        return "a producer that does not exist";
    for (const Reader &reader : value.readers)
      if (!isNode(reader.node))
        return "a reader that does not exist";
    if (value.bytes < 0 || value.columns < 0 || value.maxBuffers < 0)
      return "a negative size";
    return "";
  }

  const Problem &problem;
};

} // namespace

std::string Problem::verify() const { return Verifier(*this).run(); }

void addRandomDelay(Problem &problem, uint64_t seed, std::string_view symbol) {
  uint64_t base = seed ^ fnv1a64(symbol);
  for (size_t i = 0; i < problem.edges.size(); ++i) {
    Edge &edge = problem.edges[i];
    if (edge.kind != EdgeKind::Flow && edge.kind != EdgeKind::Async &&
        edge.kind != EdgeKind::Token)
      continue;
    SplitMix random(base ^ (uint64_t(i) * 0x9E3779B97F4A7C15ull));
    Cycles span = edge.delay > 0 ? 2 * edge.delay : 16;
    edge.delay += Cycles(random.below(uint64_t(span) + 1));
  }
}

} // namespace tileir::schedule

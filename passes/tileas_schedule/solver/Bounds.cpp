// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Bounds.h"
#include "passes/tileas_schedule/solver/Graph.h"

#include <algorithm>

namespace tileir::schedule {

namespace {

/// Recurrence bounds (recMII), component by component.
class Recurrences {
public:
  Recurrences(const Graph &graph, uint64_t &work)
      : graph(graph), work(work), parentEdge(size_t(graph.size()), -1),
        length(size_t(graph.size()), 0), seen(size_t(graph.size()), 0) {}

  /// Returns the smallest interval of at least `from` that every cycle of a
  /// component allows; 0 if there is none.
  Cycles run(int component, Cycles from);
  /// Returns a node on the last cycle that raised the interval, or -1.
  int node() const { return culprit; }

private:
  Cycles runSelfEdges(int v, Cycles ii);
  bool relax(int component, Cycles ii);
  /// Returns a node on a cycle of the edges that gave the lengths, or -1.
  int findCycle(int component);
  /// Raises `ii` to the interval that the cycle through `v` needs. Returns
  /// false if no interval suffices.
  bool raise(int v, Cycles &ii);

  const Graph &graph;
  uint64_t &work;
  std::vector<int> parentEdge;
  std::vector<Cycles> length;
  std::vector<uint64_t> seen;
  uint64_t stamp = 0;
  int culprit = -1;
};

} // namespace

int Recurrences::findCycle(int component) {
  for (int root : graph.members(component)) {
    ++stamp;
    int v = root;
    // Paths of earlier roots reach no cycle: it would have been returned.
    while (v >= 0 && seen[v] == 0) {
      seen[v] = stamp;
      v = parentEdge[v] < 0 ? -1 : graph.edge(parentEdge[v]).from;
    }
    if (v >= 0 && seen[v] == stamp)
      return v;
  }
  return -1;
}

bool Recurrences::raise(int v, Cycles &ii) {
  Cycles delay = 0, distance = 0;
  int at = v;
  do {
    const Edge &edge = graph.edge(parentEdge[at]);
    delay += edge.delay;
    distance += edge.distance;
    at = edge.from;
  } while (at != v);
  culprit = v;
  if (distance == 0)
    return false;
  ii = std::max(ii + 1, ceilDiv(delay, distance));
  return true;
}

Cycles Recurrences::runSelfEdges(int v, Cycles ii) {
  for (int e : graph.outgoing(v)) {
    const Edge &edge = graph.edge(e);
    ++work;
    if (edge.to != v || edge.delay <= ii * edge.distance)
      continue;
    culprit = v;
    if (edge.distance == 0)
      return 0;
    ii = ceilDiv(edge.delay, edge.distance);
  }
  return ii;
}

bool Recurrences::relax(int component, Cycles ii) {
  bool changed = false;
  for (int v : graph.members(component))
    for (int e : graph.outgoing(v)) {
      const Edge &edge = graph.edge(e);
      ++work;
      if (graph.componentOf(edge.to) != component)
        continue;
      Cycles through = length[v] + edge.delay - ii * edge.distance;
      if (through <= length[edge.to])
        continue;
      length[edge.to] = through;
      parentEdge[edge.to] = e;
      changed = true;
    }
  return changed;
}

/// Computes longest paths under the weights delay - II * distance. A cycle
/// among the edges that gave them is positive and determines the next interval.
/// There are few such steps, because each step takes the worst visible cycle.
Cycles Recurrences::run(int component, Cycles from) {
  Cycles ii = from;
  Graph::Range nodes = graph.members(component);
  if (nodes.size() == 1)
    return runSelfEdges(*nodes.begin(), ii);
  for (unsigned round = 1; relax(component, ii); ++round) {
    // A cycle shows after at most as many passes as it has edges.
    if ((round & (round - 1)) != 0)
      continue;
    work += nodes.size();
    for (int v : nodes)
      seen[v] = 0;
    int v = findCycle(component);
    if (v < 0)
      continue;
    if (!raise(v, ii))
      return 0;
    for (int w : nodes) {
      length[w] = 0;
      parentEdge[w] = -1;
    }
    round = 0;
  }
  return ii;
}

static void boundResources(const Problem &problem, Bounds &bounds,
                           uint64_t &work) {
  Cycles busy[kNumRows] = {};
  for (const Node &node : problem.nodes) {
    work += node.uses.size();
    for (const SlotUse &use : node.uses)
      busy[use.row] += use.duration;
  }
  for (unsigned row = 0; row < kNumRows; ++row)
    if (busy[row] > 0 &&
        (bounds.resourceRow < 0 || busy[row] > bounds.resource)) {
      bounds.resource = busy[row];
      bounds.resourceRow = int(row);
    }
  for (size_t p = 0; p < problem.pools.size(); ++p) {
    int64_t sum = 0;
    for (const auto &[row, weight] : problem.pools[p].weights)
      sum += busy[row] * weight;
    Cycles need = ceilDiv(sum, problem.pools[p].capacity);
    if (sum > 0 && (bounds.finePool < 0 || need > bounds.fine)) {
      bounds.fine = need;
      bounds.finePool = int(p);
    }
  }
}

static void boundRecurrences(const Problem &problem, const Graph &graph,
                             Bounds &bounds, uint64_t &work) {
  Recurrences recurrences(graph, work);
  for (int c = 0; c < graph.numComponents(); ++c) {
    Cycles ii = recurrences.run(c, bounds.recurrence);
    bounds.recurrenceNode = recurrences.node();
    if (ii == 0) {
      bounds.isInfinite = true;
      return;
    }
    bounds.recurrence = ii;
  }
}

/// Returns the longest paths of distance 0 to each node; nothing if they form a
/// cycle that is not a capacity edge's.
static std::vector<Cycles> earliestStarts(const Graph &graph, uint64_t &work) {
  int n = graph.size();
  std::vector<Cycles> earliest(size_t(n), 0);
  // Capacity edges point backwards: a few passes settle them.
  bool changed = true;
  for (int round = 0; changed && round <= n; ++round) {
    changed = false;
    for (int c = graph.numComponents() - 1; c >= 0; --c)
      for (int v : graph.members(c))
        for (int e : graph.incoming(v)) {
          const Edge &edge = graph.edge(e);
          ++work;
          if (edge.distance != 0 ||
              earliest[edge.from] + edge.delay <= earliest[v])
            continue;
          earliest[v] = earliest[edge.from] + edge.delay;
          changed = true;
        }
  }
  return earliest;
}

static void boundDepths(const Problem &problem, const Graph &graph,
                        Bounds &bounds, uint64_t &work) {
  bool any = false;
  for (const Node &node : problem.nodes)
    any |= node.maxDepth >= 0;
  if (!any)
    return;
  std::vector<Cycles> earliest = earliestStarts(graph, work);
  for (int v = 0; v < graph.size(); ++v) {
    if (problem.nodes[v].maxDepth < 0)
      continue;
    Cycles need = ceilDiv(earliest[v] + 1, problem.nodes[v].maxDepth + 1);
    if (bounds.dependenceNode < 0 || need > bounds.dependence) {
      bounds.dependence = need;
      bounds.dependenceNode = v;
    }
  }
}

Bounds computeBounds(const Problem &problem, uint64_t *work) {
  uint64_t ignored = 0;
  uint64_t &count = work ? *work : ignored;
  Graph graph(problem);
  Bounds bounds;
  boundResources(problem, bounds, count);
  boundRecurrences(problem, graph, bounds, count);
  if (!bounds.isInfinite)
    boundDepths(problem, graph, bounds, count);
  return bounds;
}

Cycles Bounds::mii() const {
  return std::max({resource, fine, recurrence, dependence, Cycles(1)});
}

std::string Bounds::binding(const Problem &problem) const {
  auto quoted = [&](int v) { return "'" + problem.nodes[v].name + "'"; };
  if (isInfinite)
    return "cycle without distance through " + quoted(recurrenceNode);
  Cycles ii = mii();
  if (resourceRow >= 0 && resource == ii)
    return nameOfRow(Row(resourceRow));
  if (finePool >= 0 && fine == ii)
    return problem.pools[finePool].name;
  if (recurrenceNode >= 0 && recurrence == ii)
    return "recurrence of " + quoted(recurrenceNode);
  if (dependenceNode >= 0 && dependence == ii)
    return "depth of " + quoted(dependenceNode);
  return "none";
}

} // namespace tileir::schedule

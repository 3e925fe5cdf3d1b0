// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Graph.h"
#include "passes/tileas_schedule/solver/Solver.h"
#include "passes/tileas_schedule/solver/search/Order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace tileir::schedule {

static bool isForward(const Edge &edge) {
  return edge.distance == 0 && edge.kind != EdgeKind::Capacity;
}

/// Sorts the nodes topologically by the edges of one iteration; ties keep
/// program order.
static std::vector<int> sortForward(const Problem &problem,
                                    const Graph &graph) {
  size_t n = problem.nodes.size();
  std::vector<int> missing(n, 0), sorted;
  for (const Edge &edge : problem.edges)
    missing[edge.to] += isForward(edge);
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (size_t v = 0; v < n; ++v)
    if (missing[v] == 0)
      ready.push(int(v));
  while (!ready.empty()) {
    int v = ready.top();
    ready.pop();
    sorted.push_back(v);
    for (int e : graph.outgoing(v))
      if (isForward(graph.edge(e)) && --missing[graph.edge(e).to] == 0)
        ready.push(graph.edge(e).to);
  }
  return sorted;
}

/// Returns which loads of `problem` run ahead in a baseline pipeline.
static std::vector<char> findPrefetches(const Problem &problem,
                                        const Graph &graph,
                                        const std::vector<int> &topological) {
  size_t n = problem.nodes.size();
  bool hasMma = false;
  for (const Node &node : problem.nodes)
    hasMma |= isMma(node.cls);
  auto isUser = [&](const Node &node) {
    return hasMma ? isMma(node.cls)
                  : !isAsyncLoad(node.cls) && node.cls != OpClass::Wait;
  };
  std::vector<char> feeds(n, 0), prefetched(n, 0);
  for (auto it = topological.rbegin(); it != topological.rend(); ++it)
    for (int e : graph.outgoing(*it)) {
      const Edge &edge = graph.edge(e);
      if (isForward(edge))
        feeds[*it] |= feeds[edge.to] || isUser(problem.nodes[edge.to]);
    }
  for (size_t v = 0; v < n; ++v)
    prefetched[v] = feeds[v] && isAsyncLoad(problem.nodes[v].cls);
  return prefetched;
}

namespace {

/// Stages of the baseline pipeline, counted from the end of the iteration.
class BaselineStages {
public:
  BaselineStages(const Problem &problem, int numStages)
      : problem(problem), graph(problem), numStages(numStages),
        topological(sortForward(problem, graph)),
        prefetched(findPrefetches(problem, graph, topological)) {}

  std::vector<int> run();

private:
  void dropChains();
  std::vector<char> related() const;

  const Problem &problem;
  Graph graph;
  int numStages;
  std::vector<int> topological;
  std::vector<char> prefetched;
  int longestChain = 0;
};

} // namespace

/// A load whose address comes from another load follows it by a stage. Chains
/// longer than the number of stages are not prefetched.
void BaselineStages::dropChains() {
  std::vector<int> chainAfter(problem.nodes.size(), 0);
  for (auto it = topological.rbegin(); it != topological.rend(); ++it)
    for (int e : graph.outgoing(*it)) {
      const Edge &edge = graph.edge(e);
      if (isForward(edge))
        chainAfter[*it] = std::max(chainAfter[*it],
                                   chainAfter[edge.to] + prefetched[edge.to]);
    }
  for (size_t v = 0; v < chainAfter.size(); ++v) {
    if (!prefetched[v])
      continue;
    if (chainAfter[v] >= numStages - 1)
      prefetched[v] = 0;
    else
      longestChain = std::max(longestChain, chainAfter[v]);
  }
}

std::vector<char> BaselineStages::related() const {
  std::vector<char> result = prefetched;
  for (int v : topological)
    for (int e : graph.outgoing(v))
      if (isForward(graph.edge(e)))
        result[graph.edge(e).to] |= result[v];
  std::vector<char> leads = prefetched;
  for (auto it = topological.rbegin(); it != topological.rend(); ++it)
    for (int e : graph.outgoing(*it))
      if (isForward(graph.edge(e)))
        leads[*it] |= leads[graph.edge(e).to];
  for (size_t v = 0; v < result.size(); ++v)
    result[v] |= leads[v];
  return result;
}

std::vector<int> BaselineStages::run() {
  size_t n = problem.nodes.size();
  dropChains();
  int ahead = (numStages - 1) / (1 + longestChain);
  std::vector<int> toEnd(n, 0);
  int longest = 0;
  for (auto it = topological.rbegin(); it != topological.rend(); ++it) {
    for (int e : graph.outgoing(*it))
      if (isForward(graph.edge(e)))
        toEnd[*it] = std::max(toEnd[*it], toEnd[graph.edge(e).to]);
    toEnd[*it] += prefetched[*it] ? ahead : 0;
    longest = std::max(longest, toEnd[*it]);
  }
  std::vector<char> staged = related();
  std::vector<int> stage(n, numStages - 1);
  for (size_t v = 0; v < n; ++v)
    if (staged[v])
      stage[v] = longest - toEnd[v];
  // A producer may be at most one stage after the reader of the next iteration,
  // and no operation is in an earlier stage than its operands.
  bool changed = true;
  for (size_t round = 0; changed && round <= n; ++round) {
    changed = false;
    for (const Edge &edge : problem.edges) {
      if (edge.kind == EdgeKind::Capacity || edge.kind == EdgeKind::Anti)
        continue;
      int least = stage[edge.from] - edge.distance;
      if (stage[edge.to] >= least)
        continue;
      stage[edge.to] = least;
      changed = true;
    }
  }
  return stage;
}

Schedule stageCoarsely(const Problem &problem, int numStages) {
  Schedule schedule;
  size_t n = problem.nodes.size();
  schedule.stage = BaselineStages(problem, std::max(1, numStages)).run();
  schedule.numStages = n ? 1 : 0;
  for (int stage : schedule.stage)
    schedule.numStages = std::max(schedule.numStages, stage + 1);
  std::vector<int> byRank(n);
  std::iota(byRank.begin(), byRank.end(), 0);
  std::sort(byRank.begin(), byRank.end(), [&](int a, int b) {
    if (schedule.stage[a] != schedule.stage[b])
      return schedule.stage[a] > schedule.stage[b];
    return a < b;
  });
  schedule.order = orderBody(problem, schedule.stage, byRank);
  // One cycle per place of the body.
  schedule.ii = std::max<Cycles>(1, Cycles(n));
  schedule.start.resize(n);
  for (size_t v = 0; v < n; ++v)
    schedule.start[v] = schedule.stage[v] * schedule.ii + schedule.order[v];
  return schedule;
}

} // namespace tileir::schedule

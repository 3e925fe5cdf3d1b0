// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Order.h"

#include "passes/tileas_schedule/solver/Graph.h"
#include "passes/tileas_schedule/solver/Solver.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace tileir::schedule {

std::vector<int> orderBody(const Problem &problem,
                           const std::vector<int> &stage,
                           const std::vector<int> &byRank) {
  size_t n = problem.nodes.size();
  std::vector<int> rank(n), missing(n, 0), order(n, -1);
  for (size_t i = 0; i < n; ++i)
    rank[byRank[i]] = int(i);
  Graph graph(problem);
  auto holds = [&](const Edge &edge) {
    return edge.kind != EdgeKind::Capacity && edge.from != edge.to &&
           stage[edge.from] - stage[edge.to] == edge.distance;
  };
  for (const Edge &edge : problem.edges)
    missing[edge.to] += holds(edge);
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (size_t v = 0; v < n; ++v)
    if (missing[v] == 0)
      ready.push(rank[v]);
  int next = 0;
  while (!ready.empty()) {
    int v = byRank[ready.top()];
    ready.pop();
    order[v] = next++;
    for (int e : graph.outgoing(v)) {
      const Edge &edge = graph.edge(e);
      if (holds(edge) && --missing[edge.to] == 0)
        ready.push(rank[edge.to]);
    }
  }
  // Nodes on a cycle of edges without delay: any order is legal.
  for (int v : byRank)
    if (order[v] < 0)
      order[v] = next++;
  return order;
}

void finishSchedule(const Problem &problem, Schedule &schedule) {
  size_t n = problem.nodes.size();
  schedule.stage.resize(n);
  schedule.numStages = n ? 1 : 0;
  for (size_t v = 0; v < n; ++v) {
    schedule.stage[v] = int(schedule.start[v] / schedule.ii);
    schedule.numStages = std::max(schedule.numStages, schedule.stage[v] + 1);
  }
  std::vector<int> byRank(n);
  std::iota(byRank.begin(), byRank.end(), 0);
  std::sort(byRank.begin(), byRank.end(), [&](int a, int b) {
    Cycles rowA = schedule.rowOf(a), rowB = schedule.rowOf(b);
    if (rowA != rowB)
      return rowA < rowB;
    if (schedule.stage[a] != schedule.stage[b])
      return schedule.stage[a] > schedule.stage[b];
    return a < b;
  });
  schedule.order = orderBody(problem, schedule.stage, byRank);
}

} // namespace tileir::schedule

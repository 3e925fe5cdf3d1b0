// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Strategies.h"

#include <algorithm>
#include <numeric>

namespace tileir::schedule {

/// Returns the last start of `v` that its successors, its stage limit and its
/// group allow.
static Cycles latestStart(const Problem &problem, const Graph &graph,
                          const Schedule &schedule,
                          const std::vector<int> &groupSize, int v) {
  Cycles latest = INT64_MAX;
  for (int e : graph.outgoing(v)) {
    const Edge &edge = graph.edge(e);
    if (edge.to != v)
      latest = std::min(latest, schedule.start[edge.to] +
                                    schedule.ii * edge.distance - edge.delay);
  }
  Cycles stage = schedule.start[v] / schedule.ii;
  if (groupSize[v] > 1)
    latest = std::min(latest, (stage + 1) * schedule.ii - 1);
  int depth = problem.nodes[v].maxDepth;
  if (depth >= 0)
    latest = std::min(latest, (depth + 1) * schedule.ii - 1);
  return latest;
}

void sinkProducers(const Problem &problem, Schedule &schedule, uint64_t &work) {
  size_t n = problem.nodes.size();
  Graph graph(problem);
  ReservationTable table(problem);
  table.reset(schedule.ii);
  for (size_t v = 0; v < n; ++v)
    table.commit(int(v), schedule.start[v]);
  // Net bytes whose live range grows if a node moves to a later start.
  std::vector<int64_t> weight(n, 0);
  for (const Value &value : problem.values) {
    for (int producer : value.producers)
      weight[producer] += value.bytes;
    for (const Reader &reader : value.readers)
      weight[reader.node] -= value.bytes;
  }
  std::vector<int> group = problem.depthGroups(), count(n, 0), groupSize(n);
  for (int g : group)
    ++count[g];
  for (size_t v = 0; v < n; ++v)
    groupSize[v] = count[group[v]];
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (schedule.start[a] != schedule.start[b])
      return schedule.start[a] > schedule.start[b];
    return a < b;
  });
  for (int v : order) {
    if (weight[v] <= 0)
      continue;
    Cycles now = schedule.start[v];
    Cycles latest = latestStart(problem, graph, schedule, groupSize, v);
    if (latest == INT64_MAX || latest <= now)
      continue;
    table.release(v, now);
    Cycles best = now;
    // Rows repeat after an interval: earlier starts give nothing new.
    for (Cycles t = std::max(now, latest - schedule.ii + 1); t >= 0;) {
      t = table.findFree(v, t, latest);
      if (t < 0)
        break;
      best = t++;
    }
    table.commit(v, best);
    schedule.start[v] = best;
  }
  work += table.steps();
}

} // namespace tileir::schedule

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Strategies.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace tileir::schedule {

bool scheduleList(const Problem &problem, std::vector<Cycles> &start,
                  Cycles &length, uint64_t &work) {
  size_t n = problem.nodes.size();
  Graph graph(problem);
  auto isForward = [](const Edge &edge) {
    return edge.distance == 0 && edge.kind != EdgeKind::Capacity;
  };
  std::vector<int> missing(n, 0);
  for (const Edge &edge : problem.edges)
    missing[edge.to] += isForward(edge);
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (size_t v = 0; v < n; ++v)
    if (missing[v] == 0)
      ready.push(int(v));
  start.assign(n, 0);
  Cycles freeFrom[kNumRows] = {};
  size_t numPopped = 0;
  length = 1;
  for (; !ready.empty(); ++numPopped) {
    int v = ready.top();
    ready.pop();
    Cycles t = start[v];
    const std::vector<SlotUse> &uses = problem.nodes[v].uses;
    for (const SlotUse &use : uses)
      t = std::max(t, freeFrom[use.row] - use.offset);
    start[v] = t;
    for (const SlotUse &use : uses) {
      Cycles end = t + use.offset + use.duration;
      freeFrom[use.row] = std::max(freeFrom[use.row], end);
      length = std::max(length, end);
    }
    length = std::max(length, t + problem.nodes[v].latency);
    work += uses.size() + graph.outgoing(v).size() + 1;
    for (int e : graph.outgoing(v)) {
      const Edge &edge = graph.edge(e);
      if (!isForward(edge))
        continue;
      start[edge.to] = std::max(start[edge.to], t + edge.delay);
      if (--missing[edge.to] == 0)
        ready.push(edge.to);
    }
  }
  // An iteration ends before the next one begins.
  for (const Edge &edge : problem.edges)
    if (edge.distance > 0)
      length = std::max(length,
                        ceilDiv(start[edge.from] + edge.delay - start[edge.to],
                                edge.distance));
  for (Cycles t : start)
    length = std::max(length, t + 1);
  return numPopped == n;
}

Result scheduleSerially(const Problem &problem) {
  Result result;
  result.bounds = computeBounds(problem, &result.work);
  result.generator = Generator::Serial;
  Schedule &schedule = result.schedule;
  if (!scheduleList(problem, schedule.start, schedule.ii, result.work)) {
    result.schedule = {};
    result.reason = "operations of one iteration wait for each other";
    return result;
  }
  result.iiCap = schedule.ii;
  result.isFeasible = true;
  finishSchedule(problem, schedule);
  return result;
}

} // namespace tileir::schedule

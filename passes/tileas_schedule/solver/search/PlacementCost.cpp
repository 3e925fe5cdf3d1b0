// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/PlacementCost.h"

#include "dialects/support/Heuristics.h"

#include <algorithm>

namespace tileir::schedule {

static constexpr int kNeighbours = heuristics::overtakenOperations;

PlacementCost::PlacementCost(const Problem &problem, const Graph &graph,
                             const ReservationTable &table)
    : problem(problem), graph(graph), table(table),
      valuesOf(problem.nodes.size()), shares(problem.values.size(), 0) {
  for (size_t i = 0; i < problem.values.size(); ++i) {
    auto add = [&](int node) {
      std::vector<int> &list = valuesOf[node];
      if (list.empty() || list.back() != int(i))
        list.push_back(int(i));
    };
    for (int producer : problem.values[i].producers)
      add(producer);
    for (const Reader &reader : problem.values[i].readers)
      add(reader.node);
  }
}

void PlacementCost::reset(Cycles newII, const std::vector<Cycles> &newStart) {
  ii = newII;
  start = &newStart;
  std::fill(shares.begin(), shares.end(), 0);
  std::fill(std::begin(used), std::end(used), 0);
}

PlacementCost::LiveRange PlacementCost::liveRangeOf(const Value &value,
                                                    int node, Cycles at) const {
  auto startOf = [&](int v) { return v == node ? at : (*start)[v]; };
  LiveRange range;
  bool hasProducer = false, hasReader = false;
  for (int producer : value.producers) {
    Cycles t = startOf(producer);
    if (t < 0)
      continue;
    range.acquire = hasProducer ? std::min(range.acquire, t) : t;
    hasProducer = true;
  }
  for (const Reader &reader : value.readers) {
    Cycles t = startOf(reader.node);
    if (t < 0)
      continue;
    Cycles end = t + ii * reader.distance + problem.nodes[reader.node].latency +
                 reader.arriveLatency;
    range.release = hasReader ? std::max(range.release, end) : end;
    hasReader = true;
  }
  range.isKnown = hasProducer && hasReader;
  return range;
}

int64_t PlacementCost::shareOf(const Value &value,
                               const LiveRange &range) const {
  if (!range.isKnown)
    return 0;
  Cycles depth = std::max<Cycles>(1, ceilDiv(range.length(), ii));
  switch (value.storage) {
  case Storage::Shared:
    return depth * (ceilDiv(value.bytes, 128) * 128 + value.barrierBytes);
  case Storage::Tensor:
    return depth * value.columns;
  case Storage::Registers:
    return depth * value.bytes;
  }
  return 0;
}

void PlacementCost::update(int node) {
  for (int i : valuesOf[node]) {
    const Value &value = problem.values[i];
    int64_t share = shareOf(value, liveRangeOf(value, -1, 0));
    used[unsigned(value.storage)] += share - shares[i];
    shares[i] = share;
  }
}

int64_t PlacementCost::overflowWith(int node, Cycles at) const {
  int64_t with[3] = {used[0], used[1], used[2]};
  for (int i : valuesOf[node]) {
    const Value &value = problem.values[i];
    with[unsigned(value.storage)] +=
        shareOf(value, liveRangeOf(value, node, at)) - shares[i];
  }
  const Capacities &has = problem.capacities;
  int64_t overflow = 0;
  if (has.sharedBytes)
    overflow += std::max<int64_t>(0, with[0] + problem.fixed.sharedBytes -
                                         has.sharedBytes);
  if (has.tensorColumns)
    // A column of tensor memory is 128 lanes of 4 bytes.
    overflow +=
        512 * std::max<int64_t>(0, with[1] + problem.fixed.tensorColumns -
                                       has.tensorColumns);
  int64_t registers = 0;
  for (const Agent &agent : problem.agents)
    registers +=
        int64_t(agent.warps) * 32 * 4 *
        std::max<int64_t>(0, agent.registerBudget - problem.fixed.registers);
  if (registers)
    overflow += std::max<int64_t>(0, with[2] - registers);
  return overflow;
}

int64_t PlacementCost::inversionsOf(int node, Cycles at) const {
  int64_t inversions = 0;
  int n = int(problem.nodes.size());
  for (int v = std::max(0, node - kNeighbours);
       v < std::min(n, node + kNeighbours + 1); ++v) {
    Cycles t = (*start)[v];
    if (v == node || t < 0 ||
        problem.nodes[v].agent != problem.nodes[node].agent)
      continue;
    inversions += v < node ? t > at : t < at;
  }
  return inversions;
}

PlacementCost::Vector PlacementCost::evaluate(int node, Cycles at) const {
  int64_t evicted = 0, growth = 0, surcharge = 0;
  for (int e : graph.outgoing(node)) {
    const Edge &edge = graph.edge(e);
    Cycles t = (*start)[edge.to];
    evicted +=
        edge.to != node && t >= 0 && t < at + edge.delay - ii * edge.distance;
  }
  for (int i : valuesOf[node]) {
    const Value &value = problem.values[i];
    Cycles added = liveRangeOf(value, node, at).length() -
                   liveRangeOf(value, -1, 0).length();
    growth += value.bytes * added;
    if (value.storage == Storage::Registers)
      surcharge += problem.surcharge * ceilDiv(added, 64);
  }
  return {evicted,   overflowWith(node, at),
          growth,    table.numFilledWindows(node, at),
          surcharge, inversionsOf(node, at),
          at};
}

} // namespace tileir::schedule

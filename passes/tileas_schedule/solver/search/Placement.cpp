// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Placement.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_schedule/solver/SplitMix.h"

#include <algorithm>
#include <numeric>

namespace tileir::schedule {

Placement::Placement(const Problem &problem, std::vector<Cycles> spans)
    : problem(problem), graph(problem), table(problem),
      cost(problem, graph, table), spans(std::move(spans)),
      group(problem.depthGroups()), members(problem.nodes.size()),
      timesEvicted(problem.nodes.size(), 0) {
  for (size_t v = 0; v < problem.nodes.size(); ++v)
    members[group[v]].push_back(int(v));
}

std::vector<Cycles> Placement::keysOf(const PlacementSettings &settings) const {
  size_t n = problem.nodes.size();
  std::vector<Cycles> keys(n, 0);
  for (size_t v = 0; v < n; ++v)
    switch (settings.priority) {
    case Priority::Height:
    case Priority::HeightLastFirst:
      keys[v] = heights[v];
      break;
    case Priority::LongestReservation:
      for (const SlotUse &use : problem.nodes[v].uses)
        keys[v] = std::max(keys[v], use.duration);
      break;
    case Priority::LastFirst:
      keys[v] = Cycles(v);
      break;
    case Priority::Overlay:
      keys[v] = timesEvicted[v];
      break;
    }
  if (!settings.noiseSeed || n == 0)
    return keys;
  auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  uint64_t span = (uint64_t(*most - *least) >> settings.noiseShift) + 1;
  SplitMix random(*settings.noiseSeed);
  for (Cycles &key : keys)
    key += Cycles(random.below(span));
  return keys;
}

/// Sorts the nodes by priority; the position of a node is its rank.
void Placement::rank(const PlacementSettings &settings) {
  size_t n = problem.nodes.size();
  std::vector<Cycles> keys = keysOf(settings);
  std::vector<uint64_t> ties;
  if (settings.tieSeed) {
    SplitMix random(*settings.tieSeed);
    ties.resize(n);
    for (uint64_t &tie : ties)
      tie = random.next();
  }
  order.resize(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (keys[a] != keys[b])
      return keys[a] > keys[b];
    if (heights[a] != heights[b])
      return heights[a] > heights[b];
    if (settings.priority == Priority::HeightLastFirst)
      return a > b;
    if (!ties.empty() && ties[a] != ties[b])
      return ties[a] < ties[b];
    return a < b;
  });
  rankOf.resize(n);
  for (size_t i = 0; i < n; ++i)
    rankOf[order[i]] = int(i);
  steps += n;
}

bool Placement::begin(const PlacementSettings &settings, Cycles newII) {
  bool isSame = ii == newII && !heights.empty();
  ii = newII;
  table.reset(ii);
  size_t n = problem.nodes.size();
  for (size_t v = 0; v < n; ++v)
    if (!table.fitsAlone(int(v)) || (!spans.empty() && spans[v] >= ii))
      return false;
  for (const Edge &edge : problem.edges)
    if (edge.from == edge.to && edge.delay > ii * edge.distance)
      return false;
  if (!isSame && !graph.computeHeights(ii, heights, steps)) {
    heights.clear();
    return false;
  }
  rank(settings);
  start.assign(n, kUnplaced);
  previous.assign(n, kUnplaced);
  byCost = settings.byCost;
  if (byCost)
    cost.reset(ii, start);
  unplaced.fill(int(n));
  numUnplaced = n;
  return true;
}

Placement::Window Placement::windowOf(int v) const {
  Window window;
  for (int e : graph.incoming(v)) {
    const Edge &edge = graph.edge(e);
    if (edge.from != v && isPlaced(edge.from))
      window.low = std::max(window.low,
                            start[edge.from] + edge.delay - ii * edge.distance);
  }
  if (problem.nodes[v].maxDepth >= 0)
    window.limit = ii * (problem.nodes[v].maxDepth + 1) - 1;
  window.from = window.low;
  window.to = std::min(window.low + ii - 1, window.limit);
  for (int w : members[group[v]])
    if (w != v && isPlaced(w)) {
      Cycles stage = start[w] / ii;
      window.from = std::max(window.from, stage * ii);
      window.to = std::min(window.to, stage * ii + ii - 1);
      break;
    }
  return window;
}

Cycles Placement::alignToStage(int v, Cycles t) const {
  if (spans.empty() || t % ii + spans[v] < ii)
    return t;
  return (t / ii + 1) * ii;
}

Cycles Placement::findCheapest(int v, const Window &window) {
  size_t limit = problem.nodes.size() > heuristics::largeProblem
                     ? heuristics::largeProblemCandidates
                     : heuristics::placementCandidates;
  candidates.clear();
  table.edgesOfRuns(v, window.from, window.to, limit, candidates);
  Cycles first = table.findFree(v, window.from, window.to);
  while (first >= 0 && candidates.size() < limit) {
    candidates.push_back(first);
    first = table.findFree(v, first + 1, window.to);
  }
  Cycles best = kUnplaced;
  PlacementCost::Vector least;
  for (Cycles t : candidates) {
    if (alignToStage(v, t) != t)
      continue;
    PlacementCost::Vector its = cost.evaluate(v, t);
    ++steps;
    if (best != kUnplaced && !(its < least))
      continue;
    best = t;
    least = its;
  }
  return best;
}

Cycles Placement::findSlot(int v, const Window &window,
                           const PlacementSettings &settings,
                           Attempt &attempt) {
  if (window.from > window.to)
    return kUnplaced;
  Cycles found = kUnplaced;
  if (settings.byCost) {
    found = findCheapest(v, window);
  } else {
    auto search = [&](bool isTight) {
      for (Cycles from = window.from; from <= window.to;) {
        Cycles t = isTight ? table.findTight(v, from, window.to)
                           : table.findFree(v, from, window.to);
        if (t < 0 || alignToStage(v, t) == t)
          return t < 0 ? kUnplaced : t;
        from = alignToStage(v, t);
      }
      return kUnplaced;
    };
    if (settings.isTight && table.usesCritical(v))
      found = search(/*snug=*/true);
    if (found == kUnplaced)
      found = search(/*snug=*/false);
  }
  attempt.gates[2] += found != window.from;
  return found;
}

void Placement::unplace(int v, Attempt &attempt) {
  table.release(v, start[v]);
  start[v] = kUnplaced;
  if (byCost)
    cost.update(v);
  unplaced.insert(rankOf[v]);
  ++numUnplaced;
  ++attempt.evictions;
  ++timesEvicted[v];
}

void Placement::place(int v, Cycles t, Attempt &attempt) {
  table.commit(v, t);
  start[v] = previous[v] = t;
  if (byCost)
    cost.update(v);
  unplaced.erase(rankOf[v]);
  --numUnplaced;
  for (int e : graph.outgoing(v)) {
    const Edge &edge = graph.edge(e);
    int w = edge.to;
    ++steps;
    if (w != v && isPlaced(w) && start[w] < t + edge.delay - ii * edge.distance)
      unplace(w, attempt);
  }
  for (int w : members[group[v]])
    if (w != v && isPlaced(w) && start[w] / ii != t / ii) {
      unplace(w, attempt);
      ++attempt.gates[3];
    }
}

bool Placement::run(const PlacementSettings &settings, Attempt &attempt) {
  attempt.succeeded = false;
  if (!begin(settings, attempt.ii))
    return false;
  uint64_t budget = uint64_t(settings.budgetRatio) * problem.nodes.size();
  while (numUnplaced) {
    if (budget-- == 0)
      return false;
    int v = order[unplaced.least()];
    // The overlay priority places a node before its predecessors.
    attempt.gates[0] += settings.priority == Priority::Overlay &&
                        timesEvicted[v] > 0 && previous[v] == kUnplaced;
    ++steps;
    Window window = windowOf(v);
    Cycles t = findSlot(v, window, settings, attempt);
    if (t == kUnplaced) {
      t = window.low > previous[v] ? window.low : previous[v] + 1;
      t = alignToStage(v, t);
      if (t > window.limit) {
        ++attempt.gates[1];
        return false;
      }
      scratch.clear();
      table.findColliding(v, t, scratch);
      for (int w : scratch)
        if (isPlaced(w))
          unplace(w, attempt);
    }
    place(v, t, attempt);
  }
  attempt.succeeded = true;
  return true;
}

} // namespace tileir::schedule

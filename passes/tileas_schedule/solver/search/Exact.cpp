// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Strategies.h"

#include "dialects/support/Heuristics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace tileir::schedule {

using heuristics::exactNodes;

bool isExactlySolvable(const Problem &problem, Cycles ii) {
  return problem.nodes.size() <= exactNodes && ii <= heuristics::exactInterval;
}

namespace {

/// Chooses rows node by node. Stages follow from the difference constraints,
/// which must stay free of positive cycles.
class ExactSearch {
public:
  ExactSearch(const Problem &problem, Cycles ii, uint64_t budget,
              uint64_t &work)
      : problem(problem), table(problem), ii(ii), budget(budget), work(work) {}

  bool run(std::vector<Cycles> &start, bool &exhausted);

private:
  bool search(size_t depth);
  /// Adds the node at `depth` to the closure of stage differences.
  bool addDifferences(size_t depth);
  int64_t leastDifference(int u, int v) const;

  const Problem &problem;
  ReservationTable table;
  Cycles ii;
  uint64_t budget;
  uint64_t &work;
  std::vector<int> order, group;
  std::vector<Cycles> minDist, row;
  /// Lower bounds of stage(b) - stage(a) at [a][b], for places in `order`; the
  /// last index stands for stage 0. One closure for each depth.
  using Differences = std::array<int64_t, exactNodes + 1>;
  using Closure = std::array<Differences, exactNodes + 1>;
  std::array<Closure, exactNodes + 1> closures;
  bool isTranslatable = true;
};

} // namespace

static constexpr int64_t kNone = INT64_MIN / 4;

int64_t ExactSearch::leastDifference(int u, int v) const {
  size_t n = problem.nodes.size();
  Cycles dist = minDist[size_t(u) * n + size_t(v)];
  int64_t least = dist == kNoPath ? kNone : ceilDiv(dist - row[v] + row[u], ii);
  if (group[u] == group[v])
    least = std::max<int64_t>(least, 0);
  return least;
}

bool ExactSearch::addDifferences(size_t depth) {
  size_t origin = order.size();
  int v = order[depth];
  Closure &closure = closures[depth + 1];
  closure = closures[depth];
  std::array<size_t, exactNodes + 1> known;
  std::iota(known.begin(), known.begin() + depth, size_t(0));
  known[depth] = origin;
  Differences to, from;
  to.fill(kNone);
  from.fill(kNone);
  for (size_t i = 0; i < depth; ++i) {
    to[i] = leastDifference(order[i], v);
    from[i] = leastDifference(v, order[i]);
  }
  to[origin] = 0;
  if (problem.nodes[v].maxDepth >= 0)
    from[origin] = -problem.nodes[v].maxDepth;
  auto sum = [](int64_t a, int64_t b) {
    return a == kNone || b == kNone ? kNone : a + b;
  };
  Differences closedTo = to, closedFrom = from;
  for (size_t i = 0; i <= depth; ++i)
    for (size_t j = 0; j <= depth; ++j) {
      size_t a = known[i], b = known[j];
      closedTo[b] = std::max(closedTo[b], sum(closure[b][a], to[a]));
      closedFrom[b] = std::max(closedFrom[b], sum(from[a], closure[a][b]));
    }
  for (size_t i = 0; i <= depth; ++i)
    if (sum(closedTo[known[i]], closedFrom[known[i]]) > 0)
      return false;
  for (size_t i = 0; i <= depth; ++i) {
    size_t a = known[i];
    closure[a][depth] = closedTo[a];
    closure[depth][a] = closedFrom[a];
    for (size_t j = 0; j <= depth; ++j)
      closure[a][known[j]] = std::max(closure[a][known[j]],
                                      sum(closedTo[a], closedFrom[known[j]]));
  }
  closure[depth][depth] = 0;
  return true;
}

bool ExactSearch::search(size_t depth) {
  if (depth == order.size())
    return true;
  int v = order[depth];
  Cycles last = depth == 0 && isTranslatable ? 0 : ii - 1;
  for (Cycles r = 0; r <= last; ++r) {
    r = table.findFree(v, r, last);
    if (r < 0)
      return false;
    if (budget == 0)
      return false;
    --budget;
    work += depth * depth + 1;
    row[v] = r;
    if (!addDifferences(depth))
      continue;
    table.commit(v, r);
    if (search(depth + 1))
      return true;
    table.release(v, r);
  }
  return false;
}

bool ExactSearch::run(std::vector<Cycles> &start, bool &exhausted) {
  size_t n = problem.nodes.size();
  assert(n <= exactNodes);
  exhausted = true;
  table.reset(ii);
  for (size_t v = 0; v < n; ++v)
    if (!table.fitsAlone(int(v)))
      return false;
  Graph graph(problem);
  minDist = graph.computeMinDist(ii);
  for (size_t v = 0; v < n; ++v)
    if (minDist[v * n + v] > 0)
      return false;
  group = problem.depthGroups();
  for (size_t v = 0; v < n; ++v)
    isTranslatable &= group[v] == int(v) && problem.nodes[v].maxDepth < 0;
  // The longest reservations come first: they rule out most.
  std::vector<Cycles> total(n, 0);
  for (size_t v = 0; v < n; ++v)
    for (const SlotUse &use : problem.nodes[v].uses)
      total[v] += use.duration;
  order.resize(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return total[a] != total[b] ? total[a] > total[b] : a < b;
  });
  row.assign(n, 0);
  for (Differences &differences : closures[0])
    differences.fill(kNone);
  closures[0][n][n] = 0;
  bool found = search(0);
  work += table.steps();
  exhausted = !found && budget > 0;
  if (!found)
    return false;
  start.resize(n);
  for (size_t i = 0; i < n; ++i)
    start[order[i]] = row[order[i]] + ii * closures[n][n][i];
  return true;
}

bool searchExactly(const Problem &problem, Cycles ii, uint64_t budget,
                   std::vector<Cycles> &start, bool &exhausted,
                   uint64_t &work) {
  return ExactSearch(problem, ii, budget, work).run(start, exhausted);
}

} // namespace tileir::schedule

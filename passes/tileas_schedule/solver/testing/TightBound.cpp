// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/testing/TightBound.h"

#include <algorithm>

namespace tileir::schedule::testing {

/// The cheapest assignment of columns to rows, by shortest augmenting paths
/// (Jonker and Volgenant).
static Cycles cheapestAssignment(const std::vector<std::vector<Cycles>> &cost) {
  size_t n = cost.size();
  constexpr Cycles kFar = INT64_MAX / 4;
  std::vector<Cycles> u(n + 1, 0), v(n + 1, 0);
  std::vector<size_t> rowOf(n + 1, 0), way(n + 1, 0);
  for (size_t i = 1; i <= n; ++i) {
    rowOf[0] = i;
    size_t column = 0;
    std::vector<Cycles> least(n + 1, kFar);
    std::vector<char> used(n + 1, 0);
    do {
      used[column] = 1;
      size_t row = rowOf[column], next = 0;
      Cycles delta = kFar;
      for (size_t j = 1; j <= n; ++j) {
        if (used[j])
          continue;
        Cycles reduced = cost[row - 1][j - 1] - u[row] - v[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (size_t j = 0; j <= n; ++j)
        if (used[j]) {
          u[rowOf[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      column = next;
    } while (rowOf[column] != 0);
    for (; column != 0; column = way[column])
      rowOf[column] = rowOf[way[column]];
  }
  Cycles sum = 0;
  for (size_t j = 1; j <= n; ++j)
    sum += cost[rowOf[j] - 1][j - 1];
  return sum;
}

/// Cycles from the start of `a` on `row` to that of `b` behind it: what any row
/// that both use alike asks for.
static Cycles separation(const Node &a, const Node &b, Row row) {
  auto offsetOn = [&](const Node &node) {
    for (const SlotUse &use : node.uses)
      if (use.row == row)
        return use.offset;
    return Cycles(0);
  };
  Cycles most = 0;
  for (const SlotUse &its : a.uses)
    for (const SlotUse &other : b.uses)
      if (its.row == other.row &&
          its.offset - offsetOn(a) == other.offset - offsetOn(b))
        most = std::max(most, its.duration);
  return most;
}

static Cycles boundByPairs(const Problem &problem, Row row) {
  std::vector<const Node *> users;
  for (const Node &node : problem.nodes)
    for (const SlotUse &use : node.uses)
      if (use.row == row)
        users.push_back(&node);
  size_t n = users.size();
  // One user, or one that uses the row twice, has no successor of its own.
  if (n < 2)
    return 0;
  for (size_t i = 1; i < n; ++i)
    if (users[i] == users[i - 1])
      return 0;
  constexpr Cycles kNever = Cycles(1) << 40;
  std::vector<std::vector<Cycles>> cost(n, std::vector<Cycles>(n, kNever));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i != j)
        cost[i][j] = separation(*users[i], *users[j], row);
  return cheapestAssignment(cost);
}

/// Whether times exist that respect edges, stage limits and groups at `ii`, when
/// slots are free.
static bool hasTimes(const Problem &problem, Cycles ii) {
  size_t n = problem.nodes.size();
  std::vector<Cycles> t(n, 0);
  bool changed = true;
  auto raise = [&](int v, Cycles least) {
    if (t[size_t(v)] < least) {
      t[size_t(v)] = least;
      changed = true;
    }
  };
  for (size_t round = 0; changed; ++round) {
    if (round > n + 1)
      return false;
    changed = false;
    for (const Edge &edge : problem.edges)
      raise(edge.to, t[size_t(edge.from)] + edge.delay - ii * edge.distance);
    // A group's members are in the stage of its latest.
    for (const SameDepth &pair : problem.sameDepth) {
      raise(pair.a, t[size_t(pair.b)] / ii * ii);
      raise(pair.b, t[size_t(pair.a)] / ii * ii);
    }
    for (size_t v = 0; v < n; ++v)
      if (problem.nodes[v].maxDepth >= 0 &&
          t[v] / ii > problem.nodes[v].maxDepth)
        return false;
  }
  return true;
}

Cycles computeTightBound(const Problem &problem) {
  Cycles bound = computeBounds(problem).mii();
  for (unsigned row = 0; row < kNumRows; ++row)
    bound = std::max(bound, boundByPairs(problem, Row(row)));
  // Every interval below the first that has times is impossible.
  Cycles limit = 8 * bound;
  while (bound < limit && !hasTimes(problem, bound))
    ++bound;
  return bound;
}

} // namespace tileir::schedule::testing

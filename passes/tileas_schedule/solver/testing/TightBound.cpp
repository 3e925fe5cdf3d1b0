// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/testing/TightBound.h"

#include <algorithm>

namespace tileir::schedule::testing {

/// Returns the cheapest assignment of columns to rows by shortest augmenting
/// paths (Jonker and Volgenant).
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

/// Returns the minimum cycles from the start of `a` on `row` to a following
/// start of `b`: the longest reservation of `a` among the rows that both use
/// alike.
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
  // A single user, or one that uses the row twice, has no successor of its own.
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

/// Returns whether start times exist that satisfy edges, stage limits and
/// groups at `ii`, without resource limits.
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
    // The members of a group share the stage of the latest member.
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

namespace {

/// Time differences that edges and resources allow at one interval.
class Windows {
public:
  Windows(const Problem &problem, Cycles ii)
      : problem(problem), ii(ii), n(problem.nodes.size()), least(n * n, kNone) {
  }

  /// Returns whether every pair has a difference left.
  bool run() {
    for (size_t v = 0; v < n; ++v)
      at(v, v) = 0;
    for (const Edge &edge : problem.edges)
      raise(size_t(edge.from), size_t(edge.to),
            edge.delay - ii * edge.distance);
    for (const SameDepth &pair : problem.sameDepth) {
      raise(size_t(pair.a), size_t(pair.b), 1 - ii);
      raise(size_t(pair.b), size_t(pair.a), 1 - ii);
    }
    // Each pass only sharpens the windows: any number of passes gives a bound.
    for (int round = 0; round < 4; ++round) {
      close();
      for (size_t v = 0; v < n; ++v)
        if (at(v, v) > 0)
          return false;
      if (!avoidCollisions())
        return true;
    }
    return true;
  }

private:
  static constexpr Cycles kNone = INT64_MIN / 4;
  Cycles &at(size_t a, size_t b) { return least[a * n + b]; }
  void raise(size_t a, size_t b, Cycles to) {
    at(a, b) = std::max(at(a, b), to);
  }

  void close() {
    for (size_t k = 0; k < n; ++k)
      for (size_t i = 0; i < n; ++i) {
        Cycles first = at(i, k);
        if (first == kNone)
          continue;
        for (size_t j = 0; j < n; ++j)
          if (at(k, j) != kNone)
            raise(i, j, first + at(k, j));
      }
  }

  /// Returns the cycles by which the start of `b` must move so that it does not
  /// collide with `a`, which started `gap` earlier.
  Cycles collision(const Node &a, const Node &b, Cycles gap) const {
    for (const SlotUse &x : a.uses)
      for (const SlotUse &y : b.uses) {
        if (x.row != y.row)
          continue;
        Cycles gapAfter = ((gap + y.offset - x.offset) % ii + ii) % ii;
        if (gapAfter < x.duration)
          return x.duration - gapAfter;
        if (ii - gapAfter < y.duration)
          return ii - gapAfter + x.duration;
      }
    return 0;
  }

  bool avoidCollisions() {
    bool changed = false;
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b) {
        if (a == b || at(a, b) == kNone)
          continue;
        for (int step = 0; step < 64; ++step) {
          Cycles move = collision(problem.nodes[a], problem.nodes[b], at(a, b));
          if (move == 0)
            break;
          at(a, b) += move;
          changed = true;
        }
      }
    return changed;
  }

  const Problem &problem;
  Cycles ii;
  size_t n;
  std::vector<Cycles> least;
};

} // namespace

Cycles computeTightBound(const Problem &problem) {
  Cycles bound = computeBounds(problem).mii();
  for (unsigned row = 0; row < kNumRows; ++row)
    bound = std::max(bound, boundByPairs(problem, Row(row)));
  // Every interval below the first one with legal times is impossible.
  Cycles limit = 8 * bound;
  constexpr size_t kSmallNodes = 48;
  bool isSmall = problem.nodes.size() <= kSmallNodes;
  while (bound < limit && !(hasTimes(problem, bound) &&
                            (!isSmall || Windows(problem, bound).run())))
    ++bound;
  return bound;
}

} // namespace tileir::schedule::testing

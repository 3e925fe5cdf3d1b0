// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/testing/Exhaustive.h"

#include <algorithm>

namespace tileir::schedule::testing {

namespace {

/// Backtracking in program order: chooses free rows, then stages for these rows
/// by relaxation from 0 up.
class Enumeration {
public:
  Enumeration(const Problem &problem, Cycles ii, uint64_t maxSteps,
              uint64_t &steps)
      : problem(problem), ii(ii), maxSteps(maxSteps), steps(steps),
        row(problem.nodes.size(), 0) {
    for (std::vector<bool> &cells : taken)
      cells.assign(size_t(ii), false);
  }

  bool run() { return choose(0); }
  bool gaveUp() const { return steps >= maxSteps; }

private:
  bool choose(size_t v) {
    if (steps >= maxSteps)
      return false;
    if (v == problem.nodes.size())
      return hasStages(v);
    for (row[v] = 0; row[v] < ii; ++row[v]) {
      ++steps;
      std::vector<std::pair<Row, Cycles>> cells;
      bool fits = reserve(v, cells);
      // The nodes chosen so far must have legal stages.
      if (fits && hasStages(v + 1) && choose(v + 1))
        return true;
      for (auto [r, cell] : cells)
        taken[r][size_t(cell)] = false;
    }
    return false;
  }

  bool reserve(size_t v, std::vector<std::pair<Row, Cycles>> &cells) {
    for (const SlotUse &use : problem.nodes[v].uses)
      for (Cycles c = 0; c < use.duration; ++c) {
        Cycles cell = (row[v] + use.offset + c) % ii;
        if (taken[use.row][size_t(cell)])
          return false;
        taken[use.row][size_t(cell)] = true;
        cells.push_back({use.row, cell});
      }
    return true;
  }

  /// Returns whether the first `count` operations have legal stages.
  bool hasStages(size_t count) {
    std::vector<int64_t> stage(count, 0);
    bool changed = true;
    auto raise = [&](size_t v, int64_t least) {
      if (stage[v] < least) {
        stage[v] = least;
        changed = true;
      }
    };
    for (size_t round = 0; changed; ++round) {
      if (round > 4 * problem.nodes.size() + 4)
        return false;
      changed = false;
      for (const Edge &edge : problem.edges) {
        size_t from = size_t(edge.from), to = size_t(edge.to);
        if (from >= count || to >= count)
          continue;
        // The edge in terms of row + ii * stage.
        Cycles need = row[from] + ii * stage[from] + edge.delay -
                      ii * edge.distance - row[to];
        raise(to, need <= 0 ? -((-need) / ii) : (need + ii - 1) / ii);
      }
      for (const SameDepth &pair : problem.sameDepth) {
        size_t a = size_t(pair.a), b = size_t(pair.b);
        if (a >= count || b >= count)
          continue;
        raise(a, stage[b]);
        raise(b, stage[a]);
      }
      for (size_t v = 0; v < count; ++v)
        if (problem.nodes[v].maxDepth >= 0 &&
            stage[v] > problem.nodes[v].maxDepth)
          return false;
    }
    return true;
  }

  const Problem &problem;
  Cycles ii;
  uint64_t maxSteps;
  uint64_t &steps;
  std::vector<Cycles> row;
  std::vector<bool> taken[kNumRows];
};

} // namespace

Optimum findOptimum(const Problem &problem, Cycles limit, uint64_t maxSteps) {
  Optimum optimum;
  for (Cycles ii = 1; ii <= limit; ++ii) {
    Enumeration enumeration(problem, ii, maxSteps, optimum.steps);
    if (enumeration.run()) {
      optimum.isKnown = true;
      optimum.ii = ii;
      return optimum;
    }
    if (enumeration.gaveUp())
      return optimum;
  }
  optimum.isKnown = true;
  return optimum;
}

} // namespace tileir::schedule::testing

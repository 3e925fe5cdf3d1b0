// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problems by seed.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_RANDOMPROBLEM_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_RANDOMPROBLEM_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule::testing {

struct RandomShape {
  int numNodes = 10;
  /// Edges, on average, that begin at a node.
  int degree = 2;
  Cycles maxDuration = 512;
  Cycles maxDelay = 1024;
  int numRows = 6;
  /// Groups, stage limits, distances and rings in some problems.
  bool constraints = true;
  /// As `makeLoopLike` makes them; only the size counts then.
  bool isLoopLike = false;
};

/// A shape and its problem are the same on every host. Whatever the seed says,
/// a schedule exists.
Problem makeRandomProblem(uint64_t seed, const RandomShape &shape);

/// The shape of problem `seed` among those that are checked by the thousand:
/// half of them small enough to enumerate, a quarter like loops, a quarter with
/// reservations at random.
RandomShape randomShapeOf(uint64_t seed);

/// A loop of `numNodes` as scheduling meets them: loads, products, arithmetic
/// and stores, three edges a node, recurrences of accumulators.
Problem makeLoopLike(uint64_t seed, int numNodes);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_RANDOMPROBLEM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage that a schedule needs, and ways to make it need less.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_PRESSURES_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_PRESSURES_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// Cycles that a value lives in iteration 0.
struct Lifetime {
  /// Start of the first producer, end of the last reader.
  Cycles acquire = 0, release = 0;
  /// Slots without which the schedule stalls.
  int depth = 1;
};

struct Pressures {
  /// By value.
  std::vector<Lifetime> lifetimes;
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  /// A thread, by agent; one entry where there are no agents.
  std::vector<int64_t> registers;
  int64_t namedBarriers = 0;
};

Pressures computePressures(const Problem &problem, const Schedule &schedule);

/// Returns what does not fit: `shared memory: 245760 bytes, 232448 are there`;
/// empty: everything does.
std::string describeOverflow(const Problem &problem,
                             const Pressures &pressures);
inline bool fits(const Problem &problem, const Pressures &pressures) {
  return describeOverflow(problem, pressures).empty();
}

/// A constraint that makes a schedule need less.
struct Relief {
  enum Kind : uint8_t {
    /// `value` gets at most `amount` slots.
    ShrinkPipe,
    /// The producer `a` starts at most `amount` cycles before `b`.
    LateProducer,
    /// `a` and `b` in one stage.
    SameStage,
    /// Long lives cost `amount` more.
    Surcharge,
    /// Without agents.
    NoAgents,
    /// The producer of `value` is repeated next to its reader `b`.
    Recompute
  } kind = ShrinkPipe;
  int value = -1;
  int a = -1, b = -1;
  int64_t amount = 0;
};

const char *nameOf(Relief::Kind kind);

/// The next relief to try; nothing when none is left.
std::optional<Relief> pickRelief(const Problem &problem, const Result &result,
                                 const Pressures &pressures);
/// Adds it to the problem. False for what the caller has to do: `NoAgents`.
bool applyRelief(Problem &problem, const Relief &relief);

/// Result of the search for constraints.
struct Constrained {
  /// With the constraints that were added.
  Problem problem;
  Result result;
  Pressures pressures;
  std::vector<Relief> reliefs;
  unsigned iterations = 0;
  /// The result fits.
  bool converged = false;
  /// It did not fit in time: the result is serial.
  bool budgetExceeded = false;
  /// Agents do not fit; the caller takes the form without.
  bool wantsNoAgents = false;
};

/// Solves, relieves what does not fit, and solves again.
Constrained solveConstrained(const Problem &problem, const Options &options);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_PRESSURES_H

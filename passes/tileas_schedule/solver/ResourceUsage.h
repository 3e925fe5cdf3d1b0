// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage that a schedule needs, and mitigations that reduce it.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_RESOURCEUSAGE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_RESOURCEUSAGE_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// Live range of a value of iteration 0, in cycles.
struct Lifetime {
  /// Start of the first producer, end of the last reader.
  Cycles acquire = 0, release = 0;
  /// Slots that the schedule needs to run without stalls.
  int depth = 1;
};

struct ResourceUsage {
  /// By value.
  std::vector<Lifetime> lifetimes;
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  /// Bytes per thread by agent; one entry if there are no agents.
  std::vector<int64_t> registers;
  int64_t namedBarriers = 0;
};

ResourceUsage computeResourceUsage(const Problem &problem,
                                   const Schedule &schedule);

/// Returns which resource overflows: `shared memory: 245760 bytes, 232448 are
/// there`. Empty if everything fits.
std::string describeOverflow(const Problem &problem,
                             const ResourceUsage &usage);
inline bool fits(const Problem &problem, const ResourceUsage &usage) {
  return describeOverflow(problem, usage).empty();
}

/// Constraint that reduces the storage of a schedule.
struct Mitigation {
  enum Kind : uint8_t {
    /// `value` gets at most `amount` slots.
    ShrinkPipe,
    /// The producer `a` starts at most `amount` cycles before `b`.
    LateProducer,
    /// `a` and `b` share one stage.
    SameStage,
    /// Long live ranges cost `amount` more.
    Surcharge,
    /// The region is scheduled without agents.
    NoAgents,
    /// The producer of `value` is repeated next to its reader `b`.
    Recompute
  } kind = ShrinkPipe;
  int value = -1;
  int a = -1, b = -1;
  int64_t amount = 0;
};

const char *nameOf(Mitigation::Kind kind);

/// Returns the next mitigation to try; nothing if none is left.
std::optional<Mitigation> pickMitigation(const Problem &problem,
                                         const Result &result,
                                         const ResourceUsage &usage);
/// Adds `mitigation` to the problem. Returns false for a mitigation that the
/// caller must apply: `NoAgents`.
bool applyMitigation(Problem &problem, const Mitigation &mitigation);

/// Result of the search for constraints.
struct Constrained {
  /// The problem with the added constraints.
  Problem problem;
  Result result;
  ResourceUsage usage;
  std::vector<Mitigation> mitigations;
  unsigned iterations = 0;
  /// The result fits.
  bool converged = false;
  /// No schedule fitted within the budget: the result is serial.
  bool budgetExceeded = false;
  /// The agents do not fit; the caller uses the variant without agents.
  bool wantsNoAgents = false;
};

/// Solves, adds a mitigation for the overflowing resource, and solves again
/// until the schedule fits.
Constrained solveConstrained(const Problem &problem, const Options &options);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_RESOURCEUSAGE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulo scheduling: the smallest initiation interval that can be found, and
// when each operation starts.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H

#include "passes/tileas_schedule/solver/Bounds.h"

namespace tileir::schedule {

enum class Generator : uint8_t { Default, Serial, Fast, CostBased };
const char *nameOf(Generator generator);
std::optional<Generator> generatorOfName(std::string_view name);

/// Ways to place all nodes at one interval, in the order in which they are
/// tried. `Exact` is a complete search for problems of a few nodes.
enum class Arm : uint8_t { Permute, Fuse, Retry, CostBased, Exact, List };
const char *nameOf(Arm arm);
constexpr unsigned maskOf(Arm arm) { return 1u << unsigned(arm); }
constexpr unsigned kAllArms = maskOf(Arm::Permute) | maskOf(Arm::Fuse) |
                              maskOf(Arm::Retry) | maskOf(Arm::CostBased) |
                              maskOf(Arm::Exact);

struct Options {
  Generator generator = Generator::Default;
  /// `v2-opt-level`, 0 to 3.
  unsigned v2OptLevel = 2;
  /// Time slots of a reservation table; 0: never quantize.
  int64_t rrtSizeThreshold = 4096;
  unsigned maxConstraintIterations = 10;
  unsigned maxSchedulableOps = 20000;
  /// Only the first arm, as the rounds of a search for constraints do.
  bool quick = false;
  /// Breaks ties of priorities by this seed.
  std::optional<uint64_t> tieSeed;

  // For tests and studies; the defaults are what the level says.
  std::optional<unsigned> budgetRatio;
  std::optional<unsigned> arms;
  bool snug = true;
  /// Tries one interval instead of searching.
  Cycles onlyII = 0;
};

/// Times of the operations of one iteration.
struct Schedule {
  Cycles ii = 0;
  /// Start cycle, stage and place in the loop body by node.
  std::vector<Cycles> start;
  std::vector<int> stage;
  std::vector<int> order;
  int numStages = 0;

  Cycles rowOf(int node) const { return start[node] % ii; }
};

/// One attempt to place all nodes.
struct Attempt {
  Cycles ii = 0;
  Arm arm = Arm::Permute;
  bool succeeded = false;
  uint32_t evictions = 0;
  /// Placements that a gate refused: held over, stage limit, table, group.
  uint32_t gates[4] = {};
};

struct Result {
  bool isFeasible = false;
  /// Why not, or why iterations do not overlap; for diagnostics.
  std::string reason;
  Schedule schedule;
  Bounds bounds;
  /// The end of the search.
  Cycles iiCap = 0;
  /// Cycles of a time slot; 1: not quantized.
  Cycles quantum = 1;
  /// Serial, fast or cost-based.
  Generator generator = Generator::Serial;
  /// The way that succeeded.
  Arm arm = Arm::List;
  std::vector<Attempt> attempts;
  /// Steps that were taken, for measurements that do not depend on a clock.
  uint64_t work = 0;

  uint64_t numEvictions() const;
};

/// Returns what `Default` means for this problem.
Generator resolveGenerator(const Problem &problem, const Options &options);

/// A pure function of its arguments.
Result solve(const Problem &problem, const Options &options);

/// Iterations one behind the other, operations in program order.
Result scheduleSerially(const Problem &problem);

/// Stages without a search: `numStages` of them, loads ahead of what they feed.
/// The schedule has stages and order; its cycles are those of the order.
Schedule stageCoarsely(const Problem &problem, int numStages);

/// Sets stages and order of a schedule from its start cycles.
void finishSchedule(const Problem &problem, Schedule &schedule);

/// Cycles of a time slot of a table of at most `threshold` for an interval.
Cycles quantumFor(Cycles ii, int64_t threshold);

/// The problem in time slots of `quantum` cycles, rounded so that its schedules
/// hold in cycles.
Problem quantize(const Problem &problem, Cycles quantum);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H

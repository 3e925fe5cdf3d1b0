// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulo scheduling: finds a small initiation interval and the start cycle of
// each operation.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H

#include "passes/tileas_schedule/solver/Bounds.h"

namespace tileir::schedule {

enum class Generator : uint8_t { Default, Serial, Fast, CostBased };
const char *nameOf(Generator generator);
std::optional<Generator> generatorOfName(std::string_view name);

/// Strategies that place all nodes at one interval, in the order in which they
/// are tried. `Exact` is a complete search for problems of a few nodes.
enum class SearchStrategy : uint8_t {
  Permute,
  Fuse,
  Retry,
  CostBased,
  Exact,
  List
};
const char *nameOf(SearchStrategy strategy);
constexpr unsigned maskOf(SearchStrategy strategy) {
  return 1u << unsigned(strategy);
}
constexpr unsigned kAllStrategies =
    maskOf(SearchStrategy::Permute) | maskOf(SearchStrategy::Fuse) |
    maskOf(SearchStrategy::Retry) | maskOf(SearchStrategy::CostBased) |
    maskOf(SearchStrategy::Exact);

struct Options {
  Generator generator = Generator::Default;
  /// `v2-opt-level`, 0 to 3.
  unsigned v2OptLevel = 2;
  /// Maximum cycles of a reservation table before it is quantized; 0: never
  /// quantize.
  int64_t rrtSizeThreshold = 4096;
  unsigned maxConstraintIterations = 10;
  unsigned maxSchedulableOps = 20000;
  /// Only the first strategy, as in the iterations of a search for constraints.
  bool quick = false;
  /// Seed that breaks ties of priorities.
  std::optional<uint64_t> tieSeed;

  // For tests and studies; by default set by the level.
  std::optional<unsigned> budgetRatio;
  std::optional<unsigned> strategies;
  bool isTight = true;
  /// Tries this interval instead of searching.
  Cycles onlyII = 0;
};

/// Start cycles of the operations of one iteration.
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
  SearchStrategy strategy = SearchStrategy::Permute;
  bool succeeded = false;
  uint32_t evictions = 0;
  /// Rejected placements by cause: held over, stage limit, table, group.
  uint32_t gates[4] = {};
};

struct Result {
  bool isFeasible = false;
  /// Reason for failure, or for iterations that do not overlap; for
  /// diagnostics.
  std::string reason;
  Schedule schedule;
  Bounds bounds;
  /// Upper end of the search.
  Cycles iiCap = 0;
  /// Cycles per quantum; 1: not quantized.
  Cycles quantum = 1;
  /// Serial, fast or cost-based.
  Generator generator = Generator::Serial;
  /// The strategy that succeeded.
  SearchStrategy strategy = SearchStrategy::List;
  std::vector<Attempt> attempts;
  /// Steps taken: a measure of effort that is independent of the clock.
  uint64_t work = 0;

  uint64_t numEvictions() const;
};

/// Returns the generator that `Default` selects for this problem.
Generator resolveGenerator(const Problem &problem, const Options &options);

/// Solves `problem`. The result depends on the arguments alone.
Result solve(const Problem &problem, const Options &options);

/// Schedules iterations one after the other, operations in program order.
Result scheduleSerially(const Problem &problem);

/// Assigns `numStages` stages without a search: loads run ahead of their users.
/// The schedule has stages and an order; its cycles count places in the order.
Schedule stageCoarsely(const Problem &problem, int numStages);

/// Derives stages and order of a schedule from its start cycles.
void finishSchedule(const Problem &problem, Schedule &schedule);

/// Returns the cycles per quantum with which `ii` fits a table of at most
/// `threshold` entries.
Cycles quantumFor(Cycles ii, int64_t threshold);

/// Returns the problem in quanta of `quantum` cycles, rounded so that its
/// schedules hold in cycles.
Problem quantize(const Problem &problem, Cycles quantum);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SOLVER_H

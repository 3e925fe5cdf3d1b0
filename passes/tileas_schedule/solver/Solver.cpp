// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Solver.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_schedule/solver/ResourceUsage.h"
#include "passes/tileas_schedule/solver/search/Strategies.h"

#include <algorithm>
#include <tuple>

namespace tileir::schedule {

static constexpr const char *kGeneratorNames[] = {"default", "serial", "fast",
                                                  "cost-based"};
static constexpr const char *kStrategyNames[] = {"permute",    "fuse",  "retry",
                                                 "cost-based", "exact", "list"};

const char *nameOf(Generator g) { return kGeneratorNames[unsigned(g)]; }
const char *nameOf(SearchStrategy strategy) {
  return kStrategyNames[unsigned(strategy)];
}

std::optional<Generator> generatorOfName(std::string_view name) {
  for (unsigned i = 0; i < std::size(kGeneratorNames); ++i)
    if (name == kGeneratorNames[i])
      return Generator(i);
  return std::nullopt;
}

uint64_t Result::numEvictions() const {
  uint64_t sum = 0;
  for (const Attempt &attempt : attempts)
    sum += attempt.evictions;
  return sum;
}

Generator resolveGenerator(const Problem &problem, const Options &options) {
  if (problem.forceSerial || problem.isLinear ||
      problem.nodes.size() > options.maxSchedulableOps)
    return Generator::Serial;
  if (options.generator != Generator::Default)
    return options.generator;
  // A loop of a few cheap operations gains nothing from overlap.
  bool anyAsync = false;
  for (const Node &node : problem.nodes)
    anyAsync |= isMma(node.cls) || isAsync(node.cls);
  // Without asynchronous loads or double-buffered registers, iterations cannot
  // overlap.
  for (const Value &value : problem.values)
    anyAsync |= value.storage == Storage::Registers && value.maxBuffers > 1;
  if (options.v2OptLevel == 0 || (problem.nodes.size() < 8 && !anyAsync))
    return Generator::Serial;
  return options.v2OptLevel == 1 ? Generator::Fast : Generator::CostBased;
}

Cycles quantumFor(Cycles ii, int64_t threshold) {
  Cycles quantum = 1;
  if (threshold > 0)
    while (ceilDiv(ii, quantum) > threshold)
      quantum *= 2;
  return quantum;
}

Problem quantize(const Problem &problem, Cycles quantum) {
  Problem result = problem;
  if (quantum == 1)
    return result;
  for (Node &node : result.nodes) {
    node.latency = ceilDiv(node.latency, quantum);
    for (SlotUse &use : node.uses) {
      Cycles end = ceilDiv(use.offset + use.duration, quantum);
      use.offset = floorDiv(use.offset, quantum);
      use.duration = end - use.offset;
    }
  }
  for (Edge &edge : result.edges)
    edge.delay = ceilDiv(edge.delay, quantum);
  for (Value &value : result.values)
    for (Reader &reader : value.readers)
      reader.arriveLatency = ceilDiv(reader.arriveLatency, quantum);
  result.maxII =
      problem.maxII ? std::max<Cycles>(1, problem.maxII / quantum) : 0;
  return result;
}

namespace {

/// Search for an interval.
class Search {
public:
  Search(const Problem &problem, const Options &options, Result &result,
         Cycles quantum)
      : problem(problem), options(options), result(result), quantum(quantum),
        placement(problem), fused(problem) {}

  void run();
  Cycles endOfSearch() const { return cap; }
  uint64_t work() const { return placement.work() + fused.work(); }

private:
  bool runOne();
  void findCap(Cycles mii);
  bool placeAt(Cycles ii);
  /// Runs `strategy` once; keeps the schedule if it succeeds.
  template <typename Run>
  bool attempt(Cycles ii, SearchStrategy strategy, Run run);
  bool permute(Cycles ii, const PlacementSettings &settings,
               SearchStrategy strategy);
  bool retry(Cycles ii);
  bool exact(Cycles ii);
  void polish(Cycles mii);
  bool takeList();
  void keep(Cycles ii, SearchStrategy strategy,
            const std::vector<Cycles> &start);
  void refine();

  bool isEnabled(SearchStrategy strategy) const {
    return strategies & maskOf(strategy);
  }

  const Problem &problem;
  const Options &options;
  Result &result;
  Cycles quantum;
  Placement placement;
  FusedProblem fused;
  PlacementSettings settings;
  unsigned strategies = 0;
  /// The list schedule, one iteration after the other, if it exists.
  std::vector<Cycles> listStart;
  Cycles listLength = 0;
  bool hasList = false;
  Cycles cap = 0;
};

} // namespace

void Search::keep(Cycles ii, SearchStrategy strategy,
                  const std::vector<Cycles> &start) {
  result.isFeasible = true;
  result.strategy = strategy;
  result.schedule.ii = ii;
  result.schedule.start = start;
}

template <typename Run>
bool Search::attempt(Cycles ii, SearchStrategy strategy, Run run) {
  Attempt record;
  record.ii = ii;
  record.strategy = strategy;
  bool succeeded = run(record);
  record.succeeded = succeeded;
  record.ii = ii * quantum;
  result.attempts.push_back(record);
  return succeeded;
}

bool Search::permute(Cycles ii, const PlacementSettings &with,
                     SearchStrategy strategy) {
  return attempt(ii, strategy, [&](Attempt &record) {
    if (!placement.run(with, record))
      return false;
    keep(ii, strategy, placement.starts());
    return true;
  });
}

bool Search::retry(Cycles ii) {
  for (Priority priority :
       {Priority::HeightLastFirst, Priority::LongestReservation,
        Priority::LastFirst, Priority::Height, Priority::Overlay}) {
    PlacementSettings with = settings;
    with.priority = priority;
    // The priority of the first strategy again, with its placement inverted.
    if (priority == Priority::Height)
      with.isTight = !settings.isTight;
    if (permute(ii, with, SearchStrategy::Retry))
      return true;
  }
  return false;
}

bool Search::exact(Cycles ii) {
  return attempt(ii, SearchStrategy::Exact, [&](Attempt &) {
    std::vector<Cycles> start;
    bool exhausted = false;
    if (!searchExactly(problem, ii, heuristics::exactSteps, start, exhausted,
                       result.work))
      return false;
    keep(ii, SearchStrategy::Exact, start);
    return true;
  });
}

bool Search::placeAt(Cycles ii) {
  if (isEnabled(SearchStrategy::Permute) &&
      permute(ii, settings, SearchStrategy::Permute))
    return true;
  if (isEnabled(SearchStrategy::Fuse) && fused.isUseful() &&
      attempt(ii, SearchStrategy::Fuse, [&](Attempt &record) {
        std::vector<Cycles> start;
        if (!fused.run(settings, record, start))
          return false;
        keep(ii, SearchStrategy::Fuse, start);
        return true;
      }))
    return true;
  if (isEnabled(SearchStrategy::Retry) && retry(ii))
    return true;
  if (isEnabled(SearchStrategy::CostBased)) {
    PlacementSettings with = settings;
    with.byCost = true;
    if (permute(ii, with, SearchStrategy::CostBased))
      return true;
  }
  return isEnabled(SearchStrategy::Exact) && isExactlySolvable(problem, ii) &&
         exact(ii);
}

bool Search::takeList() {
  if (!hasList || cap < listLength)
    return false;
  return attempt(listLength, SearchStrategy::List, [&](Attempt &) {
    keep(listLength, SearchStrategy::List, listStart);
    return true;
  });
}

/// Sets the upper end of the search: iterations one after the other always fit,
/// unless a maximum distance between operations forbids it.
void Search::findCap(Cycles mii) {
  hasList = scheduleList(problem, listStart, listLength, result.work);
  Cycles sum = 1;
  for (const Edge &edge : problem.edges) {
    if (edge.kind == EdgeKind::Capacity)
      hasList &= listStart[edge.to] >= listStart[edge.from] + edge.delay;
    sum += std::max<Cycles>(0, edge.delay);
  }
  for (const Node &node : problem.nodes)
    for (const SlotUse &use : node.uses)
      sum += use.offset + use.duration;
  cap = std::max(mii, hasList ? listLength : sum);
  if (problem.maxII)
    cap = std::min(cap, problem.maxII);
}

bool Search::runOne() {
  cap = std::max<Cycles>(1, options.onlyII / quantum);
  return placeAt(cap);
}

void Search::run() {
  bool costBased = result.generator == Generator::CostBased;
  constexpr unsigned kRatios[] = {2, 2, 6, 16};
  unsigned level = std::min(options.v2OptLevel, 3u);
  settings.budgetRatio = options.budgetRatio.value_or(kRatios[level]);
  settings.isTight = options.isTight;
  settings.tieSeed = options.tieSeed;
  strategies = costBased ? kAllStrategies : maskOf(SearchStrategy::Permute);
  if (options.quick)
    strategies = maskOf(SearchStrategy::Permute);
  if (options.strategies)
    strategies = *options.strategies;
  if (options.onlyII) {
    runOne();
    return;
  }
  Bounds bounds = computeBounds(problem, &result.work);
  Cycles mii = bounds.mii();
  findCap(mii);
  // Level 3 polishes the result and may start with large steps: the first step
  // is a small part of a large bound, and bisection returns to the cycle. The
  // interval failed below `low` and succeeded at `high`.
  Cycles low = mii - 1, ii = mii, step = 1;
  if (level >= 3)
    step = std::max(step, mii / heuristics::firstIntervalStep);
  bool found = false;
  for (unsigned failures = 0; ii <= cap; ii += step) {
    found = placeAt(ii);
    if (found)
      break;
    low = ii;
    bool isExact =
        isEnabled(SearchStrategy::Exact) && isExactlySolvable(problem, ii);
    if (++failures % 4 == 0 && !isExact)
      step *= 2;
  }
  if (!found) {
    if (low < cap && placeAt(cap))
      ii = cap;
    else if (takeList())
      ii = listLength;
    else
      return;
  }
  Cycles high = ii;
  while (high - low > 1 && level >= 2 && !options.quick) {
    Cycles middle = low + (high - low) / 2;
    if (placeAt(middle))
      high = middle;
    else
      low = middle;
  }
  if (costBased && level >= 2 && !options.quick && !options.strategies)
    polish(mii);
  if (level >= 3 && costBased && !options.quick)
    refine();
}

/// Spends the remaining effort on intervals between the bound and the result,
/// with perturbed priorities. Bisection finds where it pays.
void Search::polish(Cycles mii) {
  constexpr unsigned kPlacements[] = {4000, 100000};
  constexpr Priority kPriorities[] = {
      Priority::Height, Priority::LongestReservation, Priority::Overlay};
  // Small problems try more for the same effort.
  bool isPatient = options.v2OptLevel >= 3;
  unsigned runs =
      16 + kPlacements[isPatient] / unsigned(problem.nodes.size() + 1);
  uint64_t limit = work() + heuristics::polishSteps;
  uint64_t seed = 0;
  Cycles low = mii - 1;
  while (result.schedule.ii - low > 1 && work() < limit) {
    Cycles ii = low + (result.schedule.ii - low) / 2;
    bool found = false;
    for (unsigned run = 0; run < runs && !found && work() < limit; ++run) {
      PlacementSettings with = settings;
      with.priority = kPriorities[run % std::size(kPriorities)];
      with.noiseSeed = ++seed;
      with.noiseShift = run % 5;
      with.isTight = settings.isTight && run % 7 != 6;
      found = permute(ii, with, SearchStrategy::Retry);
    }
    if (!found)
      low = ii;
  }
}

/// Improves the schedule at its interval: least storage, then fewest stages.
void Search::refine() {
  Cycles ii = result.schedule.ii;
  SearchStrategy strategy = result.strategy;
  auto costOf = [&](Schedule &schedule) {
    finishSchedule(problem, schedule);
    ResourceUsage needs = computeResourceUsage(problem, schedule);
    int64_t registers = 0;
    for (int64_t r : needs.registers)
      registers = std::max(registers, r);
    return std::tuple(needs.sharedBytes, registers, schedule.numStages);
  };
  Schedule best = result.schedule;
  auto least = costOf(best);
  auto consider = [&](Schedule schedule, SearchStrategy from) {
    auto its = costOf(schedule);
    if (its < least) {
      least = its;
      best = schedule;
      strategy = from;
    }
  };
  Schedule sunk = best;
  sinkProducers(problem, sunk, result.work);
  consider(sunk, strategy);
  PlacementSettings with = settings;
  with.byCost = true;
  if (permute(ii, with, SearchStrategy::CostBased)) {
    Schedule other = result.schedule;
    consider(other, SearchStrategy::CostBased);
    sinkProducers(problem, other, result.work);
    consider(other, SearchStrategy::CostBased);
  }
  result.schedule = best;
  result.strategy = strategy;
}

static std::string explainFailure(const Problem &problem, const Result &result,
                                  const Options &options, Cycles mii) {
  if (options.onlyII)
    return "no other interval was tried";
  if (result.bounds.isInfinite)
    return result.bounds.binding(problem);
  if (problem.maxII && mii > problem.maxII)
    return "the limit of the interval is " + std::to_string(problem.maxII) +
           ", " + result.bounds.binding(problem) + " needs " +
           std::to_string(mii);
  if (problem.maxII)
    return "nothing was found up to the limit of the interval, " +
           std::to_string(problem.maxII);
  return "limits of stages and distances contradict each other";
}

Result solve(const Problem &problem, const Options &options) {
  Result result;
  Generator generator = resolveGenerator(problem, options);
  if (generator == Generator::Serial) {
    result = scheduleSerially(problem);
    if (problem.nodes.size() > options.maxSchedulableOps)
      result.reason =
          std::to_string(problem.nodes.size()) + " operations, at most " +
          std::to_string(options.maxSchedulableOps) + " are scheduled";
    return result;
  }
  result.generator = generator;
  result.bounds = computeBounds(problem, &result.work);
  Cycles mii = result.bounds.mii();
  result.iiCap = problem.maxII ? problem.maxII : mii;
  if (!result.bounds.isInfinite && (!problem.maxII || mii <= problem.maxII)) {
    result.quantum = quantumFor(mii, options.rrtSizeThreshold);
    Problem slots = quantize(problem, result.quantum);
    Search search(slots, options, result, result.quantum);
    search.run();
    result.iiCap = search.endOfSearch() * result.quantum;
    result.work += search.work();
  }
  if (!result.isFeasible) {
    result.reason = explainFailure(problem, result, options, mii);
    return result;
  }
  result.schedule.ii *= result.quantum;
  for (Cycles &t : result.schedule.start)
    t *= result.quantum;
  finishSchedule(problem, result.schedule);
  return result;
}

} // namespace tileir::schedule

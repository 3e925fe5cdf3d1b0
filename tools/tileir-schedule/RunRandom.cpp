// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Check.h"
#include "passes/tileas_schedule/solver/testing/Exhaustive.h"
#include "passes/tileas_schedule/solver/testing/Expand.h"
#include "passes/tileas_schedule/solver/testing/RandomProblem.h"
#include "passes/tileas_schedule/solver/testing/TightBound.h"
#include "passes/tileas_schedule/solver/text/ProblemText.h"
#include "tools/tileir-schedule/Options.h"

#include <algorithm>
#include <cstdio>

namespace tileir::schedule {

/// Longer enumerations are aborted, and the problem is judged by its bound.
static constexpr uint64_t kEnumerationSteps = 3000000;
static constexpr size_t kEnumeratedNodes = 8;
static constexpr Cycles kEnumeratedInterval = 24;

namespace {

/// Outcomes of many problems.
struct Tally {
  int64_t numWrong = 0, numInfeasible = 0;
  /// Enumerated, and worse than the optimum.
  int64_t numEnumerated = 0, numWorse = 0;
  /// Judged by their bound, at the bound, and more than 5 % above it.
  int64_t numBounded = 0, numTight = 0, numLoose = 0;
  double worstRatio = 1;
};

} // namespace

static void reportFault(const Problem &problem, const std::string &fault) {
  printf("%s: %s\n%s\n", problem.name.c_str(), fault.c_str(),
         printProblem(problem).c_str());
}

static void judge(const Problem &problem, const Result &result,
                  const ToolOptions &options, Tally &tally) {
  Cycles bound = result.bounds.mii();
  if (problem.nodes.size() <= kEnumeratedNodes &&
      bound <= kEnumeratedInterval) {
    testing::Optimum optimum = testing::findOptimum(
        problem, std::max<Cycles>(kEnumeratedInterval, result.schedule.ii),
        kEnumerationSteps);
    if (optimum.isKnown) {
      ++tally.numEnumerated;
      if (optimum.ii != result.schedule.ii) {
        ++tally.numWorse;
        reportFault(problem, "II is " + std::to_string(result.schedule.ii) +
                                 ", the optimum is " +
                                 std::to_string(optimum.ii));
      }
      return;
    }
  }
  ++tally.numBounded;
  bound = testing::computeTightBound(problem);
  double ratio = double(result.schedule.ii) / double(bound);
  tally.worstRatio = std::max(tally.worstRatio, ratio);
  tally.numTight += result.schedule.ii == bound;
  bool isLoose = result.schedule.ii * 100 > bound * 105;
  tally.numLoose += isLoose;
  if (isLoose && options.why)
    printf("%s: %zu nodes, II %lld, bound %lld by %s\n", problem.name.c_str(),
           problem.nodes.size(), (long long)result.schedule.ii,
           (long long)bound, result.bounds.binding(problem).c_str());
}

int runRandom(const ToolOptions &options) {
  Tally tally;
  Options solver = options.solver;
  // By default a few cheap operations would be scheduled serially.
  if (solver.generator == Generator::Default)
    solver.generator =
        solver.v2OptLevel >= 2 ? Generator::CostBased : Generator::Fast;
  for (int64_t i = 0; i < *options.numRandom; ++i) {
    uint64_t seed = options.seed + uint64_t(i);
    testing::RandomShape shape = testing::randomShapeOf(seed);
    if (options.numNodes)
      shape.numNodes = int(options.numNodes);
    Problem problem = testing::makeRandomProblem(seed, shape);
    if (options.delaySeed)
      addRandomDelay(problem, *options.delaySeed + seed, problem.name);
    if (options.printProblem) {
      fputs(printProblem(problem).c_str(), stdout);
      continue;
    }
    Result result = solve(problem, solver);
    if (!result.isFeasible) {
      // A stage limit may leave no schedule.
      ++tally.numInfeasible;
      testing::Optimum optimum = testing::findOptimum(
          problem, 4 * kEnumeratedInterval,
          problem.nodes.size() <= kEnumeratedNodes ? kEnumerationSteps : 1);
      if (optimum.isKnown && optimum.ii) {
        ++tally.numWorse;
        reportFault(problem, "no schedule, the optimum is " +
                                 std::to_string(optimum.ii));
      }
      continue;
    }
    std::string fault = testing::expandSchedule(problem, result.schedule);
    std::string own = checkSchedule(problem, result.schedule);
    if (fault.empty() != own.empty())
      fault = "the checks disagree: '" + fault + "', '" + own + "'";
    if (!fault.empty()) {
      ++tally.numWrong;
      reportFault(problem, fault);
      continue;
    }
    judge(problem, result, options, tally);
  }
  if (options.printProblem)
    return kOk;
  printf("%lld problems: %lld wrong, %lld without schedule\n",
         (long long)*options.numRandom, (long long)tally.numWrong,
         (long long)tally.numInfeasible);
  printf("enumerated %lld: %lld not at the optimum\n",
         (long long)tally.numEnumerated, (long long)tally.numWorse);
  printf("bounded %lld: %lld at the bound, %lld more than 5 %% above it, the "
         "worst by a factor of %.3f\n",
         (long long)tally.numBounded, (long long)tally.numTight,
         (long long)tally.numLoose, tally.worstRatio);
  bool isGood = tally.numWrong == 0 && tally.numWorse == 0 &&
                tally.numLoose * 20 <= tally.numBounded;
  return isGood || options.solver.strategies || options.solver.v2OptLevel < 2
             ? (tally.numWrong ? kWrong : kOk)
             : kWrong;
}

} // namespace tileir::schedule

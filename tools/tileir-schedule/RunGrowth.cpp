// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Check.h"
#include "passes/tileas_schedule/solver/testing/RandomProblem.h"
#include "tools/tileir-schedule/Options.h"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace tileir::schedule {

namespace {

/// One size of the growth measurement.
struct Sample {
  double nodes = 0, work = 0;
};

} // namespace

static double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Returns the slope of log y over log x.
static double fitExponent(const std::vector<Sample> &samples, bool overNLogN) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = double(samples.size());
  for (const Sample &sample : samples) {
    double x = std::log(sample.nodes);
    if (overNLogN)
      x += std::log(std::log(sample.nodes));
    double y = std::log(sample.work);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

int runGrowth(const ToolOptions &options) {
  constexpr int kSizes[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  constexpr int kSeeds = 3;
  std::vector<Sample> samples;
  bool isLegal = true;
  printf("%8s %12s %14s %8s %8s %8s\n", "nodes", "CPU ms", "steps", "II",
         "bound", "quantum");
  for (int size : kSizes) {
    Sample sample;
    sample.nodes = size;
    double seconds = 0;
    Result last;
    for (int seed = 0; seed < kSeeds; ++seed) {
      Problem problem =
          testing::makeLoopLike(options.seed + uint64_t(seed), size);
      Options solver = options.solver;
      if (solver.generator == Generator::Default && solver.v2OptLevel >= 2)
        solver.generator = Generator::CostBased;
      double before = processorSeconds();
      last = solve(problem, solver);
      seconds += processorSeconds() - before;
      sample.work += double(last.work) / kSeeds;
      isLegal &=
          last.isFeasible && checkSchedule(problem, last.schedule).empty();
    }
    samples.push_back(sample);
    printf("%8d %12.3f %14.0f %8lld %8lld %8lld\n", size,
           1e3 * seconds / kSeeds, sample.work, (long long)last.schedule.ii,
           (long long)last.bounds.mii(), (long long)last.quantum);
  }
  double exponent = fitExponent(samples, /*overNLogN=*/true);
  printf("steps grow as (n log n)^%.3f, n^%.3f\n", exponent,
         fitExponent(samples, /*overNLogN=*/false));
  if (!isLegal)
    printf("a schedule is wrong\n");
  return isLegal && exponent <= 1 ? kOk : kWrong;
}

} // namespace tileir::schedule

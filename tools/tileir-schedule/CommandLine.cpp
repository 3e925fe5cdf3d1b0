// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-schedule/Options.h"

#include "tools/process/Arguments.h"

#include <charconv>
#include <cstdio>
#include <map>

namespace tileir::schedule {

static constexpr char kHelp[] =
    R"(usage: tileir-schedule FILE [options]
       tileir-schedule --random=N [options]
       tileir-schedule --growth

Solves a scheduling problem and prints the schedule with its bounds. FILE is '-'
for standard input; passes/tileas_schedule/solver/README.md has its form.

  --scheduler=NAME               default, serial, fast, cost-based
  --v2-opt-level=N               effort, 0 to 3 (2)
  --rrt-size-threshold=N         time slots of a reservation table (4096)
  --max-constraint-iterations=N  iterations that make a schedule fit (10)
  --max-schedulable-ops=N        larger problems are serial (20000)
  --random-delay-seed=N          longer delays, generated from this seed
  --baseline=N                   N stages by rule, without a search
  --check                        expands the schedule cycle by cycle
  --why                          prints every attempt
  --trace=FILE                   writes a Chrome trace
  --html=FILE                    writes a page
  --print                        prints the problem instead of solving it

For studies of the search:
  --strategies=LIST              of permute, fuse, retry, cost-based, exact
  --budget-ratio=N               placements per operation
  --only-ii=N                    tries one interval
  --no-tight                     without placement that leaves no gaps

Random problems, solved and checked:
  --random=N --seed=S            N problems, the first by seed S (1)
  --nodes=N                      of this size, else of 2 to 200
  --growth                       problems of 10 to 10,000 operations, timed

Exit status: 0 solved, 1 no schedule, 2 bad usage or input, 3 a check failed.
)";

namespace {

class CommandLine {
public:
  explicit CommandLine(ToolOptions &options) : options(options) {}

  std::optional<int> run(int argc, char **argv);

private:
  bool parseOption(const std::string &name, const std::string &value);
  bool number(const std::string &name, const std::string &value, int64_t least,
              int64_t most, int64_t &to);
  bool strategies(const std::string &value);
  bool fail(const std::string &what) {
    fprintf(stderr, "error: %s\n", what.c_str());
    return false;
  }

  ToolOptions &options;
};

} // namespace

bool CommandLine::number(const std::string &name, const std::string &value,
                         int64_t least, int64_t most, int64_t &to) {
  const char *end = value.data() + value.size();
  auto [rest, fault] = std::from_chars(value.data(), end, to);
  if (fault == std::errc() && rest == end && to >= least && to <= most)
    return true;
  return fail("--" + name + " is '" + value + "', expected a number from " +
              std::to_string(least) + " to " + std::to_string(most));
}

bool CommandLine::strategies(const std::string &value) {
  unsigned mask = 0;
  for (size_t begin = 0; begin <= value.size();) {
    size_t end = std::min(value.find(',', begin), value.size());
    std::string word = value.substr(begin, end - begin);
    bool known = false;
    for (SearchStrategy strategy :
         {SearchStrategy::Permute, SearchStrategy::Fuse, SearchStrategy::Retry,
          SearchStrategy::CostBased, SearchStrategy::Exact})
      if (word == nameOf(strategy)) {
        mask |= maskOf(strategy);
        known = true;
      }
    if (!known)
      return fail("--strategies is '" + value +
                  "', expected a list of permute, fuse, retry, cost-based, "
                  "exact");
    begin = end + 1;
  }
  options.solver.strategies = mask;
  return true;
}

bool CommandLine::parseOption(const std::string &name,
                              const std::string &value) {
  constexpr int64_t kMax = int64_t(1) << 40;
  int64_t count = 0;
  Options &solver = options.solver;
  auto take = [&](int64_t least, int64_t most, auto &&set) {
    if (!number(name, value, least, most, count))
      return false;
    set(count);
    return true;
  };
  if (name == "scheduler") {
    std::optional<Generator> generator = generatorOfName(value);
    if (!generator)
      return fail("--scheduler is '" + value +
                  "', expected default, serial, fast or cost-based");
    solver.generator = *generator;
    return true;
  }
  if (name == "strategies" || name == "arms")
    return strategies(value);
  if (name == "trace" || name == "html") {
    (name == "trace" ? options.traceFile : options.htmlFile) = value;
    return true;
  }
  if (name == "v2-opt-level")
    return take(0, 3, [&](int64_t n) { solver.v2OptLevel = unsigned(n); });
  if (name == "rrt-size-threshold")
    return take(0, kMax, [&](int64_t n) { solver.rrtSizeThreshold = n; });
  if (name == "max-constraint-iterations")
    return take(0, 1 << 20, [&](int64_t n) {
      solver.maxConstraintIterations = unsigned(n);
    });
  if (name == "max-schedulable-ops")
    return take(0, 1 << 24,
                [&](int64_t n) { solver.maxSchedulableOps = unsigned(n); });
  if (name == "budget-ratio")
    return take(1, 1 << 20,
                [&](int64_t n) { solver.budgetRatio = unsigned(n); });
  if (name == "only-ii")
    return take(1, kMax, [&](int64_t n) { solver.onlyII = n; });
  if (name == "baseline" || name == "coarse")
    return take(1, 1 << 10, [&](int64_t n) { options.baselineStages = n; });
  if (name == "random-delay-seed")
    return take(0, INT64_MAX,
                [&](int64_t n) { options.delaySeed = uint64_t(n); });
  if (name == "random")
    return take(1, 1 << 24, [&](int64_t n) { options.numRandom = n; });
  if (name == "seed")
    return take(0, INT64_MAX, [&](int64_t n) { options.seed = uint64_t(n); });
  return take(1, 1 << 20, [&](int64_t n) { options.numNodes = n; });
}

std::optional<int> CommandLine::run(int argc, char **argv) {
  std::vector<std::string> files;
  std::map<std::string, std::string> given;
  bool isLoose = false;
  Arguments arguments = {"tileir-schedule",
                         kHelp,
                         &files,
                         {},
                         {{"check", &options.check},
                          {"why", &options.why},
                          {"print", &options.printProblem},
                          {"no-tight", &isLoose},
                          {"no-snug", &isLoose},
                          {"growth", &options.measureGrowth}}};
  // `arms`, `coarse` and `no-snug` are former names.
  for (const char *name :
       {"scheduler", "strategies", "arms", "trace", "html", "v2-opt-level",
        "rrt-size-threshold", "max-constraint-iterations",
        "max-schedulable-ops", "budget-ratio", "only-ii", "baseline", "coarse",
        "random-delay-seed", "random", "seed", "nodes"})
    arguments.values.emplace_back(name, &given[name]);
  if (std::optional<int> status = arguments.read(argc, argv))
    return status;
  options.solver.isTight &= !isLoose;
  for (const auto &[name, value] : given)
    if (!value.empty() && !parseOption(name, value))
      return kUsage;
  if (files.size() > 1) {
    fail("'" + files[1] + "' is a second file, see tileir-schedule --help");
    return kUsage;
  }
  if (!files.empty())
    options.input = files[0];
  bool needsFile = !options.numRandom && !options.measureGrowth;
  if (needsFile == !options.input.empty())
    return std::nullopt;
  fail(needsFile ? "give a problem, see tileir-schedule --help"
                 : "random problems take no file, see tileir-schedule --help");
  return kUsage;
}

std::optional<int> parseCommandLine(int argc, char **argv,
                                    ToolOptions &options) {
  return CommandLine(options).run(argc, argv);
}

} // namespace tileir::schedule

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Rates.h"
#include "passes/tileas_schedule/solver/Check.h"
#include "passes/tileas_schedule/solver/testing/Expand.h"
#include "passes/tileas_schedule/solver/text/ProblemText.h"
#include "passes/tileas_schedule/solver/text/Trace.h"
#include "tools/tileir-schedule/Options.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tileir::schedule {

static int fail(int code, const std::string &what) {
  // Prints the results so far before the error.
  fflush(stdout);
  fprintf(stderr, "error: %s\n", what.c_str());
  return code;
}

static bool readAll(const std::string &path, std::string &text) {
  FILE *file = path == "-" ? stdin : fopen(path.c_str(), "rb");
  if (!file)
    return false;
  char buffer[1 << 16];
  for (size_t count; (count = fread(buffer, 1, sizeof(buffer), file)) > 0;)
    text.append(buffer, count);
  bool isRead = !ferror(file);
  if (file != stdin)
    fclose(file);
  return isRead;
}

static void printAttempts(const Result &result) {
  for (const Attempt &a : result.attempts)
    printf("II %lld %s: %s, %u evictions, gates %u %u %u %u\n", (long long)a.ii,
           nameOf(a.strategy), a.succeeded ? "ok" : "failed", a.evictions,
           a.gates[0], a.gates[1], a.gates[2], a.gates[3]);
}

static void printBounds(const Problem &problem, const Bounds &bounds) {
  if (bounds.isInfinite) {
    printf("bounds: none, %s\n", bounds.binding(problem).c_str());
    return;
  }
  printf("bounds: MII %lld (resource %lld, recurrence %lld, fine %lld, "
         "dependence %lld), binding: %s\n",
         (long long)bounds.mii(), (long long)bounds.resource,
         (long long)bounds.recurrence, (long long)bounds.fine,
         (long long)bounds.dependence, bounds.binding(problem).c_str());
}

static void printSchedule(const Problem &problem, const Schedule &schedule) {
  size_t width = 4;
  for (const Node &node : problem.nodes)
    width = std::max(width, node.name.size());
  printf("%-*s %8s %8s %5s %5s\n", int(width), "node", "t", "row", "stage",
         "order");
  for (size_t v = 0; v < problem.nodes.size(); ++v)
    printf("%-*s %8lld %8lld %5d %5d\n", int(width),
           problem.nodes[v].name.c_str(), (long long)schedule.start[v],
           (long long)schedule.rowOf(int(v)), schedule.stage[v],
           schedule.order[v]);
}

static void printResourceUsage(const Problem &problem,
                               const ResourceUsage &needs) {
  for (size_t i = 0; i < problem.values.size(); ++i)
    printf("value %s: %lld..%lld, depth %d\n", problem.values[i].name.c_str(),
           (long long)needs.lifetimes[i].acquire,
           (long long)needs.lifetimes[i].release, needs.lifetimes[i].depth);
  if (needs.sharedBytes)
    printf("shared memory: %lld bytes\n", (long long)needs.sharedBytes);
  if (needs.tensorColumns)
    printf("tensor memory: %lld columns\n", (long long)needs.tensorColumns);
  for (size_t a = 0; a < problem.agents.size(); ++a)
    printf("agent %s: %lld registers\n", problem.agents[a].name.c_str(),
           (long long)needs.registers[a]);
}

static bool hasLimits(const Problem &problem) {
  bool limited = problem.capacities.sharedBytes ||
                 problem.capacities.tensorColumns ||
                 problem.capacities.namedBarriers;
  for (const Agent &agent : problem.agents)
    limited |= agent.registerBudget > 0;
  return limited;
}

static void printMitigations(const Constrained &solved) {
  printf("constraints: %u rounds, %s\n", solved.iterations,
         solved.converged ? "fits" : "does not fit");
  for (const Mitigation &mitigation : solved.mitigations) {
    printf("  %s", nameOf(mitigation.kind));
    if (mitigation.value >= 0)
      printf(" '%s'", solved.problem.values[mitigation.value].name.c_str());
    if (mitigation.amount)
      printf(" %lld", (long long)mitigation.amount);
    printf("\n");
  }
}

static int writeTraces(const ToolOptions &options, const Problem &problem,
                       const Constrained &solved) {
  Trace trace;
  trace.target = problem.target;
  trace.modelVersion = Rates::version();
  trace.v2OptLevel = options.solver.v2OptLevel;
  TraceRegion region;
  region.problem = solved.problem;
  region.result = solved.result;
  region.usage = solved.usage;
  region.constraintIterations = std::max(1u, solved.iterations);
  region.seed = options.delaySeed;
  trace.functions.push_back({problem.name, {region}});
  for (auto [path, print] : {std::pair{options.traceFile, &printChromeTrace},
                             std::pair{options.htmlFile, &printHtmlTrace}}) {
    if (path.empty())
      continue;
    if (std::string fault = writeTraceFile(path, print(trace)); !fault.empty())
      return fail(kUsage, fault);
  }
  return kOk;
}

static int runBaseline(const ToolOptions &options, const Problem &problem) {
  Schedule schedule = stageCoarsely(problem, int(options.baselineStages));
  printf("%s: %d stages, baseline order\n", problem.name.c_str(),
         schedule.numStages);
  printSchedule(problem, schedule);
  return kOk;
}

static int solveAndPrint(const ToolOptions &options, const Problem &problem) {
  Constrained solved;
  if (hasLimits(problem)) {
    solved = solveConstrained(problem, options.solver);
  } else {
    solved.problem = problem;
    solved.result = solve(problem, options.solver);
    if (solved.result.isFeasible)
      solved.usage = computeResourceUsage(problem, solved.result.schedule);
  }
  const Result &result = solved.result;
  if (options.why)
    printAttempts(result);
  if (!result.isFeasible) {
    printBounds(problem, result.bounds);
    return fail(kInfeasible, "no schedule up to II " +
                                 std::to_string(result.iiCap) + ": " +
                                 result.reason);
  }
  const Schedule &schedule = result.schedule;
  printf("%s: II %lld, %d stages, %s (%s), %llu evictions\n",
         problem.name.c_str(), (long long)schedule.ii, schedule.numStages,
         nameOf(result.generator), nameOf(result.strategy),
         (unsigned long long)result.numEvictions());
  printBounds(solved.problem, result.bounds);
  if (result.quantum > 1)
    printf("quantum: %lld cycles\n", (long long)result.quantum);
  if (hasLimits(problem))
    printMitigations(solved);
  if (!result.reason.empty())
    printf("because: %s\n", result.reason.c_str());
  printSchedule(solved.problem, schedule);
  printResourceUsage(solved.problem, solved.usage);
  if (options.check) {
    std::string fault = checkSchedule(solved.problem, schedule);
    if (fault.empty())
      fault = testing::expandSchedule(solved.problem, schedule);
    if (!fault.empty())
      return fail(kWrong, "the schedule is wrong: " + fault);
    printf("check: ok\n");
  }
  return writeTraces(options, problem, solved);
}

int runProblem(const ToolOptions &options) {
  std::string text;
  errno = 0;
  if (!readAll(options.input, text))
    return fail(kUsage,
                "cannot read '" + options.input + "': " + strerror(errno));
  ParsedProblem parsed = parseProblem(text);
  if (!parsed.error.empty())
    return fail(kUsage, options.input + ":" + parsed.error);
  Problem &problem = parsed.problem;
  if (problem.name.empty())
    problem.name = "problem";
  if (std::string fault = problem.verify(); !fault.empty())
    return fail(kUsage, options.input + ": " + fault);
  if (options.printProblem) {
    fputs(printProblem(problem).c_str(), stdout);
    return kOk;
  }
  ToolOptions with = options;
  if (options.delaySeed) {
    addRandomDelay(problem, *options.delaySeed, problem.name);
    with.solver.tieSeed = *options.delaySeed;
  }
  return options.baselineStages ? runBaseline(with, problem)
                                : solveAndPrint(with, problem);
}

} // namespace tileir::schedule

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Graph.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_schedule/solver/ResourceUsage.h"

#include <algorithm>

namespace tileir::schedule {

static constexpr const char *kMitigationNames[] = {
    "shrink pipe", "late producer", "same stage",
    "surcharge",   "no agents",     "recompute"};

const char *nameOf(Mitigation::Kind kind) {
  return kMitigationNames[unsigned(kind)];
}

namespace {

/// Chooses the most promising mitigation.
class MitigationPicker {
public:
  MitigationPicker(const Problem &problem, const Result &result,
                   const ResourceUsage &usage)
      : problem(problem), schedule(result.schedule), usage(usage) {}

  std::optional<Mitigation> run() const;

private:
  std::optional<Mitigation> shrinkPipe(Storage storage) const;
  std::optional<Mitigation> lateProducer(int agent) const;
  std::optional<Mitigation> sameStage(int agent) const;
  std::optional<Mitigation> recompute(int agent) const;
  std::optional<Mitigation> relieveRegisters(int agent) const;
  bool isLiveIn(const Value &value, int agent) const;
  Cycles delayBetween(int producer, int reader) const;

  const Problem &problem;
  const Schedule &schedule;
  const ResourceUsage &usage;
};

} // namespace

/// Returns the value whose last slot saves most per added cycle of the
/// interval: a live range over `depth` slots must then fit into one slot less.
std::optional<Mitigation> MitigationPicker::shrinkPipe(Storage storage) const {
  std::optional<Mitigation> best;
  int64_t bestSize = 0;
  Cycles bestGrowth = 1;
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    const Lifetime &range = usage.lifetimes[i];
    int depth = range.depth;
    if (value.maxBuffers)
      depth = std::min(depth, value.maxBuffers);
    int64_t size = storage == Storage::Shared ? value.bytes : value.columns;
    if (value.storage != storage || depth < 2 || size == 0)
      continue;
    Cycles need = ceilDiv(range.release - range.acquire, depth - 1);
    Cycles growth = std::max<Cycles>(1, need - schedule.ii);
    // Cross products instead of quotients: no rounding.
    if (best && __int128(size) * bestGrowth <= __int128(bestSize) * growth)
      continue;
    best = Mitigation{Mitigation::ShrinkPipe, int(i), -1, -1, depth - 1};
    bestSize = size;
    bestGrowth = growth;
  }
  return best;
}

bool MitigationPicker::isLiveIn(const Value &value, int agent) const {
  if (value.storage != Storage::Registers || value.readers.empty())
    return false;
  return std::max(0, problem.nodes[value.readers[0].node].agent) == agent;
}

Cycles MitigationPicker::delayBetween(int producer, int reader) const {
  Cycles delay = 0;
  for (const Edge &edge : problem.edges)
    if (edge.from == producer && edge.to == reader && edge.distance == 0)
      delay = std::max(delay, edge.delay);
  return delay;
}

std::optional<Mitigation> MitigationPicker::lateProducer(int agent) const {
  std::optional<Mitigation> best;
  int64_t most = 0;
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    const Lifetime &range = usage.lifetimes[i];
    if (!isLiveIn(value, agent))
      continue;
    int producer = value.producers[0], reader = value.readers[0].node;
    Cycles limit =
        delayBetween(producer, reader) + heuristics::lateProducerSlack;
    int64_t cost = value.bytes * (range.release - range.acquire);
    if (value.readers[0].distance > 0 || producer == reader ||
        schedule.start[reader] - schedule.start[producer] <= limit ||
        cost <= most)
      continue;
    most = cost;
    best =
        Mitigation{Mitigation::LateProducer, int(i), producer, reader, limit};
  }
  return best;
}

std::optional<Mitigation> MitigationPicker::sameStage(int agent) const {
  std::vector<int> group = problem.depthGroups();
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    if (!isLiveIn(value, agent))
      continue;
    int producer = value.producers[0], reader = value.readers[0].node;
    if (value.readers[0].distance == 0 && group[producer] != group[reader] &&
        schedule.stage[producer] != schedule.stage[reader])
      return Mitigation{Mitigation::SameStage, int(i), producer, reader, 0};
  }
  return std::nullopt;
}

std::optional<Mitigation> MitigationPicker::recompute(int agent) const {
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    if (isLiveIn(value, agent) && value.maxRecomputations > 0 &&
        value.readers.size() > 1)
      return Mitigation{Mitigation::Recompute, int(i), value.producers[0],
                        value.readers[1].node, 0};
  }
  return std::nullopt;
}

std::optional<Mitigation> MitigationPicker::relieveRegisters(int agent) const {
  if (auto mitigation = lateProducer(agent))
    return mitigation;
  if (auto mitigation = sameStage(agent))
    return mitigation;
  int64_t budget = problem.agents[agent].registerBudget;
  if (10 * usage.registers[agent] < 11 * budget &&
      problem.surcharge < heuristics::maxSurcharge)
    return Mitigation{
        Mitigation::Surcharge, -1, -1, -1,
        int(std::min(heuristics::surchargeStep,
                     heuristics::maxSurcharge - problem.surcharge))};
  return recompute(agent);
}

std::optional<Mitigation> MitigationPicker::run() const {
  const Capacities &has = problem.capacities;
  if (has.sharedBytes && usage.sharedBytes > has.sharedBytes)
    return shrinkPipe(Storage::Shared);
  if (has.tensorColumns && usage.tensorColumns > has.tensorColumns)
    return shrinkPipe(Storage::Tensor);
  for (size_t i = 0; i < problem.agents.size(); ++i)
    if (problem.agents[i].registerBudget &&
        usage.registers[i] > problem.agents[i].registerBudget)
      return relieveRegisters(int(i));
  if (has.namedBarriers && usage.namedBarriers > has.namedBarriers)
    return Mitigation{Mitigation::NoAgents, -1, -1, -1, 0};
  return std::nullopt;
}

std::optional<Mitigation> pickMitigation(const Problem &problem,
                                         const Result &result,
                                         const ResourceUsage &usage) {
  return MitigationPicker(problem, result, usage).run();
}

/// Repeats the producer for one of its readers.
static void repeatProducer(Problem &problem, const Mitigation &mitigation) {
  Value &value = problem.values[mitigation.value];
  Node copy = problem.nodes[mitigation.a];
  copy.name += "_again" + std::to_string(problem.nodes.size());
  int again = problem.addNode(copy);
  size_t numEdges = problem.edges.size();
  for (size_t e = 0; e < numEdges; ++e) {
    Edge edge = problem.edges[e];
    if (edge.to == mitigation.a && edge.from != mitigation.a) {
      edge.to = again;
      problem.edges.push_back(edge);
    } else if (edge.from == mitigation.a && edge.to == mitigation.b) {
      problem.edges[e].from = again;
    }
  }
  Value repeated = value;
  --value.maxRecomputations;
  repeated.maxRecomputations = 0;
  repeated.name = copy.name;
  repeated.producers = {again};
  repeated.readers.clear();
  std::vector<Reader> kept;
  for (const Reader &reader : value.readers)
    (reader.node == mitigation.b ? repeated.readers : kept).push_back(reader);
  value.readers = std::move(kept);
  problem.values.push_back(std::move(repeated));
}

bool applyMitigation(Problem &problem, const Mitigation &mitigation) {
  switch (mitigation.kind) {
  case Mitigation::ShrinkPipe:
    problem.setMaxBuffers(mitigation.value, int(mitigation.amount));
    return true;
  case Mitigation::LateProducer:
    problem.addMaxDistance(mitigation.a, mitigation.b, mitigation.amount);
    return true;
  case Mitigation::SameStage:
    problem.sameDepth.push_back({mitigation.a, mitigation.b});
    return true;
  case Mitigation::Surcharge:
    problem.surcharge += int(mitigation.amount);
    return true;
  case Mitigation::Recompute:
    repeatProducer(problem, mitigation);
    return true;
  case Mitigation::NoAgents:
    return false;
  }
  return false;
}

Constrained solveConstrained(const Problem &problem, const Options &options) {
  Constrained state;
  state.problem = problem;
  unsigned limit = options.maxConstraintIterations;
  Options full = options, quick = options;
  quick.quick = true;
  bool infeasible = false;
  auto solveWith = [&](const Options &with) {
    state.result = solve(state.problem, with);
    if (state.result.isFeasible)
      state.usage = computeResourceUsage(state.problem, state.result.schedule);
    else
      infeasible = true;
    return state.result.isFeasible && fits(state.problem, state.usage);
  };
  if (limit == 0)
    state.converged = solveWith(full);
  for (; state.iterations < limit && !state.converged && !infeasible;) {
    ++state.iterations;
    // A problem that fits is solved again with all strategies.
    if (solveWith(state.iterations < limit ? quick : full)) {
      state.converged = state.iterations == limit || solveWith(full);
      if (state.converged)
        break;
    }
    if (infeasible)
      break;
    std::optional<Mitigation> mitigation =
        pickMitigation(state.problem, state.result, state.usage);
    if (!mitigation)
      break;
    state.wantsNoAgents |= mitigation->kind == Mitigation::NoAgents;
    if (!applyMitigation(state.problem, *mitigation))
      break;
    state.mitigations.push_back(*mitigation);
  }
  if (state.converged || infeasible || state.wantsNoAgents)
    return state;
  // Constraints that did not help are dropped.
  std::string overflow = describeOverflow(state.problem, state.usage);
  state.problem = problem;
  state.problem.forceSerial = true;
  state.mitigations.clear();
  state.budgetExceeded = true;
  state.result = scheduleSerially(state.problem);
  if (state.result.isFeasible) {
    state.usage = computeResourceUsage(state.problem, state.result.schedule);
    state.result.reason = overflow;
  }
  return state;
}

} // namespace tileir::schedule

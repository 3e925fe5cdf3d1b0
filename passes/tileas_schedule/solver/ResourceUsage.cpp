// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/ResourceUsage.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_schedule/solver/Graph.h"

#include <algorithm>
#include <map>

namespace tileir::schedule {

static Lifetime lifetimeOf(const Problem &problem, const Value &value,
                           const Schedule &schedule) {
  Lifetime range;
  range.acquire = INT64_MAX;
  for (int producer : value.producers)
    range.acquire = std::min(range.acquire, schedule.start[producer]);
  range.release = range.acquire;
  for (const Reader &reader : value.readers)
    range.release =
        std::max(range.release,
                 schedule.start[reader.node] + schedule.ii * reader.distance +
                     problem.nodes[reader.node].latency + reader.arriveLatency);
  range.depth = int(
      std::max<Cycles>(1, ceilDiv(range.release - range.acquire, schedule.ii)));
  return range;
}

/// Returns the maximum bytes that are live at once in the registers of each
/// agent.
static std::vector<int64_t>
registerBytes(const Problem &problem, const Schedule &schedule,
              const std::vector<Lifetime> &lifetimes) {
  size_t numAgents = std::max<size_t>(1, problem.agents.size());
  // Changes of the live bytes by row; whole intervals count in every row.
  std::vector<std::map<Cycles, int64_t>> changes(numAgents);
  std::vector<int64_t> always(numAgents, 0), peak(numAgents, 0);
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    Cycles length = lifetimes[i].release - lifetimes[i].acquire;
    if (value.storage != Storage::Registers || length <= 0)
      continue;
    // A value occupies the registers of its reader's agent.
    int node =
        value.readers.empty() ? value.producers[0] : value.readers[0].node;
    size_t agent = size_t(std::max(0, problem.nodes[node].agent));
    if (agent >= numAgents)
      continue;
    always[agent] += length / schedule.ii * value.bytes;
    Cycles rest = length % schedule.ii;
    Cycles begin = lifetimes[i].acquire % schedule.ii, end = begin + rest;
    if (rest == 0)
      continue;
    changes[agent][begin] += value.bytes;
    if (end > schedule.ii) {
      changes[agent][0] += value.bytes;
      changes[agent][end - schedule.ii] -= value.bytes;
    } else {
      changes[agent][end] -= value.bytes;
    }
  }
  for (size_t agent = 0; agent < numAgents; ++agent) {
    int64_t live = always[agent];
    peak[agent] = live;
    for (const auto &[row, change] : changes[agent]) {
      live += change;
      peak[agent] = std::max(peak[agent], live);
    }
  }
  return peak;
}

/// Rounds to the sizes in which tensor memory is allocated.
static int64_t roundColumns(int64_t columns) {
  int64_t rounded = 32;
  while (rounded < columns)
    rounded *= 2;
  return columns ? rounded : 0;
}

ResourceUsage computeResourceUsage(const Problem &problem,
                                   const Schedule &schedule) {
  ResourceUsage result;
  result.sharedBytes = problem.fixed.sharedBytes;
  result.tensorColumns = problem.fixed.tensorColumns;
  for (const Value &value : problem.values) {
    Lifetime range = lifetimeOf(problem, value, schedule);
    if (value.maxBuffers)
      range.depth = std::min(range.depth, value.maxBuffers);
    if (value.storage == Storage::Shared)
      result.sharedBytes +=
          range.depth * (ceilDiv(value.bytes, 128) * 128 + value.barrierBytes);
    if (value.storage == Storage::Tensor)
      result.tensorColumns += roundColumns(range.depth * value.columns);
    result.lifetimes.push_back(range);
  }
  std::vector<int64_t> bytes =
      registerBytes(problem, schedule, result.lifetimes);
  for (size_t agent = 0; agent < bytes.size(); ++agent) {
    int warps = problem.agents.empty() ? heuristics::warpsWithoutAgents
                                       : problem.agents[agent].warps;
    result.registers.push_back(ceilDiv(bytes[agent], int64_t(4) * 32 * warps) +
                               problem.fixed.registers);
  }
  result.namedBarriers = problem.fixed.namedBarriers;
  for (const Agent &agent : problem.agents)
    result.namedBarriers += agent.warps > 1;
  return result;
}

std::string describeOverflow(const Problem &problem,
                             const ResourceUsage &usage) {
  auto tell = [](const std::string &what, int64_t need, int64_t has,
                 const char *unit) {
    return what + ": " + std::to_string(need) + " " + unit + ", " +
           std::to_string(has) + " are there";
  };
  const Capacities &has = problem.capacities;
  if (has.sharedBytes && usage.sharedBytes > has.sharedBytes)
    return tell("shared memory", usage.sharedBytes, has.sharedBytes, "bytes");
  if (has.tensorColumns && usage.tensorColumns > has.tensorColumns)
    return tell("tensor memory", usage.tensorColumns, has.tensorColumns,
                "columns");
  for (size_t i = 0; i < problem.agents.size(); ++i)
    if (problem.agents[i].registerBudget &&
        usage.registers[i] > problem.agents[i].registerBudget)
      return tell("registers of '" + problem.agents[i].name + "'",
                  usage.registers[i], problem.agents[i].registerBudget,
                  "a thread");
  if (has.namedBarriers && usage.namedBarriers > has.namedBarriers)
    return tell("named barriers", usage.namedBarriers, has.namedBarriers,
                "barriers");
  return "";
}

} // namespace tileir::schedule

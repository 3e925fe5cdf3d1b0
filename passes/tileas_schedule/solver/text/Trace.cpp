// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/text/Trace.h"

#include "dialects/support/Output.h"
#include "passes/tileas_schedule/solver/Json.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace tileir::schedule {

/// Failed attempts shown per region.
static constexpr size_t kShownAttempts = 1000;

static int threadOf(Row row) {
  return isAgentRow(row) ? 100 + int(row) : int(row) + 1;
}

/// Trace threads that are no functional unit: the attempts, and nodes without
/// reservations (waits, order of threads). A viewer draws a flow only between
/// two slices.
static constexpr int kAttemptThread = 0, kNodeThread = kNumSlots + 1;

namespace {

/// The drawn dependences of a region, by the node at each end.
struct FlowEdges {
  explicit FlowEdges(const Problem &problem)
      : leaving(problem.nodes.size()), entering(problem.nodes.size()) {
    for (size_t e = 0; e < problem.edges.size(); ++e) {
      const Edge &edge = problem.edges[e];
      if (edge.kind == EdgeKind::Capacity || edge.kind == EdgeKind::Anti)
        continue;
      leaving[edge.from].push_back(e);
      entering[edge.to].push_back(e);
    }
  }

  std::vector<std::vector<size_t>> leaving, entering;
};

/// Writes the events of one function.
class TraceWriter {
public:
  TraceWriter(int process, std::vector<std::string> &events, int64_t &flows)
      : process(process), events(events), flows(flows) {}

  void function(const TraceFunction &function);

private:
  JsonObject event(const char *phase, const std::string &name) const {
    JsonObject object;
    object.add("ph", phase).add("name", name);
    return object;
  }
  void metadata(const char *name, int thread, const std::string &value);
  void threads(const TraceFunction &function);
  void region(const TraceRegion &region, int number);
  void slices(const TraceRegion &region, int number, int iteration, int node);
  void flow(const TraceRegion &region, int iteration, size_t edge,
            bool isStart);
  void storage(const TraceRegion &region);
  void summary(const TraceRegion &region, int number);
  void attempts(const TraceRegion &region);

  int process;
  std::vector<std::string> &events;
  int64_t &flows;
  /// First cycle of the current region in the trace: regions do not overlap.
  Cycles base = 0;
};

} // namespace

void TraceWriter::metadata(const char *name, int thread,
                           const std::string &value) {
  JsonObject object = event("M", name);
  object.add("pid", process);
  if (thread >= 0)
    object.add("tid", thread);
  object.raw("args", JsonObject().add("name", value).str());
  events.push_back(object.str());
}

void TraceWriter::threads(const TraceFunction &function) {
  std::map<int, std::string> names;
  for (const TraceRegion &region : function.regions)
    for (const Node &node : region.problem.nodes) {
      if (node.uses.empty())
        names.emplace(kNodeThread, "no unit");
      for (const SlotUse &use : node.uses) {
        std::string name = nameOfRow(use.row);
        size_t agent = isAgentRow(use.row) ? use.row - kNumSlots : SIZE_MAX;
        if (agent < region.problem.agents.size())
          name += " " + region.problem.agents[agent].name;
        names.emplace(threadOf(use.row), name);
      }
    }
  names.emplace(kAttemptThread, "attempts");
  metadata("process_name", -1, function.name);
  for (const auto &[thread, name] : names)
    metadata("thread_name", thread, name);
}

static std::string titleOf(const Node &node) {
  return node.op.empty() ? node.name : node.op;
}

static const std::string &agentName(const Problem &problem, const Node &node) {
  static const std::string none = "";
  return node.agent >= 0 && node.agent < int(problem.agents.size())
             ? problem.agents[node.agent].name
             : none;
}

/// Draws the reservations of `node`; a node without reservations gets one
/// cycle.
void TraceWriter::slices(const TraceRegion &region, int number, int iteration,
                         int v) {
  const Schedule &schedule = region.result.schedule;
  const Node &node = region.problem.nodes[v];
  Cycles start = base + schedule.start[v] + iteration * schedule.ii;
  auto slice = [&](int thread, Cycles offset, Cycles duration) {
    JsonObject arguments;
    arguments.add("node", int64_t(v))
        .add("iter", iteration)
        .add("stage", schedule.stage[v])
        .add("order", schedule.order[v])
        .add("row", schedule.rowOf(v))
        .add("agent", agentName(region.problem, node))
        .add("atom", node.atom)
        .add("minLatency", node.latency)
        .add("actualLatency", actualLatency(region, v))
        .add("loc", node.location)
        .add("region", number);
    JsonObject object = event("X", titleOf(node));
    object.add("cat", "anchor")
        .add("pid", process)
        .add("tid", thread)
        .add("ts", start + offset)
        .add("dur", duration)
        .raw("args", arguments.str());
    events.push_back(object.str());
  };
  for (const SlotUse &use : node.uses)
    slice(threadOf(use.row), use.offset, use.duration);
  if (node.uses.empty())
    slice(kNodeThread, 0, 1);
}

/// Writes one end of a dependence that leaves `iteration`, in the first slice
/// of its node.
void TraceWriter::flow(const TraceRegion &region, int iteration, size_t index,
                       bool isStart) {
  const Schedule &schedule = region.result.schedule;
  const Edge &edge = region.problem.edges[index];
  Cycles from = schedule.start[edge.from],
         to = schedule.start[edge.to] + edge.distance * schedule.ii;
  const std::vector<SlotUse> &uses =
      region.problem.nodes[isStart ? edge.from : edge.to].uses;
  JsonObject object;
  object.add("ph", isStart ? "s" : "f")
      .add("id", flows + iteration * int64_t(region.problem.edges.size()) +
                     int64_t(index))
      .add("name", nameOf(edge.kind))
      .add("cat", "dep")
      .add("pid", process)
      .add("tid", uses.empty() ? kNodeThread : threadOf(uses[0].row))
      .add("ts", base + iteration * schedule.ii + (isStart ? from : to) +
                     (uses.empty() ? 0 : uses[0].offset));
  if (!isStart) {
    JsonObject arguments;
    arguments.add("delay", edge.delay)
        .add("distance", edge.distance)
        .add("slack", to - from - edge.delay);
    object.add("bp", "e").raw("args", arguments.str());
  }
  events.push_back(object.str());
}

void TraceWriter::storage(const TraceRegion &region) {
  auto counter = [&](const char *name, const char *unit, int64_t value) {
    JsonObject object = event("C", name);
    object.add("pid", process)
        .add("ts", base)
        .raw("args", JsonObject().add(unit, value).str());
    events.push_back(object.str());
  };
  if (region.usage.sharedBytes)
    counter("smem bytes", "bytes", region.usage.sharedBytes);
  if (region.usage.tensorColumns)
    counter("tmem columns", "columns", region.usage.tensorColumns);
}

void TraceWriter::summary(const TraceRegion &region, int number) {
  const Result &result = region.result;
  JsonObject arguments;
  arguments.add("region", number)
      .add("II", result.schedule.ii)
      .add("ResMII", result.bounds.resource)
      .add("RecMII", result.bounds.recurrence)
      .add("FineMII", result.bounds.fine)
      .add("DepMII", result.bounds.dependence)
      .add("binding", result.bounds.binding(region.problem))
      .add("stages", result.schedule.numStages)
      .add("ringDepth", pipelineDepth(region))
      .add("quantum", result.quantum)
      .add("constraintIterations", region.constraintIterations)
      .add("generator", nameOf(result.generator))
      .raw("seed", region.seed ? std::to_string(*region.seed) : "null");
  JsonObject object;
  object.add("ph", "i")
      .add("s", "p")
      .add("name", "region")
      .add("pid", process)
      .add("ts", base)
      .raw("args", arguments.str());
  events.push_back(object.str());
}

void TraceWriter::attempts(const TraceRegion &region) {
  size_t numFailed = 0;
  Cycles at = base; // distinct times: a viewer stacks events of equal time
  for (const Attempt &attempt : region.result.attempts) {
    if (!attempt.succeeded && numFailed++ >= kShownAttempts)
      continue;
    JsonObject arguments;
    arguments.add("II", attempt.ii)
        .add("arm", nameOf(attempt.strategy))
        .add("result", attempt.succeeded ? "ok" : "failed")
        .add("evictions", attempt.evictions)
        .add("g1", attempt.gates[0])
        .add("g2", attempt.gates[1])
        .add("g3", attempt.gates[2])
        .add("g4", attempt.gates[3]);
    JsonObject object;
    object.add("ph", "i")
        .add("s", "t")
        .add("name", "attempt")
        .add("pid", process)
        .add("tid", kAttemptThread)
        .add("ts", at++)
        .raw("args", arguments.str());
    events.push_back(object.str());
  }
}

void TraceWriter::region(const TraceRegion &region, int number) {
  const Schedule &schedule = region.result.schedule;
  summary(region, number);
  attempts(region);
  if (!region.result.isFeasible)
    return;
  storage(region);
  // A flow event follows its slice: other slices may begin at the same time.
  FlowEdges shown(region.problem);
  for (int iteration = 0; iteration < schedule.numStages; ++iteration)
    for (size_t v = 0; v < region.problem.nodes.size(); ++v) {
      slices(region, number, iteration, int(v));
      for (size_t e : shown.entering[v])
        if (int first = iteration - region.problem.edges[e].distance;
            first >= 0)
          flow(region, first, e, /*isStart=*/false);
      for (size_t e : shown.leaving[v])
        if (iteration + region.problem.edges[e].distance < schedule.numStages)
          flow(region, iteration, e, /*isStart=*/true);
    }
  flows += schedule.numStages * int64_t(region.problem.edges.size());
  Cycles end = 0;
  for (size_t v = 0; v < schedule.start.size(); ++v)
    end = std::max(end, schedule.start[v] + region.problem.nodes[v].latency);
  base += end + schedule.numStages * schedule.ii;
}

void TraceWriter::function(const TraceFunction &function) {
  threads(function);
  base = 0;
  for (size_t i = 0; i < function.regions.size(); ++i)
    region(function.regions[i], int(i));
}

int pipelineDepth(const TraceRegion &region) {
  int depth = 0;
  for (size_t i = 0; i < region.usage.lifetimes.size(); ++i)
    if (region.problem.values[i].storage == Storage::Shared)
      depth = std::max(depth, region.usage.lifetimes[i].depth);
  return depth;
}

int64_t actualLatency(const TraceRegion &region, int node) {
  const Schedule &schedule = region.result.schedule;
  int64_t least = INT64_MAX;
  for (const Edge &edge : region.problem.edges)
    if (edge.from == node && edge.to != node && edge.kind != EdgeKind::Capacity)
      least = std::min(least, schedule.start[edge.to] - schedule.start[node] +
                                  edge.distance * schedule.ii);
  return least == INT64_MAX ? region.problem.nodes[node].latency : least;
}

std::string printChromeTrace(const Trace &trace) {
  std::vector<std::string> events;
  int64_t flows = 0;
  for (size_t i = 0; i < trace.functions.size(); ++i)
    TraceWriter(int(i), events, flows).function(trace.functions[i]);
  JsonObject other;
  other.add("tool", "tileir")
      .add("traceVersion", 1)
      .add("modelVersion", trace.modelVersion)
      .add("target", trace.target)
      .add("v2OptLevel", trace.v2OptLevel);
  std::string out =
      "{\"displayTimeUnit\":\"ns\",\n\"otherData\":" + other.str() +
      ",\n\"traceEvents\":[";
  for (size_t i = 0; i < events.size(); ++i)
    out += (i ? ",\n" : "\n") + events[i];
  return out + "\n]}\n";
}

std::string writeTraceFile(const std::string &path, const std::string &text) {
  OutputRequest request;
  request.path = path;
  request.bytes = text;
  int error = writeOutput(request);
  return error ? "could not open schedule trace file '" + path +
                     "': " + strerror(error)
               : "";
}

} // namespace tileir::schedule

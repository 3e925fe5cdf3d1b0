// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/text/ProblemText.h"

namespace tileir::schedule {

namespace {

/// Writes the format of the parser.
class Printer {
public:
  explicit Printer(const Problem &problem) : problem(problem) {}

  std::string run();

private:
  void printNode(const Node &node);
  void printEdge(const Edge &edge);
  void printValue(const Value &value);
  bool isOfPipeline(const Edge &edge) const;
  /// Writes ` key=number` unless it is the default.
  void key(const char *name, int64_t number, int64_t usual = 0) {
    if (number != usual)
      out += std::string(" ") + name + "=" + std::to_string(number);
  }
  void key(const char *name, const std::string &word) {
    if (!word.empty())
      out += std::string(" ") + name + "=" + word;
  }
  const std::string &nodeName(int v) const { return problem.nodes[v].name; }
  /// Returns the name as the problem text spells it.
  static std::string rowName(Row row) {
    return isAgentRow(row) ? "agent" + std::to_string(row - kNumSlots)
                           : nameOfRow(row);
  }

  const Problem &problem;
  std::string out;
};

} // namespace

void Printer::printNode(const Node &node) {
  out += "node " + node.name;
  if (node.cls != OpClass::Other)
    key("class", nameOf(node.cls));
  if (node.agent >= 0 && node.agent < int(problem.agents.size()))
    key("agent", problem.agents[node.agent].name);
  key("latency", node.latency);
  key("issue", node.issueCost);
  key("max_depth", node.maxDepth, kNoDepthLimit);
  key("op", node.op);
  key("atom", node.atom);
  key("at", node.location);
  if (!node.uses.empty())
    out += " :";
  for (const SlotUse &use : node.uses) {
    key(rowName(use.row).c_str(), use.duration);
    if (use.offset)
      out += "@" + std::to_string(use.offset);
  }
  out += "\n";
}

/// Returns whether a value's `max_buffers` implies the edge.
bool Printer::isOfPipeline(const Edge &edge) const {
  if (edge.kind != EdgeKind::Anti)
    return false;
  for (const Value &value : problem.values)
    for (const Reader &reader : value.readers)
      for (int producer : value.producers) {
        Edge pipeline =
            problem.pipelineEdge(reader, producer, value.maxBuffers);
        if (value.maxBuffers && pipeline.from == edge.from &&
            pipeline.to == edge.to && pipeline.delay == edge.delay &&
            pipeline.distance == edge.distance)
          return true;
      }
  return false;
}

void Printer::printEdge(const Edge &edge) {
  if (isOfPipeline(edge))
    return;
  if (edge.kind == EdgeKind::Capacity && edge.distance == 0) {
    out += "max_distance " + nodeName(edge.to) + " " + nodeName(edge.from) +
           " " + std::to_string(-edge.delay) + "\n";
    return;
  }
  out += "edge " + nodeName(edge.from) + " -> " + nodeName(edge.to);
  key("delay", edge.delay);
  key("distance", edge.distance);
  if (edge.kind != EdgeKind::Flow)
    key("kind", nameOf(edge.kind));
  out += "\n";
}

void Printer::printValue(const Value &value) {
  out += "value " + value.name + " " + nameOf(value.storage);
  key("bytes", value.bytes);
  key("columns", value.columns);
  key("max_buffers", value.maxBuffers);
  key("barrier_bytes", value.barrierBytes, Value().barrierBytes);
  key("recompute", value.maxRecomputations);
  out += " :";
  for (int producer : value.producers)
    out += " " + nodeName(producer);
  out += " ->";
  for (const Reader &reader : value.readers) {
    out += " " + nodeName(reader.node);
    if (reader.arriveLatency)
      out += "+" + std::to_string(reader.arriveLatency);
    if (reader.distance)
      out += "@" + std::to_string(reader.distance);
  }
  out += "\n";
}

std::string Printer::run() {
  auto line = [&](const char *word, const std::string &rest) {
    if (!rest.empty())
      out += std::string(word) + " " + rest + "\n";
  };
  line("problem", problem.name);
  line("target", problem.target);
  for (const Agent &agent : problem.agents) {
    out += "agent " + agent.name;
    key("warps", agent.warps, Agent().warps);
    key("registers", agent.registerBudget);
    out += "\n";
  }
  for (const Pool &pool : problem.pools) {
    out += "pool " + pool.name + " capacity=" + std::to_string(pool.capacity) +
           " :";
    for (const auto &[row, weight] : pool.weights)
      key(rowName(row).c_str(), weight, INT64_MIN);
    out += "\n";
  }
  for (const Node &node : problem.nodes)
    printNode(node);
  for (const Edge &edge : problem.edges)
    printEdge(edge);
  for (const SameDepth &pair : problem.sameDepth)
    out += "same_depth " + nodeName(pair.a) + " " + nodeName(pair.b) + "\n";
  for (const Value &value : problem.values)
    printValue(value);
  auto limits = [&](const char *word, auto keys) {
    size_t before = out.size();
    out += word;
    size_t after = out.size();
    keys();
    if (out.size() == after)
      out.resize(before);
    else
      out += "\n";
  };
  limits("capacity", [&] {
    key("shared", problem.capacities.sharedBytes);
    key("tensor", problem.capacities.tensorColumns);
    key("barriers", problem.capacities.namedBarriers);
  });
  limits("fixed", [&] {
    key("shared", problem.fixed.sharedBytes);
    key("tensor", problem.fixed.tensorColumns);
    key("barriers", problem.fixed.namedBarriers);
    key("registers", problem.fixed.registers, FixedUse().registers);
  });
  if (problem.maxII)
    out += "max_ii " + std::to_string(problem.maxII) + "\n";
  if (problem.surcharge)
    out += "surcharge " + std::to_string(problem.surcharge) + "\n";
  if (problem.forceSerial)
    out += "serial\n";
  if (problem.isLinear)
    out += "linear\n";
  return out;
}

std::string printProblem(const Problem &problem) {
  return Printer(problem).run();
}

} // namespace tileir::schedule

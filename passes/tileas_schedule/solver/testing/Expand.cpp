// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/testing/Expand.h"

#include <algorithm>

namespace tileir::schedule::testing {

namespace {

class Expansion {
public:
  Expansion(const Problem &problem, const Schedule &schedule)
      : problem(problem), schedule(schedule),
        iterations(3 * std::max(1, schedule.numStages)) {}

  std::string run() {
    for (size_t v = 0; v < problem.nodes.size(); ++v)
      for (int i = 0; i < iterations; ++i)
        issue(int(v), i);
    checkDepths();
    checkWaits();
    checkPipelines();
    checkBody();
    return fault;
  }

private:
  Cycles startOf(int v, int iteration) const {
    return schedule.start[size_t(v)] + Cycles(iteration) * schedule.ii;
  }
  std::string place(int v, int iteration) const {
    return "'" + problem.nodes[size_t(v)].name + "' of iteration " +
           std::to_string(iteration);
  }
  void report(const std::string &what) {
    if (fault.empty())
      fault = what;
  }

  /// Marks each cycle that the operation reserves.
  void issue(int v, int iteration) {
    Cycles t = startOf(v, iteration);
    if (t < 0)
      report(place(v, iteration) + " begins before cycle 0");
    for (const SlotUse &use : problem.nodes[size_t(v)].uses)
      for (Cycles c = 0; c < use.duration; ++c) {
        size_t cycle = size_t(std::max<Cycles>(0, t + use.offset + c));
        std::vector<int> &row = users[use.row];
        if (row.size() <= cycle)
          row.resize(2 * cycle + 1, 0);
        if (row[cycle] != 0)
          report("cycle " + std::to_string(cycle) + ": " + place(v, iteration) +
                 " and '" + problem.nodes[size_t(row[cycle]) - 1].name +
                 "' on '" + nameOfRow(use.row) + "'");
        row[cycle] = v + 1;
      }
  }

  void checkDepths() {
    for (size_t v = 0; v < problem.nodes.size(); ++v) {
      Cycles deep = schedule.start[v] / schedule.ii;
      if (deep != schedule.stage[v])
        report(place(int(v), 0) + " is not in its stage");
      int limit = problem.nodes[v].maxDepth;
      if (limit >= 0 && deep > limit)
        report(place(int(v), 0) + " is deeper than its limit");
    }
    for (const SameDepth &pair : problem.sameDepth)
      if (schedule.start[size_t(pair.a)] / schedule.ii !=
          schedule.start[size_t(pair.b)] / schedule.ii)
        report(place(pair.a, 0) + " and " + place(pair.b, 0) +
               " are in different stages");
  }

  void checkWaits() {
    for (const Edge &edge : problem.edges)
      for (int i = 0; i + edge.distance < iterations; ++i)
        if (startOf(edge.to, i + edge.distance) <
            startOf(edge.from, i) + edge.delay)
          report(place(edge.to, i + edge.distance) + " does not wait for " +
                 place(edge.from, i));
  }

  /// Fills a slot when a producer begins, frees it when the last reader ends.
  void checkPipelines() {
    for (const Value &value : problem.values) {
      if (value.maxBuffers == 0 || value.readers.empty())
        continue;
      std::vector<std::pair<Cycles, int>> events;
      for (int i = 0; i < iterations; ++i) {
        Cycles begin = startOf(value.producers[0], i);
        for (int producer : value.producers)
          begin = std::min(begin, startOf(producer, i));
        Cycles end = begin;
        for (const Reader &reader : value.readers)
          end = std::max(end, startOf(reader.node, i + reader.distance) +
                                  problem.nodes[size_t(reader.node)].latency +
                                  reader.arriveLatency);
        events.push_back({begin, 1});
        events.push_back({end, -1});
      }
      // A slot is free in the cycle in which its use ends.
      std::sort(events.begin(), events.end());
      int live = 0;
      for (auto [cycle, change] : events) {
        live += change;
        if (live > value.maxBuffers)
          report("cycle " + std::to_string(cycle) + ": " +
                 std::to_string(live) + " slots of '" + value.name + "'");
      }
    }
  }

  /// Executes the body like generated code: all operations in order, each for
  /// the iteration of its stage. Their operands must have been computed.
  void checkBody() {
    size_t n = problem.nodes.size();
    std::vector<int> byPlace(n, -1);
    for (size_t v = 0; v < n; ++v) {
      size_t at = size_t(schedule.order[v]);
      if (at >= n || byPlace[at] >= 0) {
        report(place(int(v), 0) + " has no place of its own");
        return;
      }
      byPlace[at] = int(v);
    }
    std::vector<std::vector<const Edge *>> needs(n);
    for (const Edge &edge : problem.edges)
      if (edge.kind != EdgeKind::Capacity && edge.from != edge.to)
        needs[size_t(edge.to)].push_back(&edge);
    // The iterations of an operation are executed one after the other.
    std::vector<int> done(n, 0);
    for (int pass = 0; pass < iterations + schedule.numStages; ++pass)
      for (int v : byPlace) {
        int iteration = pass - schedule.stage[size_t(v)];
        if (iteration < 0 || iteration >= iterations)
          continue;
        for (const Edge *edge : needs[size_t(v)]) {
          int from = iteration - edge->distance;
          if (from >= done[size_t(edge->from)])
            report(place(v, iteration) + " is executed before " +
                   place(edge->from, from));
        }
        done[size_t(v)] = iteration + 1;
      }
  }

  const Problem &problem;
  const Schedule &schedule;
  int iterations;
  std::string fault;
  /// The iteration and node that occupy each cycle, by row.
  std::vector<int> users[kNumRows];
};

} // namespace

std::string expandSchedule(const Problem &problem, const Schedule &schedule) {
  return Expansion(problem, schedule).run();
}

} // namespace tileir::schedule::testing

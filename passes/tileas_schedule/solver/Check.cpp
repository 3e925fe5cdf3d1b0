// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Check.h"

#include <algorithm>

namespace tileir::schedule {

namespace {

class Checker {
public:
  Checker(const Problem &problem, const Schedule &schedule)
      : problem(problem), schedule(schedule) {}

  std::string run() const {
    size_t n = problem.nodes.size();
    if (schedule.ii < 1)
      return "the interval is " + std::to_string(schedule.ii);
    if (schedule.start.size() != n || schedule.stage.size() != n ||
        schedule.order.size() != n)
      return "the schedule has " + std::to_string(schedule.start.size()) +
             " operations, the problem has " + std::to_string(n);
    for (auto check : {&Checker::checkStages, &Checker::checkEdges,
                       &Checker::checkRows, &Checker::checkOrder})
      if (std::string fault = (this->*check)(); !fault.empty())
        return fault;
    return "";
  }

private:
  std::string nameOf(int v) const { return "'" + problem.nodes[v].name + "'"; }

  std::string checkStages() const {
    int stages = 0;
    for (int v = 0; v < int(problem.nodes.size()); ++v) {
      if (schedule.start[v] < 0)
        return nameOf(v) + " starts before cycle 0";
      if (schedule.stage[v] != schedule.start[v] / schedule.ii)
        return nameOf(v) + " is not in the stage of its start";
      stages = std::max(stages, schedule.stage[v] + 1);
      int depth = problem.nodes[v].maxDepth;
      if (depth >= 0 && schedule.stage[v] > depth)
        return nameOf(v) + " is in stage " + std::to_string(schedule.stage[v]) +
               ", its limit is " + std::to_string(depth);
    }
    for (const SameDepth &pair : problem.sameDepth)
      if (schedule.stage[pair.a] != schedule.stage[pair.b])
        return nameOf(pair.a) + " and " + nameOf(pair.b) +
               " are in different stages";
    return stages == schedule.numStages ? "" : "the number of stages is wrong";
  }

  std::string checkEdges() const {
    for (const Edge &edge : problem.edges) {
      Cycles early = schedule.start[edge.from] + edge.delay -
                     schedule.start[edge.to] - schedule.ii * edge.distance;
      if (early > 0)
        return "edge " + nameOf(edge.from) + " -> " + nameOf(edge.to) +
               ": starts at " + std::to_string(schedule.start[edge.to]) + ", " +
               std::to_string(early) + " cycles too early";
    }
    return "";
  }

  /// Checks the reservations of each row, sorted by their first cycle.
  std::string checkRows() const {
    struct Span {
      Cycles begin, length;
      int node;
    };
    std::vector<std::vector<Span>> rows(kNumRows);
    for (int v = 0; v < int(problem.nodes.size()); ++v)
      for (const SlotUse &use : problem.nodes[v].uses)
        rows[use.row].push_back(
            {(schedule.start[v] + use.offset) % schedule.ii, use.duration, v});
    for (unsigned row = 0; row < kNumRows; ++row) {
      std::vector<Span> &spans = rows[row];
      std::sort(spans.begin(), spans.end(),
                [](const Span &a, const Span &b) { return a.begin < b.begin; });
      for (size_t i = 0; i < spans.size(); ++i) {
        bool isLast = i + 1 == spans.size();
        const Span &next = spans[isLast ? 0 : i + 1];
        Cycles room = next.begin - spans[i].begin + (isLast ? schedule.ii : 0);
        if (spans[i].length > room)
          return nameOf(spans[i].node) + " and " + nameOf(next.node) +
                 " reserve '" + nameOfRow(Row(row)) + "' at the same time";
      }
    }
    return "";
  }

  std::string checkOrder() const {
    std::vector<char> taken(problem.nodes.size(), 0);
    for (int place : schedule.order) {
      if (place < 0 || place >= int(taken.size()) || taken[place])
        return "the order is not a permutation";
      taken[place] = 1;
    }
    for (const Edge &edge : problem.edges) {
      bool holds =
          edge.kind != EdgeKind::Capacity && edge.from != edge.to &&
          schedule.stage[edge.from] - schedule.stage[edge.to] == edge.distance;
      if (holds && schedule.order[edge.from] > schedule.order[edge.to])
        return nameOf(edge.to) + " stands before " + nameOf(edge.from) +
               ", which it needs in the same pass through the body";
    }
    return "";
  }

  const Problem &problem;
  const Schedule &schedule;
};

} // namespace

std::string checkSchedule(const Problem &problem, const Schedule &schedule) {
  return Checker(problem, schedule).run();
}

} // namespace tileir::schedule

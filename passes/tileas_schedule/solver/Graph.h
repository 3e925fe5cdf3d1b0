// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edges of a problem by node, and its strongly connected components.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_GRAPH_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_GRAPH_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

/// Division of integers, rounded up, for a positive divisor.
inline Cycles ceilDiv(Cycles a, Cycles b) {
  return a > 0 ? (a + b - 1) / b : -(-a / b);
}
inline Cycles floorDiv(Cycles a, Cycles b) { return -ceilDiv(-a, b); }

constexpr Cycles kNoPath = INT64_MIN / 4;

class Graph {
public:
  explicit Graph(const Problem &problem);

  struct Range {
    const int *first, *last;
    const int *begin() const { return first; }
    const int *end() const { return last; }
    size_t size() const { return size_t(last - first); }
  };

  int size() const { return numNodes; }
  const Edge &edge(int index) const { return edges[index]; }
  /// Indices of edges.
  Range outgoing(int v) const { return range(outBegin, outEdges, v); }
  Range incoming(int v) const { return range(inBegin, inEdges, v); }

  /// Components in an order in which every edge goes to its own or an earlier
  /// one, and the members of each.
  int numComponents() const { return int(componentBegin.size()) - 1; }
  int componentOf(int v) const { return component[v]; }
  Range members(int c) const { return range(componentBegin, byComponent, c); }

  /// For each node the longest path that leaves it, at least 0, under the
  /// weights delay - II * distance, without edges to itself. False when a cycle
  /// is positive.
  bool computeHeights(Cycles ii, std::vector<Cycles> &heights,
                      uint64_t &work) const;
  /// Longest paths between all nodes; `kNoPath` where there is none. `n` rows
  /// of `n`. For small graphs.
  std::vector<Cycles> computeMinDist(Cycles ii) const;

private:
  static Range range(const std::vector<int> &begin,
                     const std::vector<int> &items, int i) {
    return {items.data() + begin[i], items.data() + begin[i + 1]};
  }
  void findComponents();

  const std::vector<Edge> &edges;
  int numNodes;
  std::vector<int> outBegin, outEdges, inBegin, inEdges;
  std::vector<int> component, componentBegin, byComponent;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_GRAPH_H

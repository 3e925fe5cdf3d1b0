// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of a problem by node, and its strongly connected components.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_GRAPH_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_GRAPH_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

/// Divides integers and rounds up; the divisor is positive.
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

  /// Strongly connected components and the members of each. Every edge leads to
  /// its own or to an earlier component.
  int numComponents() const { return int(componentBegin.size()) - 1; }
  int componentOf(int v) const { return component[v]; }
  Range members(int c) const { return range(componentBegin, byComponent, c); }

  /// Computes for each node the longest outgoing path, at least 0, under the
  /// weights delay - II * distance, without self edges. Returns false if a
  /// cycle is positive.
  bool computeHeights(Cycles ii, std::vector<Cycles> &heights,
                      uint64_t &work) const;
  /// Returns the longest paths between all nodes as `n` rows of `n`; `kNoPath`
  /// where there is none. For small graphs.
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

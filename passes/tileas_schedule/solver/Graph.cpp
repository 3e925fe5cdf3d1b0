// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Graph.h"

#include <algorithm>

namespace tileir::schedule {

/// Sorts 0 to `count` - 1 stably by the bucket that `bucketOf` returns.
template <typename BucketOf>
static void bucketSort(int numBuckets, int count, BucketOf bucketOf,
                       std::vector<int> &begin, std::vector<int> &items) {
  begin.assign(size_t(numBuckets) + 1, 0);
  items.resize(size_t(count));
  for (int i = 0; i < count; ++i)
    ++begin[bucketOf(i) + 1];
  for (int b = 0; b < numBuckets; ++b)
    begin[b + 1] += begin[b];
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (int i = 0; i < count; ++i)
    items[next[bucketOf(i)]++] = i;
}

Graph::Graph(const Problem &problem)
    : edges(problem.edges), numNodes(int(problem.nodes.size())) {
  int count = int(edges.size());
  bucketSort(
      numNodes, count, [&](int e) { return edges[e].from; }, outBegin,
      outEdges);
  bucketSort(
      numNodes, count, [&](int e) { return edges[e].to; }, inBegin, inEdges);
  findComponents();
}

/// Tarjan's algorithm with an explicit stack.
void Graph::findComponents() {
  struct Frame {
    int node, nextEdge;
  };
  std::vector<int> index(size_t(numNodes), -1), low(size_t(numNodes), 0);
  std::vector<char> onStack(size_t(numNodes), 0);
  std::vector<int> stack;
  std::vector<Frame> frames;
  component.assign(size_t(numNodes), -1);
  int counter = 0, numFound = 0;
  for (int root = 0; root < numNodes; ++root) {
    if (index[root] >= 0)
      continue;
    frames.push_back({root, outBegin[root]});
    while (!frames.empty()) {
      Frame &frame = frames.back();
      int v = frame.node;
      if (index[v] < 0) {
        index[v] = low[v] = counter++;
        stack.push_back(v);
        onStack[v] = 1;
      }
      if (frame.nextEdge < outBegin[v + 1]) {
        int w = edges[outEdges[frame.nextEdge++]].to;
        if (index[w] < 0)
          frames.push_back({w, outBegin[w]});
        else if (onStack[w])
          low[v] = std::min(low[v], index[w]);
        continue;
      }
      if (low[v] == index[v]) {
        int w;
        do {
          w = stack.back();
          stack.pop_back();
          onStack[w] = 0;
          component[w] = numFound;
        } while (w != v);
        ++numFound;
      }
      frames.pop_back();
      if (!frames.empty()) {
        int parent = frames.back().node;
        low[parent] = std::min(low[parent], low[v]);
      }
    }
  }
  bucketSort(
      numFound, numNodes, [&](int v) { return component[v]; }, componentBegin,
      byComponent);
}

bool Graph::computeHeights(Cycles ii, std::vector<Cycles> &heights,
                           uint64_t &work) const {
  heights.assign(size_t(numNodes), 0);
  // Edges lead to earlier components, whose heights are final.
  for (int c = 0; c < numComponents(); ++c) {
    Range nodes = members(c);
    bool changed = true;
    for (size_t round = 0; changed; ++round) {
      if (round > nodes.size())
        return false;
      changed = false;
      for (const int *it = nodes.end(); it != nodes.begin();) {
        int v = *--it;
        Cycles best = heights[v];
        for (int e : outgoing(v)) {
          const Edge &out = edges[e];
          if (out.to != v)
            best =
                std::max(best, heights[out.to] + out.delay - ii * out.distance);
        }
        work += outgoing(v).size() + 1;
        if (best > heights[v]) {
          heights[v] = best;
          changed = true;
        }
      }
      if (nodes.size() == 1)
        break;
    }
  }
  return true;
}

std::vector<Cycles> Graph::computeMinDist(Cycles ii) const {
  size_t n = size_t(numNodes);
  std::vector<Cycles> dist(n * n, kNoPath);
  for (const Edge &e : edges) {
    Cycles &d = dist[size_t(e.from) * n + size_t(e.to)];
    d = std::max(d, e.delay - ii * e.distance);
  }
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < n; ++i) {
      Cycles first = dist[i * n + k];
      if (first == kNoPath)
        continue;
      for (size_t j = 0; j < n; ++j)
        if (dist[k * n + j] != kNoPath)
          dist[i * n + j] = std::max(dist[i * n + j], first + dist[k * n + j]);
    }
  return dist;
}

} // namespace tileir::schedule

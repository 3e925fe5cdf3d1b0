// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/Strategies.h"

#include <algorithm>

namespace tileir::schedule {

FusedProblem::FusedProblem(const Problem &problem) {
  std::vector<int> group = problem.depthGroups();
  std::vector<int> size(group.size(), 0);
  for (int g : group)
    useful |= ++size[g] > 1;
  if (!useful)
    return;
  build(problem, group);
  // Two groups may depend on each other's members.
  useful = !computeBounds(fused).isInfinite;
  if (useful)
    placement = std::make_unique<Placement>(fused, spans);
}

void FusedProblem::build(const Problem &problem,
                         const std::vector<int> &group) {
  size_t n = problem.nodes.size();
  macro.assign(n, -1);
  offset.assign(n, 0);
  for (size_t v = 0; v < n; ++v) {
    if (group[v] == int(v)) {
      macro[v] = fused.addNode({});
      fused.nodes.back().name = problem.nodes[v].name;
      fused.nodes.back().cls = problem.nodes[v].cls;
      fused.nodes.back().agent = problem.nodes[v].agent;
    }
    macro[v] = macro[group[v]];
  }
  // Longest paths of distance 0 from the members of the same group, through any
  // nodes in between. Groups are few and small.
  std::vector<Edge> forward;
  for (const Edge &edge : problem.edges)
    if (edge.distance == 0)
      forward.push_back(edge);
  std::vector<int> size(n, 0);
  for (int g : group)
    ++size[g];
  for (size_t g = 0; g < n; ++g) {
    if (size[g] < 2)
      continue;
    std::vector<Cycles> length(n, kNoPath);
    for (size_t v = 0; v < n; ++v)
      if (group[v] == int(g))
        length[v] = 0;
    bool changed = true;
    for (size_t round = 0; changed && round <= n; ++round) {
      changed = false;
      for (const Edge &edge : forward)
        if (length[edge.from] != kNoPath &&
            length[edge.from] + edge.delay > length[edge.to]) {
          length[edge.to] = length[edge.from] + edge.delay;
          changed = true;
        }
    }
    for (size_t v = 0; v < n; ++v)
      if (group[v] == int(g))
        offset[v] = length[v];
  }
  spans.assign(fused.nodes.size(), 0);
  for (size_t v = 0; v < n; ++v) {
    Node &node = fused.nodes[macro[v]];
    for (SlotUse use : problem.nodes[v].uses) {
      use.offset += offset[v];
      node.uses.push_back(use);
    }
    node.latency = std::max(node.latency, offset[v] + problem.nodes[v].latency);
    spans[macro[v]] = std::max(spans[macro[v]], offset[v]);
    int depth = problem.nodes[v].maxDepth;
    if (depth >= 0)
      node.maxDepth =
          node.maxDepth < 0 ? depth : std::min(depth, node.maxDepth);
  }
  for (const Edge &edge : problem.edges) {
    Cycles delay = edge.delay + offset[edge.from] - offset[edge.to];
    bool isKept =
        macro[edge.from] != macro[edge.to] || edge.distance > 0 || delay > 0;
    if (isKept)
      fused.addEdge(macro[edge.from], macro[edge.to], delay, edge.distance,
                    edge.kind);
  }
}

bool FusedProblem::run(const PlacementSettings &settings, Attempt &attempt,
                       std::vector<Cycles> &start) {
  if (!placement->run(settings, attempt))
    return false;
  start.resize(macro.size());
  for (size_t v = 0; v < macro.size(); ++v)
    start[v] = placement->starts()[macro[v]] + offset[v];
  return true;
}

} // namespace tileir::schedule

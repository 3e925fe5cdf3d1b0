// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/graph/InOrderModel.h"

#include "dialects/support/Heuristics.h"

#include <algorithm>
#include <array>

namespace tileir {

using schedule::Cycles;

/// Returns the cycles for which `node` blocks the issue of other instructions.
static Cycles getIssueCycles(const schedule::Node &node) {
  if (schedule::isAsync(node.cls))
    return node.issueCost;
  // Shared memory serves one load instruction in four cycles; the stream goes
  // on meanwhile.
  if (node.cls == schedule::OpClass::SharedLoad)
    return std::max<Cycles>(1, node.issueCost / 4);
  Cycles busy = node.issueCost;
  for (const schedule::SlotUse &use : node.uses) {
    if (!schedule::isAgentRow(use.row) &&
        use.row <= schedule::rowOf(schedule::Slot::Lsu))
      busy = std::max(busy, use.duration);
    // The MMAs of a dot depend on each other through the accumulator; only the
    // last one leaves the stream free.
    if (node.cls == schedule::OpClass::MmaSync &&
        use.row == schedule::rowOf(schedule::Slot::TcAndMma))
      busy = std::max(busy, use.duration * 3 / 4);
  }
  return busy;
}

Cycles modelInOrder(const schedule::Problem &problem, llvm::ArrayRef<int> order,
                    llvm::ArrayRef<int> ahead) {
  constexpr int kIterations = heuristics::modelledIterations,
                kWarm = heuristics::warmIterations;
  int most = *std::max_element(ahead.begin(), ahead.end());
  std::vector<std::vector<const schedule::Edge *>> incoming(
      problem.nodes.size());
  for (const schedule::Edge &edge : problem.edges)
    if (edge.delay >= 0)
      incoming[edge.to].push_back(&edge);
  // Start cycles by iteration of the node; the longest run-ahead shifts them.
  std::vector<std::vector<Cycles>> start(
      problem.nodes.size(), std::vector<Cycles>(kIterations + most, -1));
  std::array<Cycles, schedule::kNumRows> freeAt{};
  Cycles now = 0, warm = 0;
  for (int number = 0; number < kIterations; ++number) {
    if (number == kWarm)
      warm = now;
    for (int v : order) {
      const schedule::Node &node = problem.nodes[v];
      int iteration = number + ahead[v];
      Cycles ready = now;
      for (const schedule::Edge *edge : incoming[v]) {
        int source = iteration - edge->distance;
        if (source >= 0 && start[edge->from][source] >= 0)
          ready = std::max(ready, start[edge->from][source] + edge->delay);
      }
      // Issue is in order: an instruction that waits for its operands blocks
      // all later instructions. Functional units queue work.
      now = ready + getIssueCycles(node);
      for (const schedule::SlotUse &use : node.uses)
        if (!schedule::isAgentRow(use.row))
          ready = std::max(ready, freeAt[use.row]);
      for (const schedule::SlotUse &use : node.uses)
        if (!schedule::isAgentRow(use.row))
          freeAt[use.row] = ready + use.offset + use.duration;
      start[v][iteration] = ready;
    }
  }
  return (now - warm + (kIterations - kWarm) / 2) / (kIterations - kWarm);
}

} // namespace tileir

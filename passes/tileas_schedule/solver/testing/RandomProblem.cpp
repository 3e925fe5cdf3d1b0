// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/testing/RandomProblem.h"
#include "passes/tileas_schedule/solver/Machine.h"
#include "passes/tileas_schedule/solver/SplitMix.h"

#include <algorithm>

namespace tileir::schedule::testing {

static constexpr Slot kSlots[] = {
    Slot::TcAndMma, Slot::TpGnicRd,      Slot::Lsu,      Slot::Xu,
    Slot::DualAlu,  Slot::AluOrFmaHeavy, Slot::TpSmemRd, Slot::TpSmemWr,
    Slot::Tma,      Slot::TpGnicWr,      Slot::TpMma,    Slot::Xu64};

namespace {

class Generator {
public:
  Generator(uint64_t seed, const RandomShape &shape)
      : random(seed * 0x2545F4914F6CDD1Dull + 0x9E37), shape(shape) {}

  Problem run() {
    for (int v = 0; v < shape.numNodes; ++v)
      addNode(v);
    int numForward = shape.numNodes * shape.degree / 2;
    for (int i = 0; i < numForward; ++i)
      addForwardEdge();
    for (int i = int(random.below(uint64_t(shape.numNodes) / 4 + 2)); i > 0;
         --i)
      addCarriedEdge();
    if (shape.constraints && chance(4))
      addConstraints();
    return std::move(problem);
  }

private:
  bool chance(uint64_t oneIn) { return random.below(oneIn) == 0; }
  int anyNode() { return int(random.below(uint64_t(shape.numNodes))); }

  void addNode(int v) {
    Node node;
    node.name = "n" + std::to_string(v);
    node.cls = chance(4) ? OpClass::TmaLoad : OpClass::Fp32;
    // Only composite nodes begin a reservation after their start.
    bool isComposite = chance(16);
    int numUses = 1 + int(chance(3)) + int(chance(6));
    uint64_t used = 0;
    for (int i = 0; i < numUses; ++i) {
      Slot slot = kSlots[random.below(uint64_t(shape.numRows))];
      if (used >> unsigned(slot) & 1)
        continue;
      used |= 1ull << unsigned(slot);
      // Each order of magnitude is equally frequent.
      Cycles most = std::max<Cycles>(1, shape.maxDuration >> random.below(6));
      Cycles offset = isComposite ? random.between(0, most) : 0;
      node.uses.push_back({rowOf(slot), offset, random.between(1, most)});
    }
    Cycles longest = 0;
    for (const SlotUse &use : node.uses)
      longest = std::max(longest, use.duration);
    node.latency = longest + random.between(0, shape.maxDelay / 4);
    problem.addNode(std::move(node));
  }

  void addForwardEdge() {
    int a = anyNode(), b = anyNode();
    if (a == b)
      return;
    int from = std::min(a, b), to = std::max(a, b);
    Cycles delay = chance(8) ? random.between(0, shape.maxDelay)
                             : problem.nodes[from].latency;
    problem.addEdge(from, to, delay, 0,
                    chance(6) ? EdgeKind::Token : EdgeKind::Flow);
  }

  void addCarriedEdge() {
    int a = anyNode(), b = anyNode();
    problem.addEdge(std::max(a, b), std::min(a, b),
                    random.between(0, shape.maxDelay / 2),
                    int(random.between(1, 3)));
  }

  /// Adds limits that the serial schedule satisfies.
  void addConstraints() {
    if (chance(2)) {
      int a = anyNode(), b = anyNode();
      problem.sameDepth.push_back({a, b});
    }
    if (chance(2))
      problem.nodes[anyNode()].maxDepth = int(random.below(3));
    if (chance(2)) {
      Value value;
      value.name = "ring";
      value.bytes = 1024;
      int a = anyNode(), b = anyNode();
      value.producers = {std::min(a, b)};
      value.readers = {{std::max(a, b), random.between(0, 32), 0}};
      if (a != b) {
        problem.values.push_back(value);
        problem.setMaxBuffers(int(problem.values.size()) - 1,
                              int(random.between(1, 3)));
      }
    }
  }

  SplitMix random;
  RandomShape shape;
  Problem problem;
};

} // namespace

Problem makeRandomProblem(uint64_t seed, const RandomShape &shape) {
  if (shape.isLoopLike)
    return makeLoopLike(seed, shape.numNodes);
  Problem problem = Generator(seed, shape).run();
  problem.name = "random" + std::to_string(seed);
  return problem;
}

RandomShape randomShapeOf(uint64_t seed) {
  SplitMix random(seed ^ 0x5eed);
  RandomShape shape;
  shape.degree = int(random.between(1, 4));
  if (seed % 2 == 0) {
    // Intervals up to 24 cycles.
    shape.numNodes = int(random.between(2, 8));
    shape.maxDuration = random.between(1, 6);
    shape.maxDelay = 8;
    shape.numRows = int(random.between(1, 4));
    return shape;
  }
  shape.numNodes = random.below(2) ? int(random.between(9, 40))
                                   : int(random.between(9, 200));
  shape.numRows = int(random.between(2, 12));
  shape.isLoopLike = seed % 4 == 3;
  return shape;
}

Problem makeLoopLike(uint64_t seed, int numNodes) {
  SplitMix random(seed);
  Problem problem;
  problem.name = "loop" + std::to_string(seed);
  std::optional<Target> target = Target::parse("sm_90a");
  Machine machine(*target);
  problem.target = target->name();
  problem.pools = machine.pools();
  for (int v = 0; v < numNodes; ++v) {
    OpWork work;
    int64_t elements = int64_t(128) << random.below(6);
    switch (random.below(10)) {
    case 0:
      work.cls = OpClass::TmaLoad;
      work.boxes = 1;
      work.bytes = elements * 2;
      break;
    case 1:
      work.cls = OpClass::Wgmma;
      work.macs = elements * 64;
      work.operandBytes = elements * 2;
      break;
    case 2:
      work.cls = OpClass::Xu;
      work.elements = elements / 2;
      break;
    case 3:
      work.cls = OpClass::SharedLoad;
      work.bytes = elements * 2;
      break;
    case 4:
      work.cls = OpClass::Convert;
      work.elements = elements;
      break;
    default:
      work.cls = OpClass::Fp32;
      work.elements = elements;
    }
    Node node;
    node.name = "n" + std::to_string(v);
    machine.price(node, work, 8);
    problem.addNode(std::move(node));
  }
  // Most readers are close to their producer.
  for (int e = 0; e < 3 * numNodes / 2; ++e) {
    int to = int(random.between(1, numNodes - 1));
    int reach = random.below(8) ? std::min(to, 16) : to;
    int from = to - int(random.between(1, std::max(1, reach)));
    problem.addEdge(from, to, problem.nodes[from].latency);
  }
  for (int v = 0; v < numNodes; ++v) {
    const Node &node = problem.nodes[v];
    if (isMma(node.cls))
      problem.addEdge(v, v, node.uses[0].duration, 1, EdgeKind::Accumulate);
    else if (random.below(20) == 0 && v > 4)
      problem.addEdge(v, v - int(random.between(0, 4)), node.latency, 1);
  }
  return problem;
}

} // namespace tileir::schedule::testing

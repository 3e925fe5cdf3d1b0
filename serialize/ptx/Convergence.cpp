// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Convergence.h"

#include "serialize/ptx/FunctionBody.h"

#include "dialects/support/Target.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace tileir {

using namespace llvm;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static StringRef getWord(const PtxInstruction &inst) {
  return inst.opcode.split('.').first;
}

/// The constant at position `source` among the operands after the result;
/// without its sign.
static std::optional<uint64_t> getConstant(const PtxInstruction &inst,
                                           unsigned source) {
  uint64_t value;
  if (source >= inst.sources.size() || inst.sources[source].reg ||
      inst.sources[source].text.getAsInteger(0, value))
    return std::nullopt;
  return value;
}

/// Returns whether the last operand of `inst` is the mask of all lanes.
static bool hasFullMask(const PtxInstruction &inst) {
  StringRef shape = inst.shape;
  int64_t mask;
  return !shape.substr(shape.rfind(',') + 1).getAsInteger(0, mask) &&
         uint32_t(mask) == ~uint32_t(0);
}

/// Returns whether all threads of a warp have to execute `inst` together.
static bool isAligned(const PtxInstruction &inst) {
  StringRef word = getWord(inst);
  if (hasModifier(inst.opcode, "aligned"))
    return true;
  if (word == "bar" && !hasModifier(inst.opcode, "warp"))
    return true;
  return word != "barrier" && hasModifier(inst.opcode, "sync") &&
         hasFullMask(inst);
}

namespace {

/// Dependence of an instruction's result on the thread.
enum class Origin {
  Sources, ///< the dependence of its sources
  Lane,    ///< the value of one lane, named by the second source
  Thread,  ///< different in each thread
  Warp,    ///< equal in all threads of a warp
};

} // namespace

static Origin getOrigin(const PtxInstruction &inst,
                        const PtxFunction &function) {
  StringRef word = getWord(inst);
  auto has = [&](StringRef modifier) {
    return hasModifier(inst.opcode, modifier);
  };
  if (word == "vote" || word == "redux" || (word == "match" && has("all")))
    return hasFullMask(inst) ? Origin::Warp : Origin::Thread;
  if ((word == "bar" || word == "barrier") && has("red"))
    return Origin::Warp;
  // `d, a, b, c, mask`: all lanes of a segment read one of its lanes.
  if (word == "shfl")
    return has("idx") && hasFullMask(inst) && inst.sources.size() == 4 &&
                   getConstant(inst, 2) == limits::threadsPerWarp - 1
               ? Origin::Lane
               : Origin::Thread;
  if (word == "ld") {
    // Memory of one thread, and memory that may change between two reads.
    if (has("local") || has("volatile") || has("relaxed") || has("acquire") ||
        has("mmio"))
      return Origin::Thread;
    // Parameters of kernels are uniform, also by address. Parameters of
    // functions are a thread's own, and results of calls have a name only.
    if (has("param") &&
        (!function.isKernel || inst.sources.empty() ||
         (!inst.sources.front().reg &&
          !function.header.contains(inst.sources.front().text))))
      return Origin::Thread;
    return Origin::Sources;
  }
  static constexpr StringLiteral own[] = {
      "activemask", "atom",      "call", "elect",    "ldmatrix", "match",
      "mbarrier",   "movmatrix", "mma",  "multimem", "wgmma",    "wmma"};
  if (is_contained(own, word) || (word == "cvta" && has("local")) ||
      (word == "tcgen05" && has("ld")))
    return Origin::Thread;
  for (const PtxName &source : inst.sources) {
    StringRef name = source.text;
    if (source.reg || !name.consume_front("%"))
      continue;
    if (name.starts_with("laneid") || name.starts_with("lanemask") ||
        name.starts_with("clock") || name.starts_with("globaltimer"))
      return Origin::Thread;
    if (name.starts_with("tid") &&
        !(function.hasOneDimension && name != "tid.x"))
      return Origin::Thread;
  }
  return Origin::Sources;
}

/// The distance of a butterfly exchange of all lanes, `d, a, distance, 31,
/// mask`; 0 for other instructions.
static unsigned getDistance(const PtxInstruction &inst) {
  if (inst.guard || getWord(inst) != "shfl" ||
      !hasModifier(inst.opcode, "bfly") || !hasFullMask(inst) ||
      inst.sources.size() != 4 || !inst.sources.front().reg ||
      getConstant(inst, 2) != limits::threadsPerWarp - 1)
    return 0;
  uint64_t distance = getConstant(inst, 1).value_or(0);
  return isPowerOf2_64(distance) && distance < limits::threadsPerWarp
             ? unsigned(distance)
             : 0;
}

/// Returns whether the first two operands of `inst` commute.
static bool isCommutative(const PtxInstruction &inst) {
  static constexpr StringLiteral words[] = {"add", "mul", "min", "max", "and",
                                            "or",  "xor", "fma", "mad"};
  return inst.sources.size() >= 2 && inst.sources[0].reg &&
         inst.sources[1].reg &&
         (is_contained(words, getWord(inst)) ||
          (getWord(inst) == "setp" &&
           (hasModifier(inst.opcode, "eq") || hasModifier(inst.opcode, "ne"))));
}

//===----------------------------------------------------------------------===//
// Butterflies
//===----------------------------------------------------------------------===//

namespace {

/// Proves that values exchanged with other lanes are equal in all lanes. If an
/// expression of a lane's values stays the same after substitution of another
/// lane's values, both lanes have the same result.
class Butterflies {
public:
  /// `lanes`: for each register, the bits of the lane number on which its value
  /// depends. `hears`: registers computed from butterfly exchanges, for which
  /// `lanes` is not used. `definitions`: for each register, the instruction
  /// that writes it, negative for none.
  Butterflies(const PtxFunction &function, ArrayRef<uint8_t> lanes,
              const BitVector &hears, ArrayRef<int> definitions)
      : function(function), lanes(lanes), hears(hears),
        definitions(definitions) {
    // All exchanged values are known before the first comparison.
    for (unsigned reg : hears.set_bits())
      getNode(reg, 0);
  }

  /// Returns the bits, among `candidates`, of the lane number on which the
  /// value of register `reg` depends.
  uint8_t getLanes(unsigned reg, uint8_t candidates) {
    unsigned node = getNode(reg, 0);
    for (unsigned distance = 1; distance < limits::threadsPerWarp;
         distance *= 2)
      if ((candidates & distance) && exchange(node, distance, 0) == node)
        candidates &= ~distance;
    return candidates;
  }

private:
  /// Limit of the depth of expressions; deeper ones become leaves.
  static constexpr unsigned kMaxDepth = 1000;

  /// An operation on other nodes; equal operations share a node. Leaves have no
  /// operands.
  struct Node {
    std::string what;
    SmallVector<unsigned, 3> operands;
    bool commutes = false;
    /// Bits of the lane number on which the operands depend.
    uint8_t lanes = 0;
    /// Distance of a butterfly exchange; 0 for other nodes.
    unsigned distance = 0;
    /// True for a predicate, or a number 1 or 0 that encodes one.
    bool isBool = false;
  };

  unsigned add(Node node);
  std::optional<unsigned> findBool(const PtxInstruction &inst, unsigned depth);
  unsigned getNode(unsigned reg, unsigned depth);
  Node makeLeaf(unsigned reg) const;
  Node makeNode(unsigned reg, unsigned depth);
  std::optional<unsigned> exchange(unsigned node, unsigned distance,
                                   unsigned depth);

  const PtxFunction &function;
  ArrayRef<uint8_t> lanes;
  const BitVector &hears;
  ArrayRef<int> definitions;
  std::vector<Node> nodes;
  std::map<std::pair<std::string, SmallVector<unsigned, 3>>, unsigned> known;
  DenseMap<unsigned, unsigned> byRegister;
  /// For a node and a distance: the butterfly exchange of the node, which is
  /// its value in the lane at this distance.
  DenseMap<std::pair<unsigned, unsigned>, unsigned> butterflies;
  DenseMap<std::pair<unsigned, unsigned>, std::optional<unsigned>> exchanged;
};

} // namespace

unsigned Butterflies::add(Node node) {
  if (node.commutes && node.operands[1] < node.operands[0])
    std::swap(node.operands[0], node.operands[1]);
  for (unsigned operand : node.operands)
    node.lanes |= nodes[operand].lanes;
  auto [found, isNew] = known.try_emplace(
      std::make_pair(node.what, node.operands), unsigned(nodes.size()));
  if (isNew) {
    if (node.distance)
      butterflies[{node.operands.front(), node.distance}] = found->second;
    nodes.push_back(std::move(node));
  }
  return found->second;
}

/// A predicate is exchanged between lanes as 1 or 0. Returns its node where
/// `inst` converts a predicate to such a number, or back.
std::optional<unsigned> Butterflies::findBool(const PtxInstruction &inst,
                                              unsigned depth) {
  if (inst.guard)
    return std::nullopt;
  StringRef word = getWord(inst);
  if (word == "selp" && inst.shape == ",1,0,%") {
    unsigned node = getNode(*inst.sources.back().reg, depth + 1);
    nodes[node].isBool = true;
    return node;
  }
  bool keeps = (word == "and" && inst.shape == ",%,1") ||
               (word == "setp" && hasModifier(inst.opcode, "ne") &&
                inst.shape == ",%,0");
  if (!keeps)
    return std::nullopt;
  unsigned node = getNode(*inst.sources.front().reg, depth + 1);
  return nodes[node].isBool ? std::optional(node) : std::nullopt;
}

unsigned Butterflies::getNode(unsigned reg, unsigned depth) {
  if (auto found = byRegister.find(reg); found != byRegister.end())
    return found->second;
  // The leaf ends the recursion for a register that depends on itself.
  byRegister[reg] = add(makeLeaf(reg));
  if ((lanes[reg] || hears[reg]) && depth < kMaxDepth &&
      definitions[reg] >= 0) {
    const PtxInstruction &inst = function.instructions[definitions[reg]];
    std::optional<unsigned> same = findBool(inst, depth);
    byRegister[reg] = same ? *same : add(makeNode(reg, depth));
  }
  return byRegister[reg];
}

Butterflies::Node Butterflies::makeLeaf(unsigned reg) const {
  Node leaf;
  leaf.lanes = lanes[reg];
  leaf.what = (leaf.lanes ? "own " : "same ") + std::to_string(reg);
  return leaf;
}

/// Makes the node of the instruction that writes `reg`, or a leaf where
/// registers alone do not determine the value.
Butterflies::Node Butterflies::makeNode(unsigned reg, unsigned depth) {
  const PtxInstruction &inst = function.instructions[definitions[reg]];
  Node node;
  if (unsigned distance = getDistance(inst);
      distance && inst.results.front() == reg) {
    node.what = "butterfly " + std::to_string(distance);
    node.distance = distance;
    node.operands.push_back(getNode(*inst.sources.front().reg, depth + 1));
    node.isBool = nodes[node.operands.front()].isBool;
    return node;
  }
  if (inst.guard || getWord(inst) == "ld" ||
      getOrigin(inst, function) != Origin::Sources)
    return makeLeaf(reg);
  node.what = inst.opcode.str() + " " + inst.shape;
  if (inst.results.size() > 1)
    node.what +=
        " " + std::to_string(find(inst.results, reg) - inst.results.begin());
  node.commutes = isCommutative(inst);
  for (const PtxName &source : inst.sources)
    if (source.reg)
      node.operands.push_back(getNode(*source.reg, depth + 1));
  return node;
}

/// Returns the value of `node` in the lane at `distance`, as an expression of
/// this lane's values. Returns nothing where this lane has not received enough
/// of them.
std::optional<unsigned> Butterflies::exchange(unsigned node, unsigned distance,
                                              unsigned depth) {
  if (!(nodes[node].lanes & distance))
    return node;
  if (nodes[node].distance == distance)
    return nodes[node].operands.front();
  if (auto known = exchanged.find({node, distance}); known != exchanged.end())
    return known->second;
  std::optional<unsigned> result;
  if (auto found = butterflies.find({node, distance});
      found != butterflies.end()) {
    result = found->second;
  } else if (!nodes[node].operands.empty() && depth < kMaxDepth) {
    Node other = nodes[node];
    bool isWhole = true;
    for (unsigned &operand : other.operands) {
      std::optional<unsigned> part = exchange(operand, distance, depth + 1);
      isWhole &= part.has_value();
      operand = part.value_or(0);
    }
    if (isWhole)
      result = add(std::move(other));
  }
  exchanged[{node, distance}] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// Finds the registers that may differ between threads of a warp, and the
/// branches at which a warp diverges.
class Divergence {
public:
  explicit Divergence(const PtxFunction &function);

  /// Adds the faults of the function to `found`; calls of functions in
  /// `together` reach aligned instructions.
  void check(const StringSet<> &together,
             std::vector<DivergentInstruction> &found) const;

private:
  void findDoomed();
  void findReconvergence();
  void propagate();
  uint8_t visit(const PtxInstruction &inst, Butterflies &butterflies);
  bool splits(const PtxBlock &block) const;
  void collectRegion(unsigned block);
  BitVector findFixed(const BitVector &region) const;
  unsigned getCopied(unsigned reg, const BitVector &region) const;
  void findOfWarp();

  /// All bits of the lane number.
  static constexpr uint8_t kAllLanes = limits::threadsPerWarp - 1;

  bool differs(unsigned reg) const { return lanes[reg]; }
  /// Adds `bits` to the dependence of `reg`. Returns whether it has changed.
  bool depend(unsigned reg, uint8_t bits) {
    uint8_t before = lanes[reg];
    return (lanes[reg] |= bits) != before;
  }

  const PtxFunction &function;
  /// For each register: the bits of the lane number on which its value depends.
  std::vector<uint8_t> lanes;
  /// Registers that depend on other lanes by butterfly exchanges.
  BitVector hears;
  /// Registers whose threads differ in the five low bits at most, each of them
  /// a bit of the lane number or zero.
  BitVector isThread;
  std::vector<int> definitions;
  /// For each register: the block that defines it, or -1.
  std::vector<int> definingBlocks;
  /// For each register: the blocks that read it.
  std::vector<SmallVector<unsigned, 2>> readers;
  /// Blocks that end in a trap on every path.
  BitVector doomed;
  /// For each block: its immediate post-dominator, `blocks.size()` for the end
  /// of the function.
  std::vector<unsigned> reconvergence;
  /// For each block at which a warp diverges: the blocks that a part of the
  /// warp may reach.
  std::map<unsigned, BitVector> regions;
};

} // namespace

Divergence::Divergence(const PtxFunction &function)
    : function(function), lanes(function.registers), hears(function.registers),
      isThread(function.registers), definitions(function.registers, -1),
      definingBlocks(function.registers, -1), readers(function.registers),
      doomed(function.blocks.size()) {
  for (auto [i, inst] : enumerate(function.instructions))
    for (unsigned reg : inst.results)
      definitions[reg] = int(i);
  for (auto [i, block] : enumerate(function.blocks)) {
    for (unsigned at = block.first; at < block.end; ++at) {
      const PtxInstruction &inst = function.instructions[at];
      for (unsigned reg : inst.results)
        definingBlocks[reg] = int(i);
      if (inst.guard)
        readers[*inst.guard].push_back(unsigned(i));
      for (const PtxName &source : inst.sources)
        if (source.reg)
          readers[*source.reg].push_back(unsigned(i));
    }
    for (const PtxPhi &phi : block.phis) {
      definingBlocks[phi.result] = int(i);
      for (auto [before, reg] : phi.incoming)
        readers[reg].push_back(before);
    }
  }
  findDoomed();
  findReconvergence();
  findOfWarp();
  propagate();
}

/// Finds blocks from which no thread returns. They do not count: no thread
/// waits for a thread that ends the launch.
void Divergence::findDoomed() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [i, block] : enumerate(function.blocks)) {
      if (doomed[i] || block.leaves)
        continue;
      bool goesOn = any_of(block.successors,
                           [&](unsigned next) { return !doomed[next]; });
      if (block.traps || (!goesOn && !block.successors.empty())) {
        doomed.set(i);
        changed = true;
      }
    }
  }
}

/// Immediate post-dominators (Cooper, Harvey, Kennedy).
void Divergence::findReconvergence() {
  unsigned count = unsigned(function.blocks.size()), end = count;
  std::vector<SmallVector<unsigned, 2>> next(count + 1), before(count + 1);
  auto connect = [&](unsigned from, unsigned to) {
    next[from].push_back(to);
    before[to].push_back(from);
  };
  for (unsigned i = 0; i < count; ++i) {
    if (doomed[i])
      continue;
    for (unsigned successor : function.blocks[i].successors)
      if (!doomed[successor])
        connect(i, successor);
    if (function.blocks[i].leaves)
      connect(i, end);
  }
  // Blocks in post-order from the end; an infinite loop gets an artificial
  // exit.
  std::vector<unsigned> order, number(count + 1, ~0u);
  BitVector seen(count + 1);
  auto walk = [&](unsigned start) {
    SmallVector<std::pair<unsigned, unsigned>> stack = {{start, 0}};
    seen.set(start);
    while (!stack.empty()) {
      auto &[block, edge] = stack.back();
      if (edge < before[block].size()) {
        unsigned other = before[block][edge++];
        if (!seen[other]) {
          seen.set(other);
          stack.push_back({other, 0});
        }
        continue;
      }
      order.push_back(block);
      stack.pop_back();
    }
  };
  BitVector reaches(count + 1);
  SmallVector<unsigned> work = {end};
  reaches.set(end);
  auto spread = [&] {
    while (!work.empty())
      for (unsigned other : before[work.pop_back_val()])
        if (!reaches[other]) {
          reaches.set(other);
          work.push_back(other);
        }
  };
  spread();
  for (unsigned i = count; i-- > 0;)
    if (!reaches[i] && !doomed[i]) {
      connect(i, end);
      reaches.set(i);
      work.push_back(i);
      spread();
    }
  walk(end);
  for (auto [i, block] : enumerate(order))
    number[block] = unsigned(i);
  constexpr unsigned kNone = ~0u;
  reconvergence.assign(count + 1, kNone);
  reconvergence[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block : reverse(order)) {
      if (block == end)
        continue;
      unsigned common = kNone;
      for (unsigned other : next[block]) {
        if (reconvergence[other] == kNone)
          continue;
        if (common == kNone) {
          common = other;
          continue;
        }
        while (common != other) {
          while (number[common] < number[other])
            common = reconvergence[common];
          while (number[other] < number[common])
            other = reconvergence[other];
        }
      }
      if (reconvergence[block] != common) {
        reconvergence[block] = common;
        changed = true;
      }
    }
  }
}

/// Marks registers that hold a thread number with known bits.
void Divergence::findOfWarp() {
  if (!function.hasOneDimension)
    return;
  BitVector isZero(function.registers);
  auto isNumber = [&](const PtxName &source) {
    return source.reg ? isThread[*source.reg] : source.text == "%tid.x";
  };
  // In a block of one dimension the other thread numbers are zero.
  auto isNothing = [&](const PtxName &source) {
    return source.reg ? isZero[*source.reg]
                      : source.text == "%tid.y" || source.text == "%tid.z";
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const PtxInstruction &inst : function.instructions) {
      if (inst.results.size() != 1 || inst.guard || inst.sources.empty())
        continue;
      unsigned reg = inst.results.front();
      if (isThread[reg] || isZero[reg] || definitions[reg] < 0)
        continue;
      StringRef word = getWord(inst);
      ArrayRef<PtxName> sources = inst.sources;
      // The source of which the result is a copy.
      const PtxName *copied = nullptr;
      if ((word == "mov" && sources.size() == 1) ||
          (word == "cvt" && hasModifier(inst.opcode, "u32")) ||
          (word == "and" && getConstant(inst, 1)))
        copied = &sources[0];
      else if (word == "mad" && sources.size() == 3 &&
               (isNothing(sources[0]) || isNothing(sources[1])))
        copied = &sources[2];
      else if (word == "mul" && sources.size() == 2)
        copied = isNothing(sources[0]) ? &sources[0] : &sources[1];
      if (!copied)
        continue;
      if (word != "mul" && isNumber(*copied)) {
        isThread.set(reg);
        changed = true;
      } else if (isNothing(*copied)) {
        isZero.set(reg);
        changed = true;
      }
    }
  }
}

/// Returns whether `inst` computes from a thread number a value that is uniform
/// in the warp.
static bool isOfWarp(const PtxInstruction &inst) {
  constexpr uint64_t kLanes = limits::threadsPerWarp;
  std::optional<uint64_t> number = getConstant(inst, 1);
  if (!number || inst.sources.size() != 2)
    return false;
  StringRef word = getWord(inst);
  if (word == "shr")
    return *number >= Log2_64(kLanes);
  if (word == "and")
    return *number % kLanes == 0;
  if (word != "setp")
    return false;
  if (hasModifier(inst.opcode, "lt") || hasModifier(inst.opcode, "ge"))
    return *number % kLanes == 0;
  return (hasModifier(inst.opcode, "gt") || hasModifier(inst.opcode, "le")) &&
         *number % kLanes == kLanes - 1;
}

/// Returns the bits of the lane number on which the result of `inst` depends.
uint8_t Divergence::visit(const PtxInstruction &inst,
                          Butterflies &butterflies) {
  if (inst.guard && differs(*inst.guard))
    return kAllLanes;
  auto getLanes = [&](const PtxName &source) -> uint8_t {
    return source.reg ? lanes[*source.reg] : 0;
  };
  auto withoutHeard = [&](uint8_t bits) {
    uint8_t left = 0;
    for (unsigned reg : inst.results)
      left |= hears[reg] ? butterflies.getLanes(reg, bits) : bits;
    return left;
  };
  switch (getOrigin(inst, function)) {
  case Origin::Warp:
    return 0;
  case Origin::Lane:
    // The result depends on the source lane's number.
    return getLanes(inst.sources[0]) ? getLanes(inst.sources[1]) : 0;
  case Origin::Thread:
    return getDistance(inst) ? withoutHeard(getLanes(inst.sources.front()))
                             : kAllLanes;
  case Origin::Sources:
    break;
  }
  uint8_t bits = 0;
  for (const PtxName &source : inst.sources)
    bits |= getLanes(source);
  if (!inst.sources.empty() && inst.sources.front().reg &&
      isThread[*inst.sources.front().reg]) {
    if (isOfWarp(inst))
      return 0;
    // The low bits of a thread number are the lane number.
    if (std::optional<uint64_t> kept = getConstant(inst, 1);
        kept && getWord(inst) == "and")
      return bits & *kept;
  }
  return bits ? withoutHeard(bits) : 0;
}

bool Divergence::splits(const PtxBlock &block) const {
  const PtxInstruction &last = function.instructions[block.end - 1];
  if (getWord(last) == "brx" && !last.sources.empty() &&
      last.sources.front().reg && differs(*last.sources.front().reg))
    return true;
  return last.guard && differs(*last.guard) &&
         block.successors.size() + block.leaves > 1;
}

/// Collects the blocks between `block` and its reconvergence point. Each part
/// of the warp computes its own values there.
void Divergence::collectRegion(unsigned block) {
  BitVector &region = regions[block];
  region.resize(function.blocks.size());
  SmallVector<unsigned> work = {block};
  while (!work.empty())
    for (unsigned next : function.blocks[work.pop_back_val()].successors)
      if (!doomed[next] && next != reconvergence[block] && !region[next]) {
        region.set(next);
        work.push_back(next);
      }
  BitVector fixed = findFixed(region);
  // After a loop, a value is that of the thread's last iteration.
  auto leaves = [&](unsigned reg) {
    return !fixed[reg] && any_of(readers[reg], [&](unsigned reader) {
      return !region[reader];
    });
  };
  // At a join, a phi depends on the path of the thread.
  auto chooses = [&](unsigned at) {
    for (const PtxPhi &phi : function.blocks[at].phis) {
      std::optional<unsigned> first;
      for (auto [before, reg] : phi.incoming)
        if (before == block || region[before]) {
          unsigned value = getCopied(reg, region);
          if (first && *first != value)
            depend(phi.result, kAllLanes);
          first = value;
        }
    }
  };
  for (unsigned inside : region.set_bits()) {
    for (unsigned at = function.blocks[inside].first;
         at < function.blocks[inside].end; ++at)
      for (unsigned reg : function.instructions[at].results)
        if (leaves(reg))
          depend(reg, kAllLanes);
    for (const PtxPhi &phi : function.blocks[inside].phis)
      if (leaves(phi.result))
        depend(phi.result, kAllLanes);
    chooses(inside);
  }
  if (reconvergence[block] != function.blocks.size())
    chooses(reconvergence[block]);
}

/// The register of which `reg` is a copy, if its value does not change while
/// threads are in `region`; else `reg`.
unsigned Divergence::getCopied(unsigned reg, const BitVector &region) const {
  while (definitions[reg] >= 0) {
    const PtxInstruction &inst = function.instructions[definitions[reg]];
    if (getWord(inst) != "mov" || inst.guard || inst.results.size() != 1 ||
        inst.sources.size() != 1 || !inst.sources.front().reg)
      break;
    unsigned source = *inst.sources.front().reg;
    if (definingBlocks[source] >= 0 && region[definingBlocks[source]])
      break;
    reg = source;
  }
  return reg;
}

/// Registers that have the same value in each iteration of the loops in
/// `region`.
BitVector Divergence::findFixed(const BitVector &region) const {
  BitVector fixed(function.registers, true);
  for (unsigned block : region.set_bits()) {
    for (unsigned at = function.blocks[block].first;
         at < function.blocks[block].end; ++at)
      for (unsigned reg : function.instructions[at].results)
        fixed.reset(reg);
    for (const PtxPhi &phi : function.blocks[block].phis)
      if (any_of(phi.incoming, [&](auto &incoming) {
            return region[incoming.first] && incoming.second != phi.result;
          }))
        fixed.reset(phi.result);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block : region.set_bits())
      for (unsigned at = function.blocks[block].first;
           at < function.blocks[block].end; ++at) {
        const PtxInstruction &inst = function.instructions[at];
        if (inst.results.empty() || fixed[inst.results.front()] ||
            (inst.guard && !fixed[*inst.guard]) || getWord(inst) == "ld" ||
            getOrigin(inst, function) != Origin::Sources ||
            any_of(inst.sources, [&](const PtxName &source) {
              return source.reg && !fixed[*source.reg];
            }))
          continue;
        for (unsigned reg : inst.results)
          fixed.set(reg);
        changed = true;
      }
  }
  return fixed;
}

void Divergence::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const PtxInstruction &inst : function.instructions) {
      bool hearsNow =
          getDistance(inst) || any_of(inst.sources, [&](auto &source) {
            return source.reg && hears[*source.reg];
          });
      for (unsigned reg : inst.results)
        if (hearsNow && !hears[reg] && definitions[reg] >= 0) {
          hears.set(reg);
          changed = true;
        }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    Butterflies butterflies(function, lanes, hears, definitions);
    for (const PtxInstruction &inst : function.instructions) {
      if (all_of(inst.results,
                 [&](unsigned reg) { return lanes[reg] == kAllLanes; }))
        continue;
      uint8_t bits = visit(inst, butterflies);
      for (unsigned reg : inst.results)
        changed |= depend(reg, bits);
    }
    for (const PtxBlock &block : function.blocks)
      for (const PtxPhi &phi : block.phis)
        for (auto [before, reg] : phi.incoming)
          changed |= depend(phi.result, lanes[reg]);
    for (auto [i, block] : enumerate(function.blocks))
      if (!doomed[i] && !regions.count(unsigned(i)) && splits(block)) {
        collectRegion(unsigned(i));
        changed = true;
      }
  }
}

/// The name of the function that `inst` calls.
static StringRef getCallee(const PtxInstruction &inst) {
  if (getWord(inst) != "call")
    return {};
  // `(result), name, (arguments)`; a result is in parentheses.
  bool hasResult = StringRef(inst.shape).starts_with("(");
  for (const PtxName &source : inst.sources)
    if (!source.reg) {
      if (!hasResult)
        return source.text;
      hasResult = false;
    }
  return {};
}

void Divergence::check(const StringSet<> &together,
                       std::vector<DivergentInstruction> &found) const {
  // For each instruction: the closest divergent branch.
  std::map<unsigned, unsigned> branches;
  std::vector<std::pair<unsigned, unsigned>> bySize;
  for (const auto &[block, region] : regions)
    bySize.push_back({region.count(), block});
  llvm::sort(bySize, std::greater<>());
  for (const auto &[size, block] : bySize)
    for (unsigned inside : regions.at(block).set_bits())
      for (unsigned at = function.blocks[inside].first;
           at < function.blocks[inside].end; ++at) {
        const PtxInstruction &inst = function.instructions[at];
        if (isAligned(inst) || together.contains(getCallee(inst)))
          branches[at] = function.blocks[block].end - 1;
      }
  for (auto [i, inst] : enumerate(function.instructions))
    if (inst.guard && differs(*inst.guard) && isAligned(inst))
      branches[unsigned(i)] = unsigned(i);
  for (auto [at, branch] : branches)
    found.push_back(
        {function.name.str(), function.instructions[at].opcode.str(),
         function.instructions[at].line, function.instructions[branch].line});
}

std::vector<DivergentInstruction> findDivergence(StringRef ptx) {
  std::vector<PtxFunction> functions = readFunctionBodies(ptx);
  StringSet<> together;
  for (bool changed = true; changed;) {
    changed = false;
    for (const PtxFunction &function : functions)
      if (any_of(function.instructions, [&](const PtxInstruction &inst) {
            return isAligned(inst) || together.contains(getCallee(inst));
          }))
        changed |= together.insert(function.name).second;
  }
  std::vector<DivergentInstruction> found;
  for (const PtxFunction &function : functions)
    Divergence(function).check(together, found);
  return found;
}

} // namespace tileir

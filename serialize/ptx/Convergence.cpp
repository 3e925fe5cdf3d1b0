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

/// The constant that stands at `source` among the operands behind the result;
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
  Sources, ///< As what it is computed from.
  Lane,    ///< It is that of one lane, as the second source names it.
  Thread,  ///< It is the thread's own.
  Warp,    ///< All threads of a warp have the same.
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
  // `d, a, b, c, mask`; lanes of one segment have the same from one of them.
  if (word == "shfl")
    return has("idx") && hasFullMask(inst) && inst.sources.size() == 4 &&
                   getConstant(inst, 2) == limits::threadsPerWarp - 1
               ? Origin::Lane
               : Origin::Thread;
  if (word == "ld") {
    // Memory of a thread, and what may change from one read to the next.
    if (has("local") || has("volatile") || has("relaxed") || has("acquire") ||
        has("mmio"))
      return Origin::Thread;
    // Parameters of kernels, also by address; those of functions are what a
    // thread called with, and results of calls have a name only.
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

/// The distance of a butterfly of all lanes, `d, a, distance, 31, mask`; 0 for
/// other instructions.
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

/// Returns whether the first two operands of `inst` may change places.
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

/// Shows of values that were exchanged with other lanes that all lanes have the
/// same: an expression of a lane's values that stays the same when those of
/// another lane are put in is worth the same in both.
class Butterflies {
public:
  /// `lanes`: by register the bits of the lane's number that its value depends
  /// on. `hears`: registers that come from butterflies, about which `lanes` is
  /// not asked. `definitions`: by register the instruction that writes it,
  /// negative for none.
  Butterflies(const PtxFunction &function, ArrayRef<uint8_t> lanes,
              const BitVector &hears, ArrayRef<int> definitions)
      : function(function), lanes(lanes), hears(hears),
        definitions(definitions) {
    // An expression is compared with all that a lane hears of others.
    for (unsigned reg : hears.set_bits())
      getNode(reg, 0);
  }

  /// Returns which of the bits `candidates` of the lane's number the value of
  /// register `reg` depends on.
  uint8_t getLanes(unsigned reg, uint8_t candidates) {
    unsigned node = getNode(reg, 0);
    for (unsigned distance = 1; distance < limits::threadsPerWarp;
         distance *= 2)
      if ((candidates & distance) && exchange(node, distance, 0) == node)
        candidates &= ~distance;
    return candidates;
  }

private:
  /// Deeper expressions count as values of their own.
  static constexpr unsigned kMaxDepth = 1000;

  /// An operation on other nodes; equal ones are one. Leaves have no operands.
  struct Node {
    std::string what;
    SmallVector<unsigned, 3> operands;
    bool commutes = false;
    /// Bits of the lane's number that what it is made of depends on.
    uint8_t lanes = 0;
    /// Of a butterfly.
    unsigned distance = 0;
    /// A predicate, or a 1 or 0 that stands for one.
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
  /// By node and distance: the butterfly of it, and what it is in the lane that
  /// far away.
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

/// A predicate travels between lanes as 1 or 0. Returns its node where `inst`
/// makes such a number of it, or the predicate of the number.
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
  // A register that is computed from itself is its own, too.
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

/// The node of what writes `reg`, or a leaf where that is not computed from
/// registers alone.
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

/// Returns the value of `node` in the lane `distance` away, as an expression of
/// this lane's values. Nothing where this lane has not received enough of them.
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

/// Finds the registers in which threads of a warp may differ, and the branches
/// that split a warp.
class Divergence {
public:
  explicit Divergence(const PtxFunction &function);

  /// Adds what is wrong with the function to `found`; calls of `together` reach
  /// aligned instructions.
  void check(const StringSet<> &together,
             std::vector<DivergentInstruction> &found) const;

private:
  void findDoomed();
  void findMeetings();
  void propagate();
  uint8_t visit(const PtxInstruction &inst, Butterflies &butterflies);
  bool splits(const PtxBlock &block) const;
  void collectRegion(unsigned block);
  BitVector findFixed(const BitVector &region) const;
  unsigned getCopied(unsigned reg, const BitVector &region) const;
  void findOfWarp();

  /// All bits of the number of a lane.
  static constexpr uint8_t kAllLanes = limits::threadsPerWarp - 1;

  bool differs(unsigned reg) const { return lanes[reg]; }
  /// Adds `bits` to what `reg` depends on. Returns whether that is news.
  bool depend(unsigned reg, uint8_t bits) {
    uint8_t before = lanes[reg];
    return (lanes[reg] |= bits) != before;
  }

  const PtxFunction &function;
  /// By register: the bits of the lane's number that its value depends on.
  std::vector<uint8_t> lanes;
  /// Registers that hear of other lanes by butterflies.
  BitVector hears;
  /// Registers with numbers that differ in the five low bits at most, which
  /// are bits of the lane's number or clear.
  BitVector isThread;
  std::vector<int> definitions;
  /// By register: the block that defines it, or -1.
  std::vector<int> definingBlocks;
  /// By register: blocks that read it.
  std::vector<SmallVector<unsigned, 2>> readers;
  /// Blocks that end in a trap, whatever comes.
  BitVector doomed;
  /// By block: the one where all paths from it meet, `blocks.size()` for the
  /// end of the function.
  std::vector<unsigned> meeting;
  /// By block that splits the warp: those that a part of it may reach.
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
  findMeetings();
  findOfWarp();
  propagate();
}

/// Blocks from which no thread returns do not count: nobody waits for who ends
/// the launch.
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
void Divergence::findMeetings() {
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
  // Blocks in post-order from the end; a loop without an end is left somewhere.
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
  meeting.assign(count + 1, kNone);
  meeting[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block : reverse(order)) {
      if (block == end)
        continue;
      unsigned common = kNone;
      for (unsigned other : next[block]) {
        if (meeting[other] == kNone)
          continue;
        if (common == kNone) {
          common = other;
          continue;
        }
        while (common != other) {
          while (number[common] < number[other])
            common = meeting[common];
          while (number[other] < number[common])
            other = meeting[other];
        }
      }
      if (meeting[block] != common) {
        meeting[block] = common;
        changed = true;
      }
    }
  }
}

/// Marks the numbers of threads, where their bits are known.
void Divergence::findOfWarp() {
  if (!function.hasOneDimension)
    return;
  BitVector isZero(function.registers);
  auto isNumber = [&](const PtxName &source) {
    return source.reg ? isThread[*source.reg] : source.text == "%tid.x";
  };
  // Of a block of one dimension the other numbers are zero.
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
      // Take what the result is a copy of.
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

/// Returns whether `inst` makes of the number of a thread what its warp has in
/// common.
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

/// Returns the bits of the lane's number that what `inst` computes depends on.
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
    // The lane that is read from decides.
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
    // Of the number of a thread, the low bits are the lane's.
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

/// Collects the blocks between `block` and where its threads meet again. What
/// they compute is another one in each part of the warp.
void Divergence::collectRegion(unsigned block) {
  BitVector &region = regions[block];
  region.resize(function.blocks.size());
  SmallVector<unsigned> work = {block};
  while (!work.empty())
    for (unsigned next : function.blocks[work.pop_back_val()].successors)
      if (!doomed[next] && next != meeting[block] && !region[next]) {
        region.set(next);
        work.push_back(next);
      }
  BitVector fixed = findFixed(region);
  // A value that is read after a loop is that of the thread's last iteration.
  auto leaves = [&](unsigned reg) {
    return !fixed[reg] && any_of(readers[reg], [&](unsigned reader) {
      return !region[reader];
    });
  };
  // Where ways meet, that of a thread decides.
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
  if (meeting[block] != function.blocks.size())
    chooses(meeting[block]);
}

/// The register of which `reg` is a copy, if its value is one and the same for
/// as long as threads are in `region`; else `reg`.
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

/// Registers that are the same in each iteration of loops in `region`.
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
  // `(result), name, (arguments)`; the result is in parentheses.
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
  // By instruction: the branch that is closest to it.
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

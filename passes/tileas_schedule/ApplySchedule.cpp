// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/ApplySchedule.h"

#include "passes/analysis/Pipelines.h"
#include "passes/tileas_schedule/InOrderModel.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;
using Region = ScheduleAnalysis::Region;

//===----------------------------------------------------------------------===//
// Where copies may stand
//===----------------------------------------------------------------------===//

/// Iterations by which copies run ahead when rings are used as they are.
static SmallVector<int> getAhead(const Region &region, int64_t steps) {
  SmallVector<int> ahead;
  for (Operation *op : region.ops)
    ahead.push_back(runsAhead(op) ? int(steps) : 0);
  return ahead;
}

static int64_t getRingSteps(const Region &region, const RunAheadPlace &place) {
  int64_t depth = INT64_MAX;
  for (Operation *op : region.ops)
    if (isa<as::PipelineAcquireOp>(op) && runsAhead(op))
      depth = std::min(
          depth,
          cast<as::PipelineType>(op->getOperand(0).getType()).getDepth());
  if (depth == INT64_MAX)
    return 0;
  return std::max<int64_t>(0, depth - 1 - (place.isLate ? 0 : place.busy));
}

namespace {

/// Nodes that run ahead, by pipeline, and the rest.
struct Sides {
  /// Of a pipeline each, in the order of the text.
  SmallVector<SmallVector<int>> copies;
  SmallVector<int> rest;
};

} // namespace

/// The pipeline that a step of the filling side is of.
static Value getFilled(Operation *op) {
  if (isa<as::PipelineAcquireOp, as::PipelineCommitOp>(op))
    return op->getOperand(0);
  Value buffer = isa<as::AsyncCopyOp>(op)
                     ? cast<as::AsyncCopyOp>(op).getBuffer()
                     : cast<as::AsyncTmaLoadOp>(op).getBuffer();
  while (Operation *source = buffer.getDefiningOp()) {
    if (isa<as::PipelineAcquireOp>(source))
      return source->getOperand(0);
    if (!source->getNumOperands())
      break;
    buffer = source->getOperand(0);
  }
  return Value();
}

static Sides getSides(const Region &region, ArrayRef<int> nodes) {
  Sides sides;
  llvm::MapVector<Value, unsigned> number;
  for (int node : nodes) {
    Operation *op = region.ops[node];
    if (!runsAhead(op)) {
      sides.rest.push_back(node);
      continue;
    }
    auto [it, isNew] =
        number.try_emplace(getFilled(op), unsigned(sides.copies.size()));
    if (isNew)
      sides.copies.emplace_back();
    sides.copies[it->second].push_back(node);
  }
  return sides;
}

/// First and last place in `rest` that copies may have: behind the wait that
/// all threads meet at, before slots are given back; or behind that.
static std::pair<size_t, size_t> getPlaces(const Region &region,
                                           ArrayRef<int> rest, bool isLate) {
  size_t firstWait = rest.size(), firstRelease = rest.size(), lastRelease = 0;
  for (auto [i, node] : llvm::enumerate(rest)) {
    Operation *op = region.ops[node];
    if (isa<as::PipelineWaitOp>(op))
      firstWait = std::min(firstWait, size_t(i));
    if (isReleaseOfCopies(op)) {
      firstRelease = std::min(firstRelease, size_t(i));
      lastRelease = i;
    }
  }
  if (isLate)
    return {lastRelease + 1, lastRelease + 1};
  if (firstWait == rest.size())
    return {0, 0};
  return {firstWait + 1, std::max(firstWait + 1, firstRelease)};
}

static LoopOrder join(const Region &region, const Sides &sides,
                      ArrayRef<size_t> places, ArrayRef<int> ahead) {
  LoopOrder order;
  order.ahead.assign(ahead.begin(), ahead.end());
  for (size_t i = 0; i <= sides.rest.size(); ++i) {
    for (auto [copies, place] : llvm::zip(sides.copies, places))
      if (place == i)
        llvm::append_range(order.nodes, copies);
    if (i < sides.rest.size())
      order.nodes.push_back(sides.rest[i]);
  }
  order.cycles = modelInOrder(region.solution.problem, order.nodes, ahead);
  return order;
}

LoopOrder getCoarseOrder(const Region &region) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  SmallVector<int> nodes;
  for (int i = 0; i < int(region.ops.size()); ++i)
    nodes.push_back(i);
  Sides sides = getSides(region, nodes);
  auto [first, last] = getPlaces(region, sides.rest, place.isLate);
  SmallVector<size_t> places(sides.copies.size(), first);
  return join(region, sides, places,
              getAhead(region, getRingSteps(region, place)));
}

LoopOrder getScheduledOrder(const Region &region, bool keepsOrder) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  const schedule::Schedule &schedule = region.solution.result.schedule;
  SmallVector<int> nodes;
  for (int i = 0; i < int(region.ops.size()); ++i)
    nodes.push_back(i);
  auto starts = [&](int a, int b) {
    return std::pair(schedule.start[a], a) < std::pair(schedule.start[b], b);
  };
  Sides sides = getSides(region, nodes);
  for (SmallVector<int> &copies : sides.copies)
    llvm::sort(copies, starts);
  if (!keepsOrder)
    llvm::sort(sides.rest, starts);
  auto [first, last] = getPlaces(region, sides.rest, place.isLate);
  // Where the row of the first copy lies among those of the rest.
  SmallVector<size_t> places;
  for (const SmallVector<int> &copies : sides.copies) {
    size_t at = first;
    while (at < last &&
           schedule.rowOf(sides.rest[at]) <= schedule.rowOf(copies.front()))
      ++at;
    places.push_back(at);
  }
  LoopOrder order = join(region, sides, places,
                         getAhead(region, getRingSteps(region, place)));
  order.isCoarse = false;
  return order;
}

LoopOrder placeCopies(const Region &region, LoopOrder order) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  Sides sides = getSides(region, order.nodes);
  auto [first, last] = getPlaces(region, sides.rest, place.isLate);
  SmallVector<size_t> places(sides.copies.size(), first);
  LoopOrder best = std::move(order);
  // One pipeline after the other; the last ones wait at the first place.
  for (size_t pipe = 0; pipe < places.size(); ++pipe) {
    size_t found = first;
    schedule::Cycles cycles = INT64_MAX;
    for (size_t at = first; at <= last; ++at) {
      places[pipe] = at;
      LoopOrder next = join(region, sides, places, best.ahead);
      if (next.cycles >= cycles)
        continue;
      cycles = next.cycles;
      found = at;
    }
    places[pipe] = found;
  }
  LoopOrder next = join(region, sides, places, best.ahead);
  next.isCoarse = false;
  return next.cycles < best.cycles ? next : best;
}

static int64_t getWords(Operation *op) {
  int64_t bits = 0;
  for (Type type : op->getResultTypes()) {
    if (auto future = dyn_cast<as::FutureType>(type))
      type = future.getTile();
    auto tile = dyn_cast<RankedTensorType>(type);
    if (tile && as::getTileLayout(tile))
      bits += as::getTileLayout(tile).getLayout().getNumRegisters() *
              int64_t(as::getStorageBits(tile.getElementType()));
  }
  return llvm::divideCeil(bits, 32);
}

int64_t getPeakWords(const Region &region, const LoopOrder &order) {
  size_t count = order.nodes.size();
  SmallVector<size_t> place(count);
  for (auto [i, node] : llvm::enumerate(order.nodes))
    place[node] = i;
  // Uses in the same iteration, and the last one around the loop.
  SmallVector<size_t> last(place);
  SmallVector<int64_t> carriedTo(count, -1);
  for (const schedule::Edge &edge : region.problem.edges) {
    if (edge.kind != schedule::EdgeKind::Flow &&
        edge.kind != schedule::EdgeKind::Accumulate)
      continue;
    if (edge.distance == 0)
      last[edge.from] = std::max(last[edge.from], place[edge.to]);
    else
      carriedTo[edge.from] =
          std::max(carriedTo[edge.from], int64_t(place[edge.to]));
  }
  SmallVector<int64_t> words(count, 0);
  auto live = [&](size_t from, size_t to, int64_t some) {
    for (size_t i = from; i < to; ++i)
      words[i] += some;
  };
  for (size_t node = 0; node < count; ++node) {
    int64_t some = getWords(region.ops[node]);
    if (!some)
      continue;
    if (carriedTo[node] < 0) {
      live(place[node], std::max(last[node], place[node] + 1), some);
      continue;
    }
    live(place[node], count, some);
    live(0, std::min(size_t(carriedTo[node]), place[node]), some);
  }
  return *llvm::max_element(words);
}

/// Whether copies stand where they may.
static bool isPlaced(const Region &region, ArrayRef<int> nodes, bool isLate) {
  bool hasWaited = false, hasReleased = false, isOver = false;
  for (int node : nodes) {
    Operation *op = region.ops[node];
    hasWaited |= isa<as::PipelineWaitOp>(op);
    if (isReleaseOfCopies(op)) {
      // Behind the last release, or before all of them.
      if (isOver)
        return false;
      hasReleased = true;
    }
    if (!runsAhead(op))
      continue;
    if (!hasWaited || hasReleased != isLate)
      return false;
    isOver = isLate;
  }
  return true;
}

LoopOrder refineOrder(const Region &region, LoopOrder order,
                      int64_t mostWords) {
  // Every pair of an operation and a place is tried.
  constexpr size_t kMostNodes = 48;
  size_t count = order.nodes.size();
  if (count > kMostNodes)
    return order;
  bool isLate = getRunAheadPlace(region.loop).isLate;
  std::vector<std::vector<bool>> isBefore(count, std::vector<bool>(count));
  for (const schedule::Edge &edge : region.problem.edges)
    if (edge.distance == 0 && edge.delay >= 0)
      isBefore[edge.from][edge.to] = true;
  auto tryMove = [&](size_t from, size_t to) {
    LoopOrder next = order;
    int node = order.nodes[from];
    next.nodes.erase(next.nodes.begin() + from);
    next.nodes.insert(next.nodes.begin() + to, node);
    if (!isPlaced(region, next.nodes, isLate) ||
        getPeakWords(region, next) > mostWords)
      return false;
    next.cycles = modelInOrder(region.solution.problem, next.nodes, next.ahead);
    if (next.cycles >= order.cycles)
      return false;
    next.isCoarse = false;
    order = std::move(next);
    return true;
  };
  bool hasMoved = true;
  for (int round = 0; round < 3 && hasMoved; ++round) {
    hasMoved = false;
    for (int node = 0; node < int(count); ++node) {
      if (runsAhead(region.ops[node]))
        continue;
      for (int direction : {-1, 1}) {
        size_t from = llvm::find(order.nodes, node) - order.nodes.begin();
        for (size_t to = from + direction; to < count; to += direction) {
          int other = order.nodes[to];
          bool isSide = runsAhead(region.ops[other]);
          // Steps of copies are of another iteration.
          if (!isSide &&
              (direction < 0 ? isBefore[other][node] : isBefore[node][other]))
            break;
          if (tryMove(from, to)) {
            hasMoved = true;
            break;
          }
        }
      }
    }
  }
  return order;
}

//===----------------------------------------------------------------------===//
// The IR
//===----------------------------------------------------------------------===//

void writeAttributes(const Region &region, const LoopOrder &order,
                     std::optional<uint64_t> randomSeed) {
  const schedule::Result &result = region.solution.result;
  scf::ForOp loop = region.loop;
  Builder builder(loop.getContext());
  for (auto [rank, node] : llvm::enumerate(order.nodes)) {
    Operation *op = region.ops[node];
    op->setAttr(kStageAttr,
                builder.getI32IntegerAttr(result.schedule.stage[node]));
    op->setAttr(kOrderAttr, builder.getI32IntegerAttr(int32_t(rank)));
    op->setAttr(kCycleAttr, builder.getI32IntegerAttr(
                                int32_t(result.schedule.start[node])));
  }
  loop->setAttr("tileas.schedule.ii",
                builder.getI32IntegerAttr(int32_t(result.schedule.ii)));
  loop->setAttr("tileas.schedule.num_stages",
                builder.getI32IntegerAttr(result.schedule.numStages));
  loop->setAttr("tileas.schedule.mii",
                builder.getI32IntegerAttr(int32_t(result.bounds.mii())));
  loop->setAttr("tileas.schedule.model_version",
                builder.getI32IntegerAttr(int32_t(Rates::version())));
  loop->setAttr("tileas.schedule.generator",
                builder.getStringAttr(schedule::nameOf(result.generator)));
  if (randomSeed)
    loop->setAttr("tileas.schedule.random_seed",
                  builder.getI64IntegerAttr(int64_t(*randomSeed)));
}

namespace {

/// Rebuilds a block from its anchors, each behind the glue that it needs.
class BlockBuilder {
public:
  explicit BlockBuilder(Block &block) : block(block) {
    for (Operation &op : block.without_terminator())
      left.insert(&op);
  }

  void place(Operation *anchor) {
    SmallVector<Operation *> path = {anchor};
    while (!path.empty()) {
      Operation *op = path.back();
      Operation *missing = getMissing(op);
      if (missing) {
        path.push_back(missing);
        continue;
      }
      path.pop_back();
      if (left.remove(op))
        op->moveBefore(block.getTerminator());
    }
  }

  /// What only the terminator uses, in the order that it had.
  void placeRest() {
    SmallVector<Operation *> rest(left.begin(), left.end());
    for (Operation *op : rest)
      place(op);
  }

private:
  /// Something that `op` needs and that is not placed yet.
  Operation *getMissing(Operation *op) {
    auto find = [&](Value value) -> Operation * {
      Operation *source = value.getDefiningOp();
      return source && left.contains(source) && source != op ? source : nullptr;
    };
    for (Value operand : op->getOperands())
      if (Operation *source = find(operand))
        return source;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (Operation *source = find(value))
        return source;
    return nullptr;
  }

  Block &block;
  llvm::SetVector<Operation *> left;
};

} // namespace

void reorderBody(const Region &region, const LoopOrder &order) {
  // Of one iteration: copies start before the wait for them.
  SmallVector<int> nodes;
  Sides sides = getSides(region, order.nodes);
  for (const SmallVector<int> &copies : sides.copies)
    llvm::append_range(nodes, copies);
  SmallVector<int> program(nodes);
  llvm::sort(program);
  llvm::append_range(program, sides.rest);
  bool isSame = llvm::is_sorted(sides.rest);
  if (isSame)
    return;
  scf::ForOp loop = region.loop;
  BlockBuilder builder(*loop.getBody());
  for (int node : program)
    builder.place(region.ops[node]);
  builder.placeRest();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/ApplySchedule.h"

#include "dialects/support/Heuristics.h"

#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas_schedule/graph/InOrderModel.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;
using Region = ScheduleAnalysis::Region;

//===----------------------------------------------------------------------===//
// Legal places of copies
//===----------------------------------------------------------------------===//

/// Returns for each node the iterations by which it runs ahead in the default
/// order: `steps` for pipeline copies, 0 otherwise.
static SmallVector<int> getAhead(const Region &region, int64_t steps) {
  SmallVector<int> ahead;
  for (Operation *op : region.ops)
    ahead.push_back(runsAhead(op) ? int(steps) : 0);
  return ahead;
}

static int64_t getPipelineSteps(const Region &region,
                                const RunAheadPlace &place) {
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

/// Nodes that run ahead of the iteration, and all other nodes.
struct Sides {
  /// One group per pipeline (its acquire, copies and commit) or per early load
  /// into registers. Each group keeps program order.
  SmallVector<SmallVector<int>> early;
  SmallVector<int> rest;
};

/// Index in `rest` before which each node of `early` is placed.
using Places = SmallVector<SmallVector<size_t>>;

} // namespace

/// Returns the pipeline that `op`, a step of its producer, fills.
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

static Sides getSides(const Region &region, ArrayRef<int> nodes,
                      ArrayRef<int> ahead) {
  Sides sides;
  llvm::MapVector<Value, unsigned> number;
  for (int node : nodes) {
    Operation *op = region.ops[node];
    if (!runsAhead(op)) {
      if (ahead[node])
        sides.early.push_back({node});
      else
        sides.rest.push_back(node);
      continue;
    }
    auto [it, isNew] =
        number.try_emplace(getFilled(op), unsigned(sides.early.size()));
    if (isNew)
      sides.early.emplace_back();
    sides.early[it->second].push_back(node);
  }
  return sides;
}

/// Returns the iterations of the pipelined loop from an operation to its
/// dependent operation. At 0 the order within the body decides.
static int getLag(const schedule::Edge &edge, ArrayRef<int> ahead) {
  return edge.distance + ahead[edge.from] - ahead[edge.to];
}

/// Returns whether `order` preserves the dependences of loads into registers.
/// Pipeline steps are ordered by their own rules.
static bool isLegal(const Region &region, const LoopOrder &order) {
  SmallVector<size_t> place(order.nodes.size());
  for (auto [i, node] : llvm::enumerate(order.nodes))
    place[node] = i;
  return llvm::all_of(region.problem.edges, [&](const schedule::Edge &edge) {
    if (edge.delay < 0 || edge.kind == schedule::EdgeKind::Anti ||
        runsAhead(region.ops[edge.from]) || runsAhead(region.ops[edge.to]))
      return true;
    int lag = getLag(edge, order.ahead);
    return lag > 0 || (lag == 0 && place[edge.from] < place[edge.to]);
  });
}

/// Returns whether copies precede all dots of an iteration. With exactly
/// `scheduledStagesInFlight` slots beside the slot that is read, MMAs of two
/// stages are in flight only if the copies are issued first.
static bool comeBeforeDots(const Region &region, const RunAheadPlace &place) {
  auto isFilling = [](Operation *op) {
    return isa<as::PipelineAcquireOp>(op) && runsAhead(op);
  };
  return llvm::count_if(region.ops, isFilling) == 1 && !place.isLate &&
         getPipelineSteps(region, place) == heuristics::scheduledStagesInFlight;
}

namespace {

/// Legal places of the copies of a loop.
struct CopyPlace {
  /// Copies follow the last release instead of the first wait.
  bool isLate;
  /// Copies precede all dots.
  bool isFirst;
};

} // namespace

static CopyPlace getCopyPlace(const Region &region) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  return {place.isLate, comeBeforeDots(region, place)};
}

/// Returns the first and last place in `rest` for copies: after the wait at
/// which all threads synchronize and before the first release, or, for late
/// copies, after the last release.
static std::pair<size_t, size_t>
getPlaces(const Region &region, ArrayRef<int> rest, CopyPlace copies) {
  size_t firstWait = rest.size(), end = rest.size(), lastRelease = 0;
  for (auto [i, node] : llvm::enumerate(rest)) {
    Operation *op = region.ops[node];
    if (isa<as::PipelineWaitOp>(op))
      firstWait = std::min(firstWait, size_t(i));
    if (isReleaseOfCopies(op)) {
      end = std::min(end, size_t(i));
      lastRelease = i;
    }
    if (copies.isFirst && isa<as::DotOp>(op))
      end = std::min(end, size_t(i));
  }
  if (copies.isLate)
    return {lastRelease + 1, lastRelease + 1};
  if (firstWait == rest.size())
    return {0, 0};
  return {firstWait + 1, std::max(firstWait + 1, end)};
}

/// Returns the first and last legal place of the group `early`.
static std::pair<size_t, size_t>
getPlaces(const Region &region, const Sides &sides, ArrayRef<int> early,
          ArrayRef<int> ahead, CopyPlace copies) {
  int node = early.front();
  if (runsAhead(region.ops[node]))
    return getPlaces(region, sides.rest, copies);
  size_t first = 0, last = sides.rest.size();
  for (auto [i, other] : llvm::enumerate(sides.rest))
    for (const schedule::Edge &edge : region.problem.edges) {
      if (edge.kind == schedule::EdgeKind::Anti || getLag(edge, ahead))
        continue;
      if (edge.from == other && edge.to == node)
        first = std::max(first, size_t(i) + 1);
      if (edge.from == node && edge.to == other)
        last = std::min(last, size_t(i));
    }
  return {first, std::max(first, last)};
}

static LoopOrder join(const Region &region, const Sides &sides,
                      const Places &places, ArrayRef<int> ahead) {
  LoopOrder order;
  order.ahead.assign(ahead.begin(), ahead.end());
  for (size_t i = 0; i <= sides.rest.size(); ++i) {
    for (auto [early, at] : llvm::zip(sides.early, places))
      for (auto [node, place] : llvm::zip(early, at))
        if (place == i)
          order.nodes.push_back(node);
    if (i < sides.rest.size())
      order.nodes.push_back(sides.rest[i]);
  }
  order.cycles = modelInOrder(region.solution.problem, order.nodes, ahead);
  return order;
}

static SmallVector<int> getProgram(const Region &region) {
  return llvm::to_vector(llvm::seq<int>(0, int(region.ops.size())));
}

LoopOrder getBaselineOrder(const Region &region) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  SmallVector<int> ahead = getAhead(region, getPipelineSteps(region, place));
  Sides sides = getSides(region, getProgram(region), ahead);
  size_t first = getPlaces(region, sides.rest, getCopyPlace(region)).first;
  Places places;
  for (const SmallVector<int> &early : sides.early)
    places.emplace_back(early.size(), first);
  return join(region, sides, places, ahead);
}

/// Starts the loads into registers one iteration early where the schedule does.
static void addEarlyLoads(const Region &region, SmallVectorImpl<int> &ahead) {
  const schedule::Schedule &schedule = region.solution.result.schedule;
  for (auto [node, op] : llvm::enumerate(region.ops))
    if (!runsAhead(op) && isEarlyLoad(op, region.loop) &&
        schedule.stage[node] + 1 < schedule.numStages)
      ahead[node] = 1;
}

LoopOrder getScheduledOrder(const Region &region, bool keepsOrder) {
  RunAheadPlace place = getRunAheadPlace(region.loop);
  const schedule::Schedule &schedule = region.solution.result.schedule;
  auto starts = [&](int a, int b) {
    return std::pair(schedule.rowOf(a), a) < std::pair(schedule.rowOf(b), b);
  };
  CopyPlace copies = getCopyPlace(region);
  auto build = [&](ArrayRef<int> ahead) {
    Sides sides = getSides(region, getProgram(region), ahead);
    if (!keepsOrder)
      llvm::sort(sides.rest, starts);
    Places places;
    for (SmallVector<int> &early : sides.early) {
      if (runsAhead(region.ops[early.front()]))
        llvm::sort(early, [&](int a, int b) {
          return std::pair(schedule.start[a], a) <
                 std::pair(schedule.start[b], b);
        });
      auto [at, last] = getPlaces(region, sides, early, ahead, copies);
      // Position of the node's row among the rows of the rest.
      SmallVector<size_t> &steps = places.emplace_back();
      for (int node : early) {
        while (at < last &&
               schedule.rowOf(sides.rest[at]) <= schedule.rowOf(node))
          ++at;
        steps.push_back(at);
      }
    }
    LoopOrder order = join(region, sides, places, ahead);
    order.isBaseline = false;
    return order;
  };
  SmallVector<int> ahead = getAhead(region, getPipelineSteps(region, place));
  LoopOrder inTime = build(ahead);
  if (keepsOrder)
    return inTime;
  addEarlyLoads(region, ahead);
  LoopOrder order = build(ahead);
  return isLegal(region, order) ? order : inTime;
}

static int64_t getRegisters(Operation *op) {
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

int64_t getPeakRegisters(const Region &region, const LoopOrder &order) {
  size_t count = order.nodes.size();
  SmallVector<size_t> place(count);
  for (auto [i, node] : llvm::enumerate(order.nodes))
    place[node] = i;
  // Last use in the same iteration, and last use in a later iteration.
  SmallVector<size_t> last(place);
  SmallVector<int64_t> carriedTo(count, -1);
  for (const schedule::Edge &edge : region.problem.edges) {
    if (edge.kind != schedule::EdgeKind::Flow &&
        edge.kind != schedule::EdgeKind::Accumulate)
      continue;
    if (getLag(edge, order.ahead) <= 0)
      last[edge.from] = std::max(last[edge.from], place[edge.to]);
    else
      carriedTo[edge.from] =
          std::max(carriedTo[edge.from], int64_t(place[edge.to]));
  }
  SmallVector<int64_t> registers(count, 0);
  auto live = [&](size_t from, size_t to, int64_t some) {
    for (size_t i = from; i < to; ++i)
      registers[i] += some;
  };
  for (size_t node = 0; node < count; ++node) {
    int64_t some = getRegisters(region.ops[node]);
    if (!some)
      continue;
    if (carriedTo[node] < 0) {
      live(place[node], std::max(last[node], place[node] + 1), some);
      continue;
    }
    live(place[node], count, some);
    // A value that is defined before the last use of the previous iteration's
    // value occupies registers of its own.
    size_t until = size_t(carriedTo[node]);
    live(0, order.ahead[node] ? until : std::min(until, place[node]), some);
  }
  return *llvm::max_element(registers);
}

/// Tries each legal place of each node that runs ahead, one node after the
/// other. Later nodes of the same group move along.
static LoopOrder placeEarly(const Region &region, const LoopOrder &order,
                            int64_t maxRegisters) {
  CopyPlace copies = getCopyPlace(region);
  Sides sides = getSides(region, order.nodes, order.ahead);
  Places places;
  for (const SmallVector<int> &early : sides.early)
    places.emplace_back(
        early.size(),
        getPlaces(region, sides, early, order.ahead, copies).first);
  LoopOrder best = join(region, sides, places, order.ahead);
  for (auto [early, at] : llvm::zip(sides.early, places)) {
    size_t last = getPlaces(region, sides, early, order.ahead, copies).second;
    bool isLoad = !runsAhead(region.ops[early.front()]);
    for (size_t step = 0; step < early.size(); ++step) {
      size_t found = at[step];
      for (size_t place = at[step] + 1; place <= last; ++place) {
        std::fill(at.begin() + step, at.end(), place);
        LoopOrder next = join(region, sides, places, order.ahead);
        // A load placed later needs fewer registers.
        bool isBetter =
            next.cycles < best.cycles ||
            (isLoad && getPeakRegisters(region, best) > maxRegisters &&
             getPeakRegisters(region, next) < getPeakRegisters(region, best));
        if (!isBetter)
          continue;
        best = std::move(next);
        found = place;
      }
      std::fill(at.begin() + step, at.end(), found);
    }
  }
  best.isBaseline = false;
  return best;
}

LoopOrder placeCopies(const Region &region, LoopOrder order) {
  LoopOrder next = placeEarly(region, order, INT64_MAX);
  return next.cycles < order.cycles ? next : order;
}

LoopOrder loadEarly(const Region &region, LoopOrder order,
                    int64_t maxRegisters) {
  LoopOrder base = order;
  SmallVector<int> loads;
  for (int node : order.nodes)
    if (!runsAhead(region.ops[node]) &&
        isEarlyLoad(region.ops[node], region.loop)) {
      base.ahead[node] = 1;
      loads.push_back(node);
    }
  // Sorts by tile size; the loop below drops the largest tiles first.
  llvm::sort(loads, [&](int a, int b) {
    return std::pair(getRegisters(region.ops[a]), a) <
           std::pair(getRegisters(region.ops[b]), b);
  });
  for (; !loads.empty(); base.ahead[loads.pop_back_val()] = 0) {
    LoopOrder next = placeEarly(region, base, maxRegisters);
    if (isLegal(region, next) &&
        getPeakRegisters(region, next) <= maxRegisters &&
        next.cycles < order.cycles)
      return next;
  }
  return order;
}

/// Returns whether every copy is at a legal place.
static bool isPlaced(const Region &region, ArrayRef<int> nodes,
                     CopyPlace copies) {
  bool hasWaited = false, hasMultiplied = false;
  bool hasReleased = false, isOver = false;
  for (int node : nodes) {
    Operation *op = region.ops[node];
    hasMultiplied |= isa<as::DotOp>(op);
    hasWaited |= isa<as::PipelineWaitOp>(op);
    if (isReleaseOfCopies(op)) {
      // Copies are not split by releases.
      if (isOver)
        return false;
      hasReleased = true;
    }
    if (!runsAhead(op))
      continue;
    if (!hasWaited || hasReleased != copies.isLate ||
        (copies.isFirst && hasMultiplied))
      return false;
    isOver = copies.isLate;
  }
  return true;
}

LoopOrder refineOrder(const Region &region, LoopOrder order,
                      int64_t maxRegisters) {
  size_t count = order.nodes.size();
  if (count > heuristics::maxRefinedNodes)
    return order;
  CopyPlace copies = getCopyPlace(region);
  std::vector<std::vector<bool>> isBefore(count, std::vector<bool>(count));
  for (const schedule::Edge &edge : region.problem.edges)
    if (getLag(edge, order.ahead) == 0 && edge.delay >= 0 &&
        edge.kind != schedule::EdgeKind::Anti)
      isBefore[edge.from][edge.to] = true;
  auto tryMove = [&](size_t from, size_t to) {
    LoopOrder next = order;
    int node = order.nodes[from];
    next.nodes.erase(next.nodes.begin() + from);
    next.nodes.insert(next.nodes.begin() + to, node);
    if (!isPlaced(region, next.nodes, copies) ||
        getPeakRegisters(region, next) > maxRegisters)
      return false;
    next.cycles = modelInOrder(region.solution.problem, next.nodes, next.ahead);
    if (next.cycles >= order.cycles)
      return false;
    next.isBaseline = false;
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
          // Pipeline copies belong to another iteration and do not order
          // `node`.
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
// Rewriting the IR
//===----------------------------------------------------------------------===//

void writeAttributes(const Region &region, const LoopOrder &order,
                     std::optional<uint64_t> randomSeed) {
  const schedule::Result &result = region.solution.result;
  scf::ForOp loop = region.loop;
  Builder builder(loop.getContext());
  // Loads into registers are built one stage ahead of the other operations.
  int last = result.schedule.numStages - 1;
  for (auto [node, op] : llvm::enumerate(region.ops))
    if (order.ahead[node] && !runsAhead(op))
      last = std::max(last, 1);
  for (auto [rank, node] : llvm::enumerate(order.nodes)) {
    Operation *op = region.ops[node];
    int stage = last;
    if (runsAhead(op))
      stage = result.schedule.stage[node];
    else if (order.ahead[node])
      stage = last - 1;
    op->setAttr(kStageAttr, builder.getI32IntegerAttr(stage));
    op->setAttr(kOrderAttr, builder.getI32IntegerAttr(int32_t(rank)));
    op->setAttr(kCycleAttr, builder.getI32IntegerAttr(
                                int32_t(result.schedule.start[node])));
  }
  loop->setAttr("tileas.schedule.ii",
                builder.getI32IntegerAttr(int32_t(result.schedule.ii)));
  loop->setAttr(kNumStagesAttr, builder.getI32IntegerAttr(last + 1));
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

/// Rebuilds a block from its anchors, each after the non-anchor operations that
/// it uses.
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

  /// Places the operations that only the terminator uses, in their old order.
  void placeRest() {
    SmallVector<Operation *> rest(left.begin(), left.end());
    for (Operation *op : rest)
      place(op);
  }

private:
  /// Returns an operation that `op` uses and that is not placed yet.
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
  // In the body the nodes that run ahead precede the waits of their iteration.
  Sides sides = getSides(region, order.nodes, order.ahead);
  SmallVector<int> program;
  for (const SmallVector<int> &early : sides.early)
    llvm::append_range(program, early);
  llvm::sort(program);
  llvm::append_range(program, sides.rest);
  if (llvm::is_sorted(sides.rest))
    return;
  scf::ForOp loop = region.loop;
  BlockBuilder builder(*loop.getBody());
  for (int node : program)
    builder.place(region.ops[node]);
  builder.placeRest();
}

void LoopOrder::print(raw_ostream &os,
                      const ScheduleAnalysis::Region &region) const {
  os << (isBaseline ? "as written, " : "reordered, ") << cycles << " cycles";
  for (int node : nodes) {
    os << "\n  " << node;
    if (size_t(node) < region.ops.size() && region.ops[node]) {
      os << " " << region.ops[node]->getName() << " at ";
      printPlace(os, region.ops[node]->getLoc());
    }
    if (size_t(node) < ahead.size() && ahead[node])
      os << ", " << ahead[node] << " iterations ahead";
  }
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/RegisterDemand.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/Target.h"
#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

int64_t RegisterDemand::estimateRegisters(int64_t registers,
                                          unsigned numWarps) {
  return llvm::divideCeil(registers, limits::threadsPerWarp * numWarps) +
         heuristics::registersBesideTiles;
}

int64_t RegisterDemand::getExcess(int64_t registers, unsigned numWarps) {
  return estimateRegisters(registers, numWarps) -
         RegisterBudget({}, numWarps).getLimit();
}

int64_t getRegisterCount(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return 0;
  return as::getTileLayout(tile).getLayout().getNumRegisters() *
         as::getStorageBits(tile.getElementType()) / 32;
}

namespace {

/// Live range of a tile in moments: operation number n has the moments 2n
/// before it and 2n + 1 after it.
struct LiveRange {
  int64_t begin = 0, end = 0;
};

class DemandAnalysis {
public:
  DemandAnalysis(FunctionOpInterface func, const DemandRules &rules)
      : func(func), rules(rules) {}

  RegisterDemand run();

private:
  void number(Region &region);
  void define(Value value, int64_t moment);
  void collectFacts(Operation *op);
  void collectAccumulators();
  void use(Value value, Operation *user, bool isBefore = false);
  void sweep();
  /// The tile whose registers `value` shares.
  Value getRoot(Value value) const {
    auto it = roots.find(value);
    return it == roots.end() ? value : it->second;
  }
  /// Location of a loaded tile that only dots read.
  enum class Operand { None, InRegisters, InSharedMemory };
  Operand classify(Value value) const;
  bool isMadeOnTheFly(Value value) const;

  FunctionOpInterface func;
  const DemandRules &rules;
  RegisterDemand demand;
  /// Registers of the partial accumulators of promoted dots.
  int64_t promoted = 0;
  /// True if loads through shared memory are copies already.
  bool isStaged = false;
  int64_t numOps = 0;
  DenseMap<Operation *, LiveRange> moments;
  DenseMap<Value, Value> roots;
  llvm::MapVector<Value, LiveRange> live;
  DenseSet<Value> accumulators;
  SmallVector<int64_t> points;
};

} // namespace

/// Returns whether `op` makes a tile that is cheaper to rematerialize than to
/// keep.
static bool isLeaf(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp, as::SplatOp, as::MakeRangeOp>(op);
}

/// Returns whether the result of `op` shares the registers of its operand, or
/// will once layouts are assigned again.
static bool isAlias(Operation *op) {
  return isa<as::ConvertLayoutOp, as::DotWaitOp, as::AsyncToAsyncOp>(op) ||
         (isShapeOp(op) && !isa<as::CatOp>(op));
}

/// Returns whether `op` widens numbers; the narrow operand stays live in its
/// place.
static bool isWidening(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// The tile of `value`, or of the future that it is; null for a value without
/// registers.
static RankedTensorType getTileType(Value value) {
  if (auto future = dyn_cast<as::FutureType>(value.getType()))
    return future.getTile();
  return as::isTile(value.getType()) ? cast<RankedTensorType>(value.getType())
                                     : RankedTensorType();
}

static int64_t getRegisters(Value tile) {
  RankedTensorType type = getTileType(tile);
  // A predicate takes one bit; other narrow elements mostly take half a
  // register.
  int64_t bits =
      type.getElementType().isInteger(1)
          ? 1
          : std::max<int64_t>(16, as::getStorageBits(type.getElementType()));
  return llvm::divideCeil(type.getNumElements() * bits, 32);
}

void DemandAnalysis::define(Value value, int64_t moment) {
  RankedTensorType type = getTileType(value);
  if (!type)
    return;
  Operation *op = value.getDefiningOp();
  if (op && (isAlias(op) || isWidening(op))) {
    roots[value] = getRoot(op->getOperand(0));
    return;
  }
  if (op && isLeaf(op))
    return;
  live[value] = {moment, moment};
  demand.largestTile = std::max(demand.largestTile, type.getNumElements());
}

void DemandAnalysis::collectFacts(Operation *op) {
  isStaged |= isa<as::PipelineCreateOp>(op);
  if (auto dot = dyn_cast<as::DotOp>(op)) {
    ArrayRef<int64_t> shape = getTileType(dot.getC()).getShape();
    demand.largestDot = std::max(demand.largestDot, shape[0] * shape[1]);
    accumulators.insert(getRoot(dot.getC()));
    accumulators.insert(dot.getResult());
    // Partial accumulators need registers of their own, and whole warpgroups.
    unsigned warps = std::clamp<int64_t>(shape[0] / 16, 4, demand.maxWarps);
    if (rules.isPromoted && rules.isPromoted(dot, warps)) {
      promoted = std::max(promoted, getRegisters(dot.getC()));
      demand.maxWarps = warps;
    }
  }
  bool combines = isa<as::ReduceOp, as::ScanOp>(op);
  demand.hasReduction |= combines;
  if (combines || isa<as::DotOp, as::AsyncDotOp, LoopLikeOpInterface>(op))
    points.append({moments[op].begin, moments[op].end});
  auto access = [&](Value tile) {
    RankedTensorType type = tile ? getTileType(tile) : RankedTensorType();
    if (type)
      demand.largestAccess =
          std::max<int64_t>(demand.largestAccess,
                            type.getNumElements() *
                                as::getStorageBits(type.getElementType()) / 8);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<as::LoadOp, as::TiledLoadOp, as::GatherLoadOp, as::StoreOp,
            as::TiledStoreOp, as::ScatterStoreOp, as::TiledAtomicRmwOp>(
          [&](auto memory) { access(memory.getValue()); })
      .Case<as::AtomicRmwOp, as::AtomicCasOp>(
          [&](Operation *atomic) { access(atomic->getResult(0)); });
}

void DemandAnalysis::number(Region &region) {
  for (Block &block : region) {
    for (Value arg : block.getArguments())
      define(arg, 2 * numOps - 1);
    for (Operation &op : block) {
      int64_t begin = 2 * numOps++;
      // The bodies of reductions hold scalars only.
      if (!isa<as::ReduceOp, as::ScanOp>(op))
        for (Region &inner : op.getRegions())
          number(inner);
      moments[&op] = {begin, 2 * numOps - 1};
      for (Value result : op.getResults())
        define(result, 2 * numOps - 1);
      collectFacts(&op);
    }
  }
}

/// Collects the accumulators that loops carry: if the iter-arg, its initial
/// value, the yielded value or the result is an accumulator, all four are.
void DemandAnalysis::collectAccumulators() {
  func->walk([&](scf::ForOp loop) {
    for (auto [arg, init, yielded, result] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInits(),
                   loop.getYieldedValues(), loop.getResults())) {
      if (!as::isTile(arg.getType()))
        continue;
      std::array<Value, 4> tied = {arg, getRoot(init), getRoot(yielded),
                                   result};
      if (llvm::any_of(tied, [&](Value v) { return accumulators.contains(v); }))
        accumulators.insert(tied.begin(), tied.end());
    }
  });
}

/// Extends the live range of `value` to `user`, or to the work of threads right
/// before it.
void DemandAnalysis::use(Value value, Operation *user, bool isBefore) {
  auto it = live.find(getRoot(value));
  if (it == live.end())
    return;
  // A loop reads a value from outside in every iteration.
  int64_t last = moments[user].begin - isBefore;
  for (Operation *parent = user->getParentOp();
       parent && parent != func &&
       !parent->isAncestor(it->first.getParentRegion()->getParentOp());
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      last = std::max(last, moments[parent].end - 1);
  it->second.end = std::max(it->second.end, last);
}

DemandAnalysis::Operand DemandAnalysis::classify(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isStaged || !op ||
      !isa<as::LoadOp, as::TiledLoadOp, as::GatherLoadOp>(op))
    return Operand::None;
  bool copied = !isa<as::GatherLoadOp>(op);
  SmallVector<Value> work = {value};
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isAlias(user)) {
        work.push_back(user->getResult(0));
        continue;
      }
      auto dot = dyn_cast<as::DotOp>(user);
      if (!dot || dot.getC() == use.get() || dot.needsDecomposition())
        return Operand::None;
      copied = copied && rules.isCopied &&
               rules.isCopied(op, dot->getParentOfType<scf::ForOp>());
    }
  return copied ? Operand::InSharedMemory : Operand::InRegisters;
}

/// Returns whether only reductions read `value`; they consume its elements one
/// by one as they are computed.
bool DemandAnalysis::isMadeOnTheFly(Value value) const {
  Operation *op = value.getDefiningOp();
  return op &&
         (isa<as::ElementwiseOp>(op) ||
          isa_and_present<arith::ArithDialect, math::MathDialect>(
              op->getDialect())) &&
         llvm::all_of(value.getUsers(),
                      [](Operation *user) { return isa<as::ReduceOp>(user); });
}

void DemandAnalysis::sweep() {
  enum Kind { Other, Accumulator, Operands };
  struct Event {
    int64_t moment;
    /// Registers that become live or dead.
    int64_t registers;
    Kind kind;
  };
  SmallVector<Event> events;
  for (auto [value, range] : live) {
    Operand operand = classify(value);
    if (range.end <= range.begin || operand == Operand::InSharedMemory ||
        isMadeOnTheFly(value))
      continue;
    Kind kind = accumulators.contains(value)      ? Accumulator
                : operand == Operand::InRegisters ? Operands
                                                  : Other;
    int64_t registers = getRegisters(value);
    events.push_back({range.begin, registers, kind});
    events.push_back({range.end + 1, -registers, kind});
  }
  // Threads may multiply by scales, in bf16.
  func->walk([&](as::DotOp dot) {
    if (!dot.needsDecomposition())
      return;
    for (Value operand : {dot.getA(), dot.getB()}) {
      int64_t registers = getTileType(operand).getNumElements() / 2,
              begin = moments[dot].begin;
      events.push_back({begin, registers, Other});
      events.push_back({begin + 1, -registers, Other});
    }
  });
  llvm::sort(events, [](const Event &a, const Event &b) {
    return a.moment < b.moment;
  });
  llvm::sort(points);
  int64_t now[3] = {0, 0, 0};
  const Event *next = events.begin();
  for (int64_t point : points) {
    for (; next != events.end() && next->moment <= point; ++next)
      now[next->kind] += next->registers;
    int64_t others = now[Other] + now[Operands];
    auto here = std::make_pair(now[Accumulator], others);
    std::tie(demand.accumulators, demand.others) =
        std::max(here, std::make_pair(demand.accumulators, demand.others));
    demand.peak = std::max(demand.peak, now[Accumulator] + others);
    demand.loadedOperands = std::max(demand.loadedOperands, now[Operands]);
  }
}

RegisterDemand DemandAnalysis::run() {
  number(func.getFunctionBody());
  collectAccumulators();
  func->walk([&](Operation *op) {
    auto scaled = dyn_cast<as::DotOp>(op);
    bool isScaled = scaled && scaled.needsDecomposition();
    if (!isAlias(op))
      for (Value operand : op->getOperands())
        if (getTileType(operand))
          use(operand, op,
              /*isBefore=*/isScaled && operand != scaled.getC());
    // An MMA reads its registers until the wait for it.
    if (auto dot = dyn_cast<as::AsyncDotOp>(op))
      for (Operation *user : dot->getUsers())
        if (getTileType(dot.getA()) && isa<as::DotWaitOp>(user))
          use(dot.getA(), user);
  });
  sweep();
  demand.peak += promoted;
  return demand;
}

void RegisterDemand::print(raw_ostream &os) const {
  os << accumulators << " registers of accumulators, " << others
     << " of other tiles beside them, " << peak << " at most, "
     << loadedOperands << " of loaded operands; largest tile of " << largestTile
     << " elements, access of " << largestAccess << " bytes, dot of "
     << largestDot << " elements; at most " << maxWarps << " warps"
     << (hasReduction ? "; with a reduction" : "");
}

RegisterDemand getRegisterDemand(FunctionOpInterface func,
                                 const DemandRules &rules) {
  return DemandAnalysis(func, rules).run();
}

} // namespace tileir

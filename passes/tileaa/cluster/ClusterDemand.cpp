// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterDemand.h"

#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

static constexpr StringLiteral kIndivisible =
    "its tile cannot be divided among CTAs that way";

static bool hasIterArgs(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op);
}

static bool isEffect(Operation *op) {
  return isa<aa::StoreOp, aa::TiledStoreOp, aa::ScatterStoreOp, aa::AtomicRmwOp,
             aa::AtomicCasOp, aa::TiledAtomicRmwOp, aa::AssertOp, aa::PrintOp>(
      op);
}

SmallVector<Operation *> getClusterEffects(aa::FuncOp func) {
  SmallVector<Operation *> effects;
  func->walk([&](Operation *op) {
    if (isEffect(op))
      effects.push_back(op);
  });
  return effects;
}

std::optional<ClusterPart>
ClusterDemand::getExchangedPart(Operation *op, ClusterPart part) const {
  auto reduce = dyn_cast<aa::ReduceOp>(op);
  if (!reduce || !choice.exchanged.contains(op))
    return std::nullopt;
  return tileir::getExchangedPart(reduce, part, numAxes);
}

ArrayRef<ClusterPart> ClusterDemand::getParts(Value value) const {
  auto found = needed.find(value);
  return found == needed.end() ? ArrayRef<ClusterPart>() : found->second;
}

SmallVector<ClusterPart> ClusterDemand::getParts(Operation *op) const {
  SmallVector<ClusterPart> parts;
  for (Value result : op->getResults())
    if (isDivisible(result.getType()))
      for (ClusterPart part : getParts(result))
        if (!llvm::is_contained(parts, part))
          parts.push_back(part);
  return parts;
}

bool ClusterDemand::isCut(Operation *op, ClusterPart part) const {
  return !part.isWhole() && !getOperandParts(op, part);
}

void ClusterDemand::fail(Operation *op, StringRef reason) {
  if (!obstacle)
    obstacle = {op, reason.str()};
}

void ClusterDemand::need(Value value, ClusterPart part) {
  if (!isDivisible(value.getType()))
    part = ClusterPart();
  SmallVector<ClusterPart, 2> &parts = needed[value];
  if (llvm::is_contained(parts, part))
    return;
  parts.push_back(part);
  worklist.push_back({value, part});
}

/// Everything that `op` and its regions use.
void ClusterDemand::addWhole(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        need(operand, ClusterPart());
  });
}

void ClusterDemand::addOperands(Operation *op, ClusterPart part) {
  std::optional<SmallVector<ClusterPart>> parts = getOperandParts(op, part);
  if (!parts)
    return fail(op, kIndivisible);
  for (auto [operand, needed] : llvm::zip(op->getOperands(), *parts))
    need(operand, needed);
  addCaptured(op);
}

/// Needs what the regions of `op` use of the values around it.
void ClusterDemand::addCaptured(Operation *op) {
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          need(operand, ClusterPart());
    });
}

void ClusterDemand::addEffects(Region &region) {
  for (Operation &op : region.getOps()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        need(bound, ClusterPart());
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.getCondition(), ClusterPart());
    } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
      need(condition.getCondition(), ClusterPart());
    } else if (auto effect = choice.effects.find(&op);
               effect != choice.effects.end()) {
      addOperands(&op, effect->second);
    } else if (isa<aa::GridDependencyOp, aa::MessageOp>(op)) {
      addWhole(&op);
    } else if (isa<aa::AllocaOp>(op)) {
      fail(&op, "the CTAs of a tile block do not share what it allocates");
    } else if (!isa<scf::WhileOp, scf::YieldOp, aa::ReturnOp>(op) &&
               !isEffect(&op) && !wouldOpBeTriviallyDead(&op)) {
      fail(&op, "no rule shares what it does among CTAs");
    }
    if (hasIterArgs(&op))
      for (Region &inner : op.getRegions())
        addEffects(inner);
  }
}

void ClusterDemand::addSources(BlockArgument arg, ClusterPart part) {
  Operation *parent = arg.getOwner()->getParentOp();
  unsigned number = arg.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (number < loop.getNumInductionVars())
      return;
    unsigned index = number - loop.getNumInductionVars();
    need(loop.getInitArgs()[index], part);
    need(loop.getYieldedValues()[index], part);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (arg.getOwner() == loop.getAfterBody())
      return need(loop.getConditionOp().getArgs()[number], part);
    need(loop.getInits()[number], part);
    need(loop.getYieldOp().getResults()[number], part);
  } else if (!part.isWhole()) {
    fail(parent, "its caller gives it whole tiles");
  }
}

/// The old elements of an atomic are where it was done. One CTA passes those of
/// its own atomics to the others.
void ClusterDemand::checkOld(Operation *op) {
  auto effect = choice.effects.find(op);
  ClusterPart had =
      effect == choice.effects.end() ? ClusterPart() : effect->second;
  for (Value result : op->getResults()) {
    if (isa<aa::MemTokenType>(result.getType()) || getParts(result).empty())
      continue;
    for (ClusterPart part : getParts(result))
      if (part != had)
        return fail(op, "a CTA has its result, and another one needs it");
  }
}

bool ClusterDemand::isPassed(Operation *effect) const {
  return choice.effects.lookup(effect).getFreeAxes(numAxes) &&
         llvm::any_of(effect->getResults(), [&](Value result) {
           return !isa<aa::MemTokenType>(result.getType()) &&
                  !getParts(result).empty();
         });
}

/// Where no rule gives the part of an operation without effects, it is cut out
/// of the whole result.
void ClusterDemand::addDefinition(Operation *op, ClusterPart part) {
  if (isEffect(op))
    return checkOld(op);
  if (std::optional<ClusterPart> divided = getExchangedPart(op, part)) {
    for (Value operand : op->getOperands())
      need(operand, *divided);
    return addCaptured(op);
  }
  if (!isCut(op, part))
    return addOperands(op, part);
  if (!isMemoryEffectFree(op) || op->getNumResults() == 0)
    return fail(op, kIndivisible);
  for (Value result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()) ||
        !getPartType(result.getType(), part))
      return fail(op, kIndivisible);
    need(result, ClusterPart());
  }
}

void ClusterDemand::addSources(OpResult result, ClusterPart part) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (!getPartType(result.getType(), part))
    return fail(op, kIndivisible);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getRegionIterArgs()[number], part);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    need(loop.getConditionOp().getArgs()[number], part);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    need(branch.thenYield().getResults()[number], part);
    need(branch.elseYield().getResults()[number], part);
  } else if (auto access = dyn_cast<aa::TileAAMemoryOpInterface>(op);
             access && result == access.getOutputToken()) {
    // The order of a load that no CTA makes is that of what it waits for.
    if (Value token = access.getInputToken())
      need(token, ClusterPart());
  } else {
    addDefinition(op, part);
  }
}

ClusterDemand::ClusterDemand(aa::FuncOp func, const ClusterChoice &choice,
                             unsigned numAxes)
    : func(func), choice(choice), numAxes(numAxes) {
  addEffects(func.getBody());
  while (!worklist.empty() && !obstacle) {
    auto [value, part] = worklist.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value))
      addSources(arg, part);
    else
      addSources(cast<OpResult>(value), part);
  }
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

static double getNumElements(Type type, ClusterPart part) {
  Type own = getPartType(type, part);
  auto tile = dyn_cast_if_present<RankedTensorType>(own);
  return tile ? tile.getNumElements() : 0;
}

/// Returns the cost of a dot; instructions with too few rows work on rows of
/// zeros.
static double getDotCost(aa::DotOp dot, ClusterPart part, int64_t minRows) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto own = cast<RankedTensorType>(getPartType(dot.getType(), part));
  int64_t rows = own.getDimSize(own.getRank() - 2);
  double macs = double(own.getNumElements()) / rows * std::max(rows, minRows) *
                a.getShape().back();
  return macs / heuristics::clusterMacsPerElement;
}

/// Returns the cost of a reduction to `part` of its results: a part of them has
/// all elements along the axis, unless CTAs exchange.
static double getReduceCost(aa::ReduceOp reduce, ClusterPart part,
                            const ClusterDemand &demand) {
  Type operand = reduce->getOperand(0).getType();
  if (std::optional<ClusterPart> divided =
          demand.getExchangedPart(reduce, part))
    return getNumElements(operand, *divided) + heuristics::clusterExchange;
  auto parts = getOperandParts(reduce, part);
  return parts ? getNumElements(operand, parts->front()) : 0;
}

static double getOpCost(Operation *op, ClusterPart part, int64_t minRows) {
  if (auto dot = dyn_cast<aa::DotOp>(op))
    return getDotCost(dot, part, minRows);
  // MMAs read operands from shared memory in either order.
  if (isa<aa::PermuteOp>(op) &&
      llvm::all_of(op->getUsers(), llvm::IsaPred<aa::DotOp>))
    return 0;
  if (auto access = dyn_cast<aa::TileAAMemoryOpInterface>(op)) {
    Type own = getPartType(access.getAccessedType(), part);
    auto tile = dyn_cast_if_present<RankedTensorType>(own);
    return tile ? heuristics::clusterElementsPerByte * tile.getNumElements() *
                      aa::getStorageBits(tile.getElementType()) / 8
                : 0;
  }
  return op->getNumResults() ? getNumElements(op->getResult(0).getType(), part)
                             : 0;
}

double getTrips(Operation *op) {
  double tripCount = 1;
  for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(loop))
      tripCount *= heuristics::clusterLoopTrips;
  return tripCount;
}

double getCost(aa::FuncOp func, const ClusterDemand &demand, int64_t minRows) {
  double cost = 0;
  func.getBody().walk([&](Operation *op) {
    if (hasIterArgs(op))
      return;
    double tripCount = getTrips(op);
    if (auto effect = demand.getEffects().find(op);
        effect != demand.getEffects().end()) {
      cost += tripCount * getOpCost(op, effect->second, minRows);
      if (demand.isPassed(op))
        cost += tripCount * heuristics::clusterExchange;
      return;
    }
    SmallVector<ClusterPart> parts = demand.getParts(op);
    auto reduce = dyn_cast<aa::ReduceOp>(op);
    if (reduce && !isDivisible(reduce.getResult(0).getType()) &&
        llvm::any_of(reduce.getResults(), [&](Value result) {
          return !demand.getParts(result).empty();
        }))
      parts = {ClusterPart()};
    for (ClusterPart part : parts)
      cost += tripCount * (reduce ? getReduceCost(reduce, part, demand)
                                  : getOpCost(op, part, minRows));
  });
  return cost;
}

} // namespace tileir

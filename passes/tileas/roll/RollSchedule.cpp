// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/roll/RollSchedule.h"

#include "dialects/support/Heuristics.h"

#include "passes/analysis/AccessRoots.h"
#include "passes/tileas/layout/LayoutPlan.h"
#include "passes/tileas/roll/RollMemory.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// The level of operations that wait for the memory accesses of all slices.
static constexpr unsigned kAfter = ~0u;

static bool isToken(Value value) {
  return isa<aa::MemTokenType>(value.getType());
}

static bool isStore(Operation *op) {
  return isa<as::StoreOp, as::TiledStoreOp>(op);
}

static bool isLoad(Operation *op) {
  return isa<as::LoadOp, as::TiledLoadOp>(op);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

bool RollSchedule::assignLevels(RollFault &fault) {
  levels.assign(component->getMembers().size(), 0);
  Operation *end = component->getMembers().back().op;
  for (Operation &op : *component->getBlock()) {
    bool isMember = component->contains(&op);
    unsigned level = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        if (isMember && isToken(operand))
          continue;
        Operation *def = operand.getDefiningOp();
        unsigned at = 0;
        if (component->contains(def))
          at = isToken(operand) ? kAfter
                                : levels[component->getNumber(def)] +
                                      component->isReduction(def);
        else if (auto it = dependents.find(def); it != dependents.end())
          at = it->second;
        level = std::max(level, at);
      }
    });
    if (!isMember) {
      if (level)
        dependents[&op] = level;
    } else if (level == kAfter) {
      fault = {&op, "it needs something that waits for the memory accesses of "
                    "all slices"};
      return false;
    } else {
      levels[component->getNumber(&op)] = level;
      last = std::max(last, level);
    }
    if (&op == end)
      break;
  }
  return true;
}

bool RollSchedule::isRoot(Operation *op, unsigned phase) const {
  if (component->isReduction(op))
    return levels[component->getNumber(op)] == phase;
  if (phase != last)
    return false;
  // A tile without readers is loaded for its token.
  return isStore(op) || (isLoad(op) && op->getResult(0).use_empty() &&
                         !op->getResult(1).use_empty());
}

void RollSchedule::collectPhases() {
  ArrayRef<RollComponent::Member> members = component->getMembers();
  phases.resize(last + 1);
  for (unsigned phase = 0; phase <= last; ++phase) {
    DenseSet<Operation *> needed;
    for (const RollComponent::Member &member : llvm::reverse(members)) {
      if (!needed.contains(member.op) && !isRoot(member.op, phase))
        continue;
      phases[phase].push_back(member.op);
      for (Value operand : member.op->getOperands())
        if (Operation *def = operand.getDefiningOp();
            isTile(operand) && component->contains(def) &&
            !component->isReduction(def))
          needed.insert(def);
    }
    std::reverse(phases[phase].begin(), phases[phase].end());
  }
}

bool RollSchedule::collectDependents(RollFault &fault) {
  // Operations that members need go between the phases.
  DenseSet<Operation *> needed;
  auto need = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); dependents.contains(def))
          needed.insert(def);
    });
  };
  for (const RollComponent::Member &member : component->getMembers())
    for (Value operand : member.op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          !isToken(operand) && dependents.contains(def))
        needed.insert(def);
  between.resize(last + 1);
  for (auto &[op, level] : llvm::reverse(dependents)) {
    if (!needed.contains(op)) {
      after.push_back(op);
      continue;
    }
    need(op);
    auto access = dyn_cast<as::TileASMemoryOpInterface>(op);
    bool isWeakLoad = access &&
                      access.getMemoryKind() == as::MemoryKind::Load &&
                      access.getAccessSemantic() == aa::MemSemantic::Weak;
    if (!isMemoryEffectFree(op) && !isWeakLoad) {
      fault = {op, "it lies between two loops over slices and has effects"};
      return false;
    }
    between[level - 1].push_back(op);
  }
  std::reverse(after.begin(), after.end());
  for (SmallVector<Operation *> &ops : between)
    std::reverse(ops.begin(), ops.end());
  return true;
}

//===----------------------------------------------------------------------===//
// Memory order
//===----------------------------------------------------------------------===//

bool RollSchedule::resolve(Value token, Order &order, RollFault &fault,
                           Operation *access) {
  if (!token)
    return true;
  Operation *def = token.getDefiningOp();
  if (component->contains(def)) {
    if (!order.members.insert(def))
      return true;
    return resolve(cast<as::TileASMemoryOpInterface>(def).getInputMemToken(),
                   order, fault, access);
  }
  if (!dependents.contains(def)) {
    order.outside.insert(token);
    return true;
  }
  if (!isa<as::JoinMemTokenOp>(def)) {
    fault = {access, "its order depends on an operation outside of the slices"};
    return false;
  }
  return llvm::all_of(def->getOperands(), [&](Value operand) {
    return resolve(operand, order, fault, access);
  });
}

bool RollSchedule::resolveTokens(RollFault &fault) {
  for (const RollComponent::Member &member : component->getMembers())
    if (auto access = dyn_cast<as::TileASMemoryOpInterface>(member.op))
      if (!resolve(access.getInputMemToken(), orders[member.op], fault,
                   member.op))
        return false;
  return true;
}

bool haveSameThreads(Operation *first, Operation *second) {
  auto tile = [](Operation *op) {
    return cast<RankedTensorType>(
        cast<as::TileASMemoryOpInterface>(op).getAccessedTile());
  };
  auto layout = [&](Operation *op) {
    return as::getTileLayout(tile(op)).getLayout();
  };
  return layout(first) == layout(second) && !layout(first).redundantMask() &&
         getRegistersPerThread(tile(first)) > heuristics::smallTileRegisters;
}

static SmallVector<Value> getAddress(Operation *access) {
  return cast<as::TileASMemoryOpInterface>(access).getAddressOperands();
}

/// Returns whether no two elements of a tile share memory: every stride is
/// longer than all that the smaller ones reach.
static bool areElementsApart(aa::TATiledViewType view) {
  if (view.hasSparseDim())
    return false;
  SmallVector<std::pair<int64_t, int64_t>> extents;
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned dim = view.getMemRefDim(d);
    int64_t size = view.getSource().getShape()[dim],
            stride = view.getSource().getStrides()[dim],
            extent = view.getTileShape()[d];
    if (!ShapedType::isDynamic(size))
      extent = std::min(extent, size);
    if (extent <= 1)
      continue;
    if (ShapedType::isDynamic(stride) || stride <= 0)
      return false;
    extents.push_back({stride, extent});
  }
  llvm::sort(extents);
  uint64_t reach = 0;
  for (auto [stride, extent] : extents) {
    if (uint64_t(stride) <= reach)
      return false;
    reach = llvm::SaturatingMultiplyAdd<uint64_t>(stride, extent - 1, reach);
  }
  return true;
}

bool haveSameTiles(Operation *first, Operation *second) {
  SmallVector<Value> x = getAddress(first), y = getAddress(second);
  auto a = dyn_cast<aa::TATiledViewType>(x[0].getType());
  auto b = dyn_cast<aa::TATiledViewType>(y[0].getType());
  if (!a || !b || !haveSameThreads(first, second) ||
      a.getTileShape() != b.getTileShape() || a.getDims() != b.getDims() ||
      a.getSteps() != b.getSteps() || x.size() != y.size() ||
      as::getStorageBits(a.getElementType()) !=
          as::getStorageBits(b.getElementType()))
    return false;
  for (auto [u, v] : llvm::drop_begin(llvm::zip(x, y)))
    if (!isEqualConstantIntOrValue(u, v))
      return false;
  return areElementsApart(a);
}

bool haveSameElements(Operation *first, Operation *second) {
  if (!haveSameTiles(first, second))
    return false;
  Value a = getAddress(first)[0], b = getAddress(second)[0];
  auto getSource = [](Value view) {
    return cast<aa::TATiledViewType>(view.getType()).getSource();
  };
  auto x = a.getDefiningOp<as::BlockTileOp>();
  auto y = b.getDefiningOp<as::BlockTileOp>();
  return getSource(a) == getSource(b) && x && y &&
         x.getSource() == y.getSource();
}

bool RollSchedule::findConflicts(RollFault &fault) {
  auto func = component->getBlock()->getParent()->getParentOfType<aa::FuncOp>();
  DenseSet<Operation *> earlier;
  for (ArrayRef<Operation *> phase : llvm::drop_end(phases))
    earlier.insert(phase.begin(), phase.end());
  for (Operation *op : phases.back()) {
    if (isLoad(op)) {
      for (Operation *before : orders[op].members)
        if (isStore(before) && !cannotAlias(func, before, op)) {
          fault = {op, "it comes after a store of the same tiles"};
          return false;
        }
      continue;
    }
    if (!isStore(op))
      continue;
    for (Operation *before : orders[op].members)
      if (isStore(before) && !cannotAlias(func, before, op) &&
          !haveSameElements(before, op)) {
        fault = {op, "it comes after another store, which may write the same "
                     "memory"};
        return false;
      }
    // A store of elements that come from one load alone, element by element,
    // and no token between: nothing orders the elements among each other.
    for (Operation *load : phases.back())
      if (isLoad(load) &&
          (earlier.contains(load) || orders[op].members.contains(load)) &&
          !cannotAlias(func, load, op) && !haveSameElements(load, op)) {
        Type element = getElementTypeOrSelf(load->getResult(0).getType());
        if (!hasKnownBounds(load) || !hasKnownBounds(op) ||
            as::getStorageBits(element) < 8) {
          fault = {op, "it may write what would be loaded again, at addresses "
                       "that are not known"};
          return false;
        }
        conflicts.push_back({load, op});
      }
  }
  return true;
}

bool RollSchedule::build(const RollComponent &from, RollFault &fault) {
  component = &from;
  if (!assignLevels(fault) || !resolveTokens(fault))
    return false;
  collectPhases();
  return collectDependents(fault) && findConflicts(fault);
}

} // namespace tileir

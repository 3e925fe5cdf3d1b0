// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterOrder.h"

#include "passes/analysis/AccessRoots.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

/// For each token the accesses that it is ordered after without a wait for
/// other CTAs, around loops, too.
class TokenOrder {
public:
  /// CTAs wait for each other before `waits`: what comes after such an access
  /// comes after all that its token orders.
  TokenOrder(aa::FuncOp func, const ClusterWaits &waits);

  ArrayRef<aa::TileAAMemoryOpInterface> getAccesses() const { return accesses; }
  /// Returns whether a token orders the access of number `second` after one of
  /// number `first`.
  bool isOrdered(unsigned first, unsigned second) {
    Value token = accesses[second].getInputToken();
    return token && getBefore(token).test(first);
  }

private:
  llvm::BitVector &getBefore(Value token) {
    return before.try_emplace(token, accesses.size()).first->second;
  }
  /// Adds what is before `from` to what is before `to`.
  void add(Value to, Value from);
  void addCarried(Operation *op);
  void addResults(Operation *op);

  const ClusterWaits &waits;
  SmallVector<aa::TileAAMemoryOpInterface> accesses;
  DenseMap<Operation *, unsigned> numbers;
  DenseMap<Value, llvm::BitVector> before;
  bool hasChanged = false;
};

} // namespace

void TokenOrder::add(Value to, Value from) {
  if (!isa<aa::MemTokenType>(to.getType()))
    return;
  llvm::BitVector source = getBefore(from);
  llvm::BitVector &target = getBefore(to);
  llvm::BitVector joined = target;
  joined |= source;
  hasChanged |= joined != target;
  target = std::move(joined);
}

void TokenOrder::addCarried(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getYieldedValues(), loop.getResults())) {
      add(arg, init);
      add(arg, yielded);
      add(result, arg);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, arg, yielded] :
         llvm::zip(loop.getInits(), loop.getBeforeArguments(),
                   loop.getYieldOp().getResults())) {
      add(arg, init);
      add(arg, yielded);
    }
    for (auto [passed, arg, result] :
         llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments(),
                   loop.getResults())) {
      add(arg, passed);
      add(result, passed);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    for (auto [first, second, result] :
         llvm::zip(branch.thenYield().getResults(),
                   branch.elseYield().getResults(), branch.getResults())) {
      add(result, first);
      add(result, second);
    }
  }
}

void TokenOrder::addResults(Operation *op) {
  for (Value result : op->getResults()) {
    if (!isa<aa::MemTokenType>(result.getType()))
      continue;
    for (Value operand : op->getOperands())
      if (isa<aa::MemTokenType>(operand.getType()) && !waits.contains(op))
        add(result, operand);
    auto number = numbers.find(op);
    if (number == numbers.end())
      continue;
    llvm::BitVector &known = getBefore(result);
    hasChanged |= !known.test(number->second);
    known.set(number->second);
  }
}

TokenOrder::TokenOrder(aa::FuncOp func, const ClusterWaits &waits)
    : waits(waits) {
  func->walk([&](aa::TileAAMemoryOpInterface access) {
    numbers[access] = accesses.size();
    accesses.push_back(access);
  });
  do {
    hasChanged = false;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) {
      addCarried(op);
      if (op->getNumRegions() == 0)
        addResults(op);
    });
  } while (hasChanged);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// The argument or global that an access goes back to, or null.
static Value getRoot(Value at) {
  while (Operation *op = at.getDefiningOp()) {
    if (isa<aa::GetGlobalOp>(op))
      return at;
    if (!isa<aa::BlockTileOp, aa::MakeMemRefOp, aa::AddPtrOp, aa::AssumeOp,
             aa::SplatOp, aa::BroadcastOp, aa::ViewOp, aa::ExpandDimsOp,
             aa::PermuteOp, aa::BitcastOp>(op))
      return {};
    at = op->getOperand(0);
  }
  return at;
}

static Value getViewedMemory(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!isa<aa::BlockTileOp, aa::AssumeOp>(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

static bool isComputation(Operation *op) {
  return op && isMemoryEffectFree(op) && op->getNumRegions() == 0;
}

/// Returns whether `value` is the same in all iterations of `loop`.
static bool isInvariant(Value value, Operation *loop) {
  if (!loop || !loop->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return isComputation(op) && llvm::all_of(op->getOperands(), [&](Value from) {
           return isInvariant(from, loop);
         });
}

/// Returns whether two values are computed alike from the same values, in any
/// two iterations of `loop`, if there is one.
static bool isSame(Value first, Value second, Operation *loop) {
  if (first == second)
    return isInvariant(first, loop);
  Operation *a = first.getDefiningOp(), *b = second.getDefiningOp();
  return isComputation(a) && b &&
         cast<OpResult>(first).getResultNumber() ==
             cast<OpResult>(second).getResultNumber() &&
         OperationEquivalence::isEquivalentTo(
             a, b,
             [&](Value x, Value y) { return success(isSame(x, y, loop)); },
             nullptr,
             OperationEquivalence::IgnoreLocations |
                 OperationEquivalence::IgnoreDiscardableAttrs);
}

/// The outermost loop around both operations, or null.
static Operation *getCommonLoop(Operation *first, Operation *second) {
  Operation *outermost = nullptr;
  for (Operation *op = first->getParentOp(); op; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op) && op->isAncestor(second))
      outermost = op;
  return outermost;
}

/// Returns whether the place of an element along dimension `dim` of `view` says
/// which CTA has it: its tiles lie side by side there.
static bool hasOnePlace(aa::TATiledViewType view, unsigned dim) {
  return int32_t(dim) != view.getSparseDim() &&
         view.getSteps()[dim] == view.getTileShape()[dim];
}

/// Returns whether each byte that two accesses share belongs to one CTA: along
/// the dimensions that CTAs divide tiles of both views have the same borders,
/// whatever their indices. Writes through a view with overlapping strides are
/// not legal, so that a byte is one element. Two iterations of `loop` may make
/// the accesses.
static bool hasOneOwner(Value a, ClusterPart ofA, Value b, ClusterPart ofB,
                        Operation *loop) {
  auto first = dyn_cast<aa::TATiledViewType>(a.getType()),
       second = dyn_cast<aa::TATiledViewType>(b.getType());
  if (!first || !second || ofA != ofB || !first.getGroupSizes().empty() ||
      !second.getGroupSizes().empty() || first.getDims() != second.getDims() ||
      !isSame(getViewedMemory(a), getViewedMemory(b), loop))
    return false;
  for (unsigned dim = 0; dim < first.getRank(); ++dim)
    if (ofA.getAxesOf(dim) &&
        (!hasOnePlace(first, dim) || !hasOnePlace(second, dim) ||
         first.getTileShape()[dim] != second.getTileShape()[dim]))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {

/// The parts in which CTAs make an access, and whether CTAs share a part.
struct AccessParts {
  SmallVector<ClusterPart> parts;
  bool isShared = false;
};

} // namespace

static AccessParts getAccessParts(Operation *access,
                                  const ClusterDemand &demand) {
  if (auto effect = demand.getEffects().find(access);
      effect != demand.getEffects().end())
    return {{effect->second}, false};
  AccessParts result;
  for (Value value : access->getResults())
    if (!isa<aa::MemTokenType>(value.getType()))
      llvm::append_range(result.parts, demand.getParts(value));
  result.isShared = llvm::any_of(result.parts, [&](ClusterPart part) {
    return part.getFreeAxes(demand.getNumAxes()) != 0;
  });
  return result;
}

static bool writes(aa::TileAAMemoryOpInterface access) {
  return access.getKind() != aa::AccessKind::Load;
}

static bool acquires(aa::TileAAMemoryOpInterface access) {
  return access.getSemantic() == aa::MemSemantic::Acquire ||
         access.getSemantic() == aa::MemSemantic::AcqRel;
}

static bool releases(aa::TileAAMemoryOpInterface access) {
  return access.getSemantic() == aa::MemSemantic::Release ||
         access.getSemantic() == aa::MemSemantic::AcqRel;
}

/// Returns whether two accesses, of which a token orders the second after the
/// first one, may touch one byte in different CTAs. A release, and what comes
/// after an acquire, concern the accesses of all CTAs.
static bool needsCTAs(aa::FuncOp func, aa::TileAAMemoryOpInterface before,
                      aa::TileAAMemoryOpInterface after,
                      const ClusterDemand &demand) {
  AccessParts early = getAccessParts(before, demand),
              late = getAccessParts(after, demand);
  if (early.parts.empty() || late.parts.empty())
    return false;
  if (acquires(before) || releases(after))
    return true;
  if ((!writes(before) && !writes(after)) ||
      haveDistinctMemory(func, getRoot(before.getAddress()),
                         getRoot(after.getAddress())))
    return false;
  if (early.isShared || late.isShared)
    return true;
  Operation *loop = getCommonLoop(before, after);
  const ClusterEffects &effects = demand.getEffects();
  bool areEffects = effects.contains(before) && effects.contains(after);
  return llvm::any_of(early.parts, [&](ClusterPart a) {
    return llvm::any_of(late.parts, [&](ClusterPart b) {
      // The CTA of rank 0 makes both.
      if (areEffects && a.isWhole() && b.isWhole())
        return false;
      return !hasOneOwner(before.getAddress(), a, after.getAddress(), b, loop);
    });
  });
}

/// The first access that needs a wait beside `waits`, or null.
static Operation *findNextWait(aa::FuncOp func, const ClusterDemand &demand,
                               const ClusterWaits &waits) {
  TokenOrder order(func, waits);
  ArrayRef<aa::TileAAMemoryOpInterface> accesses = order.getAccesses();
  for (unsigned second = 0; second < accesses.size(); ++second)
    for (unsigned first = 0; first < accesses.size(); ++first)
      if (!waits.contains(accesses[second]) && order.isOrdered(first, second) &&
          needsCTAs(func, accesses[first], accesses[second], demand))
        return accesses[second];
  return nullptr;
}

ClusterWaits findClusterWaits(aa::FuncOp func, const ClusterDemand &demand) {
  ClusterWaits waits;
  while (Operation *access = findNextWait(func, demand, waits))
    waits.insert(access);
  return waits;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace tileir {

#define GEN_PASS_DECL_TILEAAHOISTINVARIANTS
#define GEN_PASS_DEF_TILEAAHOISTINVARIANTS
#include "passes/tileaa/TileAAHoistInvariants.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TileAAHoistInvariants final
    : impl::TileAAHoistInvariantsBase<TileAAHoistInvariants> {
  using TileAAHoistInvariantsBase::TileAAHoistInvariantsBase;

  void runOnOperation() override;
};

/// Moves views, and the operations that compute their operands, into the entry
/// block of a function.
class EntryMover {
public:
  explicit EntryMover(Block &entry) : entry(entry) {}

  /// Moves `view` if each of its sources can be executed at the entry.
  void moveToEntry(Operation *view);

  unsigned numMoved = 0;

private:
  bool isAvailable(Value value, unsigned depth);
  void move(Operation *op, Operation *before);

  Block &entry;
  /// Maps operations outside of the entry block to whether they can move there.
  llvm::DenseMap<Operation *, bool> movable;
};

/// Compares operations by equal results.
struct EqualOperations : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *one, const Operation *other) {
    if (one == other)
      return true;
    if (one == getEmptyKey() || one == getTombstoneKey() ||
        other == getEmptyKey() || other == getTombstoneKey())
      return false;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(one), const_cast<Operation *>(other),
        OperationEquivalence::IgnoreLocations);
  }
};

} // namespace

/// Returns whether `op` can be speculated: it has no effect, is defined for all
/// operands and holds no tile in registers.
static bool isFreeToMove(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getResultTypes(), isTile) &&
         llvm::none_of(op->getOperandTypes(), isTile);
}

bool EntryMover::isAvailable(Value value, unsigned depth) {
  if (value.getParentBlock() == &entry)
    return true;
  // Sizes and strides come from a few operations.
  constexpr unsigned kMaxDepth = 32;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return false;
  auto [known, isNew] = movable.try_emplace(op, false);
  if (!isNew)
    return known->second;
  bool result =
      isFreeToMove(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
        return isAvailable(operand, depth + 1);
      });
  return movable[op] = result;
}

/// Moves `op` and its operands before `before`. Values before `before` compute
/// them all.
void EntryMover::move(Operation *op, Operation *before) {
  if (op->getBlock() == &entry)
    return;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      move(source, before);
  op->moveBefore(before);
  ++numMoved;
}

void EntryMover::moveToEntry(Operation *view) {
  if (isAvailable(view->getResult(0), 0))
    move(view, entry.findAncestorOpInBlock(*view));
}

/// Replaces operations of `block` by equal earlier ones. Returns the number of
/// replaced operations.
static unsigned mergeEqual(Block &block) {
  llvm::DenseSet<Operation *, EqualOperations> seen;
  unsigned numMerged = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!op.getNumResults() || !isFreeToMove(&op))
      continue;
    auto [first, isNew] = seen.insert(&op);
    if (isNew)
      continue;
    op.replaceAllUsesWith(*first);
    op.erase();
    ++numMerged;
  }
  return numMerged;
}

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
             arith::RemSIOp>(op);
}

/// Returns whether `op` is an integer division, which is undefined for some
/// operands.
static bool isDivision(Operation *op) {
  return op->getNumResults() == 1 && op->getResult(0).getType().isInteger() &&
         (isSignedDivision(op) ||
          isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op));
}

/// Replaces the divisor of the division `op` by one where the quotient is
/// undefined: for zero, and for minus one below the smallest signed number. The
/// division can then be executed anywhere, and has the same result where it
/// was.
static void defineAlways(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  auto make = [&](const APInt &number) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(divisor.getType(), number));
  };
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 make(number));
  };
  unsigned bits = divisor.getType().getIntOrFloatBitWidth();
  Value isUndefined = equals(divisor, APInt::getZero(bits));
  if (isSignedDivision(op)) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(bits)),
        equals(dividend, APInt::getSignedMinValue(bits)));
    isUndefined = arith::OrIOp::create(builder, loc, isUndefined, overflows);
  }
  op->setOperand(1, arith::SelectOp::create(builder, loc, isUndefined,
                                            make(APInt(bits, 1)), divisor));
}

/// Moves the invariant operations of `loop` before it; `defined` holds the
/// divisions that are defined for all operands since then.
static unsigned hoistOutOf(LoopLikeOpInterface loop,
                           llvm::SmallPtrSetImpl<Operation *> &defined) {
  return moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) {
        return isFreeToMove(op) || isDivision(op);
      },
      [&](Operation *op, Region *) {
        loop.moveOutOfLoop(op);
        if (!isFreeToMove(op) && defined.insert(op).second)
          defineAlways(op);
      });
}

void TileAAHoistInvariants::runOnOperation() {
  aa::FuncOp func = getOperation();
  if (func.getBody().empty())
    return markAllAnalysesPreserved();
  Block &entry = func.getBody().front();
  EntryMover mover(entry);
  SmallVector<Operation *> views;
  func.walk([&](Operation *op) {
    if (isa<aa::MakeMemRefOp, aa::BlockTileOp>(op))
      views.push_back(op);
  });
  for (Operation *view : views)
    mover.moveToEntry(view);
  unsigned numHoisted = 0;
  // Inner loops come first: an operation can leave several loops.
  llvm::SmallPtrSet<Operation *, 8> defined;
  func.walk([&](LoopLikeOpInterface loop) {
    numHoisted += hoistOutOf(loop, defined);
  });
  unsigned numEqual = mergeEqual(entry);
  numToEntry += mover.numMoved;
  numOutOfLoops += numHoisted;
  numMerged += numEqual;
  if (!mover.numMoved && !numHoisted && !numEqual)
    markAllAnalysesPreserved();
}

} // namespace tileir

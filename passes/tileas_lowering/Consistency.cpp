// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Prepare.h"

#include "dialects/support/RuntimeGates.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Memory operations whose effects other threads may not see yet.
class Pending {
public:
  void add(Operation *op) { ops.insert(op); }
  void clear() { ops.clear(); }
  bool contains(Operation *op) const { return ops.contains(op); }
  bool empty() const { return ops.empty(); }
  /// Takes in what another path leaves pending; returns whether that is new.
  bool merge(const Pending &other) {
    size_t before = ops.size();
    ops.insert(other.ops.begin(), other.ops.end());
    bool more = other.scratchRead && !scratchRead;
    scratchRead |= other.scratchRead;
    return more || ops.size() != before;
  }

  /// Whether scratch memory may still be read by another thread.
  bool scratchRead = false;

private:
  llvm::SmallDenseSet<Operation *> ops;
};

/// Walks a function in order and puts a barrier before the first operation that
/// must see, or must not disturb, what other threads did.
class BarrierInserter {
public:
  explicit BarrierInserter(nv_tileaa::FuncOp func) : func(func) {}

  void run() {
    Pending pending;
    if (!func.isExternal())
      visit(func.getBody(), pending, /*insert=*/true);
  }

private:
  void visit(Region &region, Pending &pending, bool insert);
  void visit(Operation *op, Pending &pending, bool insert);
  void barrierBefore(Operation *op, Pending &pending, bool insert);
  bool conflicts(Operation *op, const Pending &pending);
  bool dependsOnPending(Value token, Operation *op, const Pending &pending,
                        llvm::SmallDenseSet<Value> &seen);
  bool mustOrder(Operation *first, Operation *second);

  nv_tileaa::FuncOp func;
};

} // namespace

static bool isAccess(Operation *op) {
  return isa<nv_tileas::LoadOp, nv_tileas::StoreOp, nv_tileas::TiledLoadOp,
             nv_tileas::TiledStoreOp, nv_tileas::GatherLoadOp,
             nv_tileas::ScatterStoreOp, nv_tileas::AtomicRmwOp,
             nv_tileas::AtomicCasOp, nv_tileas::TiledAtomicRmwOp,
             nv_tileas::AsyncCopyOp>(op);
}

static bool isRead(Operation *op) {
  return isa<nv_tileas::LoadOp, nv_tileas::TiledLoadOp, nv_tileas::GatherLoadOp,
             nv_tileas::AsyncCopyOp>(op);
}

static nv_tileaa::MemSemantic getSemantic(Operation *op) {
  auto attr = op->getAttrOfType<nv_tileaa::MemSemanticAttr>("mem_semantic");
  return attr ? attr.getValue() : nv_tileaa::MemSemantic::Weak;
}

static bool acquires(Operation *op) {
  nv_tileaa::MemSemantic semantic = getSemantic(op);
  return semantic == nv_tileaa::MemSemantic::Acquire ||
         semantic == nv_tileaa::MemSemantic::AcqRel;
}

static bool releases(Operation *op) {
  nv_tileaa::MemSemantic semantic = getSemantic(op);
  return semantic == nv_tileaa::MemSemantic::Release ||
         semantic == nv_tileaa::MemSemantic::AcqRel;
}

/// The pointer argument or global that an access goes back to, or null.
static Value getRoot(Operation *op) {
  Value at;
  for (Value operand : op->getOperands())
    if (isa<nv_tileaa::TATiledViewType>(operand.getType()) ||
        isa<nv_tileaa::TAPointerType>(getElementTypeOrSelf(operand))) {
      at = operand;
      break;
    }
  while (at) {
    Operation *def = at.getDefiningOp();
    if (!def)
      return at;
    if (isa<nv_tileas::BlockTileOp, nv_tileas::MakeMemRefOp,
            nv_tileas::AddPtrOp, nv_tileas::AssumeOp, nv_tileas::SplatOp,
            nv_tileas::BroadcastOp, nv_tileas::ViewOp, nv_tileas::ExpandDimsOp,
            nv_tileas::ConvertLayoutOp, nv_tileas::PermuteOp,
            nv_tileas::BitcastOp>(def))
      at = def->getOperand(0);
    else if (isa<nv_tileas::GetGlobalOp>(def))
      return at;
    else
      return {};
  }
  return {};
}

static bool cannotAlias(nv_tileaa::FuncOp func, Operation *a, Operation *b) {
  Value first = getRoot(a), second = getRoot(b);
  if (!first || !second || first == second)
    return false;
  auto isNoAlias = [&](Value root) {
    auto arg = dyn_cast<BlockArgument>(root);
    return arg && arg.getOwner() == &func.getBody().front() &&
           func.getArgAttr(arg.getArgNumber(), nv_tileaa::kNoAliasAttr);
  };
  auto isArgument = [&](Value root) {
    auto arg = dyn_cast<BlockArgument>(root);
    return arg && arg.getOwner() == &func.getBody().front();
  };
  return (isNoAlias(first) && isArgument(second)) ||
         (isNoAlias(second) && isArgument(first));
}

/// The operands that say which bytes each thread touches.
static SmallVector<Value> getAddressOperands(Operation *op) {
  SmallVector<Value> operands;
  Value stored;
  if (auto store = dyn_cast<nv_tileas::StoreOp>(op))
    stored = store.getValue();
  else if (auto store = dyn_cast<nv_tileas::TiledStoreOp>(op))
    stored = store.getValue();
  else if (auto store = dyn_cast<nv_tileas::ScatterStoreOp>(op))
    stored = store.getValue();
  else if (auto load = dyn_cast<nv_tileas::LoadOp>(op))
    stored = load.getOther();
  for (Value operand : op->getOperands())
    if (operand != stored && !isa<nv_tileaa::MemTokenType>(operand.getType()))
      operands.push_back(operand);
  return operands;
}

static Type getAccessedTile(Operation *op) {
  for (Type type : op->getResultTypes())
    if (isa<RankedTensorType>(type))
      return type;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) &&
        !operand.getType().isInteger(1))
      return operand.getType();
  return {};
}

/// Whether each thread touches the same bytes in both, so that its own program
/// order is enough. Only for operations of one block: across iterations the
/// operands differ.
static bool touchSameBytes(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second) || isa<nv_tileas::AtomicRmwOp>(first) ||
      isa<nv_tileas::AtomicRmwOp>(second))
    return false;
  bool kinds = (isa<nv_tileas::TiledLoadOp, nv_tileas::TiledStoreOp>(first) &&
                isa<nv_tileas::TiledLoadOp, nv_tileas::TiledStoreOp>(second)) ||
               (isa<nv_tileas::LoadOp, nv_tileas::StoreOp>(first) &&
                isa<nv_tileas::LoadOp, nv_tileas::StoreOp>(second));
  if (!kinds)
    return false;
  auto tile = dyn_cast_or_null<RankedTensorType>(getAccessedTile(first));
  // Replicated elements are stored by one thread and loaded by all.
  return tile && tile == getAccessedTile(second) &&
         nv_tileas::getTileLayout(tile).getLayout().redundantMask() == 0 &&
         getAddressOperands(first) == getAddressOperands(second);
}

bool BarrierInserter::mustOrder(Operation *first, Operation *second) {
  if (isRead(first) && isRead(second) && !acquires(first))
    return false;
  return !cannotAlias(func, first, second) && !touchSameBytes(first, second);
}

bool BarrierInserter::dependsOnPending(Value token, Operation *op,
                                       const Pending &pending,
                                       llvm::SmallDenseSet<Value> &seen) {
  if (!token || !seen.insert(token).second)
    return false;
  auto follow = [&](Value next) {
    return dependsOnPending(next, op, pending, seen);
  };
  if (auto arg = dyn_cast<BlockArgument>(token)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      return follow(loop.getTiedLoopInit(arg)->get()) ||
             follow(loop.getTiedLoopYieldedValue(arg)->get());
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      bool before = arg.getOwner() == loop.getBeforeBody();
      if (before)
        return follow(loop.getInits()[arg.getArgNumber()]) ||
               follow(loop.getYieldOp().getOperand(arg.getArgNumber()));
      return follow(loop.getConditionOp().getArgs()[arg.getArgNumber()]);
    }
    return false;
  }
  Operation *def = token.getDefiningOp();
  unsigned number = cast<OpResult>(token).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(def))
    return follow(loop.getYieldedValues()[number]) ||
           follow(loop.getInitArgs()[number]);
  if (auto loop = dyn_cast<scf::WhileOp>(def))
    return follow(loop.getConditionOp().getArgs()[number]);
  if (auto branch = dyn_cast<scf::IfOp>(def))
    return follow(branch.thenYield().getOperand(number)) ||
           follow(branch.elseYield().getOperand(number));
  if (isAccess(def)) {
    // What is no longer pending lies behind a barrier, with all it waits for.
    if (!pending.contains(def))
      return false;
    if (mustOrder(def, op))
      return true;
  }
  for (Value operand : def->getOperands())
    if (isa<nv_tileaa::MemTokenType>(operand.getType()) && follow(operand))
      return true;
  return false;
}

bool BarrierInserter::conflicts(Operation *op, const Pending &pending) {
  if (pending.empty())
    return false;
  if (releases(op))
    return true;
  llvm::SmallDenseSet<Value> seen;
  for (Value operand : op->getOperands())
    if (isa<nv_tileaa::MemTokenType>(operand.getType()) &&
        dependsOnPending(operand, op, pending, seen))
      return true;
  return false;
}

void BarrierInserter::barrierBefore(Operation *op, Pending &pending,
                                    bool insert) {
  pending = Pending();
  if (!insert)
    return;
  OpBuilder builder(op);
  nv_tileas::BarrierOp::create(builder, op->getLoc(),
                               nv_tileas::BarrierScope::CTA, IntegerAttr());
}

void BarrierInserter::visit(Region &region, Pending &pending, bool insert) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op, pending, insert);
}

void BarrierInserter::visit(Operation *op, Pending &pending, bool insert) {
  if (isa<nv_tileas::BarrierOp>(op)) {
    pending = Pending();
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Pending other = pending;
    visit(branch.getThenRegion(), pending, insert);
    visit(branch.getElseRegion(), other, insert);
    pending.merge(other);
    return;
  }
  if (isa<scf::ForOp, scf::WhileOp>(op)) {
    // What the end of an iteration leaves pending meets its beginning. The
    // first rounds only find out what that is.
    Pending entry = pending;
    for (bool changed = true; changed;) {
      Pending round = entry;
      for (Region &region : op->getRegions())
        visit(region, round, /*insert=*/false);
      changed = entry.merge(round);
    }
    pending = entry;
    for (Region &region : op->getRegions())
      visit(region, pending, insert);
    pending.merge(entry);
    return;
  }
  if (isAccess(op) && conflicts(op, pending))
    barrierBefore(op, pending, insert);
  // What a buffer held may still be read when its bytes serve another one.
  if (isa<nv_tileas::DeallocOp>(op))
    pending.scratchRead = true;
  auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op);
  if (alloc && alloc.getSmemOffset() && pending.scratchRead)
    barrierBefore(op, pending, insert);
  auto alloca = dyn_cast<nv_tileas::AllocaOp>(op);
  auto scratch = dyn_cast<nv_tileas::ScratchOpInterface>(op);
  bool isStorage =
      alloca && alloca.getType().getSpace() == nv_tileaa::SharedSpace;
  if (scratch && scratch.getScratchOffset() && !isStorage) {
    // Stores, a barrier, loads: the barrier serves all that came before.
    if (pending.scratchRead)
      barrierBefore(op, pending, insert);
    pending = Pending();
    pending.scratchRead = true;
  }
  if (!isAccess(op))
    return;
  pending.add(op);
  if (acquires(op)) {
    if (insert) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      nv_tileas::BarrierOp::create(builder, op->getLoc(),
                                   nv_tileas::BarrierScope::CTA, IntegerAttr());
    }
    pending = Pending();
  }
}

void insertConsistencyBarriers(nv_tileaa::FuncOp func) {
  // Waits for bulk stores belong here. No store is one yet, so the number
  // decides nothing; what is no number still ends the process.
  (void)gates::delayTmaStoreWait();
  BarrierInserter(func).run();
}

} // namespace tileir::lowering

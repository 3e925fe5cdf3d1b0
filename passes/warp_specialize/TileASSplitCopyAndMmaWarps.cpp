// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/warp_specialize/PipelineUnroll.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-split-copy-and-mma-warps"

namespace tileir {

#define GEN_PASS_DEF_TILEASSPLITCOPYANDMMAWARPS
#include "passes/warp_specialize/TileASSplitCopyAndMmaWarps.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASSplitCopyAndMmaWarps final
    : impl::TileASSplitCopyAndMmaWarpsBase<TileASSplitCopyAndMmaWarps> {
  using TileASSplitCopyAndMmaWarpsBase::TileASSplitCopyAndMmaWarpsBase;

  void runOnOperation() override;
};

/// Role of a warp; the value is the index of the warp.
enum class Role { Mmas, Copies, Scales };

/// Slice of a loop for one role: operations of the body and iter-args.
struct Part {
  llvm::SmallSetVector<Operation *, 16> effects;
  llvm::SmallPtrSet<Operation *, 32> ops;
  llvm::SmallDenseSet<unsigned> carried;
};

/// Splits one loop by roles.
class WarpSplitter {
public:
  explicit WarpSplitter(scf::ForOp loop) : loop(loop) {}

  /// Assigns the operations of the loop to roles; returns whether each has a
  /// role.
  bool sort();
  void run();

private:
  bool sortByMbarriers();
  bool sortScales();
  void collect(Part &part);
  scf::ForOp cloneLoop(OpBuilder &builder, const Part &part);
  void emit(OpBuilder &builder, Value warp, Role role, const Part &part);

  scf::ForOp loop;
  Part mmas, copies, scales;
  SmallVector<as::MbarrierWaitOp> waits;
  SmallVector<as::UmmaCommitOp> commits;
  /// The mbarriers of slots that copies fill, of slots that MMAs release, and
  /// of scales that are in tensor memory.
  llvm::SmallDenseSet<Value> full, empty, inTensorMemory;
  /// Current value of each iter-arg after the loops emitted so far.
  SmallVector<Value> results;
};

} // namespace

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

static bool isFence(Operation *op, as::FenceKind kind) {
  auto fence = dyn_cast<as::FenceOp>(op);
  return fence && fence.getKind() == kind;
}

/// Returns whether `op` makes operands that threads copied visible to the
/// tensor core.
static bool isFenceOfOperands(Operation *op) {
  return isFence(op, as::FenceKind::ProxyAsyncShared);
}

/// Returns the array of mbarriers that `barrier` is an element of; null if
/// there is none.
static Value getMbarriers(Value barrier) {
  auto slot = barrier.getDefiningOp<as::MbarrierSlotOp>();
  return slot ? slot.getBarriers() : Value();
}

bool WarpSplitter::sortByMbarriers() {
  if (full.empty() || empty.empty())
    return false;
  for (as::MbarrierWaitOp wait : waits) {
    Value mbarriers = getMbarriers(wait.getBarrier());
    if (!wait.getIssuer() || full.contains(mbarriers) +
                                     empty.contains(mbarriers) +
                                     inTensorMemory.contains(mbarriers) !=
                                 1)
      return false;
    (empty.contains(mbarriers) ? copies : mmas).effects.insert(wait);
  }
  bool hasWarp = getExecScope(loop).warps > unsigned(Role::Scales);
  return inTensorMemory.empty() || !hasWarp || sortScales();
}

/// Moves the copies of scales to tensor memory, their waits and their commit
/// into a warp of their own. MMAs still wait for the slot themselves: a commit
/// makes the copied operands visible to no other warp.
bool WarpSplitter::sortScales() {
  auto give = [&](Operation *op) {
    mmas.effects.remove(op);
    scales.effects.insert(op);
  };
  unsigned slots = 0;
  for (as::MbarrierWaitOp wait : waits) {
    Operation *next = wait->getNextNode();
    if (!full.contains(getMbarriers(wait.getBarrier())) ||
        !isFenceOfOperands(next))
      continue;
    ++slots;
    scales.effects.insert(wait);
    for (; isa<as::FenceOp>(next); next = next->getNextNode())
      give(next);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<as::AsyncTmemCopyOp>(op))
      give(&op);
  // The first of two commits for a slot belongs to the scales.
  llvm::SmallDenseMap<Value, as::UmmaCommitOp> first;
  for (as::UmmaCommitOp commit : commits) {
    Value mbarriers = getMbarriers(commit.getBarrier());
    if (inTensorMemory.contains(mbarriers))
      give(commit);
    else if (auto [it, isFirst] = first.try_emplace(mbarriers, commit);
             !isFirst)
      give(it->second);
  }
  return slots == inTensorMemory.size();
}

/// Returns whether `result` is only the state from which the loop resumes in
/// the next iteration of an outer loop, through its operand `init`.
static bool isStateOf(Value result, OpOperand &init) {
  return llvm::all_of(result.getUses(), [&](OpOperand &use) {
    auto around = dyn_cast<scf::ForOp>(use.getOwner()->getParentOp());
    if (!around || !isa<scf::YieldOp>(use.getOwner()))
      return false;
    unsigned number = use.getOperandNumber();
    BlockArgument arg = around.getRegionIterArg(number);
    if (arg.use_empty())
      return around.getResult(number).use_empty();
    return arg.hasOneUse() && arg.getUses().begin().getOperand() == &init &&
           isStateOf(around.getResult(number), *around.getTiedLoopInit(arg));
  });
}

/// Returns whether `op` arrives for the copies of one warp.
static bool isArrivalOfWarp(Operation *op) {
  auto arrive = dyn_cast<as::MbarrierArriveOp>(op);
  return arrive && arrive.getBy() == as::ArrivalKind::CpAsyncWarp;
}

bool WarpSplitter::sort() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto wait = dyn_cast<as::MbarrierWaitOp>(op)) {
      waits.push_back(wait);
      // The iteration that commits to an mbarrier also waits for it.
      if (Value mbarriers = getMbarriers(wait.getBarrier());
          empty.erase(mbarriers))
        inTensorMemory.insert(mbarriers);
    } else if (auto expect = dyn_cast<as::MbarrierArriveExpectTxOp>(op)) {
      full.insert(getMbarriers(expect.getBarrier()));
      copies.effects.insert(&op);
    } else if (isa<as::AsyncTmaLoadOp, as::AsyncCopyOp>(op)) {
      if (!op.use_empty())
        return false;
      copies.effects.insert(&op);
    } else if (isArrivalOfWarp(&op)) {
      copies.effects.insert(&op);
    } else if (isa<as::AsyncDotIntoOp, as::AsyncTmemCopyOp>(op) ||
               isFenceOfOperands(&op) ||
               isFence(&op, as::FenceKind::Tcgen05After)) {
      mmas.effects.insert(&op);
    } else if (auto commit = dyn_cast<as::UmmaCommitOp>(op)) {
      empty.insert(getMbarriers(commit.getBarrier()));
      commits.push_back(commit);
      mmas.effects.insert(&op);
    } else if (op.getNumRegions() || !isPure(&op)) {
      return false;
    }
  }
  if (!sortByMbarriers())
    return false;
  for (Part *part : {&mmas, &copies, &scales})
    collect(*part);
  // A warp knows the values that it computes itself.
  for (OpOperand &init : loop.getInitArgsMutable()) {
    OpResult result = loop.getTiedLoopResult(&init);
    if (!isa<nv_tileaa::MemTokenType>(result.getType()) &&
        !isStateOf(result, init))
      return false;
  }
  return true;
}

/// Adds the operations from which the effects of `part` are computed.
void WarpSplitter::collect(Part &part) {
  SmallVector<Operation *> work(part.effects.begin(), part.effects.end());
  part.ops.insert(work.begin(), work.end());
  auto need = [&](Value value) {
    if (auto arg = dyn_cast<BlockArgument>(value);
        arg && arg.getOwner() == loop.getBody()) {
      unsigned number = arg.getArgNumber();
      if (number < loop.getNumInductionVars() ||
          !part.carried.insert(number - loop.getNumInductionVars()).second)
        return Value();
      return loop.getTiedLoopYieldedValue(arg)->get();
    }
    return value;
  };
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    SmallVector<Value> values(op->getOperands());
    while (!values.empty()) {
      Value value = values.pop_back_val();
      Value next = need(value);
      if (next && next != value) {
        values.push_back(next);
        continue;
      }
      Operation *from = value.getDefiningOp();
      if (next && from && from->getBlock() == loop.getBody() &&
          part.ops.insert(from).second)
        work.push_back(from);
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Clones the loop with only the operations of `part`.
scf::ForOp WarpSplitter::cloneLoop(OpBuilder &builder, const Part &part) {
  SmallVector<Value> inits, yielded;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (part.carried.contains(number))
      inits.push_back(init);
  auto clone = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  clone->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = clone.getBody();
  if (!body->empty())
    body->back().erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  unsigned next = 0;
  for (auto [number, arg] : llvm::enumerate(loop.getRegionIterArgs()))
    if (part.carried.contains(number))
      mapping.map(arg, clone.getRegionIterArg(next++));
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!part.ops.contains(&op))
      continue;
    builder.clone(op, mapping);
  }
  for (auto [number, value] : llvm::enumerate(loop.getYieldedValues()))
    if (part.carried.contains(number))
      yielded.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
  return clone;
}

/// Returns the number of MMA instructions of `op`.
static int64_t getNumDots(as::AsyncDotIntoOp op) {
  as::MmaAtomAttr atom = op.getAtom();
  ArrayRef<int64_t> shape = op.getD().getType().getShape();
  return op.getDepth() / atom.getK() * (shape[0] / atom.getRowsPerCta()) *
         (shape[1] / atom.getN());
}

/// Unrolls `loop` by its slots if an iteration issues few MMAs, so that waits,
/// counters and branches are shared. Returns the loop that has the results.
static scf::ForOp gatherMmas(scf::ForOp loop) {
  int64_t mmas = 0;
  for (auto dot : loop.getBody()->getOps<as::AsyncDotIntoOp>())
    mmas += getNumDots(dot);
  if (!mmas || mmas >= heuristics::minIssuedMmas)
    return loop;
  scf::ForOp rest = unrollByPipeline(loop);
  TILEIR_LOG() << loop.getLoc() << ": " << mmas << " MMAs, "
               << (rest ? "unrolled by its pipeline" : "unchanged");
  return rest ? rest : loop;
}

/// Emits the loop of one role, executed by one warp. The other warps keep the
/// previous values.
void WarpSplitter::emit(OpBuilder &builder, Value warp, Role role,
                        const Part &part) {
  Location loc = loop.getLoc();
  auto number = unsigned(role);
  Value isMine = isInAgent(builder, loc, warp, number, /*warps=*/1);
  SmallVector<unsigned> given;
  SmallVector<Value> before;
  for (auto [number, result] : llvm::enumerate(loop.getResults()))
    if (part.carried.contains(number) && !result.use_empty()) {
      given.push_back(number);
      before.push_back(results[number]);
    }
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(before)),
                                  isMine, /*withElseRegion=*/!given.empty());
  setAgent(branch, number, /*warps=*/1);
  OpBuilder::InsertionGuard guard(builder);
  if (given.empty()) {
    builder.setInsertionPointToStart(branch.thenBlock());
    gatherMmas(cloneLoop(builder, part));
    return;
  }
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::ForOp clone = gatherMmas(cloneLoop(builder, part));
  builder.setInsertionPointAfter(clone);
  SmallVector<Value> after;
  unsigned next = 0;
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    if (!part.carried.contains(i))
      continue;
    if (llvm::is_contained(given, i))
      after.push_back(clone.getResult(next));
    ++next;
  }
  scf::YieldOp::create(builder, loc, after);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, before);
  for (auto [number, value] : llvm::zip(given, branch.getResults()))
    results[number] = value;
}

void WarpSplitter::run() {
  OpBuilder builder(loop);
  results.assign(loop.getInitArgs().begin(), loop.getInitArgs().end());
  Value warp =
      gpu::SubgroupIdOp::create(builder, loop.getLoc(), builder.getIndexType(),
                                /*upper_bound=*/IntegerAttr());
  emit(builder, warp, Role::Copies, copies);
  if (!scales.effects.empty())
    emit(builder, warp, Role::Scales, scales);
  emit(builder, warp, Role::Mmas, mmas);
  remark::passed(loop.getLoc(), remarkAbout(loop, "SplitIssuers", "tileas"))
      << (scales.effects.empty()
              ? StringRef("one warp copies, another one multiplies")
              : StringRef("one warp copies, one copies scales to tensor "
                          "memory, another one multiplies"))
      << remark::metric("Copies", int64_t(copies.effects.size()))
      << remark::metric("Products", int64_t(mmas.effects.size()));
  for (auto [result, value] : llvm::zip(loop.getResults(), results))
    result.replaceAllUsesWith(value);
  loop.erase();
}

void TileASSplitCopyAndMmaWarps::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  SmallVector<scf::ForOp> loops;
  if (!func.isExternal())
    func->walk([&](scf::ForOp loop) {
      if (getExecScope(loop).warps > 1)
        loops.push_back(loop);
    });
  uint64_t before = numLoops;
  for (scf::ForOp loop : loops) {
    WarpSplitter splitter(loop);
    bool isSorted = splitter.sort();
    TILEIR_LOG() << loop.getLoc()
                 << (isSorted ? ": one warp copies, another one multiplies"
                              : ": unchanged: it has more than copies and MMAs "
                                "of one warp each");
    if (!isSorted)
      continue;
    splitter.run();
    ++numLoops;
  }
  if (numLoops == before)
    markAllAnalysesPreserved();
}

} // namespace tileir

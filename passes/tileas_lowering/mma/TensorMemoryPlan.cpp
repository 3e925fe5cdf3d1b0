// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of tensor memory columns.

#include "passes/analysis/budgets/TensorMemoryBudget.h"
#include "passes/tileas_lowering/Prepare.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileir::lowering {

/// Minimum number of columns of an allocation (PTX ISA, "tcgen05.alloc").
static constexpr int64_t kMinColumns = 32;

/// Places `allocs` side by side, larger ones first, so that each begins at a
/// multiple of its size. Returns the columns of all.
static int64_t place(ArrayRef<nv_tileas::AllocTensorOp> allocs) {
  SmallVector<std::pair<int64_t, size_t>> order;
  for (auto [number, alloc] : llvm::enumerate(allocs))
    order.push_back({-getTensorColumns(alloc), number});
  llvm::sort(order);
  int64_t next = 0;
  for (auto [columns, number] : order) {
    nv_tileas::AllocTensorOp alloc = allocs[number];
    alloc.setTmemCol(next);
    next -= columns;
  }
  return next;
}

/// The CTAs that compute an MMA of `func` together: one number for the kernel
/// (PTX ISA, "tcgen05").
static int32_t getCtaGroup(nv_tileaa::FuncOp func) {
  int32_t group = 1;
  func->walk([&](nv_tileas::AsyncDotIntoOp dot) {
    group = int32_t(dot.getAtom().getCtaGroup());
  });
  return group;
}

/// The scope of the threads that access tensor memory, of one or two CTAs.
static nv_tileas::BarrierScope getScope(int32_t ctaGroup) {
  return ctaGroup > 1 ? nv_tileas::BarrierScope::Cluster
                      : nv_tileas::BarrierScope::CTA;
}

/// Frees `columns` after the last end of `allocs`, in all threads. Those of a
/// pair of CTAs synchronize there, too, and free them at the end of the kernel:
/// a branch there would let LLVM move the rounding of results behind it, whose
/// registers threads would then hold.
static void createDealloc(nv_tileaa::FuncOp func,
                          ArrayRef<nv_tileas::AllocTensorOp> allocs,
                          int64_t columns) {
  Block &body = func.getBody().front();
  Operation *last = nullptr;
  bool allEnd = llvm::all_of(allocs, [&](nv_tileas::AllocTensorOp alloc) {
    for (Operation *user : alloc->getUsers()) {
      if (!isa<nv_tileas::DeallocOp>(user))
        continue;
      Operation *at = body.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(at))
        last = at;
      return true;
    }
    return false;
  });
  int32_t group = getCtaGroup(func);
  OpBuilder builder(func.getContext());
  if (allEnd)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPoint(body.getTerminator());
  Location loc = last ? last->getLoc() : func.getLoc();
  nv_tileas::FenceOp::create(builder, loc, nv_tileas::FenceKind::Tcgen05Before,
                             nv_tileaa::MemScopeAttr());
  nv_tileas::BarrierOp::create(builder, loc, getScope(group), IntegerAttr());
  if (group > 1)
    builder.setInsertionPoint(body.getTerminator());
  nv_tileas::TmemDeallocOp::create(builder, loc, columns, group);
}

/// Allocates `columns` for the buffers; `first` is the first one. The barrier
/// that publishes the mbarriers also publishes the address.
static void createAlloc(Operation *first, int64_t columns, int32_t ctaGroup) {
  for (auto barrier : first->getBlock()->getOps<nv_tileas::BarrierOp>())
    if (barrier.getScope() == getScope(ctaGroup) &&
        barrier->isBeforeInBlock(first)) {
      OpBuilder builder(barrier);
      nv_tileas::TmemAllocOp::create(builder, barrier.getLoc(), columns,
                                     ctaGroup);
      barrier.erase();
      return;
    }
  OpBuilder builder(first);
  nv_tileas::TmemAllocOp::create(builder, first->getLoc(), columns, ctaGroup);
}

LogicalResult assignTensorMemory(nv_tileaa::FuncOp func, const Target &target) {
  SmallVector<nv_tileas::AllocTensorOp> allocs;
  func->walk([&](nv_tileas::AllocTensorOp alloc) {
    if (getTensorColumns(alloc))
      allocs.push_back(alloc);
  });
  if (allocs.empty())
    return success();
  int64_t needed = place(allocs), has = TensorMemoryBudget(target).getCap();
  if (needed > has) {
    InFlightDiagnostic diag = func.emitError("fails to assign tmem buffer");
    diag.attachNote() << "the kernel needs " << needed
                      << " columns of tensor memory, '" << target.name()
                      << "' has " << has << "; use smaller tiles";
    for (nv_tileas::AllocTensorOp alloc : allocs)
      diag.attachNote(alloc.getLoc())
          << getTensorColumns(alloc) << " columns for this operation";
    return failure();
  }
  int64_t columns = std::max<int64_t>(kMinColumns, llvm::PowerOf2Ceil(needed));
  Block &body = func.getBody().front();
  Operation *first = nullptr;
  for (nv_tileas::AllocTensorOp alloc : allocs) {
    Operation *at = body.findAncestorOpInBlock(*alloc);
    if (!first || at->isBeforeInBlock(first))
      first = at;
  }
  createAlloc(first, columns, getCtaGroup(func));
  createDealloc(func, allocs, columns);
  return success();
}

} // namespace tileir::lowering

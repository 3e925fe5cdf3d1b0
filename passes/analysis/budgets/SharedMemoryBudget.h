// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory budget of a CTA: its bytes, and what is left of them.

#ifndef PASSES_ANALYSIS_BUDGETS_SHAREDMEMORYBUDGET_H
#define PASSES_ANALYSIS_BUDGETS_SHAREDMEMORYBUDGET_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

#include "mlir/IR/Operation.h"

namespace tileir {

/// Shared memory of `target` for a CTA, less the bytes that the IR claims.
class SharedMemoryBudget {
public:
  using IsLive = llvm::function_ref<bool(mlir::Operation *)>;

  /// Claims the buffers and arrays of `func` for which `isLive` is true (all
  /// without `isLive`), each rounded up to `align`.
  SharedMemoryBudget(mlir::Operation *func, const Target &target,
                     IsLive isLive = nullptr, int64_t align = 1);

  int64_t getCap() const { return cap; }
  int64_t getClaimed() const { return claimed; }
  int64_t getLeft() const { return cap - claimed; }

  void claim(int64_t bytes) { claimed += bytes; }
  /// Claims `perSlot` mbarriers for each slot of the pipelines for which
  /// `isLive` is true.
  void claimMbarriers(int64_t perSlot, IsLive isLive = nullptr);
  /// Claims the maximum scratch of an operation, among those for which `isLive`
  /// is true.
  void claimScratch(IsLive isLive, int64_t align);

private:
  mlir::Operation *func;
  int64_t cap, claimed = 0;
};

/// Returns the bytes that a CTA may take so that as many CTAs as the hint
/// `occupancy` of `func` asks for share an SM; without the hint, the maximum of
/// a CTA.
int64_t getHintedSharedBytes(mlir::nv_tileaa::FuncOp func,
                             const Target &target);

/// Returns whether the buffer `alloc` is live while the outermost loop `loop`
/// runs. A buffer that is freed before the loop, or allocated after it, shares
/// its bytes.
bool isLiveIn(mlir::Operation *alloc, mlir::Operation *loop);

} // namespace tileir

#endif // PASSES_ANALYSIS_BUDGETS_SHAREDMEMORYBUDGET_H

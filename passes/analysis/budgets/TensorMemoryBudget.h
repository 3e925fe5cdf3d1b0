// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory budget: its columns, and what is left of them.

#ifndef PASSES_ANALYSIS_BUDGETS_TENSORMEMORYBUDGET_H
#define PASSES_ANALYSIS_BUDGETS_TENSORMEMORYBUDGET_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Columns of tensor memory of `alloc`, over all its stages; 0 for a buffer
/// elsewhere.
int64_t getTensorColumns(mlir::nv_tileas::AllocTensorOp alloc);

/// Columns of `target`, less those of the buffers of a function and of future
/// accumulators.
class TensorMemoryBudget {
public:
  explicit TensorMemoryBudget(const Target &target,
                              mlir::Operation *func = nullptr);

  int64_t getCap() const { return cap; }
  /// Returns the columns that a CTA may take so that as many CTAs as the hint
  /// `occupancy` of `func` asks for share an SM.
  int64_t getShare(mlir::nv_tileaa::FuncOp func) const;
  int64_t getLeft() const { return cap - claimed; }
  void claim(int64_t columns) { claimed += columns; }
  /// Returns why `columns` do not fit; empty when they do.
  std::string check(int64_t columns) const;

private:
  int64_t cap, claimed = 0;
};

} // namespace tileir

#endif // PASSES_ANALYSIS_BUDGETS_TENSORMEMORYBUDGET_H

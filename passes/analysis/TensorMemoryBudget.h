// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of tensor memory: how many there are, and how many are left.

#ifndef PASSES_ANALYSIS_TENSORMEMORYBUDGET_H
#define PASSES_ANALYSIS_TENSORMEMORYBUDGET_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Columns of tensor memory of `alloc`, each stage its own; 0 of a buffer
/// elsewhere.
int64_t getTensorColumns(mlir::nv_tileas::AllocTensorOp alloc);

/// Columns that `target` has beside those of the buffers of a function and of
/// accumulators to come.
class TensorMemoryBudget {
public:
  explicit TensorMemoryBudget(const Target &target,
                              mlir::Operation *func = nullptr);

  int64_t getCap() const { return cap; }
  /// Returns the columns that a CTA may take so that as many CTAs as the hint
  /// `occupancy` of `func` asks for share those of an SM.
  int64_t getShare(mlir::nv_tileaa::FuncOp func) const;
  int64_t getLeft() const { return cap - claimed; }
  void claim(int64_t columns) { claimed += columns; }
  /// Returns why `columns` are too many; empty when there are as many.
  std::string check(int64_t columns) const;

private:
  int64_t cap, claimed = 0;
};

} // namespace tileir

#endif // PASSES_ANALYSIS_TENSORMEMORYBUDGET_H

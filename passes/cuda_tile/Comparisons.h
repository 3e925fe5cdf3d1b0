// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer constants and comparisons, for passes that reason about loops.

#ifndef PASSES_CUDA_TILE_COMPARISONS_H
#define PASSES_CUDA_TILE_COMPARISONS_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Matchers.h"

namespace tileir {

/// The integer that all elements of `value` equal; none for a null value.
inline std::optional<llvm::APInt> getConstant(mlir::Value value) {
  mlir::DenseIntElementsAttr attr;
  if (value && mlir::matchPattern(value, mlir::m_Constant(&attr)) &&
      attr.isSplat())
    return attr.getSplatValue<llvm::APInt>();
  return std::nullopt;
}

/// The predicate with exchanged operands.
inline mlir::cuda_tile::ComparisonPredicate
mirror(mlir::cuda_tile::ComparisonPredicate predicate) {
  using mlir::cuda_tile::ComparisonPredicate;
  switch (predicate) {
  case ComparisonPredicate::LESS_THAN:
    return ComparisonPredicate::GREATER_THAN;
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    return ComparisonPredicate::GREATER_THAN_OR_EQUAL;
  case ComparisonPredicate::GREATER_THAN:
    return ComparisonPredicate::LESS_THAN;
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    return ComparisonPredicate::LESS_THAN_OR_EQUAL;
  default:
    return predicate;
  }
}

} // namespace tileir

#endif // PASSES_CUDA_TILE_COMPARISONS_H

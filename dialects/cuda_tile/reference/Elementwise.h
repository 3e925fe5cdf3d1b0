// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements. A result is marked when one of its operands is.

#ifndef DIALECTS_CUDA_TILE_REFERENCE_ELEMENTWISE_H
#define DIALECTS_CUDA_TILE_REFERENCE_ELEMENTWISE_H

#include "dialects/cuda_tile/reference/Value.h"

namespace tileir::reference {

/// `compute` gets the bits of the operands' elements at one position.
template <typename Compute, typename... Tiles>
Tile mapElements(mlir::Type type, Compute compute, const Tile &first,
                 const Tiles &...rest) {
  Tile result(mlir::cast<mlir::cuda_tile::TileType>(type));
  for (size_t i = 0; i < result.size(); ++i)
    result.bits[i] = compute(first.bits[i], rest.bits[i]...);
  bool anyMarked =
      !first.marks.empty() || (false || ... || !rest.marks.empty());
  if (anyMarked)
    for (size_t i = 0; i < result.size(); ++i)
      if (first.isMarked(i) || (false || ... || rest.isMarked(i)))
        result.mark(i);
  return result;
}

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_ELEMENTWISE_H

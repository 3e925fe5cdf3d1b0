// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_LAYOUTRULES_H
#define PASSES_ANALYSIS_LAYOUTRULES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include <optional>

namespace tileir {

/// Operations with one tile result whose layout follows from the layout that
/// all of their tile operands have: reshapes, slices and the like.
bool isShapeOp(mlir::Operation *op);

/// Layout of the result of a shape operation, given its operands'. None when
/// the operand layout does not allow the operation without moving data.
std::optional<Layout> forward(mlir::Operation *op, const Layout &source);

/// Layout that the operands of a shape operation need for a result layout.
/// None when there is none.
std::optional<Layout> backward(mlir::Operation *op, const Layout &result);

/// Whether the two layouts fit the operation as they are.
bool isConsistent(mlir::Operation *op, const Layout &source,
                  const Layout &result);

/// An operand layout from which `forward` always succeeds.
Layout getSplittable(mlir::Operation *op);

/// Layout of the index tile of a sparse access whose tile has `layout`.
Layout getIndexLayout(const Layout &layout, unsigned sparseDim);

/// Whether a scan along `axis` can run in `layout`: the bits of the axis are in
/// order in registers, then lanes, then warps, each basis a bit of the axis
/// alone or without part in it.
bool isScannable(const Layout &layout, unsigned axis);
/// A layout for scans along `axis`.
Layout getScanLayout(const Layout::Shape &shape, unsigned axis,
                     unsigned numWarps);

} // namespace tileir

#endif // PASSES_ANALYSIS_LAYOUTRULES_H

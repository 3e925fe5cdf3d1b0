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

/// Returns whether the two layouts fit the operation as they are.
bool isConsistent(mlir::Operation *op, const Layout &source,
                  const Layout &result);

/// An operand layout from which `forward` always succeeds.
Layout getSplittable(mlir::Operation *op);

/// Returns the layout of the tile of indices of dimension `dim` of an access
/// whose tile has `layout`: each thread holds the indices of its elements.
Layout getIndexLayout(const Layout &layout, unsigned dim);

/// Returns whether a scan along `axis` can run in `layout`: the bits of the
/// axis are in order in registers, then adjacent lane bits, then warps, each
/// basis a bit of the axis alone or without part in it.
bool isScannable(const Layout &layout, unsigned axis);
/// Returns a layout for scans along `axis` of elements of `bits`: the axis
/// takes up to 16 bytes of registers, then lanes; other dimensions take warps
/// first.
Layout getScanLayout(const Layout::Shape &shape, unsigned axis,
                     unsigned numWarps, unsigned bits);
/// Returns a layout for the operands of `op`: `layout` if it is scannable.
Layout getScanLayout(mlir::nv_tileas::ScanOp op, const Layout &layout);

/// Returns whether `op` may combine the elements that `layout` gives it: each
/// basis is a bit of the axis alone or without part in it, and where the
/// elements do not commute they meet in the order of their index.
bool isReducible(mlir::nv_tileas::ReduceOp op, const Layout &layout);
/// Returns a layout for the operands of `op`: `layout` if it is reducible.
Layout getReduceLayout(mlir::nv_tileas::ReduceOp op, const Layout &layout);

} // namespace tileir

#endif // PASSES_ANALYSIS_LAYOUTRULES_H

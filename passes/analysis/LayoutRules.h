// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_LAYOUTRULES_H
#define PASSES_ANALYSIS_LAYOUTRULES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include <optional>

namespace tileir {

/// Returns whether `op` is a shape operation (reshape, slice, …): one tile
/// result, whose layout follows from the common layout of its tile operands.
bool isShapeOp(mlir::Operation *op);

/// Layout of the result of a shape operation for the operands' layout. None
/// when the operation would have to move data.
std::optional<Layout> forward(mlir::Operation *op, const Layout &source);

/// Layout of the operands of a shape operation for a result layout, or none.
std::optional<Layout> backward(mlir::Operation *op, const Layout &result);

/// Returns whether the operation needs no data movement between the two
/// layouts.
bool isConsistent(mlir::Operation *op, const Layout &source,
                  const Layout &result);

/// A layout for the operands from which `forward` always succeeds.
Layout getSplittable(mlir::Operation *op);

/// Returns the layout of the index tile of dimension `dim` of an access whose
/// tile has `layout`: each thread holds the indices of its elements.
Layout getIndexLayout(const Layout &layout, unsigned dim);

/// Returns whether a scan along `axis` can run in `layout`: the bits of the
/// axis are in order in registers, then in adjacent lane bits, then in warps.
/// Each basis is one bit of the axis, or does not touch the axis.
bool isScannable(const Layout &layout, unsigned axis);
/// Returns a layout for scans along `axis` of elements of `bits`: the axis
/// takes up to 16 bytes of registers, then lanes; the other dimensions take
/// warps first.
Layout getScanLayout(const Layout::Shape &shape, unsigned axis,
                     unsigned numWarps, unsigned bits);
/// Returns a layout for the operands of `op`: `layout` if it is scannable.
Layout getScanLayout(mlir::nv_tileas::ScanOp op, const Layout &layout);

/// Returns whether `op` can combine the elements in `layout`: each basis is one
/// bit of the axis or does not touch the axis, and a combiner that does not
/// commute gets the elements in the order of their index.
bool isReducible(mlir::nv_tileas::ReduceOp op, const Layout &layout);
/// Returns a layout for the operands of `op`: `layout` if it is reducible.
Layout getReduceLayout(mlir::nv_tileas::ReduceOp op, const Layout &layout);

} // namespace tileir

#endif // PASSES_ANALYSIS_LAYOUTRULES_H

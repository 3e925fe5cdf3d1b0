// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LAYOUT_LAYOUTCHOICE_H
#define PASSES_TILEAS_LAYOUT_LAYOUTCHOICE_H

#include "passes/tileas/layout/LayoutPlan.h"

namespace tileir {

/// A legal plan without costs: dots have their accumulator layout, accesses are
/// coalesced, every other tile is blocked by its shape alone.
LayoutPlan planDefault(mlir::FunctionOpInterface func,
                       const TileClasses &classes, unsigned numWarps);

/// Takes all conversions out of `func` and gives each tile the layout of the
/// default plan: what is left to do where tiles have changed their shapes.
void assignDefaultLayouts(mlir::FunctionOpInterface func, unsigned numWarps);

/// A plan of least estimated cost. `numCandidates` counts what was compared.
LayoutPlan planByCost(mlir::FunctionOpInterface func,
                      const TileClasses &classes, unsigned numWarps,
                      unsigned &numCandidates);

/// Returns the layout that spreads the tile of a memory access best: lanes
/// along the dimension of stride one, as wide per thread as the facts on the
/// access allow.
Layout getCoalescedLayout(mlir::Operation *access, unsigned numWarps);

/// Bits that one thread moves per access in the layout that the tile has.
unsigned getVectorBits(mlir::Operation *access);
/// The same in another layout.
unsigned getVectorBits(mlir::Operation *access, const Layout &layout);

} // namespace tileir

#endif // PASSES_TILEAS_LAYOUT_LAYOUTCHOICE_H

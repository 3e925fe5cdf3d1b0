// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of what threads compute between two chained products.

#ifndef PASSES_TILEAS_CHAINORDER_H
#define PASSES_TILEAS_CHAINORDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Lets the second of two chained products of warpgroups in `loop` start as
/// early as it can. What it does not need, sums of rows for instance, comes
/// behind its start where a thread has registers for that; the few numbers by
/// which its sum is multiplied come before the many that the same units
/// compute. `isAhead`: the first product of the next iteration is under way,
/// too. Returns whether an operation moved.
bool orderChain(mlir::scf::ForOp loop, bool isAhead);

} // namespace tileir

#endif // PASSES_TILEAS_CHAINORDER_H

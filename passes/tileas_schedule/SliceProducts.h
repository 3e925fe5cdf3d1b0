// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products as what a schedule can put other operations between.
#ifndef PASSES_TILEAS_SCHEDULE_SLICEPRODUCTS_H
#define PASSES_TILEAS_SCHEDULE_SLICEPRODUCTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Cuts the products of `loop` that single warps read from shared memory into
/// the steps of K that they take anyway: reads of fragments, those of the next
/// step ahead of the product of this one. Only in loops whose threads copy:
/// what they issue then goes between the steps. The number of products that
/// were cut.
unsigned sliceProducts(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_SLICEPRODUCTS_H

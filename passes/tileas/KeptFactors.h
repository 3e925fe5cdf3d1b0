// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors in shared memory that every iteration of a loop reads.

#ifndef PASSES_TILEAS_KEPTFACTORS_H
#define PASSES_TILEAS_KEPTFACTORS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Brings A of `dot`, which is made in front of `loop` and read by `dot` alone,
/// into shared memory once, in the form that warpgroups read, and returns the
/// buffer. A tile that is loaded in the block of the function is copied there
/// by a tensor copy where one can be, by way of a ring with one slot; whatever
/// else it is, threads store it.
mlir::Value keepFactor(mlir::nv_tileas::DotOp dot, mlir::scf::ForOp loop,
                       const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_KEPTFACTORS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demands of the units that multiply on factors: where they come from, whether
// a unit can read them in shared memory, what they take in registers.

#ifndef PASSES_TILEAS_PRODUCTFACTORS_H
#define PASSES_TILEAS_PRODUCTFACTORS_H

#include "dialects/nv_tileas/Factors.h"

namespace tileir {

/// The slot of a pipeline that `buffer` is, renames or is a part of; null when
/// it is none.
mlir::nv_tileas::PipelineWaitOp getSlotWait(mlir::Value buffer);

/// Returns what keeps a unit from reading the factor in `buffer`, of which
/// `kDim` is the dimension of K; empty when nothing does. Elements of
/// `transposed` bits need not have K contiguous.
std::string checkFactorForm(mlir::Value buffer, unsigned kDim,
                            mlir::nv_tileas::TransposedBits transposed);

} // namespace tileir

#endif // PASSES_TILEAS_PRODUCTFACTORS_H

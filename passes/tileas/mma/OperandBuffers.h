// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements of tensor cores on operands: which slot they come from, whether
// a tensor core can read them in shared memory.

#ifndef PASSES_TILEAS_MMA_OPERANDBUFFERS_H
#define PASSES_TILEAS_MMA_OPERANDBUFFERS_H

#include "dialects/nv_tileas/MmaOperands.h"

namespace tileir {

/// The slot of a pipeline that `buffer` is, renames or is a part of; null when
/// it is none.
mlir::nv_tileas::PipelineWaitOp getSlotWait(mlir::Value buffer);

/// Returns why a tensor core cannot read the operand in `buffer`, whose
/// dimension of K is `kDim`; empty if it can. Elements of `transposed` bits
/// need not be contiguous along K.
std::string checkOperandLayout(mlir::Value buffer, unsigned kDim,
                               mlir::nv_tileas::TransposedBits transposed);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_OPERANDBUFFERS_H

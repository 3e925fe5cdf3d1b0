// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_WARP_SPECIALIZE_PIPELINEUNROLL_H
#define PASSES_WARP_SPECIALIZE_PIPELINEUNROLL_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Unrolls `loop` by the depth of the circular buffers that it steps through.
/// The slot indices of an unrolled iteration are constants, and so are the
/// values computed from them. Returns the remainder loop, which has the results
/// of `loop`. Returns null and changes nothing if the buffers differ in depth,
/// if a slot index does not start at 0, or if the step of the loop is not 1.
mlir::scf::ForOp unrollByPipeline(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_PIPELINEUNROLL_H

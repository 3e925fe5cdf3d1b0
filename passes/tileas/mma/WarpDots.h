// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_MMA_WARPDOTS_H
#define PASSES_TILEAS_MMA_WARPDOTS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Returns whether a thread has too few registers for both whole operands of
/// `dot` by single warps, its accumulator and its scales.
bool isLimitedByRegisters(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory in which A of `dot`, of which several warps have the
/// same fragments, can wait for all iterations of a loop that has no registers
/// left; 0 when it does not.
int64_t getReplicatedBytes(mlir::nv_tileas::DotOp dot);

/// Lets `dot`, which warps compute, read operands that are copies of buffers
/// from the buffers. A dot with one such operand and one in registers becomes
/// dots of a part of K each, so that few fragments are live at once; where
/// registers of several warps would hold the other one, buffers hold both, in
/// some of the `freeBytes` of shared memory. Operands that threads convert go
/// by buffers, which may take `scratchBytes` more: their exchanges are gone.
void multiplyByWarps(mlir::nv_tileas::DotOp dot, int64_t &freeBytes,
                     int64_t scratchBytes);

/// Returns whether `op` changes the type of the elements of a tile, and nothing
/// else.
bool isConversion(mlir::Operation *op);

/// `mma`, the `mma.sync` of `dot`, where threads restage operands that they
/// convert on their way from loads or buffers.
mlir::nv_tileas::MmaAttr restageConverted(mlir::nv_tileas::DotOp dot,
                                          mlir::nv_tileas::MmaAttr mma);

/// Returns whether threads convert operands of `dot`, by its attribute.
bool isConverted(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory for such operands of `dot`; 0 where there are none.
int64_t getConvertedBytes(mlir::nv_tileas::DotOp dot);

/// Returns whether threads read `load` from its slot before `dot` and convert
/// it.
bool isConvertedOperand(mlir::nv_tileas::DotOp dot, mlir::Operation *load);

/// Rewrites `dot`, whose operands are converted copies of buffers, to a dot of
/// buffers that threads fill with the converted elements. If those are too
/// large, several dots of a part of K each alternate with the conversions.
/// Returns false and changes nothing if the operands are others or exceed
/// `freeBytes`.
bool multiplyConverted(mlir::nv_tileas::DotOp dot, int64_t freeBytes);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_WARPDOTS_H

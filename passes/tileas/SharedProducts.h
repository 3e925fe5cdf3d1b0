// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_SHAREDPRODUCTS_H
#define PASSES_TILEAS_SHAREDPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Returns whether a thread has too few registers for both whole operands of
/// `dot` by single warps, its accumulator and its scales.
bool isCrowded(mlir::nv_tileas::DotOp dot);

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

/// Returns whether threads convert operands of `dot`, by what is assigned to
/// it.
bool isConverted(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory for such operands of `dot`; 0 where there are none.
int64_t getConvertedBytes(mlir::nv_tileas::DotOp dot);

/// Returns whether threads read `load` from its slot in front of `dot`, to
/// convert it.
bool isConvertedFactor(mlir::nv_tileas::DotOp dot, mlir::Operation *load);

/// Makes `dot`, whose factors are converted from copies of buffers, a product
/// of buffers that threads fill with what they converted. Where those are too
/// large it is made of products of a part of K each, which take turns with
/// them. False, with nothing changed, where the factors are others or have more
/// than `freeBytes`.
bool multiplyConverted(mlir::nv_tileas::DotOp dot, int64_t freeBytes);

} // namespace tileir

#endif // PASSES_TILEAS_SHAREDPRODUCTS_H

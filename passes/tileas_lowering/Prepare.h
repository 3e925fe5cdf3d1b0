// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps between `nv_tileas` as the strategies leave it and the conversion.
// Each is a pass of its own; the conversion alone makes up for what is missing.

#ifndef PASSES_TILEAS_LOWERING_PREPARE_H
#define PASSES_TILEAS_LOWERING_PREPARE_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir::lowering {

struct LoweringState;

/// Reads what the passes before the conversion decided for the functions of
/// `root`, or does it when it `makesUp` for them, and makes their storage.
mlir::LogicalResult prepare(mlir::Operation *root, LoweringState &state,
                            bool dynamicSmem, bool makesUp);

/// When two buffers, or a buffer and what an operation needs while it runs, may
/// have the same bytes: where their lifetimes allow it, never, or where the
/// bytes let more CTAs run on an SM or fit at all.
enum class StorageSharing { Always, Never, Auto };

/// Checks that the lowering can do every operation of `func` and makes implicit
/// layout conversions explicit. Reports what is not supported.
mlir::LogicalResult legalizeLayouts(mlir::nv_tileaa::FuncOp func);

/// Gives the buffers, the shared allocations and the scratch memory of `func`
/// their places, as attributes. Reports what does not fit.
mlir::LogicalResult assignBuffers(mlir::nv_tileaa::FuncOp func,
                                  const Target &target, StorageSharing sharing);

/// Gives the buffers of `func` in tensor memory their columns, and allocates
/// and frees these for as long as they are needed. Reports what does not fit.
mlir::LogicalResult assignTensorMemory(mlir::nv_tileaa::FuncOp func,
                                       const Target &target);

/// Counts of what the placement of barriers did and looked at.
struct BarrierCounts {
  unsigned barriers = 0;
  unsigned visits = 0;
};

/// Puts barriers where the order that tokens express, or bytes of shared memory
/// that several threads touch, ask for them; a second time does nothing.
BarrierCounts insertBarriers(mlir::nv_tileaa::FuncOp func);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_PREPARE_H

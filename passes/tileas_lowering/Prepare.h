// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps between `nv_tileas` after the strategies and the conversion. Each step
// is a pass of its own; the conversion runs missing ones itself.

#ifndef PASSES_TILEAS_LOWERING_PREPARE_H
#define PASSES_TILEAS_LOWERING_PREPARE_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir::lowering {

struct LoweringState;

/// Reads the decisions of earlier passes for the functions of `root`, runs the
/// missing steps if it `makesUp`, and creates the storage.
mlir::LogicalResult prepare(mlir::Operation *root, LoweringState &state,
                            bool dynamicSmem, bool makesUp);

/// Policy for two buffers, or a buffer and scratch memory, to share bytes: if
/// their live ranges are disjoint, never, or if sharing allows more CTAs per SM
/// or is needed to fit.
enum class StorageSharing { Always, Never, Auto };

/// Checks that the lowering supports every operation of `func`, and makes
/// implicit layout conversions explicit. Reports unsupported operations.
mlir::LogicalResult legalizeLayouts(mlir::nv_tileaa::FuncOp func);

/// Assigns offsets to the buffers, shared allocations and scratch memory of
/// `func`, as attributes. Reports overflow.
mlir::LogicalResult assignBuffers(mlir::nv_tileaa::FuncOp func,
                                  const Target &target, StorageSharing sharing);

/// Assigns columns to the tensor memory buffers of `func`, and allocates and
/// frees the columns. Reports overflow.
mlir::LogicalResult assignTensorMemory(mlir::nv_tileaa::FuncOp func,
                                       const Target &target);

/// Counts of inserted barriers and of visits.
struct BarrierCounts {
  unsigned barriers = 0;
  unsigned visits = 0;
};

/// Inserts barriers where tokens, or accesses of several threads to the same
/// bytes of shared memory, require them. A second run changes nothing.
BarrierCounts insertBarriers(mlir::nv_tileaa::FuncOp func);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_PREPARE_H

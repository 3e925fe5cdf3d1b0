// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory effects of single operations: the bytes of shared memory that they
// access, and the order of global memory accesses.

#ifndef PASSES_TILEAS_LOWERING_MEMORY_ACCESSES_H
#define PASSES_TILEAS_LOWERING_MEMORY_ACCESSES_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir::lowering {

/// Bytes of shared memory that an operation accesses.
struct ByteAccess {
  int64_t first = 0, end = 0;
  bool isWrite = false;
  mlir::nv_tileas::Proxy proxy = mlir::nv_tileas::Proxy::Generic;
  /// The allocation whose pipeline orders the access against its other
  /// accesses; null if there is none.
  mlir::Operation *circularBuffer = nullptr;
  /// The access is in flight until a wait of this kind.
  std::optional<mlir::nv_tileas::AsyncCompletion> opens;

  bool conflictsWith(const ByteAccess &other) const {
    return first < other.end && other.first < end &&
           (isWrite || other.isWrite) &&
           !(circularBuffer && circularBuffer == other.circularBuffer);
  }
};

/// Returns the allocation of which `buffer` is a view; null for an argument.
mlir::nv_tileas::AllocTensorOp getAllocation(mlir::Value buffer);

/// Returns the accesses of `op` to buffers with an assigned offset.
llvm::SmallVector<ByteAccess> getByteAccesses(mlir::Operation *op);

/// Returns the scratch memory of `op` once it has an offset.
std::optional<ByteAccess> getScratch(mlir::Operation *op);

/// Returns whether `op` allocates memory of a tile block in shared memory.
bool isSharedAllocation(mlir::Operation *op);

/// Returns whether all threads of a CTA synchronize at `op`.
bool isBarrier(mlir::Operation *op);

/// Returns whether `op` accesses memory through the async proxy, which sees the
/// writes of threads only after a proxy fence.
bool isAsyncAccess(mlir::Operation *op);

/// Returns whether `op` has release semantics, or acquire semantics.
bool releases(mlir::Operation *op);
bool acquires(mlir::Operation *op);

/// Returns whether `second`, which waits for a token of `first`, needs more
/// than the program order of each thread. `samePhase` is false if an iteration
/// ends between the two.
bool mustOrder(mlir::nv_tileaa::FuncOp func, mlir::Operation *first,
               mlir::Operation *second, bool samePhase);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MEMORY_ACCESSES_H

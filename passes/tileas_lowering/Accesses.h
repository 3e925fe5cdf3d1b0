// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about single operations that ordering rests on: which bytes of shared
// memory they touch, and which accesses of global memory must not be swapped.

#ifndef PASSES_TILEAS_LOWERING_ACCESSES_H
#define PASSES_TILEAS_LOWERING_ACCESSES_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir::lowering {

/// Bytes of shared memory that an operation touches.
struct ByteAccess {
  int64_t first = 0, end = 0;
  bool isWrite = false;
  mlir::nv_tileas::Proxy proxy = mlir::nv_tileas::Proxy::Generic;
  /// The allocation whose pipeline orders the access against others of its
  /// kind; null without one.
  mlir::Operation *ring = nullptr;
  /// Goes on until a wait of this kind.
  std::optional<mlir::nv_tileas::AsyncCompletion> opens;

  bool conflictsWith(const ByteAccess &other) const {
    return first < other.end && other.first < end &&
           (isWrite || other.isWrite) && !(ring && ring == other.ring);
  }
};

/// The allocation that `buffer` is a view of; null for one that is passed in.
mlir::nv_tileas::AllocTensorOp getAllocation(mlir::Value buffer);

/// Returns what `op` does to buffers whose place is known.
llvm::SmallVector<ByteAccess> getByteAccesses(mlir::Operation *op);

/// The scratch memory of `op` once it has a place.
std::optional<ByteAccess> getScratch(mlir::Operation *op);

/// Returns whether `op` is memory that a block allocates anew in shared memory.
bool isSharedAllocation(mlir::Operation *op);

/// Returns whether all threads of a CTA meet at `op`.
bool isMeeting(mlir::Operation *op);

/// Returns whether `op` reads or writes memory by the asynchronous proxy, which
/// comes after what threads wrote behind a fence alone.
bool isAsyncAccess(mlir::Operation *op);

/// Returns whether `op` publishes, or takes in, what others wrote.
bool releases(mlir::Operation *op);
bool acquires(mlir::Operation *op);

/// Returns whether `second`, which waits for a token of `first`, needs more
/// than the program order of each thread. `sameRound` is false when an
/// iteration ends between the two.
bool mustOrder(mlir::nv_tileaa::FuncOp func, mlir::Operation *first,
               mlir::Operation *second, bool sameRound);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ACCESSES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a scope: their indices, and the elected thread. Values that are
// the same for all operations of a scope are computed once, at its start, under
// a name by which they are found again.

#ifndef PASSES_TILEAS_LOWERING_ASYNC_ELECTED_H
#define PASSES_TILEAS_LOWERING_ASYNC_ELECTED_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns the function around the insertion point.
mlir::LLVM::LLVMFuncOp getFunction(const mlir::OpBuilder &builder);

/// Computes the thread index in the CTA at the start of the lowered body.
void createThreadId(mlir::OpBuilder &builder, mlir::Location loc,
                    unsigned warps);
/// Returns the thread index in `scope`, which contains the insertion point.
mlir::Value getThreadId(const mlir::OpBuilder &builder, const ExecScope &scope);

/// Returns the warp index in its scope, computed once at its start. One lane
/// broadcasts it, so that ptxas sees a warp-uniform value.
mlir::Value getUniformWarp(Emitter &emitter);
/// Returns a predicate that is true in the first warp.
mlir::Value isFirstWarp(Emitter &emitter);

/// Returns a predicate that is true in the elected thread of the scope, always
/// the same thread. Computed once, at the start of the scope.
mlir::Value getElectedThread(Emitter &emitter);

/// Returns a predicate that is true in the first CTA of each pair. Computed
/// once, at the entry.
mlir::Value isLeader(Emitter &emitter);
/// Returns `getElectedThread` in the first CTA of each pair, false in the
/// other. Computed once, at the start of the scope.
mlir::Value getElectedLeader(Emitter &emitter);
/// Returns a 16-bit mask of the two CTAs of the pair. Computed once, at the
/// entry.
mlir::Value getPairMask(Emitter &emitter);
/// Returns the difference of shared addresses of this CTA from those of the
/// first CTA of its pair. Computed once, at the entry.
mlir::Value getLeaderDistance(Emitter &emitter);

/// Records the address of the tensor memory that the function allocated.
void setTensorMemory(mlir::Value first);
/// Returns null if none was allocated so far.
mlir::Value getTensorMemory(Emitter &emitter);

/// Removes the names; the values stay.
void forgetScopeValues(mlir::Operation *module);

/// Returns a shared memory pointer as the i32 that inline PTX takes.
mlir::Value getSharedAddress(Emitter &emitter, mlir::Value ptr);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ASYNC_ELECTED_H

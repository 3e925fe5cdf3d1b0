// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a scope: their numbers, and the one that acts for all. What is
// the same for all operations of a scope stands once, where the scope begins,
// under a name; there it is looked up.

#ifndef PASSES_TILEAS_LOWERING_ELECTED_H
#define PASSES_TILEAS_LOWERING_ELECTED_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// The function around the insertion point.
mlir::LLVM::LLVMFuncOp getFunction(const mlir::OpBuilder &builder);

/// The number of the thread in the CTA, where the lowered body of a function
/// begins.
void createThreadId(mlir::OpBuilder &builder, mlir::Location loc,
                    unsigned warps);
/// The number of the thread in `scope`, which is around the insertion point.
mlir::Value getThreadId(const mlir::OpBuilder &builder, const ExecScope &scope);

/// The number of the warp in its scope, found once, at entry. Its threads take
/// it from one of them: so assemblers see that it is the same in all.
mlir::Value getUniformWarp(Emitter &emitter);
/// Returns whether that is the first one.
mlir::Value isFirstWarp(Emitter &emitter);

/// True in the thread that does things for all of its scope, always the same.
/// Found once, where the scope begins.
mlir::Value getElectedThread(Emitter &emitter);

/// The first cell of the tensor memory that the function allocated.
void setTensorMemory(mlir::Value first);
/// Null where it allocated none so far.
mlir::Value getTensorMemory(Emitter &emitter);

/// Takes the names away; the values stay.
void forgetScopeValues(mlir::Operation *module);

/// A pointer to shared memory as the i32 that assembly takes.
mlir::Value getSharedAddress(Emitter &emitter, mlir::Value ptr);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ELECTED_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that one thread of a scope issues for all.

#ifndef PASSES_TILEAS_LOWERING_ELECTED_H
#define PASSES_TILEAS_LOWERING_ELECTED_H

#include "passes/tileas_lowering/Lowering.h"

namespace tileir::lowering {

/// The number of the warp, found once, at entry. Its threads take it from one
/// of them: so assemblers see that it is the same in all.
mlir::Value getUniformWarp(Emitter &emitter);

/// Marks operations of one thread that only one warp reaches: a thread of that
/// warp does them.
inline constexpr llvm::StringLiteral kInWarpAttr = "nv_tileas.in_warp";

/// True in the thread that does `op` for all: one of the function, always the
/// same, or one of the warp that reaches `op` alone. Found once, at entry.
mlir::Value getElectedThread(Emitter &emitter, mlir::Operation *op);

/// A pointer to shared memory as the i32 that assembly takes.
mlir::Value getSharedAddress(Emitter &emitter, mlir::Value ptr);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ELECTED_H

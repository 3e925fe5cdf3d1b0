// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_MMA_WARPGROUPDOTS_H
#define PASSES_TILEAS_MMA_WARPGROUPDOTS_H

#include "passes/tileas/mma/MmaChoice.h"

namespace tileir {

/// Rows of the accumulator of one `wgmma` that a warp has (PTX ISA, "wgmma").
inline constexpr int64_t kWarpRows = 16;

/// Bytes of shared memory for the operands of `dot` that threads must restage
/// before `wgmma` can read them; 0 if `wgmma` does not compute the dot.
int64_t getRestagedOperandBytes(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory in which A of `dot` can wait for all iterations of a
/// loop, in place of the registers that it is in; 0 when it does not.
int64_t getInvariantOperandBytes(mlir::nv_tileas::DotOp dot);

/// Assigns the instruction of warps to `dot` in place of `wgmma`, with a remark
/// on its operand `operand`.
void refuseWgmma(mlir::nv_tileas::DotOp dot, llvm::StringRef operand,
                 llvm::StringRef reason);

/// Replaces `dot` by `wgmma` and waits for it. `wgmma` reads operands that are
/// copies of buffers in place; threads restage operands in another layout, in
/// some of the `freeBytes` of shared memory. Assigns the MMA of warps and
/// returns false, with a remark, if no `wgmma` can compute the dot.
bool multiplyByWarpgroups(mlir::nv_tileas::DotOp dot, const Target &target,
                          int64_t &freeBytes);

/// Lets `wgmma` dots of `func` that only add to an iter-arg stay in flight
/// until the next iteration, and records their reader in the pipelines that
/// feed them.
void carryWarpgroupDots(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_WARPGROUPDOTS_H

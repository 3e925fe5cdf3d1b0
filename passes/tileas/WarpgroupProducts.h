// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_WARPGROUPPRODUCTS_H
#define PASSES_TILEAS_WARPGROUPPRODUCTS_H

#include "passes/tileas/mma/MmaChoice.h"

namespace tileir {

/// Rows of the accumulator of one `wgmma` that a warp has (PTX ISA, "wgmma").
inline constexpr int64_t kWarpRows = 16;

/// Bytes of shared memory for the factors of `dot` that have to be stored anew
/// before warpgroups can read them; 0 when they do not make the product.
int64_t getRestoredBytes(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory in which A of `dot` can wait for all iterations of a
/// loop, in place of the registers that it is in; 0 when it does not.
int64_t getKeptBytes(mlir::nv_tileas::DotOp dot);

/// Assigns the instruction of warps to `dot` in place of `wgmma`, with a remark
/// on its operand `operand`.
void refuseWgmma(mlir::nv_tileas::DotOp dot, llvm::StringRef operand,
                 llvm::StringRef reason);

/// Replaces `dot` by a product of warpgroups and waits for it. Factors that are
/// copies of buffers are read there; those in a form that `wgmma` does not take
/// are stored anew, in some of the `freeBytes` of shared memory. Leaves `dot`
/// to warps and returns false, with a remark, when there is no such product.
bool multiplyByWarpgroups(mlir::nv_tileas::DotOp dot, const Target &target,
                          int64_t &freeBytes);

/// Lets the products of `func` that only add to what a loop carries go on into
/// the next iteration, and says in the pipelines that feed them who reads.
void carryWarpgroupProducts(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_WARPGROUPPRODUCTS_H

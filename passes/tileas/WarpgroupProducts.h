// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_WARPGROUPPRODUCTS_H
#define PASSES_TILEAS_WARPGROUPPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/support/Target.h"

namespace tileir {

/// Rows of the accumulator of one `wgmma` that a warp has (PTX ISA, "wgmma").
inline constexpr int64_t kWarpRows = 16;

/// Returns whether the accumulator of a product of these types and extents
/// should lie in 64-row blocks of warpgroups, so that `wgmma` can make it.
bool prefersWarpgroups(mlir::nv_tileas::DotOp dot, unsigned numWarps,
                       const Target &target);

/// Returns whether warpgroups add parts of the sum to the accumulator apart,
/// because inside of a product it has less than the precision of f32.
bool isPromoted(mlir::nv_tileas::DotOp dot);

/// Returns the `wgmma` that can make the product, were B (and A, unless it
/// stays in registers) in shared memory; null when there is none.
mlir::nv_tileas::MmaAtomAttr getWarpgroupAtom(mlir::nv_tileas::DotOp dot,
                                              const Target &target);

/// Bytes of shared memory for the factors of `dot` that have to be stored anew
/// before warpgroups can read them; 0 when they do not make the product.
int64_t getRestoredBytes(mlir::nv_tileas::DotOp dot, const Target &target);

/// Bytes of shared memory in which A of `dot` can wait for all iterations of a
/// loop, in place of the registers that it is in; 0 when it does not.
int64_t getKeptBytes(mlir::nv_tileas::DotOp dot, const Target &target);

/// Replaces `dot` by a product of warpgroups and waits for it. Factors that are
/// copies of buffers are read there; those in a form that `wgmma` does not take
/// are stored anew, in some of the `freeBytes` of shared memory. Leaves `dot`
/// and returns false, with a remark, when there is no such product.
bool multiplyByWarpgroups(mlir::nv_tileas::DotOp dot, const Target &target,
                          int64_t &freeBytes);

/// Lets the products of `func` that only add to what a loop carries go on into
/// the next iteration, and says in the pipelines that feed them who reads.
void carryWarpgroupProducts(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_WARPGROUPPRODUCTS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_WARPGROUPPRODUCTS_H
#define PASSES_TILEAS_WARPGROUPPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/support/Target.h"

namespace tileir {

/// Returns whether the accumulator of a product of these types and extents
/// should lie in 64-row blocks of warpgroups, so that `wgmma` can make it.
bool prefersWarpgroups(mlir::nv_tileas::DotOp dot, unsigned numWarps,
                       const Target &target);

/// Returns the `wgmma` that can make the product, were B (and A, unless it
/// stays in registers) in shared memory; null when there is none.
mlir::nv_tileas::MmaAtomAttr getWarpgroupAtom(mlir::nv_tileas::DotOp dot,
                                              const Target &target);

/// Replaces `dot` by a product of warpgroups of the buffer `b` and of `a`, a
/// buffer or the tile that `dot` has, and a wait for it. Leaves `dot` and
/// returns false, with a remark, when a form of a factor does not allow it.
bool multiplyByWarpgroups(mlir::nv_tileas::DotOp dot, mlir::Value a,
                          mlir::Value b, const Target &target);

/// Lets the products of `func` that only add to what a loop carries go on into
/// the next iteration, and says in the pipelines that feed them who reads.
void carryWarpgroupProducts(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_WARPGROUPPRODUCTS_H

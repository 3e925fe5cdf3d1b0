// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_MMA_MMAATOMS_H
#define PASSES_TILEAS_MMA_MMAATOMS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// The instruction for a dot of `m` x `k` by `k` x `n` tiles. Its element types
/// may be wider than the requested ones: operands are then converted first, and
/// the result last.
mlir::nv_tileas::MmaAtomAttr chooseMmaAtom(mlir::Type a, mlir::Type b,
                                           mlir::Type c, int64_t m, int64_t n,
                                           int64_t k, const Target &target);

/// The instruction that multiplies so many elements with a scale of type
/// `scale` for every `block` of them along K; null where there is none.
mlir::nv_tileas::MmaAtomAttr
chooseScaledMmaAtom(mlir::Type a, mlir::Type b, mlir::Type scale, int64_t block,
                    int64_t m, int64_t n, int64_t k, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_MMAATOMS_H

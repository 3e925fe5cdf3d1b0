// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_SHAREDPRODUCTS_H
#define PASSES_TILEAS_SHAREDPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/support/Target.h"

namespace tileir {

/// Lets the products of `func` whose factors are copies of buffers read the
/// buffers. A product with one such factor and one in registers is made of
/// products of a part of K each, so that few fragments are live at once. Where
/// the target has them, warpgroups multiply, and may take `freeBytes` of shared
/// memory for it.
void multiplyFromBuffers(mlir::nv_tileaa::FuncOp func, const Target &target,
                         int64_t freeBytes);

} // namespace tileir

#endif // PASSES_TILEAS_SHAREDPRODUCTS_H

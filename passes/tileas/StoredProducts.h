// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_STOREDPRODUCTS_H
#define PASSES_TILEAS_STOREDPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Returns whether threads are to store factors or scales of `dot` for the unit
/// beside tensor memory: those that no copy brings in a form for it. So outside
/// of loops, for factors that threads compute or whose addresses suit no copy,
/// for scales that lie across K, and for fewer rows than the unit has.
/// `isStaged`: loads that are left are no copies.
bool isStoredProduct(mlir::nv_tileas::DotOp dot, const Target &target,
                     bool isStaged = false);

/// Returns whether A is among what they store for `dot`, such a product.
bool storesFactorA(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory that threads store for `dot`, such a product.
int64_t getBytesStoredFor(mlir::nv_tileas::DotOp dot, bool isStaged = false);

/// Operations in front of `dot`, such a product, that nothing needs any more
/// once threads store its factors.
llvm::DenseSet<mlir::Operation *> getUnstored(mlir::nv_tileas::DotOp dot);

/// Gives products of `func` whose scales no instruction takes a remark that
/// says why: threads multiply factors by them.
void reportEmulated(mlir::nv_tileaa::FuncOp func, const Target &target);

/// Lets the unit make those products of `func`. Threads wait for each of them;
/// an accumulator that goes round a loop stays in tensor memory. What is stored
/// comes out of `freeBytes`. A product that stays gets a remark that says why.
void multiplyStored(mlir::nv_tileaa::FuncOp func, const Target &target,
                    int64_t &freeBytes);

} // namespace tileir

#endif // PASSES_TILEAS_STOREDPRODUCTS_H

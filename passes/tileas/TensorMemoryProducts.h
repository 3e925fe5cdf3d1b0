// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_TENSORMEMORYPRODUCTS_H
#define PASSES_TILEAS_TENSORMEMORYPRODUCTS_H

#include "passes/tileas/AsyncCandidates.h"
#include "passes/tileas/mma/MmaChoice.h"

namespace tileir {

/// Remarks that no `tcgen05.mma` computes `dot`.
void reportNotUmma(mlir::nv_tileas::DotOp dot, llvm::StringRef reason);

/// Assigns the instruction of warps to `dot` in place of `tcgen05.mma`, with
/// that remark.
void refuseUmma(mlir::nv_tileas::DotOp dot, llvm::StringRef reason);

/// The instruction of `dot`, to which a `tcgen05.mma` is assigned.
mlir::nv_tileas::MmaAtomAttr getUmmaAtom(mlir::nv_tileas::DotOp dot);

/// The loop that `dot` adds to a value of, which goes nowhere else; null when
/// there is none.
mlir::scf::ForOp getCarrier(mlir::nv_tileas::DotOp dot);

/// The loops around `op`, the outermost first; none when something else is
/// among them.
std::optional<llvm::SmallVector<mlir::scf::ForOp>>
getLoopsAround(mlir::Operation *op);

/// Returns whether nothing keeps `tcgen05.mma` from reading `dot`, which has
/// scales, from `groups`, all of its loop, once they are staged: the scales in
/// `scaleStages` slots.
bool readsStagedBlocks(mlir::nv_tileas::DotOp dot,
                       llvm::ArrayRef<StagedGroup> groups, int64_t scaleStages,
                       const Target &target);

/// Operations that make the factors of `dot` from its loads or their slots, and
/// nothing else.
llvm::DenseSet<mlir::Operation *> getFactorMakers(mlir::nv_tileas::DotOp dot);

/// Erases what made `factors`, as far as nothing reads it any more.
void eraseFactorMakers(llvm::ArrayRef<mlir::Value> factors);

/// Lets the unit beside tensor memory make the products of `func` whose factors
/// are copies of slots of pipelines and whose accumulator only goes round a
/// loop, and chains of two products. What threads store for them comes out of
/// `freeBytes`. A product that stays gets a remark that says why.
void multiplyInTensorMemory(mlir::nv_tileaa::FuncOp func, const Target &target,
                            int64_t &freeBytes);

} // namespace tileir

#endif // PASSES_TILEAS_TENSORMEMORYPRODUCTS_H

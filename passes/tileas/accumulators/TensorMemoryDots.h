// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYDOTS_H
#define PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYDOTS_H

#include "passes/tileas/mma/MmaChoice.h"
#include "passes/tileas/stage/StagedLoads.h"

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
mlir::scf::ForOp getCarryingLoop(mlir::nv_tileas::DotOp dot);

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

/// A and B of `dot`, and their scales if it has some.
llvm::SmallVector<mlir::Value> getMultiplied(mlir::nv_tileas::DotOp dot);

/// Operations between the loads or slots of `dot` and its operands that have no
/// other purpose.
llvm::DenseSet<mlir::Operation *>
getOperandProducers(mlir::nv_tileas::DotOp dot);

/// Erases the backward slices of `operands` as far as they have no readers any
/// more.
void eraseOperandProducers(llvm::ArrayRef<mlir::Value> operands);

/// Operations of loops of `func` that are gone once its dots assigned
/// `tcgen05.mma` read their operands from shared memory.
llvm::DenseSet<mlir::Operation *>
getReplacedProducers(mlir::nv_tileaa::FuncOp func, const Target &target);

/// Assigns the MMA of warps to the dots of `func` with `tcgen05.mma` whose
/// operands are in no place where it reads them, for which tensor memory has no
/// columns, or whose restaged operands exceed `freeBytes` of shared memory. A
/// remark has the reason. Takes the bytes of the other dots from `freeBytes`.
void settleTensorMemory(mlir::nv_tileaa::FuncOp func, const Target &target,
                        int64_t &freeBytes);

/// Replaces the settled dots of `func` by `tcgen05.mma`, with their
/// accumulators in tensor memory.
void multiplyInTensorMemory(mlir::nv_tileaa::FuncOp func, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYDOTS_H

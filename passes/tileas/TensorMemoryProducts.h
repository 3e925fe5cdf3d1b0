// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_TENSORMEMORYPRODUCTS_H
#define PASSES_TILEAS_TENSORMEMORYPRODUCTS_H

#include "passes/tileas/AsyncCandidates.h"

namespace tileir {

/// The layout that the accumulator of `dot` should have so that it can stay in
/// tensor memory while the loop around runs. None where the types, the extents
/// or the loop speak against it.
std::optional<Layout> getTensorMemoryAcc(mlir::nv_tileas::DotOp dot,
                                         unsigned numWarps,
                                         const Target &target);

/// Words of tiles that the products of `func` keep out of registers, if chains
/// of two are made in tensor memory: the sums, and factors that threads store
/// before a loop.
int64_t getKeptWords(mlir::FunctionOpInterface func, const Target &target);

/// The loop that `dot` adds to a value of, which goes nowhere else; null when
/// there is none.
mlir::scf::ForOp getCarrier(mlir::nv_tileas::DotOp dot);

/// The loops around `op`, the outermost first; none when something else is
/// among them.
std::optional<llvm::SmallVector<mlir::scf::ForOp>>
getLoopsAround(mlir::Operation *op);

/// The `tcgen05.mma` of the types and extents of `dot`; null when there is
/// none.
mlir::nv_tileas::MmaAtomAttr getTensorMemoryAtom(mlir::nv_tileas::DotOp dot,
                                                 const Target &target);

/// Returns whether `dot` has an accumulator that can go to tensor memory.
bool isForTensorMemory(mlir::nv_tileas::DotOp dot, const Target &target);

/// Returns whether that unit reads `factor`, whose K is dimension `kDim`, in
/// wide chunks: elements of 32 bits whose rows are contiguous.
bool hasWideRows(mlir::Value factor, unsigned kDim);

/// Returns whether copies bring `factor`, whose K is dimension `kDim`, in lines
/// that the unit takes.
bool hasUnitLines(mlir::Value factor, unsigned kDim);

/// Returns whether that unit will make `dot`, which has scales, once `groups`,
/// all of its loop, are staged: the scales in `scaleStages` slots.
bool isSureForTensorMemory(mlir::nv_tileas::DotOp dot,
                           llvm::ArrayRef<StagedGroup> groups,
                           int64_t scaleStages, const Target &target);

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of `tcgen05.mma` that other files need.

#ifndef PASSES_TILEAS_MMA_UMMA_H
#define PASSES_TILEAS_MMA_UMMA_H

#include "passes/analysis/budgets/TensorMemoryBudget.h"
#include "passes/tileas/accumulators/TensorMemoryChains.h"
#include "passes/tileas/mma/MmaChoice.h"

namespace tileir {

/// The reason of a dot that is too small, or of other types.
inline constexpr llvm::StringLiteral kNoUmma =
    "no tcgen05.mma has its types and extents";

/// The `tcgen05.mma` of the types and extents of `dot`; null when there is
/// none.
mlir::nv_tileas::MmaAtomAttr getTensorMemoryAtom(mlir::nv_tileas::DotOp dot,
                                                 const Target &target);

/// Returns whether `tcgen05.mma` reads `operand`, whose K is dimension `kDim`,
/// in chunks of 32 bytes: elements of 32 bits whose rows are contiguous.
bool hasWideRows(mlir::Value operand, unsigned kDim);

/// Returns whether copies deliver `operand`, whose K is dimension `kDim`, in
/// rows of a swizzle that the tensor core reads.
bool hasUnitLines(mlir::Value operand, unsigned kDim);

/// Returns whether two results of `dot` and the accumulator of the other dot of
/// `chain` fit the `columns` left, if `dot` is the first one.
bool hasTwoResults(DotChain chain, mlir::nv_tileas::DotOp dot,
                   const TensorMemoryBudget &columns);

/// Registers of tiles that dots of `func` keep out of registers if
/// `tcgen05.mma` computes chains of two: the accumulators, and operands that
/// threads store before a loop.
int64_t getInvariantRegisters(mlir::FunctionOpInterface func,
                              const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_UMMA_H

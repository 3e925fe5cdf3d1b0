// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory of operations: the interface and the lowering of an operation
// compute it by the same functions.

#ifndef DIALECTS_NV_TILEAS_SCRATCH_H
#define DIALECTS_NV_TILEAS_SCRATCH_H

#include "dialects/support/layout/Layout.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tileir {

/// Bits of an element in registers: 1 for i1, 64 for a pointer. An element of 4
/// bits takes a byte, whose upper half is zero.
unsigned getRegisterBits(mlir::Type element);
/// Bits of an addressable element, at least 8.
unsigned getMemoryBits(mlir::Type element);

/// Returns whether every basis of `layout` is along `axis` alone or does not
/// touch it.
bool isSeparable(const Layout &layout, unsigned axis);
/// Bits of `space` that distinguish elements along the axis.
llvm::SmallVector<unsigned> getAxisBits(const Layout &layout, unsigned axis,
                                        unsigned space);
/// Bytes for partial results of a reduction or scan: for every operand an array
/// of `elements` entries, whose offset in bytes goes to `offsets`.
int64_t getPartialBytes(mlir::TypeRange operands, int64_t elements,
                        llvm::SmallVectorImpl<int64_t> &offsets);

/// Source of the elements of an aligned slice for the threads that hold it:
/// their own registers, shuffles from lanes that hold other slices, memory of
/// the slice's size from other warps, or all of the tile in memory.
enum class SliceSource { Registers, Lanes, Warps, Memory };
SliceSource getSliceSource(const Layout &whole, const Layout &part);
SliceSource getSliceSource(mlir::RankedTensorType whole,
                           mlir::RankedTensorType part);

} // namespace tileir

#endif // DIALECTS_NV_TILEAS_SCRATCH_H

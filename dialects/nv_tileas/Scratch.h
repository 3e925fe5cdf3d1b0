// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that operations need while they run: what the interface
// answers and what the lowering of the same operations goes by.

#ifndef DIALECTS_NV_TILEAS_SCRATCH_H
#define DIALECTS_NV_TILEAS_SCRATCH_H

#include "dialects/support/layout/Layout.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tileir {

/// Bits of an element in registers: i1 has 1, a pointer 64. One of 4 bits has
/// a byte, whose upper half is zero.
unsigned getRegisterBits(mlir::Type element);
/// Bits of an element where it has an address of its own, at least 8.
unsigned getMemoryBits(mlir::Type element);

/// Returns whether every basis of `layout` is along `axis` alone or without it.
bool isSeparable(const Layout &layout, unsigned axis);
/// Bits of `space` along the axis that tell elements apart.
llvm::SmallVector<unsigned> getAxisBits(const Layout &layout, unsigned axis,
                                        unsigned space);
/// Bytes for partial results of a reduction or scan: for every operand an array
/// of `elements` entries, whose offset in bytes goes to `offsets`.
int64_t getPartialBytes(mlir::TypeRange operands, int64_t elements,
                        llvm::SmallVectorImpl<int64_t> &offsets);

/// Says how the threads that hold an aligned slice get its elements: from
/// registers of their own, by shuffles from lanes that hold other slices,
/// through memory of the slice's size from other warps, or from all of the tile
/// in memory.
enum class SliceSource { Registers, Lanes, Warps, Memory };
SliceSource getSliceSource(const Layout &whole, const Layout &part);
SliceSource getSliceSource(mlir::RankedTensorType whole,
                           mlir::RankedTensorType part);

} // namespace tileir

#endif // DIALECTS_NV_TILEAS_SCRATCH_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements of the MMA instructions on operands in shared memory.

#ifndef DIALECTS_NV_TILEAS_MMAOPERANDS_H
#define DIALECTS_NV_TILEAS_MMAOPERANDS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/layout/Fragments.h"

namespace mlir::nv_tileas {

/// Range of element bits for which K need not be contiguous.
struct TransposedBits {
  unsigned least, most;
};
inline constexpr TransposedBits kWarpgroupTransposedBits = {16, 16};
inline constexpr TransposedBits kTensorMemoryTransposedBits = {8, 32};
/// Range for pairs of 4-bit elements: empty.
inline constexpr TransposedBits kNoTransposedBits = {1, 0};

/// Returns why an MMA cannot read the operand in `buffer`, with K along
/// dimension `kDim`, as a predicate: "has …", "must …". Empty when it can.
/// `transposed` gives the elements that the MMA reads with contiguous rows.
std::string getOperandProblem(BufferType buffer, unsigned kDim,
                              TransposedBits transposed);

/// Returns how many elements of type `element` along K share a scale of type
/// `scale` in a block-scaled MMA; 0 where none supports both.
int64_t getScaledBlock(Type element, Type scale);

/// Layout of an operand's scales in tensor memory, where dimension `kDim` of
/// the tile counts blocks of K: byte s of the cell in row r % 32 and column r /
/// 32 is scale s of row r; the next 4 scales of all rows follow. The four
/// quarters of tensor memory hold copies. None for fewer rows or scales.
std::optional<tileir::Layout> getScaleLayout(const tileir::Layout::Shape &shape,
                                             unsigned kDim);
/// Layout of these scales in shared memory, from where `async.tmem_copy` copies
/// them.
std::optional<tileir::Layout>
getStagedScaleLayout(const tileir::Layout::Shape &shape, unsigned kDim);

/// Fragment of an `mma_sync` or `mma_bs` atom, in elements of tiles.
std::optional<tileir::Fragment> getMmaFragment(MmaAtomAttr atom,
                                               tileir::MmaRole role);

/// Layout that an `mma_bs` atom requires of the `scales` along K of the rows of
/// A, or of the columns of B, for the accumulator's layout. The lanes of a quad
/// have fragments of the same rows (columns) and hold the scales of different
/// ones. None where the accumulator has no fragments of the atom.
std::optional<tileir::Layout> getDotScaleLayout(MmaAtomAttr atom,
                                                const tileir::Layout &acc,
                                                int64_t scales, bool isA);

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_MMAOPERANDS_H

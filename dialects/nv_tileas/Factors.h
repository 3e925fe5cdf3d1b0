// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demands of units that multiply on factors in shared memory.

#ifndef DIALECTS_NV_TILEAS_FACTORS_H
#define DIALECTS_NV_TILEAS_FACTORS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/layout/Fragments.h"

namespace mlir::nv_tileas {

/// Bits of elements that need not have K contiguous.
struct TransposedBits {
  unsigned least, most;
};
inline constexpr TransposedBits kWarpgroupTransposedBits = {16, 16};
inline constexpr TransposedBits kTensorMemoryTransposedBits = {8, 32};
/// Of pairs of elements of 4 bits.
inline constexpr TransposedBits kNoTransposedBits = {1, 0};

/// Returns what keeps a unit from reading the factor in `buffer`, of which
/// `kDim` is the dimension of K, as what is said of it: "has …", "must …".
/// Empty when nothing does. `transposed` says what the unit takes with rows
/// contiguous.
std::string getFactorProblem(BufferType buffer, unsigned kDim,
                             TransposedBits transposed);

/// Returns how many elements of type `element` along K share a scale of type
/// `scale` where a unit takes both; 0 where none does.
int64_t getScaledBlock(Type element, Type scale);

/// Where products find the scales of a factor in tensor memory, `kDim` of whose
/// tile counts blocks of K: byte s of the word in row r % 32 and column r / 32
/// has scale s of row r; the next 4 scales of all rows follow. The four
/// quarters of tensor memory have the same. None for fewer rows or scales.
std::optional<tileir::Layout> getScaleLayout(const tileir::Layout::Shape &shape,
                                             unsigned kDim);
/// The bytes in shared memory that `async.tmem_copy` brings there.
std::optional<tileir::Layout>
getStagedScaleLayout(const tileir::Layout::Shape &shape, unsigned kDim);

/// The fragment of an `mma_sync` or `mma_bs` atom, of elements as tiles have
/// them.
std::optional<tileir::Fragment> getMmaFragment(MmaAtomAttr atom,
                                               tileir::MmaRole role);

/// The layout that an `mma_bs` atom needs of the `scales` along K of the rows
/// of A, or the columns of B, given the accumulator's. The lanes of a quad,
/// whose fragments have the same rows (columns), have the scales of different
/// ones. None where the accumulator is no fragment of the atom.
std::optional<tileir::Layout> getDotScaleLayout(MmaAtomAttr atom,
                                                const tileir::Layout &acc,
                                                int64_t scales, bool isA);

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_FACTORS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators of 32-bit elements in tensor memory, and their registers for
// `tcgen05.ld` and `tcgen05.st` (PTX ISA, "tcgen05").

#ifndef DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H
#define DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// M of one `tcgen05.mma` of a tile with `rows` rows: 64 or 128.
int64_t tensorMemoryDotRows(int64_t rows);

/// Layout of the accumulator of `shape` in tensor memory: blocks of 128 rows
/// (or all 64 of them) side by side. 32 or 16 rows are repeated up to 64; the
/// MMA must write all copies. None for other shapes.
std::optional<Layout> tensorAccLayout(const Layout::Shape &shape);
/// 32-bit columns of a layout in tensor memory.
int64_t tensorColumns(const Layout &layout);

/// Layout of the registers of `numWarps` warps into which shape 16x256b loads
/// an accumulator of `shape`, each warpgroup an equal range of columns. With
/// fewer than 64 rows several warps hold the same rows. None where the warps
/// are no warpgroups or the accumulator has no such layout.
std::optional<Layout> tensorLoadLayout(const Layout::Shape &shape,
                                       int64_t numWarps);

/// One `tcgen05.ld` or `.st` of shape 16x256b by all warps.
struct TensorAccess {
  /// Position of row 0 and column 0 in the warp with all bits clear.
  int64_t row = 0, column = 0;
  int64_t repeats = 1;
  /// First of the 4 · `repeats` registers.
  int64_t first = 0;
};

/// Instructions that move a tile in registers from and to tensor memory.
struct TensorTransfer {
  std::vector<TensorAccess> accesses;
  /// Row and column that each bit of the warp number adds.
  std::vector<std::array<int64_t, 2>> warps;
};

/// The accesses that move registers of `reg`, 32 bits each, from and to `tmem`.
/// None where a register or lane differs from shape 16x256b, or a warp would
/// access rows of another warp.
std::optional<TensorTransfer> tensorTransfer(const Layout &reg,
                                             const Layout &tmem);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H

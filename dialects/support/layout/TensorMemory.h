// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators of 32-bit elements in tensor memory, and the registers that
// `tcgen05.ld` and `tcgen05.st` move them from and to (PTX ISA, "tcgen05").

#ifndef DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H
#define DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// Rows of one product of a tile with `rows` rows: 64 or 128.
int64_t tensorProductRows(int64_t rows);

/// Where products put the accumulator of `shape`: blocks of 128 rows (or all 64
/// of them) beside each other. 32 or 16 rows are there as often as 64 have room
/// for, for products that make them so. None for other shapes.
std::optional<Layout> tensorAccLayout(const Layout::Shape &shape);
/// 32-bit columns that a layout in tensor memory takes.
int64_t tensorColumns(const Layout &layout);

/// The registers of `numWarps` warps that shape 16x256b loads an accumulator
/// of `shape` into, each warpgroup its share of the columns. Of fewer than 64
/// rows several warps have the same. None where warps are no warpgroups or the
/// accumulator has no such layout.
std::optional<Layout> tensorLoadLayout(const Layout::Shape &shape,
                                       int64_t numWarps);

/// One `tcgen05.ld` or `.st` of shape 16x256b by all warps.
struct TensorAccess {
  /// Of row 0 and column 0 in the warp with all bits clear.
  int64_t row = 0, column = 0;
  int64_t repeats = 1;
  /// The first of its 4 · `repeats` registers.
  int64_t first = 0;
};

/// Instructions that move a tile in registers from and to tensor memory.
struct TensorTransfer {
  std::vector<TensorAccess> accesses;
  /// Row and column that each bit of the number of the warp adds.
  std::vector<std::array<int64_t, 2>> warps;
};

/// The accesses that move registers of `reg`, 32 bits each, from and to `tmem`.
/// None where a register or a lane is not where shape 16x256b has it, or a warp
/// would leave its rows.
std::optional<TensorTransfer> tensorTransfer(const Layout &reg,
                                             const Layout &tmem);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_TENSORMEMORY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LAYOUT_TRANSPOSEDLAYOUTS_H
#define PASSES_TILEAS_LAYOUT_TRANSPOSEDLAYOUTS_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// The dimension along which accesses find neighbours in memory, and the most
/// of them that a thread moves at once.
struct AccessRun {
  unsigned dim;
  int64_t vector;
};

/// Layouts of a tile that is read along one dimension and written along
/// another: a thread has a block of neighbours along both, so that the
/// transpose only renames registers, and a warp accesses whole sectors of
/// memory both times.
std::vector<Layout> getTransposedLayouts(const Layout::Shape &shape,
                                         unsigned bits, unsigned numWarps,
                                         AccessRun first, AccessRun second);

} // namespace tileir

#endif // PASSES_TILEAS_LAYOUT_TRANSPOSEDLAYOUTS_H

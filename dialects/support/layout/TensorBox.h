// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_TENSORBOX_H
#define DIALECTS_SUPPORT_LAYOUT_TENSORBOX_H

#include "dialects/support/layout/SharedMemory.h"

namespace tileir {

/// Order in which tensor copies fill a tile in shared memory (PTX ISA,
/// "Tensors"): box by box, each of `extents` per tile dimension and without
/// gaps, its 16-byte chunks swizzled by their address.
struct TensorBox {
  Layout::Shape extents;
  Swizzle swizzle = Swizzle::None;
};

/// The largest box that fills tiles of `layout`. `order` names the dimensions
/// of the tile from the contiguous one in memory outwards. None where TMA has
/// no such layout; `why`, where given, names the obstacle.
std::optional<TensorBox> tensorBox(const Layout &layout,
                                   const std::vector<unsigned> &order,
                                   unsigned bits, std::string *why = nullptr);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_TENSORBOX_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_RANDOMLAYOUT_H
#define DIALECTS_SUPPORT_LAYOUT_RANDOMLAYOUT_H

#include "dialects/support/layout/Layout.h"

#include <algorithm>
#include <random>

namespace tileir::test {

/// A random register layout of a tile with `tileBits` index bits: a random
/// invertible map, with some lanes and warps replicated.
inline Layout randomRegLayout(std::mt19937 &rng, const Layout::Shape &shape,
                              unsigned warpBits, bool unitBases) {
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  unsigned bits = frame.getTileBits();
  std::vector<uint32_t> basis;
  if (unitBases) {
    for (unsigned i = 0; i < bits; ++i)
      basis.push_back(uint32_t(1) << i);
    std::shuffle(basis.begin(), basis.end(), rng);
  } else {
    Span span;
    while (basis.size() < bits) {
      uint32_t vector = rng() & ((uint64_t(1) << bits) - 1);
      if (span.insert(vector))
        basis.push_back(vector);
    }
  }
  Layout::FlatBases bases(4);
  auto fill = [&](std::vector<uint32_t> &out, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      bool replicate = basis.empty() || rng() % 4 == 0;
      out.push_back(replicate ? 0 : basis.back());
      if (!replicate)
        basis.pop_back();
    }
  };
  fill(bases[kLane], 5);
  fill(bases[kWarp], warpBits);
  bases[kRegister] = basis;
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

} // namespace tileir::test

#endif // DIALECTS_SUPPORT_LAYOUT_RANDOMLAYOUT_H

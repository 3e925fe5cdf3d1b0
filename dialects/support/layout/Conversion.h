// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_CONVERSION_H
#define DIALECTS_SUPPORT_LAYOUT_CONVERSION_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// Mechanisms for the layout conversion of a register tile (spec: K0 to K4).
enum class ConversionKind : uint8_t {
  Identity,
  Registers,
  Shuffle,
  Shared,
  Cluster
};

/// Exchange inside a warp. For round t, which fills slot t:
///   1. before the rounds, slot x of the source takes x ^ select(lane);
///   2. every lane publishes source slot `sourceRegister[t]` and reads it from
///      lane `sourceLane(lane) ^ sourceLaneXor[t]`;
///   3. after the rounds, slot r takes slot r ^ undo(lane).
/// `select`, `sourceLane` and `undo` are linear in the lane id.
struct ShufflePlan {
  LinearMap sourceLane;
  LinearMap select;
  LinearMap undo;
  std::vector<uint32_t> sourceLaneXor;
  std::vector<uint32_t> sourceRegister;

  /// Lane bits on which a select depends, for the cost.
  unsigned numSelectBits() const;
};

/// Number of register bits, at most `limit`, that both layouts keep in place,
/// so that elements can move in groups of 2^result.
unsigned commonPackedBits(const Layout &dst, const Layout &src, unsigned limit);

/// Plans a shuffle of slots, which are groups of 2^packedBits registers. None
/// when data must leave the warp.
std::optional<ShufflePlan> planShuffle(const Layout &dst, const Layout &src,
                                       unsigned packedBits = 0);

/// Shared-memory layout for the exchange without bank conflicts. `vectorBits`
/// is log2 of the maximum elements of one access. `bits` is the width in
/// memory, at least 8.
struct ExchangePlan {
  Layout smem;
  unsigned vectorBits;
  int64_t bytes;
};

ExchangePlan planExchange(const Layout &dst, const Layout &src, unsigned bits);

/// The chosen mechanism, and its cost in issue slots.
struct ConversionChoice {
  ConversionKind kind;
  unsigned cost;
};
ConversionChoice chooseConversion(const Layout &dst, const Layout &src,
                                  unsigned bits);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_CONVERSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heuristic constants of Heuristics.def, and decisions that they make for a
// target.

#ifndef DIALECTS_SUPPORT_HEURISTICS_H
#define DIALECTS_SUPPORT_HEURISTICS_H

#include "dialects/support/Target.h"

namespace tileir {

namespace heuristics {
#define TILEIR_HEURISTIC(Name, Value, ...)                                     \
  inline constexpr int64_t Name = Value;
#include "dialects/support/Heuristics.def"
} // namespace heuristics

/// Returns whether the block-scaled MMA of `target` pays for a tile of `rows`
/// by `columns`.
bool paysScaledDot(const Target &target, int64_t rows, int64_t columns);

/// Returns whether `tcgen05.mma`, if `target` has it, pays for a dot of `rows`
/// by `columns` by `depth` whose operands threads have to restage.
bool paysRestagedDot(const Target &target, int64_t rows, int64_t columns,
                     int64_t depth);

/// Returns whether a tensor copy of `target` pays for the store of a tile of
/// `bytes`, which its threads would otherwise exchange in shared memory before
/// they store it.
bool paysCopiedStore(const Target &target, int64_t bytes);

} // namespace tileir

#endif // DIALECTS_SUPPORT_HEURISTICS_H

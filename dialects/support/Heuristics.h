// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents from which instructions pay, as Heuristics.def has them.

#ifndef DIALECTS_SUPPORT_HEURISTICS_H
#define DIALECTS_SUPPORT_HEURISTICS_H

#include "dialects/support/Target.h"

namespace tileir {

/// Returns whether the instruction of `target` that takes scales multiplies
/// blocks with scales to a tile of `rows` by `columns`.
bool paysScaledProduct(const Target &target, int64_t rows, int64_t columns);

/// Returns whether the unit beside tensor memory of `target` makes a product of
/// `rows` by `columns` and a depth of `depth` whose factors threads have to
/// store for it.
bool paysStoredProduct(const Target &target, int64_t rows, int64_t columns,
                       int64_t depth);

} // namespace tileir

#endif // DIALECTS_SUPPORT_HEURISTICS_H

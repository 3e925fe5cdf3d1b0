// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CTAs that run on an SM at once.
#ifndef DIALECTS_SUPPORT_RESIDENCY_H
#define DIALECTS_SUPPORT_RESIDENCY_H

#include "dialects/support/Target.h"

namespace tileir {

/// Partitions of an SM, each with a tensor core.
inline constexpr int64_t kPartitions = 4;

/// Returns the CTAs of `threads`, each with so many registers, that run on an
/// SM of `target` with `bytes` of shared memory each.
int64_t getResidentCtas(const Target &target, int64_t threads,
                        int64_t registers, int64_t bytes);

} // namespace tileir

#endif // DIALECTS_SUPPORT_RESIDENCY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_RESIDENTCTAS_H
#define PASSES_ANALYSIS_RESIDENTCTAS_H

#include "dialects/support/Target.h"

#include <algorithm>

namespace tileir {

/// CTAs of `threads`, each with so many registers, that run on an SM with
/// `bytes` of shared memory each.
inline int64_t getResidentCtas(const Target &target, int64_t threads,
                               int64_t registers, int64_t bytes) {
  return std::min(
      {int64_t(target.blocksPerSM()), int64_t(target.threadsPerSM()) / threads,
       limits::registersPerSM / (registers * threads),
       target.sharedMemoryPerSM() / (bytes + target.sharedMemoryReserved())});
}

} // namespace tileir

#endif // PASSES_ANALYSIS_RESIDENTCTAS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Residency.h"

#include <algorithm>

namespace tileir {

int64_t getResidentCtas(const Target &target, int64_t threads,
                        int64_t registers, int64_t bytes) {
  return std::min(
      {int64_t(target.blocksPerSM()), int64_t(target.threadsPerSM()) / threads,
       limits::registersPerSM / (registers * threads),
       target.sharedMemoryPerSM() / (bytes + target.sharedMemoryReserved())});
}

} // namespace tileir

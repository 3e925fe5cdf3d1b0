// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-run/launch/Run.h"

namespace tileir::launch {

void runCuda(const Options &, const cases::Case &, Outcome &out) {
  out.fail("no CUDA device");
}

} // namespace tileir::launch

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_SCHEDULE_PASSES_H
#define PASSES_TILEAS_SCHEDULE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/tileas_schedule/Passes.h.inc"

/// Other names of passes: `tileas-generate-schedule` is
/// `tileas-generate-schedule-constraints`, `tileas-schedule-canonicalize` and
/// `tileas-schedule-cse` are upstream's passes.
void registerTileASScheduleAliases();

/// Every name that the family registers.
inline void registerTileASScheduleFamily() {
  registerTileASSchedulePasses();
  registerTileASScheduleAliases();
}

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_PASSES_H

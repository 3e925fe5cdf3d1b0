// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_SCHEDULE_PASSES_H
#define PASSES_TILEAS_SCHEDULE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/tileas_schedule/Passes.h.inc"

/// Registers the alias `tileas-generate-schedule` of
/// `tileas-generate-schedule-constraints`, and `tileas-schedule-canonicalize`
/// and `tileas-schedule-cse`, which are MLIR's passes.
void registerTileASScheduleAliases();

/// Registers all names of the family.
inline void registerTileASScheduleFamily() {
  registerTileASSchedulePasses();
  registerTileASScheduleAliases();
}

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_PASSES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ROLL_ROLLEMITTER_H
#define PASSES_TILEAS_ROLL_ROLLEMITTER_H

#include "passes/tileas/roll/RollSchedule.h"

namespace tileir {

/// Replaces the members of `component` by loops over `slices` slices.
void emitRolled(const RollComponent &component, const RollSchedule &schedule,
                int64_t slices);

} // namespace tileir

#endif // PASSES_TILEAS_ROLL_ROLLEMITTER_H

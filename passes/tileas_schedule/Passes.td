// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "passes/tileas_schedule/TileASCheckSchedule.td"
include "passes/tileas_schedule/TileASDynamicPersistent.td"
include "passes/tileas_schedule/TileASGenerateScheduleConstraints.td"
include "passes/tileas_schedule/TileASMaterializeSchedule.td"
include "passes/tileas_schedule/TileASPrepareForScheduling.td"

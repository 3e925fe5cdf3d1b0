// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_PASSES_TD
#define PASSES_TILEAS_LOWERING_PASSES_TD

include "passes/tileas_lowering/ConvertTileASToLLVM.td"
include "passes/tileas_lowering/ConvertTileASToNVGPU.td"
include "passes/tileas_lowering/TestTileASWrapAgent.td"
include "passes/tileas_lowering/TestTileIRPlantFault.td"
include "passes/tileas_lowering/memory/TileASAssignBuffers.td"
include "passes/tileas_lowering/memory/TileASCheckBarriers.td"
include "passes/tileas_lowering/memory/TileASInsertBarriers.td"
include "passes/tileas_lowering/TileASLegalizeLayouts.td"

#endif // PASSES_TILEAS_LOWERING_PASSES_TD

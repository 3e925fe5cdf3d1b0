// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PASSES_TD
#define PASSES_TILEAS_PASSES_TD

include "passes/tileas/ConvertTileAAToTileAS.td"
include "passes/tileas/mma/TestTileASMmaChain.td"
include "passes/tileas/layout/TileASAssignLoadStoreLayouts.td"
include "passes/tileas/mma/TileASAssignMma.td"
include "passes/tileas/mma/TileASDecomposeDotScaled.td"
include "passes/tileas/pipeline/TileASExpandPipelines.td"
include "passes/tileas/mma/TileASMaterializeMma.td"
include "passes/tileas/cta/TileASOrderBlocks.td"
include "passes/tileas/accumulators/TileASPlaceAccumulators.td"
include "passes/tileas/cta/TileASPlanCta.td"
include "passes/tileas/layout/TileASRemoveLayoutConversions.td"
include "passes/tileas/roll/TileASRollTiles.td"
include "passes/tileas/pipeline/TileASShiftChainedDots.td"
include "passes/tileas/layout/TileASSplitConversions.td"
include "passes/tileas/pipeline/TileASSplitMaskedLoops.td"
include "passes/tileas/stage/TileASStageOperands.td"
include "passes/tileas/stage/TileASStageRegisterOperands.td"
include "passes/tileas/stage/TileASUseTensorCopies.td"
include "passes/tileas/pipeline/UnspecializedPipeline.td"

#endif // PASSES_TILEAS_PASSES_TD

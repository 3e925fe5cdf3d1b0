// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PASSES_TD
#define PASSES_TILEAS_PASSES_TD

include "passes/tileas/ConvertTileAAToTileAS.td"
include "passes/tileas/TestTileASMmaChain.td"
include "passes/tileas/TileASAssignLoadStoreLayouts.td"
include "passes/tileas/TileASAssignMma.td"
include "passes/tileas/TileASExpandPipelines.td"
include "passes/tileas/TileASMaterializeMma.td"
include "passes/tileas/TileASOrderBlocks.td"
include "passes/tileas/TileASPlaceAccumulators.td"
include "passes/tileas/TileASPlanCta.td"
include "passes/tileas/TileASRemoveLayoutConversions.td"
include "passes/tileas/TileASRollTiles.td"
include "passes/tileas/TileASSkewProducts.td"
include "passes/tileas/TileASSplitConversions.td"
include "passes/tileas/TileASSplitMaskedLoops.td"
include "passes/tileas/TileASStageOperands.td"
include "passes/tileas/TileASStageProducts.td"
include "passes/tileas/TileASUseTensorCopies.td"
include "passes/tileas/UnspecializedPipeline.td"

#endif // PASSES_TILEAS_PASSES_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PASSES_TD
#define PASSES_TILEAS_PASSES_TD

include "passes/tileas/ConvertTileAAToTileAS.td"
include "passes/tileas/TileASAssignLoadStoreLayouts.td"
include "passes/tileas/TileASRemoveLayoutConversions.td"

#endif // PASSES_TILEAS_PASSES_TD

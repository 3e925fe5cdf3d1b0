// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that the CTAs of a cluster exchange through their shared memories.

#ifndef PASSES_TILEAS_LOWERING_TILES_CLUSTERGATHER_H
#define PASSES_TILEAS_LOWERING_TILES_CLUSTERGATHER_H

#include "passes/tileas_lowering/Lowering.h"

namespace tileir::lowering {

PopulatePatterns populateClusterGatherPatterns;

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_TILES_CLUSTERGATHER_H

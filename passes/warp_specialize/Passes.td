// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "passes/warp_specialize/OptimizeExecutionUnitMapping.td"
include "passes/warp_specialize/PropagateExecutionUnit.td"
include "passes/warp_specialize/TileASCheckRegisterBudget.td"
include "passes/warp_specialize/TileASResolveAgentBoundary.td"
include "passes/warp_specialize/TileASSpecializeAgents.td"
include "passes/warp_specialize/TileASSplitCopyAndMmaWarps.td"

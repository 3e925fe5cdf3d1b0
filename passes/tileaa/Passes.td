// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "passes/tileaa/ConvertCudaTileToTileAA.td"
include "passes/tileaa/TestTileAAAxisInfo.td"
include "passes/tileaa/TileAADropDeadValues.td"
include "passes/tileaa/TileAAHoistInvariants.td"
include "passes/tileaa/TileAAMergeMaskedLoops.td"
include "passes/tileaa/TileAAPromoteAllocas.td"
include "passes/tileaa/cluster/TileAASplitClusters.td"
include "passes/tileaa/TileIRAttachTarget.td"

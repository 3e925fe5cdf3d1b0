// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "passes/frame/TileIRInsertDebugScope.td"
include "passes/frame/TileIRReportUnwritten.td"
include "passes/frame/TileIRScope.td"
include "passes/frame/TileIRSnapshot.td"

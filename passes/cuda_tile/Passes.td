// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "passes/cuda_tile/CudaTileSimplifyLoops.td"
include "passes/cuda_tile/FuseFMA.td"
include "passes/cuda_tile/LoopSplit.td"
include "passes/cuda_tile/SynthesizeDebugInfoScopes.td"
include "passes/cuda_tile/TestDebugInfoUpdateSymbolName.td"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILEOPS_TD
#define DIALECTS_CUDA_TILE_CUDATILEOPS_TD

include "dialects/cuda_tile/CudaTileAttrs.td"
include "dialects/cuda_tile/CudaTileTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

include "dialects/cuda_tile/Ops/FloatingPoint.td"
include "dialects/cuda_tile/Ops/Integer.td"
include "dialects/cuda_tile/Ops/Conversions.td"
include "dialects/cuda_tile/Ops/Core.td"
include "dialects/cuda_tile/Ops/ControlFlow.td"
include "dialects/cuda_tile/Ops/Memory.td"
include "dialects/cuda_tile/Ops/Views.td"
include "dialects/cuda_tile/Ops/Misc.td"
include "dialects/cuda_tile/Ops/Testing.td"

#endif // DIALECTS_CUDA_TILE_CUDATILEOPS_TD

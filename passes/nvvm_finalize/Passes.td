// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "passes/nvvm_finalize/ConvertTargetToNVVM.td"
include "passes/nvvm_finalize/TileIRFinalizeLLVMKernel.td"
include "passes/nvvm_finalize/TileIRGPUModulePrepare.td"
include "passes/nvvm_finalize/TileIRLegalizeLLVMKernel.td"
include "passes/nvvm_finalize/TileIRPostNVVMFinalize.td"
include "passes/nvvm_finalize/TileIRVerifyLowered.td"

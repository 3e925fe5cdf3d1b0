// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_KERNELRULES_H
#define PASSES_NVVM_FINALIZE_KERNELRULES_H

#include "dialects/launch/KernelAbi.h"

namespace tileir {

/// Normalizes the launch attributes of every kernel of `module`, sets linkage,
/// and checks names and limits. Both finalize passes call it: a second run
/// changes nothing. Emits one error at each kernel that breaks a rule.
mlir::LogicalResult finalizeKernels(mlir::gpu::GPUModuleOp module,
                                    const Target &target);

/// PTX version (times ten) of the features of a target: `+ptxNN`, or the
/// default of `target` without one.
unsigned ptxVersionOf(llvm::StringRef features, const Target &target);

/// `9.0` for 90.
std::string ptxVersionText(unsigned version);

/// Reports at `kernel` what a launcher cannot call: results, no body, a name
/// that ptxas rejects.
mlir::LogicalResult checkKernelSignature(mlir::FunctionOpInterface kernel);

} // namespace tileir

#endif // PASSES_NVVM_FINALIZE_KERNELRULES_H

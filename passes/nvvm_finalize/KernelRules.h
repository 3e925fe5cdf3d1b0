// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_KERNELRULES_H
#define PASSES_NVVM_FINALIZE_KERNELRULES_H

#include "dialects/launch/KernelAbi.h"

namespace tileir {

/// Brings the launch attributes of every kernel of `module` into normal form,
/// fixes linkage, and checks names and limits. Run by both finalize passes: a
/// second run changes nothing. Emits one error at each kernel that breaks a
/// rule.
mlir::LogicalResult finalizeKernels(mlir::gpu::GPUModuleOp module,
                                    const Target &target);

/// PTX version (times ten) that the features of `attr`'s target give: `+ptxNN`,
/// or the default of `target` without one.
unsigned ptxVersionOf(llvm::StringRef features, const Target &target);

/// `9.0` for 90.
std::string ptxVersionText(unsigned version);

/// Complains at `kernel` about what a launcher cannot call: results, no body,
/// a name that ptxas refuses.
mlir::LogicalResult checkKernelSignature(mlir::FunctionOpInterface kernel);

} // namespace tileir

#endif // PASSES_NVVM_FINALIZE_KERNELRULES_H

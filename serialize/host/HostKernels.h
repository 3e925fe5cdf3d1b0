// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_HOST_HOSTKERNELS_H
#define SERIALIZE_HOST_HOSTKERNELS_H

#include "serialize/ptx/DeviceModule.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Brings the tables of a host module, as LLVM IR, to the kernels that the
/// cubin has: those that a selection left out go, the others are numbered anew,
/// and the workspace is what they need. Returns an empty text, or why the
/// module is no host module of these kernels.
std::string keepHostKernels(llvm::Module &module,
                            llvm::ArrayRef<KernelFacts> kernels);

/// Takes out the launcher stubs of other kernels.
void keepLauncherStubs(llvm::Module &module,
                       llvm::ArrayRef<KernelFacts> kernels);

} // namespace tileir

#endif // SERIALIZE_HOST_HOSTKERNELS_H

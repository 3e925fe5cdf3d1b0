// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_HOST_HOSTKERNELS_H
#define SERIALIZE_HOST_HOSTKERNELS_H

#include "serialize/ptx/DeviceModule.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Reduces the tables of a host module, as LLVM IR, to the kernels of the
/// cubin: entries of unselected kernels are erased, the others are renumbered,
/// and the workspace fits them. Returns an empty text, or why the module is no
/// host module of these kernels.
std::string keepHostKernels(llvm::Module &module,
                            llvm::ArrayRef<KernelFacts> kernels);

/// Erases the launcher stubs of other kernels.
void keepLauncherStubs(llvm::Module &module,
                       llvm::ArrayRef<KernelFacts> kernels);

} // namespace tileir

#endif // SERIALIZE_HOST_HOSTKERNELS_H

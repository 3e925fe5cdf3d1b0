// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_HOST_HOSTOBJECT_H
#define SERIALIZE_HOST_HOSTOBJECT_H

#include "serialize/ptx/DeviceModule.h"

#include <string>

namespace llvm {
class Target;
class Triple;
} // namespace llvm

namespace mlir {
class ModuleOp;
class Operation;
} // namespace mlir

namespace tileir {

/// The module that `tileir-emit-host-wrapper` left beside the kernels of the
/// `gpu.module` with that name; null without one. Where there are several, each
/// host module names its own.
mlir::Operation *findHostModule(mlir::ModuleOp root,
                                llvm::StringRef deviceModule);

/// The module with launcher stubs for it; null without one.
mlir::Operation *findLauncherModule(mlir::ModuleOp root,
                                    llvm::StringRef deviceModule);

/// Compiles the host module to the relocatable object that travels inside the
/// cubin with `kernels`. With `alwaysWorkspace` a driver of any version gets a
/// workspace and the object says that it knows interface version 1 only:
/// kernels whose assembler has no per-CTA memory need that. `backEndMissing` is
/// set when this LLVM cannot generate code for the module's triple; nothing is
/// reported then.
Status compileHostModule(mlir::Operation *host,
                         llvm::ArrayRef<KernelFacts> kernels,
                         bool alwaysWorkspace, const Reporter &reporter,
                         std::string &object, bool &backEndMissing);

/// Compiles the launcher stubs of `kernels` to an ordinary position-independent
/// object.
Status compileLauncherModule(mlir::Operation *launchers,
                             llvm::ArrayRef<KernelFacts> kernels,
                             const Reporter &reporter, std::string &object);

/// LLVM's back end for host code of `triple`; null for other machines than
/// x86-64 and AArch64.
const llvm::Target *findHostTarget(const llvm::Triple &triple);

/// Checks what the driver's loader relies on: relocation types, no undefined
/// symbols, no sections of unexpected kinds, exactly two exported definitions.
/// Returns an empty text when all of it holds.
std::string checkHostObject(llvm::StringRef object);

} // namespace tileir

#endif // SERIALIZE_HOST_HOSTOBJECT_H

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

/// The module that `tileir-emit-host-wrapper` left next to the kernels of the
/// `gpu.module` with this name; null without one. Where there are several, each
/// host module names its own.
mlir::Operation *findHostModule(mlir::ModuleOp root,
                                llvm::StringRef deviceModule);

/// The module of its launcher stubs; null without one.
mlir::Operation *findLauncherModule(mlir::ModuleOp root,
                                    llvm::StringRef deviceModule);

/// Compiles the host module to the relocatable object that is embedded in the
/// cubin with `kernels`. With `alwaysWorkspace` a driver of any version gets a
/// workspace, and the object reports interface version 1 only: kernels whose
/// ptxas has no per-CTA memory need both. `backEndMissing` is set, without a
/// message, when this LLVM cannot generate code for the module's triple.
Status compileHostModule(mlir::Operation *host,
                         llvm::ArrayRef<KernelFacts> kernels,
                         bool alwaysWorkspace, const Reporter &reporter,
                         std::string &object, bool &backEndMissing);

/// Compiles the launcher stubs of `kernels` to an ordinary position-independent
/// object.
Status compileLauncherModule(mlir::Operation *launchers,
                             llvm::ArrayRef<KernelFacts> kernels,
                             const Reporter &reporter, std::string &object);

/// LLVM's back end for host code of `triple`; null for machines other than
/// x86-64 and AArch64.
const llvm::Target *findHostTarget(const llvm::Triple &triple);

/// Checks the requirements of the driver's loader: relocation types, no
/// undefined symbols, no sections of unexpected kinds, exactly two exported
/// definitions. Returns an empty text when all hold.
std::string checkHostObject(llvm::StringRef object);

} // namespace tileir

#endif // SERIALIZE_HOST_HOSTOBJECT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_HOST_WRAPPER_HOSTMODULE_H
#define PASSES_HOST_WRAPPER_HOSTMODULE_H

#include "dialects/launch/TensorMap.h"

#include "mlir/IR/BuiltinOps.h"

namespace tileir {

/// A hidden tensor map of one kernel.
struct HostMap {
  /// Offset in the parameter block.
  int64_t offset = 0;
  TensorMapRecipe recipe;
};

/// Description of one kernel for host code.
struct HostKernel {
  mlir::Location loc;
  std::string name;
  /// True while parameter offsets are not final.
  bool open = false;
  /// Types of the visible parameters as a launcher stores them: integers,
  /// floats, i64 for pointers, aggregates unchanged. A launcher stub takes the
  /// address of an aggregate.
  llvm::SmallVector<mlir::Type> parameters;
  /// Block offset of the workspace pointer, if the kernel has one.
  std::optional<int64_t> workspaceOffset;
  /// Block offsets of `parameters`, and bytes of the whole block; only for
  /// kernels with hidden parameters.
  llvm::SmallVector<int64_t> offsets;
  int64_t blockBytes = 0;
  std::vector<HostMap> maps;
  /// Number of tensor maps that the kernel builds on the device, for the
  /// workspace size.
  int64_t deviceMaps = 0;
  bool hasHidden = false;

  // Launch configuration, for stubs of the plain form and of SIMT kernels.
  llvm::SmallVector<int64_t, 3> block = {1, 1, 1};
  llvm::SmallVector<int64_t, 3> cluster = {1, 1, 1};
  int64_t dynamicShared = 0;

  explicit HostKernel(mlir::Location loc) : loc(loc) {}
};

/// Emits code that fills the tensor maps of `kernel` in the parameter block at
/// `block`, which may start at any byte. The code reads visible parameters and
/// writes all 128 bytes of each map.
void emitTensorMaps(mlir::ImplicitLocOpBuilder &b, const HostKernel &kernel,
                    mlir::Value block);

/// Builds the module that becomes the host object of `kernels`: tables, one
/// ON_PRE_LOAD, one ON_ARGUMENTS_CHANGE for each kernel. The object calls no
/// function outside of itself.
mlir::ModuleOp buildHostModule(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::StringRef name, llvm::StringRef triple,
                               llvm::ArrayRef<HostKernel> kernels);

/// Options of launcher stubs.
struct LauncherOptions {
  /// Launch by `cudaLaunchKernel` instead of `cuLaunchKernel`.
  bool runtime = false;
  /// Print each launch.
  bool logging = false;
};

/// Builds the module with one launcher function for each kernel. `abi` is empty
/// for SIMT kernels.
mlir::ModuleOp buildLauncherModule(mlir::OpBuilder &builder, mlir::Location loc,
                                   llvm::StringRef name, llvm::StringRef triple,
                                   llvm::ArrayRef<HostKernel> kernels,
                                   std::optional<LaunchAbi> abi,
                                   const LauncherOptions &options);

} // namespace tileir

#endif // PASSES_HOST_WRAPPER_HOSTMODULE_H

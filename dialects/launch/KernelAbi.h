// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_KERNELABI_H
#define DIALECTS_LAUNCH_KERNELABI_H

#include "dialects/launch/LaunchAbi.h"
#include "dialects/support/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>

namespace tileir {

/// Attributes of the launch ABI. No dialect owns them; `verifySerializable`
/// checks them.
namespace launch {
/// On a gpu.module: `"tile"` or `"plain"`. Absent on modules that did not pass
/// a tile pipeline: their kernels follow the ordinary SIMT rules.
inline constexpr llvm::StringLiteral abiName = "tileir.launch_abi";
/// On a kernel argument: `"workspace"` or `"tensormap"`.
inline constexpr llvm::StringLiteral hiddenName = "tileir.hidden";
/// On a SIMT kernel: bytes of dynamic shared memory, an integer.
inline constexpr llvm::StringLiteral dynamicSharedName =
    "tileir.dynamic_smem_bytes";
/// On a kernel with a workspace: the number of tensor maps that it builds on
/// the device, an integer.
inline constexpr llvm::StringLiteral deviceMapsName = "tileir.device_maps";
/// On the module that becomes the host object: unit, or the name of its
/// gpu.module where there are several.
inline constexpr llvm::StringLiteral hostModuleName = "tileir.host_module";
/// Unit, on a function of the host module whose body needs final offsets.
inline constexpr llvm::StringLiteral openBodyName = "tileir.open_body";
/// Unit, on a constant of the host module: the interface version that the
/// object reports, and the highest version of a driver that gets a workspace.
/// The serializer changes both where ptxas has no per-CTA memory.
inline constexpr llvm::StringLiteral interfaceVersionName =
    "tileir.interface_version";
inline constexpr llvm::StringLiteral workspaceVersionName =
    "tileir.workspace_version";
/// Unit, on the module with launcher stubs.
inline constexpr llvm::StringLiteral launcherModuleName =
    "tileir.launcher_module";
inline constexpr llvm::StringLiteral hiddenWorkspace = "workspace";
inline constexpr llvm::StringLiteral hiddenTensorMap = "tensormap";
} // namespace launch

/// The launch ABI of `module` (a gpu.module, or a builtin module in its place);
/// empty without a valid one.
std::optional<LaunchAbi> launchAbi(mlir::Operation *module);

/// Returns whether `function` is a kernel: an `llvm.func` with `nvvm.kernel` or
/// the ptx_kernel calling convention, a `gpu.func kernel`, or a function with
/// `gpu.kernel`.
bool isKernel(mlir::Operation *function);

/// Returns the name of the module's target: `nv_tileaa.target_spec`, else
/// `nv_tileaa.compute_capability`, else the chip of the first `#nvvm.target`;
/// empty without any.
std::string namedTarget(mlir::Operation *module);

/// Returns the target of this name. Emits an error at the module when it names
/// none or an unknown one.
mlir::FailureOr<Target> moduleTarget(mlir::Operation *module);

/// Returns whether ptxas accepts `name` for an entry: `[A-Za-z][A-Za-z0-9_$]*`
/// or `[_$][A-Za-z0-9_$]+`.
bool isPtxIdentifier(llvm::StringRef name);

/// One kernel parameter as a launcher sees it.
struct KernelParameter {
  /// Offset in the parameter block, and bytes.
  int64_t offset = 0;
  int64_t size = 0;
  int64_t align = 1;
  /// Value of `tileir.hidden`; empty for a visible parameter.
  llvm::StringRef hidden;
  /// The LLVM type; for a by-value aggregate, the type of the aggregate.
  mlir::Type type;
  bool byValue = false;
};

/// Parameter block of a kernel, from the bank offset on.
struct ParameterBlock {
  llvm::SmallVector<KernelParameter> parameters;
  int64_t visibleBytes = 0;
  int64_t bytes = 0;
  /// Offset of the block in constant bank 0.
  int64_t bankOffset = 0;

  bool hasWorkspace() const;
  unsigned tensorMaps() const;
};

using SizeAndAlign = std::pair<int64_t, int64_t>;

/// Size and natural alignment of a parameter type or of an element of one, at
/// least a byte. Empty for a type that no launcher can pass.
std::optional<SizeAndAlign> parameterSizeAndAlign(mlir::Type type);

/// Returns why a launcher cannot pass a parameter of `type`, and the remedy, as
/// the end of a sentence. Empty when it can.
std::string parameterTypeProblem(mlir::Type type);

/// Layout of the parameters of a kernel: offsets in the block, its bytes, its
/// offset in constant bank 0.
struct ParameterPlaces {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
  int64_t bankOffset = 0;
};

/// Lays out parameters in order. Alignment counts from the start of the
/// constant bank, not of the block.
ParameterPlaces placeParameters(const Target &target,
                                llvm::ArrayRef<SizeAndAlign> parameters);

/// Lays out the parameters of `kernel` for `target`. Emits an error at the
/// kernel for a parameter that has no layout.
mlir::FailureOr<ParameterBlock> parameterBlock(mlir::LLVM::LLVMFuncOp kernel,
                                               const Target &target);

/// Bytes of static shared memory that `kernel` and its callees use.
int64_t staticSharedBytes(mlir::LLVM::LLVMFuncOp kernel);

/// A variable of dynamic shared memory (a declaration) that `kernel` or its
/// callees use; null without one.
mlir::LLVM::GlobalOp dynamicSharedVariable(mlir::LLVM::LLVMFuncOp kernel);

/// Returns `name` with escaped control bytes, for diagnostics.
std::string printableName(llvm::StringRef name);

} // namespace tileir

#endif // DIALECTS_LAUNCH_KERNELABI_H

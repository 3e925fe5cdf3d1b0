// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_CODEGEN_H
#define SERIALIZE_PTX_CODEGEN_H

#include "serialize/ptx/DeviceModule.h"
#include "serialize/ptx/Kernels.h"
#include "serialize/ptxas/Command.h"
#include "serialize/ptxas/Locate.h"

#include "llvm/ADT/StringMap.h"

namespace tileir {

/// Switches of experts; the defaults are what everybody else gets.
struct CodegenGates {
  /// Off: the IR's fast-math flags are dropped.
  bool unsafeAlgebra = true;
  bool lowerPrintf = true;
  /// On: a barrier directly behind another one is dropped.
  bool removeBarriers = false;
  /// On: the module's text goes to the reporter around a round of address-space
  /// inference.
  bool dumpBeforeMemorySpace = false;
  bool dumpAfterMemorySpace = false;
  std::string kernelList;
  std::string kernelRange;
};

struct OptimizeRequest {
  LibdeviceRequest libdevice;
  bool reflect = true;
  llvm::StringMap<int> reflectOverrides;
  KernelOptions kernels;
  CodegenGates gates;
};

/// LLVM IR to the LLVM IR that code is generated from: launch attributes,
/// libdevice, reflection, optimisation, checks.
Status optimizeDevice(DeviceModule &device, const OptimizeRequest &request,
                      const Reporter &reporter);

/// The 64-byte symbol that cubins of recent releases carry.
enum class LaunchMeta { None, Reserve, Full };

struct EmitRequest {
  /// The ptxas that will read the text.
  PtxasRelease release;
  /// Nothing: what goes with the release.
  std::optional<LaunchMeta> launchMeta;
  /// For `LaunchMeta::Full`.
  llvm::StringRef hostObject;
  /// Goes into the debug information; null for none.
  const TileText *tileText = nullptr;
};

/// Final LLVM IR to PTX, entry headers edited.
Status emitPTX(DeviceModule &device, const EmitRequest &request,
               const Reporter &reporter, std::string &ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_CODEGEN_H

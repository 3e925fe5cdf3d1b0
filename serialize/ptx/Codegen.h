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

  /// Where constant offsets are split off addresses and what addresses have in
  /// common is computed once, in kernels and in other functions: 0 nowhere, 1
  /// where there are `addressInstLimit` instructions at most, 2 everywhere.
  int kernelAddresses = 2;
  int functionAddresses = 2;
  int addressInstLimit = 500;
  /// Off: offsets are split off, but sums are not reassociated and equal
  /// expressions not united after it.
  bool uniteAddresses = true;
  /// Only the first so many functions; negative: all.
  int addressFunctions = -1;

  /// Straight-line strength reduction, in functions whose blocks hold at most
  /// so many times `strengthReduceUnit` instructions; 0 to 4.
  int strengthReduce = 4;
  int dumpStrengthReduce = 0;

  /// On: independent f32 operations become pairs.
  bool pairMultiplyAdds = false;

  /// Clones of functions for the memory spaces of their pointers; negative: as
  /// many as there are uses for.
  int memorySpaceClones = -1;
  bool dumpMemorySpaceClones = false;
  /// Off: generic pointers that kernels get as parameters, or load from
  /// parameters passed by value, may point to any memory.
  bool parametersPointToGlobal = true;
  bool loadedPointToGlobal = true;
  /// On: the module's text goes to the reporter around a round of address-space
  /// inference.
  bool dumpBeforeMemorySpace = false;
  bool dumpAfterMemorySpace = false;

  /// 0: the `noalias` of parameters is dropped.
  int processRestrict = 1;
  bool dumpRestrict = false;

  /// Off: parameters passed by value are copied first.
  bool lowerByValue = true;

  /// Passes of LLVM's pipeline that run; negative: all, and the reporter gets
  /// their names, as it does with a limit. `allPasses` says nothing.
  static constexpr int allPasses = 1 << 30;
  int passLimit = allPasses;

  std::string kernelList;
  std::string kernelRange;
};

/// Instructions of a block for one step of `CodegenGates::strengthReduce`. The
/// pass takes time quadratic in the length of a block.
inline constexpr unsigned strengthReduceUnit = 64;

struct OptimizeRequest {
  LibdeviceRequest libdevice;
  bool reflect = true;
  llvm::StringMap<int> reflectOverrides;
  KernelOptions kernels;
  CodegenGates gates;
};

/// LLVM IR to the LLVM IR that code is generated from: launch attributes,
/// libdevice, reflection, optimisation, checks. Sets options of LLVM, which
/// hold for the whole process.
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
  CodegenGates gates;
};

/// Final LLVM IR to PTX, entry headers edited.
Status emitPTX(DeviceModule &device, const EmitRequest &request,
               const Reporter &reporter, std::string &ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_CODEGEN_H

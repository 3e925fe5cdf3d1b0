// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_CODEGEN_H
#define SERIALIZE_PTX_CODEGEN_H

#include "serialize/ptx/DeviceModule.h"
#include "serialize/ptx/Kernels.h"
#include "serialize/ptxas/Command.h"
#include "serialize/ptxas/Locate.h"

#include "llvm/ADT/StringMap.h"

namespace tileir {

/// Expert switches, with the defaults of all other users.
struct CodegenGates {
  /// False: drops the IR's fast-math flags.
  bool unsafeAlgebra = true;
  bool lowerPrintf = true;
  /// True: drops a barrier directly after another one.
  bool removeBarriers = false;

  /// Functions in which constant offsets are split off addresses and common
  /// address expressions are computed once, for kernels and for other
  /// functions: 0 none, 1 those of up to `addressInstLimit` instructions, 2
  /// all.
  int kernelAddresses = 2;
  int functionAddresses = 2;
  int addressInstLimit = 500;
  /// False: splits offsets off, without the reassociation and CSE after it.
  bool uniteAddresses = true;
  /// Number of functions with this optimization, the first ones; negative: all.
  int addressFunctions = -1;

  /// Straight-line strength reduction, in functions whose blocks have at most
  /// this many times `strengthReduceUnit` instructions; 0 to 4.
  int strengthReduce = 4;
  int dumpStrengthReduce = 0;

  /// True: combines independent f32 operations into pairs.
  bool pairMultiplyAdds = false;

  /// Maximum number of clones of functions for the memory spaces of their
  /// pointers; negative: no limit.
  int memorySpaceClones = -1;
  bool dumpMemorySpaceClones = false;
  /// False: generic pointers that kernels get as parameters, or load from
  /// parameters passed by value, may point to any memory.
  bool parametersPointToGlobal = true;
  bool loadedPointToGlobal = true;
  /// True: prints the module before (after) address-space inference to the
  /// reporter.
  bool dumpBeforeMemorySpace = false;
  bool dumpAfterMemorySpace = false;

  /// 0: drops the `noalias` of parameters.
  int processRestrict = 1;
  bool dumpRestrict = false;

  /// False: copies parameters passed by value first.
  bool lowerByValue = true;

  /// Number of passes of LLVM's pipeline that run; negative: all. The reporter
  /// then gets their names; with `allPasses` it does not.
  static constexpr int allPasses = 1 << 30;
  int passLimit = allPasses;

  std::string kernelList;
  std::string kernelRange;
};

/// Instructions of a block for each step of `CodegenGates::strengthReduce`. The
/// pass takes time quadratic in the length of a block.
inline constexpr unsigned strengthReduceUnit = 64;

struct OptimizeRequest {
  LibdeviceRequest libdevice;
  bool reflect = true;
  llvm::StringMap<int> reflectOverrides;
  KernelOptions kernels;
  CodegenGates gates;
};

/// Optimizes LLVM IR for code generation: launch attributes, libdevice,
/// reflection, optimisation, checks. Sets options of LLVM, which are global to
/// the process.
Status optimizeDevice(DeviceModule &device, const OptimizeRequest &request,
                      const Reporter &reporter);

/// The 64-byte symbol that cubins of recent releases carry.
enum class LaunchMeta { None, Reserve, Full };

struct EmitRequest {
  /// The ptxas that will read the text.
  PtxasRelease release;
  /// Without a value: the default of the release.
  std::optional<LaunchMeta> launchMeta;
  /// For `LaunchMeta::Full`.
  llvm::StringRef hostObject;
  /// Tile text for the debug information; null for none.
  const TileText *tileText = nullptr;
  CodegenGates gates;
};

/// Generates PTX from final LLVM IR and edits the entry headers.
Status emitPTX(DeviceModule &device, const EmitRequest &request,
               const Reporter &reporter, std::string &ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_CODEGEN_H

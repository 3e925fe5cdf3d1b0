// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_DEVICEMODULE_H
#define SERIALIZE_PTX_DEVICEMODULE_H

#include "dialects/launch/LaunchAbi.h"
#include "dialects/support/Target.h"
#include "serialize/Report.h"

#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
class Operation;
} // namespace mlir

namespace tileir {

/// Target of an input that names none, when the user names none.
inline constexpr const char *defaultTarget = "sm_100";

enum class DebugKind { None, DebugDirectives, LineTables, Full };

/// Text of the tile program, for debuggers that show it next to the source.
/// Locations refer to its lines by the discriminators of their scopes.
struct TileText {
  std::string text;
  /// Line of each kernel's header.
  llvm::StringMap<unsigned> kernels;
  /// Columns of indentation before a line in the printed module.
  unsigned indent = 0;
};

/// Requests of the user; empty fields leave the module's own values.
struct DeviceRequest {
  std::string moduleName; ///< which `gpu.module`
  std::string gpuName;
  enum class Suffix { Keep, Minimal, Accelerated } suffix = Suffix::Keep;
  std::optional<unsigned> ptxVersion; ///< times ten
  std::optional<unsigned> optLevel;
  std::optional<LaunchAbi> launchAbi;
  bool approx = false;
  bool ftz = false;
  DebugKind debug = DebugKind::None;
  bool relocatable = false;
};

/// Facts about one kernel for later stages.
struct KernelFacts {
  std::string name;
  unsigned hiddenParameters = 0;
  /// Number of tensor maps that the kernel builds itself.
  unsigned deviceMaps = 0;
  /// Size of the parameter block, hidden parameters included, and its offset in
  /// constant bank 0.
  int64_t parameterBytes = 0;
  int64_t parameterBank = 0;
  /// Static shared memory that the kernel and its callees use.
  int64_t sharedBytes = 0;
  /// `.reqntid` and `.reqnctapercluster`, zeros where absent.
  unsigned block[3] = {0, 0, 0};
  unsigned cluster[3] = {0, 0, 0};
  bool blocksAreClusters = false;
};

/// A device module on its way to PTX, with the resolved target and form.
struct DeviceModule {
  // The context outlives the module.
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// Back end of the module, and the PTX version for which it was made.
  std::unique_ptr<llvm::TargetMachine> machine;
  unsigned machinePTXVersion = 0;
  std::string name;
  Target target;
  unsigned ptxVersion = 0; ///< times ten
  /// True if the user named the version, which then is not raised.
  bool fixedPTXVersion = false;
  unsigned optLevel = 3;
  LaunchAbi launchAbi = LaunchAbi::Plain;
  /// True if the kernels come from tiles; ordinary SIMT kernels have neither
  /// form.
  bool tileKernels = false;
  DebugKind debug = DebugKind::None;
  bool approx = false;
  bool ftz = false;
  bool relocatable = false;
  /// Bitcode files that the module names, or bitcode that it holds.
  std::vector<std::string> linkFiles;
  std::vector<std::string> linkBlobs;
  std::vector<std::string> ptxasOptions;   ///< attribute `ptxas-options`
  std::vector<std::string> basePTXOptions; ///< attribute `basePTXOptions`

  std::vector<KernelFacts> kernels;

  DeviceModule(Target target);
  DeviceModule(DeviceModule &&);
  ~DeviceModule();
};

/// Registers the dialects of a lowered module and their translations.
void registerDeviceDialects(mlir::DialectRegistry &registry);

/// The one device module of `root`, a `gpu.module` or `root` itself when it
/// holds kernels directly. Reports and returns null when there is none.
mlir::Operation *findDeviceModule(mlir::ModuleOp root, llvm::StringRef name,
                                  const Reporter &reporter);

/// Checks `device` against `request` and translates it to LLVM IR.
Status translateDevice(mlir::Operation *device, const DeviceRequest &request,
                       const Reporter &reporter,
                       std::unique_ptr<DeviceModule> &result);

/// Makes a device module from LLVM IR, text or bitcode.
Status importDevice(llvm::StringRef bytes, llvm::StringRef name,
                    const DeviceRequest &request, const Reporter &reporter,
                    std::unique_ptr<DeviceModule> &result);

/// Chooses the PTX version of a module for `target` whose own features are
/// `features` (empty: none) and whose own chip is `chip`.
Status choosePTXVersion(const Target &target, const DeviceRequest &request,
                        llvm::StringRef features, llvm::StringRef chip,
                        const Reporter &reporter, unsigned &version);

/// Chooses the chip for a module of `module` when `wanted` was requested;
/// nothing when they are incompatible. With the same base name an explicit
/// suffix has priority.
std::optional<Target> reconcileTarget(const Target &module,
                                      const Target &wanted);

} // namespace tileir

#endif // SERIALIZE_PTX_DEVICEMODULE_H

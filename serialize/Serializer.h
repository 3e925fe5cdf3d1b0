// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_SERIALIZER_H
#define SERIALIZE_SERIALIZER_H

#include "serialize/Phase.h"
#include "serialize/elf/LinkableObject.h"
#include "serialize/ptx/Codegen.h"
#include "serialize/ptx/DeviceModule.h"
#include "serialize/ptxas/Session.h"

namespace tileir {

enum class Product { PTX, LLVM, Bitcode, Cubin, Fatbin, Object };

struct SerializeRequest {
  Product product = Product::Object;
  DeviceRequest device;
  LibdeviceRequest libdevice;
  bool reflect = true;
  llvm::StringMap<int> reflectOverrides;
  KernelOptions kernels;
  CodegenGates gates;
  std::optional<LaunchMeta> launchMeta;

  /// Strings of the command line; the module's own come first.
  std::string ptxasOptions;
  std::string basePTXOptions;
  bool sanitizeMemcheck = false;
  std::string nvHostFile;
  /// Asks ptxas for its statistics.
  bool verbosePtxas = false;
  bool forwardWarnings = true;
  bool strictCubin = false;

  /// The tile program that the module was compiled from; empty when unknown.
  TileText tileText;

  HostMachine hostMachine = HostMachine::X86_64;
  /// Adds the stubs of the launcher module to the linkable object.
  bool launcherStubs = false;
  /// Container of the linkable object.
  bool windows = false;
  /// Triple of the embedded host object, in place of the host module's own.
  std::string hostTriple;
  /// The linkable object registers its kernels with the CUDA runtime.
  bool registerKernels = false;
  /// The fatbin also holds the PTX.
  bool embedPTX = false;
  /// Stem of the linkable object's symbols; the module's name when empty.
  std::string moduleId;
  /// Command that disassembles the cubin for section `.nvdisasm`.
  std::optional<std::string> sassCommand;

  /// Folder to keep intermediate files in; empty keeps none.
  std::string saveTemps;
  /// Path without suffix for the files that the dump variables ask for.
  std::string dumpStem;
  /// Prints the command and stops in front of ptxas.
  bool printCommand = false;
  PhaseCallback phase;
};

struct SerializeResult {
  /// The product; empty after `printCommand`.
  std::string bytes;
  std::string ptx;
  std::string cubin;
  std::string hostObject;
  /// Facts that a launcher needs which does the driver's work, as JSON; of tile
  /// kernels in either form.
  std::string sidecar;
  /// Text that ptxas wrote to standard error.
  std::string ptxasLog;
  std::string arch;
  std::vector<KernelFacts> kernels;
};

/// A lowered module to the product.
Status serializeModule(mlir::ModuleOp module, const SerializeRequest &request,
                       ToolSession &session, const Reporter &reporter,
                       SerializeResult &result);

/// LLVM IR, text or bitcode, to the product. `name` is for messages.
Status serializeLLVM(llvm::StringRef bytes, llvm::StringRef name,
                     const SerializeRequest &request, ToolSession &session,
                     const Reporter &reporter, SerializeResult &result);

/// PTX text, taken as it is, to the product.
Status serializePTX(llvm::StringRef ptx, const SerializeRequest &request,
                    ToolSession &session, const Reporter &reporter,
                    SerializeResult &result);

/// A cubin, taken as it is, into a fatbin or a linkable object.
Status serializeCubin(llvm::StringRef cubin, const SerializeRequest &request,
                      ToolSession &session, const Reporter &reporter,
                      SerializeResult &result);

/// True when `product` takes ptxas.
inline bool needsPtxas(Product product) {
  return product == Product::Cubin || product == Product::Fatbin ||
         product == Product::Object;
}

} // namespace tileir

#endif // SERIALIZE_SERIALIZER_H

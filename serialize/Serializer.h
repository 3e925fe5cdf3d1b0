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

  /// Options of the command line; the module's own come first.
  std::string ptxasOptions;
  std::string basePTXOptions;
  bool sanitizeMemcheck = false;
  std::string nvHostFile;
  /// Requests statistics of ptxas.
  bool verbosePtxas = false;
  bool forwardWarnings = true;
  bool strictCubin = false;

  /// The tile program from which the module was compiled; empty when unknown.
  TileText tileText;

  HostMachine hostMachine = HostMachine::X86_64;
  /// Adds the stubs of the launcher module to the linkable object.
  bool launcherStubs = false;
  /// Container of the linkable object.
  bool windows = false;
  /// Triple of the embedded host object, in place of the host module's own.
  std::string hostTriple;
  /// Makes the linkable object register its kernels with the CUDA runtime.
  bool registerKernels = false;
  /// Adds the PTX to the fatbin.
  bool embedPTX = false;
  /// Stem of the linkable object's symbols; the module's name when empty.
  std::string moduleId;
  /// Command that disassembles the cubin for section `.nvdisasm`.
  std::optional<std::string> sassCommand;

  /// Folder for intermediate files; empty keeps none.
  std::string saveTemps;
  /// Path without suffix of the files that the dump variables request.
  std::string dumpStem;
  /// Prints the command and stops before ptxas.
  bool printCommand = false;
  PhaseCallback phase;
};

struct SerializeResult {
  /// The product; empty after `printCommand`.
  std::string bytes;
  std::string ptx;
  std::string cubin;
  std::string hostObject;
  /// JSON facts for a launcher that does the driver's work; of tile kernels in
  /// either form.
  std::string sidecar;
  /// Text that ptxas wrote to standard error.
  std::string ptxasLog;
  std::string arch;
  std::vector<KernelFacts> kernels;
};

/// Serializes a lowered module to the product.
Status serializeModule(mlir::ModuleOp module, const SerializeRequest &request,
                       ToolSession &session, const Reporter &reporter,
                       SerializeResult &result);

/// Serializes LLVM IR, text or bitcode, to the product. `name` is for messages.
Status serializeLLVM(llvm::StringRef bytes, llvm::StringRef name,
                     const SerializeRequest &request, ToolSession &session,
                     const Reporter &reporter, SerializeResult &result);

/// Serializes PTX text, unchanged, to the product.
Status serializePTX(llvm::StringRef ptx, const SerializeRequest &request,
                    ToolSession &session, const Reporter &reporter,
                    SerializeResult &result);

/// Wraps a cubin, unchanged, into a fatbin or a linkable object.
Status serializeCubin(llvm::StringRef cubin, const SerializeRequest &request,
                      ToolSession &session, const Reporter &reporter,
                      SerializeResult &result);

/// Returns whether `product` needs ptxas.
inline bool needsPtxas(Product product) {
  return product == Product::Cubin || product == Product::Fatbin ||
         product == Product::Object;
}

} // namespace tileir

#endif // SERIALIZE_SERIALIZER_H

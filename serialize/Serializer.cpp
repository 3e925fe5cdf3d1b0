// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/Serializer.h"

#include "dialects/support/Output.h"
#include "dialects/support/RuntimeGates.h"
#include "serialize/elf/Cubin.h"
#include "serialize/elf/Merge.h"
#include "serialize/host/HostObject.h"
#include "serialize/host/Registration.h"
#include "serialize/host/Sidecar.h"
#include "serialize/ptx/Convergence.h"
#include "serialize/ptx/EntryHeader.h"
#include "serialize/ptx/PerCtaMemory.h"
#include "serialize/ptx/TargetNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>
#include <sys/stat.h>

namespace tileir {

using namespace llvm;

static std::string printModule(const Module &module) {
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

static std::string writeBitcode(const Module &module) {
  std::string bytes;
  raw_string_ostream stream(bytes);
  WriteBitcodeToFile(module, stream);
  return bytes;
}

/// Writes a file that the user requested in addition to the product.
static Status keep(const Twine &path, StringRef bytes, const Reporter &reporter,
                   bool followLinks = true) {
  OutputRequest request;
  request.followLinks = followLinks;
  request.path = path.str();
  request.bytes = bytes;
  if (int error = writeOutput(request))
    return reporter.error(Status::File, "cannot write '" +
                                            escaped(request.path) +
                                            "': " + strerror(error));
  reporter.note("wrote '" + escaped(request.path) + "'");
  return Status::Success;
}

static Status saveTemp(const SerializeRequest &request, StringRef name,
                       StringRef suffix, StringRef bytes,
                       const Reporter &reporter) {
  if (request.saveTemps.empty() || bytes.empty())
    return Status::Success;
  // The last component may be missing, as for mkdir without -p.
  ::mkdir(request.saveTemps.c_str(), 0777);
  return keep(request.saveTemps + "/" + symbolStem(name) + suffix, bytes,
              reporter);
}

static std::string stemOf(const SerializeRequest &request, StringRef name) {
  if (!request.moduleId.empty())
    return request.moduleId;
  return name.empty() ? "module" : name.str();
}

/// Checks convergence if the environment asks for it: a part of a warp must not
/// reach instructions that a warp executes together.
static Status checkConvergence(StringRef ptx, Status wrong,
                               const Reporter &reporter) {
  Status status = Status::Success;
  if (gates::verifyConvergence())
    for (const DivergentInstruction &found : findDivergence(ptx))
      status = reporter.error(
          wrong,
          formatv("PTX line {0}: '{1}' in '{2}' is reached by a part of a "
                  "warp, the branch in line {3} splits it",
                  found.line, found.opcode, escaped(found.function),
                  found.branchLine)
              .str());
  return status;
}

/// Checks that the parameter block of ptxas is the one that host code and
/// launchers compute.
static Status checkParameterBlocks(const DeviceModule &device, StringRef cubin,
                                   const Reporter &reporter) {
  std::string ignored;
  std::optional<CubinInfo> info = readCubin(cubin, ignored);
  if (!info)
    return Status::Success; // image of a stand-in
  for (const KernelFacts &kernel : device.kernels)
    for (const CubinKernel &made : info->kernels) {
      if (made.name != kernel.name || !made.bankOffset || !made.bankSize)
        continue;
      if (int64_t(*made.bankOffset) != kernel.parameterBank ||
          int64_t(*made.bankSize) != kernel.parameterBytes)
        return reporter.error(
            Status::Compile,
            formatv("internal error: kernel '{0}' has a parameter block of {1} "
                    "bytes at {2:x}, expected {3} at {4:x}",
                    kernel.name, *made.bankSize, *made.bankOffset,
                    kernel.parameterBytes, kernel.parameterBank)
                .str());
    }
  return Status::Success;
}

/// Adds the relocatable object `code` to the linkable one.
static Status addHostCode(StringRef code, const char *what,
                          const Reporter &reporter, std::string &object) {
  std::string problem;
  std::optional<std::string> merged = mergeObjects(object, code, problem);
  if (!merged)
    return reporter.error(Status::Compile,
                          Twine(what) +
                              " do not go into the object: " + problem);
  object = std::move(*merged);
  return Status::Success;
}

/// Adds a constructor that registers the kernels with the CUDA runtime.
static Status addRegistration(const SerializeRequest &request, StringRef name,
                              const Reporter &reporter,
                              SerializeResult &result) {
  RegistrationRequest code;
  code.triple = request.hostMachine == HostMachine::X86_64
                    ? "x86_64-unknown-linux-gnu"
                    : "aarch64-unknown-linux-gnu";
  code.wrapperSymbol = "tileir_" + symbolStem(name) + "_fatbin_wrapper";
  // PTX input has no facts beyond the cubin.
  std::string ignored;
  if (std::optional<CubinInfo> info = readCubin(result.cubin, ignored))
    for (const CubinKernel &kernel : info->kernels)
      code.kernels.push_back(kernel.name);
  std::string object;
  if (Status status = compileRegistration(code, reporter, object);
      status != Status::Success)
    return status;
  return addHostCode(object, "registrations", reporter, result.bytes);
}

/// Adds disassembly, container and host code around the cubin.
static Status package(const SerializeRequest &request, StringRef name,
                      StringRef arch, ToolSession &session,
                      const Reporter &reporter, SerializeResult &result,
                      const DeviceModule *device, StringRef stubs) {
  PhaseScope scope(request.phase, "package");
  std::string sass;
  if (request.sassCommand)
    if (Status status = session.disassemble(
            tokenizeOptions(*request.sassCommand), result.cubin, sass);
        status != Status::Success)
      return status;
  // In the plain form the product carries the launcher's duties. The image of a
  // stand-in may be no ELF file and stays as it is.
  bool note = device && device->launchAbi == LaunchAbi::Plain &&
              !result.sidecar.empty();
  auto annotate = [&](std::string &file) {
    if (!note)
      return;
    if (std::optional<std::string> longer =
            addNoteSection(file, sidecarSection, sidecarOwner, result.sidecar))
      file = std::move(*longer);
  };
  if (request.product == Product::Cubin || request.product == Product::Fatbin)
    annotate(result.cubin);
  if (request.product == Product::Cubin) {
    result.bytes = result.cubin;
    return Status::Success;
  }
  FatbinRequest images;
  images.cubin = result.cubin;
  images.arch = arch;
  images.debug = request.device.debug == DebugKind::Full;
  if (request.embedPTX) {
    images.ptx = result.ptx;
    if (std::optional<ModuleHeader> header = parseModuleHeader(result.ptx)) {
      images.ptxVersion = header->version;
      images.ptxArch = header->target;
    }
  }
  Fatbin fatbin = makeFatbin(images);
  if (request.product == Product::Fatbin) {
    result.bytes = std::move(fatbin.bytes);
    return Status::Success;
  }
  LinkableRequest object;
  object.machine = request.hostMachine;
  object.moduleId = name;
  object.fatbin = &fatbin;
  object.cubinSize = result.cubin.size();
  object.relocatable = request.device.relocatable;
  if (request.sassCommand)
    object.disassembly = sass;
  result.bytes =
      request.windows ? makeCoffObject(object) : makeLinkableObject(object);
  if (!stubs.empty())
    if (Status status =
            addHostCode(stubs, "launcher stubs", reporter, result.bytes);
        status != Status::Success)
      return status;
  if (request.registerKernels)
    if (Status status = addRegistration(request, name, reporter, result);
        status != Status::Success)
      return status;
  annotate(result.bytes);
  return Status::Success;
}

/// Serializes PTX, the common path of both kinds of input.
static Status
assembleAndPackage(const SerializeRequest &request, AssembleRequest &assemble,
                   StringRef name, StringRef arch, ToolSession &session,
                   const Reporter &reporter, SerializeResult &result,
                   const DeviceModule *device, StringRef stubs = "") {
  llvm::append_range(assemble.leadingOptions,
                     tokenizeOptions(request.ptxasOptions));
  llvm::append_range(assemble.trailingOptions,
                     tokenizeOptions(request.basePTXOptions));
  bool tile = !assemble.hostObject.empty() || !request.nvHostFile.empty();
  for (const auto *tokens :
       {&assemble.leadingOptions, &assemble.trailingOptions})
    if (std::optional<std::string> managed = findManagedOption(*tokens, tile))
      return reporter.error(Status::Config,
                            "ptxas option '" + escaped(*managed) +
                                "' is managed by the serializer");
  assemble.arch = arch.str();
  assemble.sanitizeMemcheck = request.sanitizeMemcheck;
  assemble.nvHostFile = request.nvHostFile;
  assemble.forwardWarnings = request.forwardWarnings;
  assemble.strictCubin = request.strictCubin;
  assemble.relocatable = request.device.relocatable;
  if (request.printCommand) {
    reporter.line(quoteArgv(session.command(assemble)));
    return Status::Success;
  }

  AssembleResult assembled;
  Status status;
  {
    PhaseScope scope(request.phase, "ptxas");
    status = session.assemble(assemble, assembled);
  }
  result.ptxasLog = assembled.log;
  if (status != Status::Success)
    return status;
  result.cubin = std::move(assembled.cubin);
  // A cubin records ptxas' arguments, so the statistics come from a second run:
  // a request for them does not change the product.
  if (request.verbosePtxas) {
    assemble.leadingOptions.push_back("-v");
    assemble.forwardWarnings = false;
    AssembleResult again;
    if (Status status = session.assemble(assemble, again);
        status != Status::Success)
      return status;
    result.ptxasLog = again.log;
  }
  if (device)
    if (Status status = checkParameterBlocks(*device, result.cubin, reporter);
        status != Status::Success)
      return status;
  if (Status status = saveTemp(request, name, ".cubin", result.cubin, reporter);
      status != Status::Success)
    return status;

  return package(request, name, arch, session, reporter, result, device, stubs);
}

/// Compiles the host module, when the form needs one.
static Status makeHostObject(mlir::ModuleOp root, const DeviceModule &device,
                             const SerializeRequest &request,
                             PtxasRelease release, const Reporter &reporter,
                             std::string &object) {
  if (device.launchAbi != LaunchAbi::Tile || device.kernels.empty() ||
      !request.nvHostFile.empty())
    return Status::Success;
  bool hidden = any_of(device.kernels, [](const KernelFacts &kernel) {
    return kernel.hiddenParameters != 0;
  });
  mlir::Operation *host = root ? findHostModule(root, device.name) : nullptr;
  std::string why = "the module has no host module; run "
                    "tileir-emit-host-wrapper";
  if (host) {
    if (!request.hostTriple.empty())
      host->setAttr(
          "llvm.target_triple",
          mlir::StringAttr::get(host->getContext(),
                                Triple::normalize(request.hostTriple)));
    bool missing = false;
    bool buildsMaps = any_of(device.kernels, [](const KernelFacts &kernel) {
      return kernel.deviceMaps != 0;
    });
    if (Status status = compileHostModule(
            host, device.kernels, buildsMaps && !release.hasPerCTAMemory(),
            reporter, object, missing);
        status != Status::Success)
      return status;
    if (!missing)
      return Status::Success;
    auto triple = host->getAttrOfType<mlir::StringAttr>("llvm.target_triple");
    why = "no host backend for '" + (triple ? triple.str() : "native") + "'";
  }
  if (hidden)
    return reporter.error(Status::Compile,
                          why + "; hidden parameters need host code");
  reporter.warning(why + "; host code is not embedded");
  return Status::Success;
}

/// Serializes LLVM IR, the common path of all inputs except PTX. `root` holds
/// the host module, `found` is the device module in it; null for inputs without
/// MLIR.
static Status serializeDevice(mlir::ModuleOp root, mlir::Operation *found,
                              DeviceModule &device,
                              const SerializeRequest &request,
                              ToolSession &session, const Reporter &reporter,
                              SerializeResult &result) {
  result.arch = device.target.name();
  std::string name = stemOf(request, device.name);
  bool tile = device.launchAbi == LaunchAbi::Tile;
  if (tile && request.device.relocatable)
    return reporter.error(Status::Config,
                          "--relocatable-device-code drops the host object; "
                          "use --launch-abi=plain");
  // The kernel text depends on the release of ptxas; the query runs while the
  // optimiser works.
  bool asks = tile && request.product != Product::LLVM &&
              request.product != Product::Bitcode &&
              any_of(*device.module, [](const Function &function) {
                return function.getCallingConv() == CallingConv::PTX_Kernel;
              });
  if (asks)
    session.startReleaseProbe();
  // Only code that builds tensor maps depends on the release.
  if (usesPerCtaMemory(*device.module))
    resolvePerCtaMemory(*device.module,
                        asks && session.release().hasPerCTAMemory());

  OptimizeRequest optimize;
  optimize.libdevice = request.libdevice;
  if (optimize.libdevice.ptxas.empty())
    optimize.libdevice.ptxas = session.ptxas().path;
  optimize.reflect = request.reflect;
  optimize.reflectOverrides = request.reflectOverrides;
  optimize.kernels = request.kernels;
  optimize.gates = request.gates;
  Status optimized;
  {
    PhaseScope scope(request.phase, "optimize");
    optimized = optimizeDevice(device, optimize, reporter);
  }
  // The dumps are written also when compilation fails, since users need them
  // then. Other users can foresee their names, so links are not followed.
  Status dumped = Status::Success;
  auto dump = [&](const char *suffix, std::string (*print)(const Module &)) {
    Status status =
        keep(request.dumpStem + suffix, print(*device.module), reporter,
             /*followLinks=*/false);
    if (status != Status::Success)
      dumped = status;
  };
  if (!request.dumpStem.empty()) {
    if (gates::debugDumpBC())
      dump(".tileir.bc", writeBitcode);
    if (gates::debugDumpLLVM())
      dump(".tileir.ll", printModule);
  }
  if (optimized != Status::Success)
    return optimized;
  if (dumped != Status::Success)
    return dumped;
  result.kernels = device.kernels;
  if (found && device.tileKernels)
    if (Status status = makeSidecar(found, device, reporter, result.sidecar);
        status != Status::Success)
      return status;
  if (!request.saveTemps.empty())
    if (Status status = saveTemp(request, name, ".ll",
                                 printModule(*device.module), reporter);
        status != Status::Success)
      return status;
  if (request.product == Product::LLVM) {
    result.bytes = printModule(*device.module);
    return Status::Success;
  }
  if (request.product == Product::Bitcode) {
    result.bytes = writeBitcode(*device.module);
    return Status::Success;
  }

  if (needsPtxas(request.product) || request.launchMeta == LaunchMeta::Full)
    if (Status status = makeHostObject(
            root, device, request, asks ? session.release() : PtxasRelease(),
            reporter, result.hostObject);
        status != Status::Success)
      return status;
  EmitRequest emit;
  if (asks)
    emit.release = session.release();
  emit.launchMeta = request.launchMeta;
  emit.gates = request.gates;
  emit.hostObject = result.hostObject;
  if (!request.tileText.text.empty())
    emit.tileText = &request.tileText;
  {
    PhaseScope scope(request.phase, "codegen");
    if (Status status = emitPTX(device, emit, reporter, result.ptx);
        status != Status::Success)
      return status;
  }
  if (Status status = saveTemp(request, name, ".ptx", result.ptx, reporter);
      status != Status::Success)
    return status;
  if (Status status =
          saveTemp(request, name, ".host.o", result.hostObject, reporter);
      status != Status::Success)
    return status;
  if (Status status = checkConvergence(result.ptx, Status::Compile, reporter);
      status != Status::Success)
    return status;
  if (request.product == Product::PTX) {
    result.bytes = result.ptx;
    return Status::Success;
  }

  AssembleRequest assemble;
  assemble.optLevel = device.optLevel;
  assemble.ptx = result.ptx;
  assemble.hostObject = result.hostObject;
  assemble.leadingOptions = device.ptxasOptions;
  assemble.trailingOptions = device.basePTXOptions;
  assemble.extendedSharedMemory =
      tile || any_of(device.kernels, [](const KernelFacts &kernel) {
        return kernel.sharedBytes > limits::staticSharedDefault;
      });
  std::string stubs;
  if (request.launcherStubs && request.product == Product::Object) {
    mlir::Operation *launchers =
        root ? findLauncherModule(root, device.name) : nullptr;
    if (!launchers)
      return reporter.error(Status::Compile,
                            "the module has no launcher stubs; run "
                            "tileir-emit-host-wrapper{launcher-stubs}");
    if (Status status =
            compileLauncherModule(launchers, device.kernels, reporter, stubs);
        status != Status::Success)
      return status;
  }
  return assembleAndPackage(request, assemble, name, result.arch, session,
                            reporter, result, &device, stubs);
}

Status serializeModule(mlir::ModuleOp module, const SerializeRequest &request,
                       ToolSession &session, const Reporter &reporter,
                       SerializeResult &result) {
  PhaseScope scope(request.phase, "SerializeGPUModule");
  mlir::Operation *found =
      findDeviceModule(module, request.device.moduleName, reporter);
  if (!found)
    return Status::BadInput;
  std::unique_ptr<DeviceModule> device;
  {
    PhaseScope scope(request.phase, "translate");
    if (Status status =
            translateDevice(found, request.device, reporter, device);
        status != Status::Success)
      return status;
  }
  return serializeDevice(module, found, *device, request, session, reporter,
                         result);
}

Status serializeLLVM(StringRef bytes, StringRef name,
                     const SerializeRequest &request, ToolSession &session,
                     const Reporter &reporter, SerializeResult &result) {
  PhaseScope scope(request.phase, "SerializeGPUModule");
  std::unique_ptr<DeviceModule> device;
  if (Status status =
          importDevice(bytes, name, request.device, reporter, device);
      status != Status::Success)
    return status;
  return serializeDevice(nullptr, nullptr, *device, request, session, reporter,
                         result);
}

Status serializePTX(StringRef ptx, const SerializeRequest &request,
                    ToolSession &session, const Reporter &reporter,
                    SerializeResult &result) {
  PhaseScope scope(request.phase, "SerializeGPUModule");
  if (request.product == Product::LLVM || request.product == Product::Bitcode)
    return reporter.error(Status::Config,
                          "PTX input has no LLVM IR; use --emit=ptx, cubin, "
                          "fatbin or obj");
  if (std::optional<size_t> at = findForeignByte(ptx))
    return reporter.error(Status::BadInput,
                          formatv("PTX holds byte {0} at line {1}",
                                  format_hex(uint8_t(ptx[*at]), 4, true),
                                  1 + ptx.take_front(*at).count('\n'))
                              .str());
  std::optional<ModuleHeader> header = parseModuleHeader(ptx);
  if (!header)
    return reporter.error(Status::BadInput,
                          "PTX input does not begin with .version and .target");
  std::string arch = header->target;
  if (!request.device.gpuName.empty()) {
    std::optional<Target> from = Target::parse(header->target);
    std::optional<Target> to = Target::parse(request.device.gpuName);
    if (!to)
      return refuseTarget(reporter, "unsupported GPU target");
    if (!from || !from->assemblesFor(*to))
      return reporter.error(Status::Config, "PTX target '" +
                                                escaped(header->target) +
                                                "' cannot be assembled for '" +
                                                request.device.gpuName + "'");
    arch = to->name();
  }
  if (Status status = checkConvergence(ptx, Status::BadInput, reporter);
      status != Status::Success)
    return status;
  result.ptx = ptx.str();
  result.arch = arch;
  if (request.product == Product::PTX) {
    result.bytes = result.ptx;
    return Status::Success;
  }
  AssembleRequest assemble;
  assemble.optLevel = request.device.optLevel.value_or(3);
  assemble.ptx = result.ptx;
  assemble.extendedSharedMemory = request.device.launchAbi == LaunchAbi::Tile;
  std::string name = stemOf(request, "");
  return assembleAndPackage(request, assemble, name, arch, session, reporter,
                            result, nullptr);
}

Status serializeCubin(StringRef cubin, const SerializeRequest &request,
                      ToolSession &session, const Reporter &reporter,
                      SerializeResult &result) {
  PhaseScope scope(request.phase, "SerializeGPUModule");
  if (request.product != Product::Fatbin && request.product != Product::Object)
    return reporter.error(Status::Config, "a cubin only becomes a fatbin or an "
                                          "object; use --emit=fatbin or obj");
  if (request.launcherStubs)
    return reporter.error(Status::Config,
                          "launcher stubs need the kernels' parameters, which "
                          "a cubin does not state; serialize the module");
  if (request.embedPTX)
    return reporter.error(Status::Config,
                          "a cubin has no PTX to embed; serialize the module");
  std::string problem;
  std::optional<CubinInfo> info = readCubin(cubin, problem);
  if (!info)
    return reporter.error(Status::BadInput, "malformed cubin: " + problem);
  std::string chip = "sm_" + std::to_string(info->sm);
  // The ELF header has the chip without its suffix.
  result.arch = request.device.gpuName.empty() ? chip : request.device.gpuName;
  std::optional<Target> target = Target::parse(result.arch);
  if (!target || target->number() != info->sm)
    return reporter.error(Status::Config, "the cubin is for '" + chip +
                                              "', not for '" +
                                              escaped(result.arch) + "'");
  result.cubin = cubin.str();
  return package(request, stemOf(request, ""), result.arch, session, reporter,
                 result, nullptr, "");
}

} // namespace tileir

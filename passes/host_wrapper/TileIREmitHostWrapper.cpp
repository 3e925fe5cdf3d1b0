// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Output.h"
#include "passes/host_wrapper/HostModule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>

namespace tileir {

#define GEN_PASS_DECL_TILEIREMITHOSTWRAPPER
#define GEN_PASS_DEF_TILEIREMITHOSTWRAPPER
#include "passes/host_wrapper/TileIREmitHostWrapper.h.inc"

namespace {

using namespace mlir;

struct TileIREmitHostWrapper final
    : impl::TileIREmitHostWrapperBase<TileIREmitHostWrapper> {
  using TileIREmitHostWrapperBase::TileIREmitHostWrapperBase;

  void runOnOperation() override;

  FailureOr<std::string> resolveTriple();
  LogicalResult emitFor(gpu::GPUModuleOp module, StringRef suffix,
                        StringRef triple);
  LogicalResult dump();
};

} // namespace

/// The type in which a launcher stores a visible parameter; null for a type
/// without one.
static Type storedType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<LLVM::LLVMPointerType, nv_tileaa::TAPointerType>(type))
    return IntegerType::get(context, 64);
  if (isa<FloatTF32Type>(type))
    return Float32Type::get(context);
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(context, 8);
  if (type.isIntOrFloat() || LLVM::isCompatibleType(type))
    return type;
  return {};
}

static void assignDims(SmallVectorImpl<int64_t> &dims, Operation *op,
                       StringRef name) {
  if (auto attr = op->getAttrOfType<DenseI32ArrayAttr>(name))
    for (unsigned i = 0; i < 3; ++i)
      dims[i] = i < attr.size() ? attr[i] : 1;
}

/// Describes a kernel that is already an `llvm.func` for the host. With
/// `filled`, host code writes its hidden parameters.
static LogicalResult describeLowered(LLVM::LLVMFuncOp kernel,
                                     gpu::GPUModuleOp module, bool filled,
                                     HostKernel &host) {
  using NVVM::NVVMDialect;
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i)
    host.hasHidden |= bool(kernel.getArgAttr(i, launch::hiddenName));
  assignDims(host.block, kernel, NVVMDialect::getMaxntidAttrName());
  assignDims(host.block, kernel, NVVMDialect::getReqntidAttrName());
  assignDims(host.cluster, kernel, NVVMDialect::getClusterDimAttrName());
  if (auto bytes =
          kernel->getAttrOfType<IntegerAttr>(launch::dynamicSharedName))
    host.dynamicShared = bytes.getInt();
  if (auto maps = kernel->getAttrOfType<IntegerAttr>(launch::deviceMapsName))
    host.deviceMaps = maps.getInt();
  if (!host.hasHidden || !filled)
    return success();

  FailureOr<Target> target = moduleTarget(module);
  if (failed(target))
    return failure();
  FailureOr<ParameterBlock> block = parameterBlock(kernel, *target);
  if (failed(block))
    return failure();
  host.blockBytes = block->bytes;
  for (auto [index, parameter] : llvm::enumerate(block->parameters)) {
    if (parameter.hidden.empty()) {
      host.offsets.push_back(parameter.offset);
    } else if (parameter.hidden == launch::hiddenWorkspace) {
      if (host.deviceMaps <= 0)
        return kernel.emitError()
               << "kernel '" << host.name << "' has a workspace, but no '"
               << launch::deviceMapsName << "' says how large it is";
      host.workspaceOffset = parameter.offset;
    } else if (parameter.hidden == launch::hiddenTensorMap) {
      if (!target->hasTma())
        return kernel.emitError()
               << "kernel '" << host.name
               << "' has a hidden tensor map, target is '" << target->name()
               << "'; compile for sm_90 or later or load without tensor maps";
      if (!kernel.getArgAttr(index, launch::tensorMapName))
        return kernel.emitError()
               << "kernel '" << host.name
               << "' has a hidden tensor map without a recipe; add '"
               << launch::tensorMapName << "' to parameter " << index;
      FailureOr<TensorMapRecipe> recipe = parseTensorMapRecipe(kernel, index);
      if (failed(recipe))
        return failure();
      host.maps.push_back({parameter.offset, std::move(*recipe)});
    }
  }
  return success();
}

/// Returns the kernels of `module` in order. Kernels before the tile lowering
/// get open bodies.
static FailureOr<std::vector<HostKernel>>
describeKernels(gpu::GPUModuleOp module, bool filled) {
  std::vector<HostKernel> kernels;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto tileFunc = dyn_cast<nv_tileaa::FuncOp>(*function);
    if (!(tileFunc ? tileFunc.getKernel() : isKernel(function)))
      continue;
    HostKernel host(function.getLoc());
    host.name = function.getName().str();
    for (unsigned index = 0, e = function.getNumArguments(); index != e;
         ++index) {
      Type type = function.getArgumentTypes()[index];
      if (function.getArgAttr(index, launch::hiddenName))
        continue;
      if (auto byVal = function.getArgAttrOfType<TypeAttr>(
              index, LLVM::LLVMDialect::getByValAttrName()))
        type = byVal.getValue();
      Type stored = storedType(type);
      if (!stored)
        return function.emitError()
               << "kernel parameter " << index << " of type " << type
               << " has no launch ABI; pass a pointer and extents";
      host.parameters.push_back(stored);
    }
    if (tileFunc) {
      host.open = true;
      if (auto spec = tileFunc.getKernelSpecAttr()) {
        host.block[0] = int64_t(spec.getNumWarps()) * limits::threadsPerWarp;
        for (auto [to, from] : llvm::zip(host.cluster, spec.getClusterDim()))
          to = from;
      }
    } else if (auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(*function)) {
      if (failed(describeLowered(llvmFunc, module, filled, host)))
        return failure();
    } else {
      host.open = true;
    }
    kernels.push_back(std::move(host));
  }
  return kernels;
}

FailureOr<std::string> TileIREmitHostWrapper::resolveTriple() {
  if (hostTriple == "native")
    return llvm::Triple::normalize(llvm::sys::getProcessTriple());
  llvm::Triple triple(llvm::Triple::normalize(hostTriple));
  if (triple.getArch() == llvm::Triple::UnknownArch)
    return getOperation().emitError()
           << "unknown host triple '" << hostTriple << "'";
  // Host code for arm64ec is aarch64 code.
  if (triple.isWindowsArm64EC())
    triple.setArchName("aarch64");
  // The driver's loader reads ELF; Windows decides the calling convention only.
  if (triple.isOSWindows())
    triple.setEnvironmentName("elf");
  return triple.str();
}

LogicalResult TileIREmitHostWrapper::emitFor(gpu::GPUModuleOp module,
                                             StringRef suffix,
                                             StringRef triple) {
  std::optional<LaunchAbi> abi = launchAbi(module);
  // A module without a launch ABI attribute is a tile module when it has tile
  // kernels.
  if (!abi && !module.getOps<nv_tileaa::FuncOp>().empty())
    abi = LaunchAbi::Tile;
  // The launcher of the plain form fills the hidden parameters.
  FailureOr<std::vector<HostKernel>> kernels =
      describeKernels(module, abi == LaunchAbi::Tile || launcherStubs);
  if (failed(kernels))
    return failure();
  if (kernels->empty())
    return success();

  OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
  if (abi == LaunchAbi::Tile) {
    ModuleOp host =
        buildHostModule(builder, module.getLoc(),
                        ("__tileir_host" + suffix).str(), triple, *kernels);
    if (!suffix.empty())
      host->setAttr(launch::hostModuleName, module.getSymNameAttr());
    ++numHostModules;
  }
  if (launcherStubs) {
    LauncherOptions options;
    options.runtime = launcherApi == "runtime";
    options.logging = enableDebugLogging;
    ModuleOp stubs = buildLauncherModule(builder, module.getLoc(),
                                         ("__tileir_launchers" + suffix).str(),
                                         triple, *kernels, abi, options);
    if (!suffix.empty())
      stubs->setAttr(launch::launcherModuleName, module.getSymNameAttr());
  }
  return success();
}

LogicalResult TileIREmitHostWrapper::dump() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto module : getOperation().getOps<ModuleOp>())
    if (module->hasAttr(launch::hostModuleName) ||
        module->hasAttr(launch::launcherModuleName))
      stream << module << '\n';
  if (dumpHost == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    return success();
  }
  OutputRequest request;
  request.path = dumpHost;
  request.bytes = text;
  if (int error = writeOutput(request))
    return getOperation().emitError() << "cannot write host code to '"
                                      << dumpHost << "': " << strerror(error);
  return success();
}

void TileIREmitHostWrapper::runOnOperation() {
  ModuleOp root = getOperation();
  if (launcherApi != "driver" && launcherApi != "runtime") {
    root.emitError() << "invalid value '" << launcherApi
                     << "' for option 'launcher-api'; expected one of "
                        "'driver', 'runtime'";
    return signalPassFailure();
  }
  FailureOr<std::string> triple = resolveTriple();
  if (failed(triple))
    return signalPassFailure();
  for (auto module : llvm::make_early_inc_range(root.getOps<ModuleOp>()))
    if (module->hasAttr(launch::hostModuleName) ||
        module->hasAttr(launch::launcherModuleName))
      module.erase();

  auto modules = llvm::to_vector(root.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp module : modules) {
    std::string suffix =
        modules.size() == 1 ? "" : "_" + module.getName().str();
    if (failed(emitFor(module, suffix, *triple)))
      return signalPassFailure();
  }
  if (!dumpHost.empty() && failed(dump()))
    signalPassFailure();
}

} // namespace tileir

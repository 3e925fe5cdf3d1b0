// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/DeviceModule.h"

#include "dialects/launch/KernelAbi.h"
#include "dialects/launch/Serializable.h"
#include "serialize/ptx/TargetNames.h"
#include "serialize/ptxas/Command.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace tileir {

using namespace mlir;

DeviceModule::DeviceModule(Target target) : target(target) {}
DeviceModule::DeviceModule(DeviceModule &&) = default;
DeviceModule::~DeviceModule() = default;

void registerDeviceDialects(DialectRegistry &registry) {
  registry.insert<DLTIDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  NVVM::NVVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

Operation *findDeviceModule(ModuleOp root, StringRef name,
                            const Reporter &reporter) {
  SmallVector<Operation *> found;
  root.walk([&](gpu::GPUModuleOp module) {
    if (name.empty() || module.getName() == name)
      found.push_back(module);
  });
  if (found.size() == 1)
    return found.front();
  if (found.empty() && name.empty() &&
      llvm::any_of(root.getOps<LLVM::LLVMFuncOp>(),
                   [](LLVM::LLVMFuncOp f) { return isKernel(f); }))
    return root;
  if (found.empty() && !name.empty())
    reporter.error(Status::BadInput,
                   "there is no gpu.module named '" + escaped(name) + "'");
  else
    reporter.error(Status::BadInput, "expected one gpu.module, found " +
                                         Twine(found.size()) +
                                         "; select one with --module");
  return nullptr;
}

/// The target attributes of a device module: `targets` of `gpu.module`, or a
/// discardable `nvvm.target`.
static SmallVector<NVVM::NVVMTargetAttr> targetsOf(Operation *device) {
  SmallVector<NVVM::NVVMTargetAttr> targets;
  if (auto module = dyn_cast<gpu::GPUModuleOp>(device))
    if (ArrayAttr array = module.getTargetsAttr())
      for (Attribute attr : array)
        if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
          targets.push_back(target);
  if (auto target = device->getAttrOfType<NVVM::NVVMTargetAttr>("nvvm.target"))
    targets.push_back(target);
  return targets;
}

std::optional<Target> reconcileTarget(const Target &module,
                                      const Target &wanted) {
  // LLVM IR names the chip for which LLVM generates code.
  if (wanted.codegen() != wanted)
    for (const Target &chip : {wanted, wanted.accelerated()})
      if (module == chip.codegen())
        return chip;
  if (module.baseName() != wanted.baseName())
    return std::nullopt;
  if (wanted.suffix() == ArchSuffix::None || wanted == module)
    return module;
  if (module.suffix() == ArchSuffix::None)
    return wanted;
  return std::nullopt;
}

/// `+ptx90` among the features, times ten.
static std::optional<unsigned> ptxOfFeatures(StringRef features) {
  SmallVector<StringRef> parts;
  features.split(parts, ',');
  for (StringRef part : llvm::reverse(parts)) {
    unsigned version;
    if (part.consume_front("+ptx") && !part.getAsInteger(10, version))
      return version;
  }
  return std::nullopt;
}

static std::string versionText(unsigned timesTen) {
  return llvm::utostr(timesTen / 10) + "." + llvm::utostr(timesTen % 10);
}

Status choosePTXVersion(const Target &target, const DeviceRequest &request,
                        StringRef features, StringRef chip,
                        const Reporter &reporter, unsigned &version) {
  auto config = [&](const Twine &text) {
    return reporter.error(Status::Config, text);
  };
  unsigned minimum = target.ptxMinimum();
  std::optional<unsigned> fromFeatures = ptxOfFeatures(features);
  if (request.ptxVersion) {
    version = *request.ptxVersion;
    if (version < minimum)
      return config("PTX version " + versionText(version) + " is below " +
                    versionText(minimum) + ", needed by '" + target.name() +
                    "'");
  } else if (fromFeatures &&
             !(target.name() != chip && *fromFeatures < minimum)) {
    version = *fromFeatures;
    if (version < minimum)
      return reporter.error(Status::Compile,
                            "target features '" + escaped(features) +
                                "' are below PTX " + versionText(minimum) +
                                ", needed by '" + target.name() +
                                "'; run convert-target-to-nvvm");
  } else {
    version = target.ptxDefault();
  }
  if (version > limits::ptxCodegen)
    return config("PTX version " + versionText(version) + " is above " +
                  versionText(unsigned(limits::ptxCodegen)) +
                  ", the newest that can be generated");
  return Status::Success;
}

static bool boolAttr(Operation *device, StringRef name) {
  for (Operation *op = device; op; op = op->getParentOp()) {
    if (auto flag = op->getAttrOfType<BoolAttr>(name))
      return flag.getValue();
    if (op->hasAttrOfType<UnitAttr>(name))
      return true;
  }
  return false;
}

static std::string stringAttr(Operation *device, StringRef name) {
  for (Operation *op = device; op; op = op->getParentOp())
    if (auto text = op->getAttrOfType<StringAttr>(name))
      return text.str();
  return "";
}

/// Resolves chip, PTX version, level and form from the module and the request.
static Status resolveTarget(Operation *device, const DeviceRequest &request,
                            const Reporter &reporter,
                            std::unique_ptr<DeviceModule> &result) {
  auto config = [&](const Twine &text) {
    return reporter.error(Status::Config, text);
  };
  std::string name = isa<gpu::GPUModuleOp>(device)
                         ? cast<gpu::GPUModuleOp>(device).getName().str()
                         : "";
  SmallVector<NVVM::NVVMTargetAttr> attrs = targetsOf(device);
  if (attrs.size() > 1)
    return reporter.error(Status::Compile,
                          "gpu.module '" + escaped(name) + "' carries " +
                              Twine(attrs.size()) + " targets");
  NVVM::NVVMTargetAttr attr = attrs.empty() ? nullptr : attrs.front();
  std::optional<Target> target;
  if (attr) {
    target = Target::parse(attr.getChip().str());
    if (!target)
      return refuseTarget(reporter, "module target '" +
                                        escaped(attr.getChip()) +
                                        "' is not supported");
  }
  if (!request.gpuName.empty()) {
    std::optional<Target> wanted = Target::parse(request.gpuName);
    if (!wanted)
      return refuseTarget(reporter, "unsupported GPU target");
    if (target) {
      std::optional<Target> both = reconcileTarget(*target, *wanted);
      if (!both)
        return config("--gpu-name=" + request.gpuName +
                      " conflicts with module target " + target->name());
      target = both;
    } else {
      target = wanted;
    }
  }
  if (!target) {
    // A lowered module without target is unfinished; a bare module is
    // hand-written.
    if (isa<gpu::GPUModuleOp>(device))
      return reporter.error(Status::Compile,
                            "gpu.module '" + escaped(name) +
                                "' has no target attribute; run "
                                "convert-target-to-nvvm or pass --gpu-name");
    target = Target::parse(defaultTarget);
  }
  if (request.suffix == DeviceRequest::Suffix::Accelerated)
    target = target->accelerated();
  else if (request.suffix == DeviceRequest::Suffix::Minimal &&
           target->suffix() == ArchSuffix::None)
    target =
        target->minimal(boolAttr(device, "nv_tileas.needs_accelerated_arch"));

  result = std::make_unique<DeviceModule>(*target);
  DeviceModule &out = *result;
  out.name = name;
  if (Status status = choosePTXVersion(
          *target, request, attr ? attr.getFeatures() : StringRef(),
          attr ? attr.getChip() : StringRef(), reporter, out.ptxVersion);
      status != Status::Success)
    return status;

  out.fixedPTXVersion = request.ptxVersion.has_value();
  out.optLevel = request.optLevel ? *request.optLevel
                 : attr           ? unsigned(std::clamp(attr.getO(), 0, 3))
                                  : 3;
  std::string abi = stringAttr(device, launch::abiName);
  out.launchAbi = abi == "tile" ? LaunchAbi::Tile : LaunchAbi::Plain;
  out.tileKernels = !abi.empty();
  if (request.launchAbi) {
    if (!abi.empty() && out.launchAbi != *request.launchAbi)
      return config("module was lowered for launch ABI '" + escaped(abi) + "'");
    out.launchAbi = *request.launchAbi;
    out.tileKernels |= out.launchAbi == LaunchAbi::Tile;
  }
  auto flag = [&](StringRef key) {
    return attr && attr.getFlags() && attr.getFlags().contains(key);
  };
  out.approx =
      request.approx || flag("fast") || boolAttr(device, "nv_tileaa.approx");
  out.ftz = request.ftz || flag("ftz") || boolAttr(device, "nv_tileaa.ftz");
  out.debug = request.debug;
  if (boolAttr(device, "nv_tileaa.libnvvm_use_nvgpucomp"))
    reporter.warning(
        "NVGpuComp is not available; using the built-in NVPTX path");

  std::string options = stringAttr(device, "ptxas-options");
  out.ptxasOptions = tokenizeOptions(options);
  if (attr && attr.getFlags())
    if (auto text = attr.getFlags().getAs<StringAttr>("ptxas-cmd-options"))
      llvm::append_range(out.ptxasOptions, tokenizeOptions(text));
  out.basePTXOptions = tokenizeOptions(stringAttr(device, "basePTXOptions"));
  if (attr && attr.getLink())
    for (Attribute file : attr.getLink())
      if (auto path = dyn_cast<StringAttr>(file))
        out.linkFiles.push_back(path.str());
  std::string blob = stringAttr(device, "blobLinkedLib");
  if (StringRef(blob).starts_with("BC\xc0\xde"))
    out.linkBlobs.push_back(blob);
  else if (!blob.empty())
    out.linkFiles.push_back(blob);
  return Status::Success;
}

/// The compile unit of the first function that has one.
static LLVM::DICompileUnitAttr findCompileUnit(Operation *device) {
  for (auto function : device->getRegion(0).getOps<LLVM::LLVMFuncOp>())
    if (auto fused =
            function.getLoc()
                ->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>())
      if (LLVM::DICompileUnitAttr unit = fused.getMetadata().getCompileUnit())
        return unit;
  return nullptr;
}

/// Sets emission kind and optimization by the request, not by the input. Merges
/// all units: inlined code of another file has its own unit, and ptxas accepts
/// one line table only.
static void unifyCompileUnits(Operation *device, DebugKind kind,
                              bool isOptimized) {
  LLVM::DIEmissionKind wanted = LLVM::DIEmissionKind::DebugDirectivesOnly;
  if (kind == DebugKind::Full)
    wanted = LLVM::DIEmissionKind::Full;
  else if (kind == DebugKind::LineTables)
    wanted = LLVM::DIEmissionKind::LineTablesOnly;
  LLVM::DICompileUnitAttr one = findCompileUnit(device);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::DICompileUnitAttr unit) -> Attribute {
    if (one)
      unit = one;
    return LLVM::DICompileUnitAttr::get(
        unit.getId(), unit.getSourceLanguage(), unit.getFile(),
        unit.getProducer(), isOptimized, wanted, unit.getNameTableKind(),
        unit.getSplitDebugFilename());
  });
  replacer.addReplacement([&](LLVM::DISubprogramAttr program) -> Attribute {
    LLVM::DISubprogramFlags flags =
        program.getSubprogramFlags() & ~LLVM::DISubprogramFlags::Optimized;
    if (isOptimized)
      flags = flags | LLVM::DISubprogramFlags::Optimized;
    return LLVM::DISubprogramAttr::get(
        program.getContext(), program.getRecId(), program.getIsRecSelf(),
        program.getId(), program.getCompileUnit(), program.getScope(),
        program.getName(), program.getLinkageName(), program.getFile(),
        program.getLine(), program.getScopeLine(), flags, program.getType(),
        program.getRetainedNodes(), program.getAnnotations());
  });
  replacer.recursivelyReplaceElementsIn(device, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
}

/// Restores attributes of hidden arguments for the text pass; the translation
/// drops attributes of unknown dialects.
static void restoreHiddenArguments(Operation *device, llvm::Module &module) {
  for (auto function : device->getRegion(0).getOps<LLVM::LLVMFuncOp>()) {
    llvm::Function *lowered = module.getFunction(function.getSymName());
    if (!lowered)
      continue;
    if (auto maps =
            function->getAttrOfType<IntegerAttr>(launch::deviceMapsName))
      lowered->addFnAttr(launch::deviceMapsName, llvm::utostr(maps.getInt()));
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (auto kind =
              function.getArgAttrOfType<StringAttr>(i, launch::hiddenName))
        lowered->addParamAttr(i, llvm::Attribute::get(module.getContext(),
                                                      launch::hiddenName,
                                                      kind.getValue()));
  }
}

Status translateDevice(Operation *device, const DeviceRequest &request,
                       const Reporter &reporter,
                       std::unique_ptr<DeviceModule> &result) {
  // A host module next to the kernels of a bare module is not device code.
  SmallVector<Operation *> hosts;
  for (Operation &op : device->getRegion(0).front())
    if (isa<ModuleOp>(op))
      hosts.push_back(&op);
  Operation *anchor = device;
  OwningOpRef<Operation *> stripped;
  if (!hosts.empty()) {
    stripped = device->clone();
    for (Operation &op :
         llvm::make_early_inc_range((*stripped)->getRegion(0).front()))
      if (isa<ModuleOp>(op))
        op.erase();
    anchor = *stripped;
  }

  if (failed(verifySerializable(anchor,
                                /*requireTarget=*/request.gpuName.empty() &&
                                    isa<gpu::GPUModuleOp>(device))))
    return Status::Compile;
  if (Status status = resolveTarget(device, request, reporter, result);
      status != Status::Success)
    return status;
  // The target is resolved already; the translation rejects the attribute.
  anchor->removeAttr("nvvm.target");
  result->relocatable = request.relocatable;
  if (request.debug != DebugKind::None)
    unifyCompileUnits(anchor, request.debug, result->optLevel > 0);

  result->context = std::make_unique<llvm::LLVMContext>();
  result->module = translateModuleToLLVMIR(
      anchor, *result->context, result->name.empty() ? "module" : result->name);
  if (!result->module)
    return reporter.error(Status::Compile,
                          "the device module cannot be translated to LLVM IR");
  restoreHiddenArguments(anchor, *result->module);
  if (request.debug == DebugKind::None)
    llvm::StripDebugInfo(*result->module);
  return Status::Success;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/host/HostObject.h"

#include "dialects/launch/KernelAbi.h"
#include "serialize/elf/Cubin.h"
#include "serialize/host/HostKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64Target();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64AsmPrinter();
}

namespace tileir {

using namespace llvm;

/// The module with the attribute `mark`: a unit attribute, or the name of its
/// `gpu.module`.
static mlir::Operation *findMarked(mlir::ModuleOp root, StringRef mark,
                                   StringRef deviceModule) {
  for (mlir::ModuleOp module : root.getOps<mlir::ModuleOp>()) {
    mlir::Attribute attr = module->getAttr(mark);
    auto owner = mlir::dyn_cast_if_present<mlir::StringAttr>(attr);
    if (attr && (!owner || owner.getValue() == deviceModule))
      return module;
  }
  return nullptr;
}

mlir::Operation *findHostModule(mlir::ModuleOp root, StringRef deviceModule) {
  return findMarked(root, launch::hostModuleName, deviceModule);
}

mlir::Operation *findLauncherModule(mlir::ModuleOp root,
                                    StringRef deviceModule) {
  return findMarked(root, launch::launcherModuleName, deviceModule);
}

const llvm::Target *findHostTarget(const Triple &triple) {
  if (triple.getArch() == Triple::x86_64) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  } else if (triple.getArch() == Triple::aarch64) {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  } else {
    return nullptr;
  }
  std::string ignored;
  return TargetRegistry::lookupTarget(triple, ignored);
}

static std::string tripleOf(mlir::Operation *host) {
  if (auto text = host->getAttrOfType<mlir::StringAttr>(
          mlir::LLVM::LLVMDialect::getTargetTripleAttrName()))
    return text.str();
  return sys::getProcessTriple();
}

/// Translates `module` to LLVM IR for `machine`, without debug information.
static std::unique_ptr<Module> translateHost(mlir::Operation *host,
                                             StringRef name,
                                             LLVMContext &context,
                                             const TargetMachine &machine) {
  std::unique_ptr<Module> module =
      mlir::translateModuleToLLVMIR(host, context, name);
  if (!module)
    return nullptr;
  StripDebugInfo(*module);
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  return module;
}

static Status emitObject(TargetMachine &machine, Module &module,
                         const Reporter &reporter, std::string &object) {
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, stream, nullptr,
                                  CodeGenFileType::ObjectFile))
    return reporter.error(Status::Compile, "LLVM cannot write an object for '" +
                                               machine.getTargetTriple().str() +
                                               "'");
  codegen.run(module);
  object = bytes.str().str();
  return Status::Success;
}

static Status untranslatable(const Reporter &reporter) {
  return reporter.error(Status::Compile,
                        "the host module cannot be translated to LLVM IR");
}

/// Clones the host module with the numbers of interface version 1.
static mlir::OwningOpRef<mlir::Operation *>
withAlwaysWorkspace(mlir::Operation *host) {
  mlir::OwningOpRef<mlir::Operation *> changed = host->clone();
  (*changed)->walk([](mlir::LLVM::ConstantOp op) {
    auto set = [&](int64_t value) {
      op.setValueAttr(mlir::IntegerAttr::get(op.getType(), value));
    };
    if (op->hasAttr(launch::interfaceVersionName))
      set(1);
    if (op->hasAttr(launch::workspaceVersionName))
      set(std::numeric_limits<int32_t>::max());
  });
  return changed;
}

Status compileHostModule(mlir::Operation *host, ArrayRef<KernelFacts> kernels,
                         bool alwaysWorkspace, const Reporter &reporter,
                         std::string &object, bool &backEndMissing) {
  Triple triple(Triple::normalize(tripleOf(host)));
  const llvm::Target *target = findHostTarget(triple);
  bool arm = triple.getArch() == Triple::aarch64;
  TargetOptions options;
  options.MCOptions.EmitDwarfUnwind = EmitDwarfUnwindType::NoCompactUnwind;
  // The subset of code and relocation models that every release used, at one
  // optimization level, so that the object does not depend on options of the
  // compilation.
  std::unique_ptr<TargetMachine> machine;
  if (target)
    machine.reset(target->createTargetMachine(
        triple, arm ? "generic" : "x86-64", "", options,
        arm ? Reloc::PIC_ : Reloc::Static,
        arm ? CodeModel::Small : CodeModel::Large, CodeGenOptLevel::Default));
  backEndMissing = !machine;
  if (backEndMissing)
    return Status::Success;

  mlir::OwningOpRef<mlir::Operation *> changed;
  if (alwaysWorkspace) {
    changed = withAlwaysWorkspace(host);
    host = *changed;
  }
  LLVMContext context;
  std::unique_ptr<Module> module =
      translateHost(host, "tileir_host", context, *machine);
  if (!module)
    return untranslatable(reporter);
  std::string mismatch = keepHostKernels(*module, kernels);
  if (!mismatch.empty())
    return reporter.error(Status::Compile,
                          mismatch + "; run tileir-emit-host-wrapper last");
  for (Function &function : *module) {
    if (function.isDeclaration())
      continue;
    // No vector constants, no library calls, nothing to unwind, no probes.
    function.addFnAttr(Attribute::NoImplicitFloat);
    function.addFnAttr(Attribute::NoUnwind);
    function.addFnAttr(Attribute::NoBuiltin);
    function.addFnAttr("no-builtins");
    function.addFnAttr("no-stack-arg-probe");
    function.removeFnAttr(Attribute::StackProtect);
    function.removeFnAttr(Attribute::UWTable);
  }
  if (Status status = emitObject(*machine, *module, reporter, object);
      status != Status::Success)
    return status;
  std::string problem = checkHostObject(object);
  if (!problem.empty())
    return reporter.error(Status::Compile,
                          "internal error: host object: " + problem);
  return Status::Success;
}

Status compileLauncherModule(mlir::Operation *launchers,
                             ArrayRef<KernelFacts> kernels,
                             const Reporter &reporter, std::string &object) {
  std::string name = tripleOf(launchers);
  Triple triple(Triple::normalize(name));
  const llvm::Target *target = findHostTarget(triple);
  std::unique_ptr<TargetMachine> machine;
  if (target)
    machine.reset(target->createTargetMachine(
        triple, triple.getArch() == Triple::aarch64 ? "generic" : "x86-64", "",
        TargetOptions(), Reloc::PIC_, std::nullopt, CodeGenOptLevel::Default));
  if (!machine)
    return reporter.error(Status::Compile, "no host backend for '" + name +
                                               "'; launcher stubs need one");
  LLVMContext context;
  std::unique_ptr<Module> module =
      translateHost(launchers, "tileir_launchers", context, *machine);
  if (!module)
    return untranslatable(reporter);
  keepLauncherStubs(*module, kernels);
  return emitObject(*machine, *module, reporter, object);
}

std::string checkHostObject(StringRef object) {
  std::string error;
  std::optional<ElfFile> elf = parseElf(object, error);
  if (!elf)
    return error;
  if (elf->type != ELF::ET_REL)
    return "not a relocatable file";
  bool arm = elf->machine == ELF::EM_AARCH64;
  if (!arm && elf->machine != ELF::EM_X86_64)
    return "unexpected machine " + std::to_string(elf->machine);

  static const char *const loadable[] = {
      ".text",    ".ltext",       ".bss",          ".lbss", ".rodata",
      ".lrodata", ".data.rel.ro", ".ldata.rel.ro", ".data", ".ldata"};
  for (const ElfSection &section : elf->sections) {
    if ((section.flags & ELF::SHF_ALLOC) && section.size) {
      StringRef name = section.name;
      bool known = any_of(loadable, [&](StringRef prefix) {
        return name == prefix || name.starts_with((prefix + ".").str());
      });
      if (!known || (section.flags & (ELF::SHF_MERGE | ELF::SHF_TLS)))
        return "unexpected section '" + section.name + "'";
    }
    if (section.type != ELF::SHT_RELA)
      continue;
    if (section.info < elf->sections.size() &&
        !(elf->sections[section.info].flags & ELF::SHF_ALLOC))
      continue;
    for (StringRef d = section.data; d.size() >= 24; d = d.drop_front(24)) {
      uint32_t type = support::endian::read32le(d.data() + 8);
      bool known =
          arm ? is_contained({ELF::R_AARCH64_ABS64, ELF::R_AARCH64_ADR_GOT_PAGE,
                              ELF::R_AARCH64_LD64_GOT_LO12_NC,
                              ELF::R_AARCH64_ADR_PREL_PG_HI21,
                              ELF::R_AARCH64_ADD_ABS_LO12_NC},
                             type)
              : type == ELF::R_X86_64_64;
      if (!known)
        return "relocation type " + std::to_string(type) + " in '" +
               section.name + "'";
    }
  }
  unsigned index = 0;
  for (const ElfSymbol &symbol : elf->symbols) {
    if (index++ == 0)
      continue;
    if (symbol.section == ELF::SHN_UNDEF &&
        symbol.name != "_GLOBAL_OFFSET_TABLE_")
      return "undefined symbol '" + symbol.name + "'";
    bool exported = symbol.name == "__CUDA_TILEIR_ON_PRE_LOAD" ||
                    symbol.name == "__CUDA_TILEIR_CALLBACKS";
    if (symbol.section != ELF::SHN_UNDEF &&
        ((symbol.info >> 4) != ELF::STB_LOCAL) != exported)
      return "symbol '" + symbol.name + "' has the wrong binding";
  }
  return "";
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Libdevice.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace tileir {

using namespace llvm;

bool needsLibdevice(const Module &module) {
  return any_of(module, [](const Function &f) {
    return f.isDeclaration() && f.getName().starts_with("__nv_") &&
           !f.use_empty();
  });
}

Status linkBitcode(Module &module, StringRef path, const Reporter &reporter) {
  constexpr uint64_t maxBytes = uint64_t(64) << 20;
  // A module may name the path: only a regular file is opened.
  sys::fs::file_status status;
  if (sys::fs::status(path, status) || !sys::fs::is_regular_file(status))
    return reporter.error(Status::Compile,
                          "blobLinkedLib: bitcode path does not exist or is "
                          "not a file: '" +
                              escaped(path) + "'");
  if (status.getSize() > maxBytes)
    return reporter.error(Status::Compile,
                          "'" + escaped(path) + "' is larger than 64 MiB");
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return reporter.error(Status::Compile,
                          "cannot read '" + escaped(path) +
                              "': " + buffer.getError().message());
  return linkBitcode(module, std::move(*buffer), reporter);
}

Status linkBitcode(Module &module, std::unique_ptr<MemoryBuffer> bitcode,
                   const Reporter &reporter) {
  std::string name = escaped(bitcode->getBufferIdentifier());
  // The reader loads the bodies of called functions only.
  Expected<std::unique_ptr<Module>> library =
      getOwningLazyBitcodeModule(std::move(bitcode), module.getContext());
  if (!library)
    return reporter.error(
        Status::Compile,
        "'" + name + "' is not LLVM bitcode: " + toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());

  StringSet<> ours;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      ours.insert(value.getName());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return reporter.error(Status::Compile, "cannot link '" + name + "'");
  for (GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !ours.contains(value.getName()) &&
        !value.getName().starts_with("llvm."))
      value.setLinkage(GlobalValue::InternalLinkage);
  return Status::Success;
}

static bool isReflect(StringRef name) {
  return name == "__nvvm_reflect" || name == "__nvvm_reflect_ocl" ||
         name == "_Z20__nvvm_reflectPKc" || name == "llvm.nvvm.reflect" ||
         name.starts_with("llvm.nvvm.reflect.");
}

/// The key of a reflection call; sets `problem` when there is none.
static StringRef reflectKey(const CallInst &call, StringRef &problem) {
  if (call.arg_size() != 1) {
    problem = "requires exactly one argument";
    return {};
  }
  const auto *global =
      dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  if (!global || !global->hasInitializer()) {
    problem = "argument must be a constant string";
    return {};
  }
  const auto *data = dyn_cast<ConstantDataSequential>(global->getInitializer());
  if (!data || !data->isString()) {
    problem = "argument must be a string constant";
    return {};
  }
  if (!data->isCString()) {
    problem = "argument must be a null-terminated string";
    return {};
  }
  if (data->getAsCString().empty())
    problem = "argument cannot be empty";
  return data->getAsCString();
}

Status resolveReflection(Module &module, const StringMap<int> &values,
                         const StringMap<int> &overrides,
                         const Reporter &reporter) {
  StringMap<int> map = values;
  if (const NamedMDNode *node = module.getNamedMetadata("nvvm.reflection"))
    for (const MDNode *pair : node->operands())
      if (pair->getNumOperands() == 2)
        if (auto *key = dyn_cast_or_null<MDString>(pair->getOperand(0)))
          if (auto *value = mdconst::dyn_extract_or_null<ConstantInt>(
                  pair->getOperand(1)))
            map[key->getString()] = int(value->getSExtValue());
  if (auto *flag = mdconst::extract_or_null<ConstantInt>(
          module.getModuleFlag("nvvm-reflect-ftz")))
    map["__CUDA_FTZ"] = int(flag->getSExtValue());
  for (const auto &entry : overrides)
    map[entry.first()] = entry.second;

  for (Function &function : module) {
    if (!isReflect(function.getName()))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function)
        return reporter.error(
            Status::Compile,
            "__nvvm_reflect can only be used in a call instruction");
      StringRef problem;
      StringRef key = reflectKey(*call, problem);
      if (!problem.empty())
        return reporter.error(Status::Compile, "__nvvm_reflect " + problem);
      call->replaceAllUsesWith(
          ConstantInt::getSigned(call->getType(), map.lookup(key)));
      call->eraseFromParent();
    }
  }
  return Status::Success;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/host/Registration.h"

#include "serialize/host/HostObject.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace tileir {

using namespace llvm;

/// Makes one function for each kernel. Only its address is used, so its body is
/// empty.
static Function *makeHandle(Module &module, StringRef kernel) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage, kernel, module);
  IRBuilder<>(BasicBlock::Create(context, "", function)).CreateRetVoid();
  return function;
}

static void makeConstructor(Module &module,
                            const RegistrationRequest &request) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *i32 = Type::getInt32Ty(context);
  Type *none = Type::getVoidTy(context);
  auto *wrapper = new GlobalVariable(
      module, Type::getInt8Ty(context), /*isConstant=*/false,
      GlobalValue::ExternalLinkage, nullptr, request.wrapperSymbol);
  auto *handle = new GlobalVariable(
      module, pointer, /*isConstant=*/false, GlobalValue::InternalLinkage,
      Constant::getNullValue(pointer), "tileir_fatbin_handle");
  FunctionCallee registerBinary =
      module.getOrInsertFunction("__cudaRegisterFatBinary", pointer, pointer);
  FunctionCallee registerFunction = module.getOrInsertFunction(
      "__cudaRegisterFunction", i32, pointer, pointer, pointer, pointer, i32,
      pointer, pointer, pointer, pointer, pointer);
  FunctionCallee registerEnd =
      module.getOrInsertFunction("__cudaRegisterFatBinaryEnd", none, pointer);
  FunctionCallee unregister =
      module.getOrInsertFunction("__cudaUnregisterFatBinary", none, pointer);
  FunctionCallee atExit = module.getOrInsertFunction("atexit", i32, pointer);

  auto *type = FunctionType::get(none, false);
  auto *release = Function::Create(type, GlobalValue::InternalLinkage,
                                   "tileir_unregister", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", release));
  builder.CreateCall(unregister, builder.CreateLoad(pointer, handle));
  builder.CreateRetVoid();

  auto *construct = Function::Create(type, GlobalValue::InternalLinkage,
                                     "tileir_register", module);
  builder.SetInsertPoint(BasicBlock::Create(context, "", construct));
  Value *binary = builder.CreateCall(registerBinary, wrapper);
  builder.CreateStore(binary, handle);
  Value *null = Constant::getNullValue(pointer);
  for (const std::string &kernel : request.kernels) {
    Value *name = builder.CreateGlobalString(kernel, "tileir_kernel_name");
    builder.CreateCall(registerFunction,
                       {binary, makeHandle(module, kernel), name, name,
                        ConstantInt::getSigned(i32, -1), null, null, null, null,
                        null});
  }
  builder.CreateCall(registerEnd, binary);
  builder.CreateCall(atExit, release);
  builder.CreateRetVoid();
  appendToGlobalCtors(module, construct, /*Priority=*/65535);
}

Status compileRegistration(const RegistrationRequest &request,
                           const Reporter &reporter, std::string &object) {
  Triple triple(request.triple);
  const llvm::Target *target = findHostTarget(triple);
  std::unique_ptr<TargetMachine> machine;
  TargetOptions options;
  options.UseInitArray = true;
  // Position-independent code works in every kind of program and library.
  if (target)
    machine.reset(target->createTargetMachine(
        triple, triple.getArch() == Triple::aarch64 ? "generic" : "x86-64", "",
        options, Reloc::PIC_));
  if (!machine)
    return reporter.error(Status::Compile, "no host backend for '" +
                                               request.triple +
                                               "'; use --register=none");
  LLVMContext context;
  Module module("tileir_registration", context);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
  makeConstructor(module, request);
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(Attribute::NoUnwind);
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr,
                                   CodeGenFileType::ObjectFile))
    return reporter.error(Status::Compile, "LLVM cannot write an object for '" +
                                               request.triple + "'");
  codegen.run(module);
  object = bytes.str().str();
  return Status::Success;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

/// The value as C passes it to an ellipsis.
static Value *promote(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (type->isHalfTy() || type->isBFloatTy() || type->isFloatTy())
    return builder.CreateFPExt(value, builder.getDoubleTy());
  if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
    return type->isIntegerTy(1)
               ? builder.CreateZExt(value, builder.getInt32Ty())
               : builder.CreateSExt(value, builder.getInt32Ty());
  if (auto *pointer = dyn_cast<PointerType>(type);
      pointer && pointer->getAddressSpace() != 0)
    return builder.CreateAddrSpaceCast(value, builder.getPtrTy());
  return value;
}

static Status lowerCall(CallInst *call, FunctionCallee vprintf,
                        const Reporter &reporter) {
  Value *format = call->getArgOperand(0);
  auto *global = dyn_cast<GlobalVariable>(format->stripPointerCasts());
  if (!global || !global->isConstant() || !global->hasInitializer())
    return reporter.error(Status::Compile,
                          "printf format string must be a constant");
  IRBuilder<> builder(call);
  if (format->getType()->getPointerAddressSpace() != 0)
    format = builder.CreateAddrSpaceCast(format, builder.getPtrTy());
  Value *buffer = ConstantPointerNull::get(builder.getPtrTy());
  if (call->arg_size() > 1) {
    SmallVector<Value *> values;
    SmallVector<Type *> types;
    for (Value *argument : drop_begin(call->args())) {
      values.push_back(promote(builder, argument));
      types.push_back(values.back()->getType());
    }
    StructType *layout = StructType::get(call->getContext(), types);
    IRBuilder<> entry(&*call->getFunction()->getEntryBlock().begin());
    Value *slot = entry.CreateAlloca(layout, nullptr, "vprintfBuffer.local");
    for (auto [i, value] : enumerate(values))
      builder.CreateStore(value, builder.CreateStructGEP(layout, slot, i));
    buffer = slot;
    if (slot->getType()->getPointerAddressSpace() != 0)
      buffer = builder.CreateAddrSpaceCast(slot, builder.getPtrTy());
  }
  call->replaceAllUsesWith(builder.CreateCall(vprintf, {format, buffer}));
  call->eraseFromParent();
  return Status::Success;
}

Status lowerPrintf(Module &module, const Reporter &reporter) {
  Function *printf = module.getFunction("printf");
  if (!printf || !printf->isDeclaration())
    return Status::Success;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  FunctionCallee vprintf = module.getOrInsertFunction(
      "vprintf", Type::getInt32Ty(context), pointer, pointer);
  for (User *user : make_early_inc_range(printf->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != printf || call->arg_empty())
      return reporter.error(Status::Compile,
                            "printf can only be called directly");
    if (Status status = lowerCall(call, vprintf, reporter);
        status != Status::Success)
      return status;
  }
  printf->eraseFromParent();
  return Status::Success;
}

Status selectKernels(Module &module, StringRef list, StringRef range,
                     const Reporter &reporter) {
  if (list.empty() && range.empty())
    return Status::Success;
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !function.isDeclaration())
      kernels.push_back(&function);
  SmallSetVector<Function *, 8> kept;
  SmallVector<StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    Function *function = module.getFunction(name);
    if (function && is_contained(kernels, function))
      kept.insert(function);
    else
      reporter.warning("there is no kernel named '" + escaped(name) + "'");
  }
  SmallVector<StringRef> ranges;
  range.split(ranges, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : ranges) {
    auto [first, last] = text.split('-');
    unsigned from = 0, to = 0;
    if (first.getAsInteger(10, from) ||
        (last.empty() ? (to = from, text.contains('-'))
                      : last.getAsInteger(10, to)))
      return reporter.error(Status::Config,
                            "invalid kernel range '" + escaped(text) + "'");
    for (unsigned i = from; i <= to && i < kernels.size(); ++i)
      kept.insert(kernels[i]);
  }
  if (kept.empty())
    return reporter.error(Status::Compile, "no kernel selected");
  for (Function *kernel : kernels)
    if (!kept.contains(kernel)) {
      kernel->dropAllReferences();
      kernel->eraseFromParent();
    }
  return Status::Success;
}

void removeRepeatedBarriers(Module &module) {
  auto isBarrier = [](const Instruction &inst) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    return call && call->getIntrinsicID() ==
                       Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  };
  for (Function &function : module)
    for (BasicBlock &block : function) {
      Instruction *last = nullptr;
      for (Instruction &inst : make_early_inc_range(block)) {
        if (isBarrier(inst)) {
          if (last && last->isIdenticalTo(&inst)) {
            inst.eraseFromParent();
            continue;
          }
          last = &inst;
        } else if (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects()) {
          last = nullptr;
        }
      }
    }
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/PerCtaMemory.h"

#include "dialects/launch/TensorMap.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

static Function *findRequest(const Module &module) {
  Function *function = module.getFunction(launch::perCtaMemoryName);
  return function && function->isDeclaration() ? function : nullptr;
}

bool usesPerCtaMemory(const Module &module) {
  Function *function = findRequest(module);
  return function && !function->use_empty();
}

void resolvePerCtaMemory(Module &module, bool available) {
  Function *function = findRequest(module);
  if (!function)
    return;
  for (User *user : make_early_inc_range(function->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != function ||
        !call->getType()->isIntegerTy(64))
      continue;
    Value *value = ConstantInt::get(call->getType(), 0);
    if (available) {
      auto *read = InlineAsm::get(
          FunctionType::get(call->getType(), /*isVarArg=*/false),
          "mov.u64 $0, %perctamemoryoffset;", "=l", /*hasSideEffects=*/false);
      value = IRBuilder<>(call).CreateCall(read);
    }
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  if (function->use_empty())
    function->eraseFromParent();
}

} // namespace tileir

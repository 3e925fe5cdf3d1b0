// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/NegativeFactors.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

/// Returns whether `call` is an MMA with operands in registers.
static bool isProduct(const CallBase &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return assembly->getAsmString().find("mma.sync") != std::string::npos;
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.mma.");
}

/// The bits of a 32-bit register of several numbers; none for other types and
/// for values that are no constant.
static std::optional<APInt> getWord(const Value *value) {
  if (auto *number = dyn_cast<ConstantInt>(value))
    return number->getBitWidth() == 32
               ? std::optional<APInt>(number->getValue())
               : std::nullopt;
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  auto *constant = dyn_cast<Constant>(value);
  if (!type || !constant || type->getPrimitiveSizeInBits() != 32)
    return std::nullopt;
  APInt word(32, 0);
  unsigned bits = type->getScalarSizeInBits();
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Constant *element = constant->getAggregateElement(i);
    if (auto *number = dyn_cast_or_null<ConstantFP>(element))
      word.insertBits(number->getValueAPF().bitcastToAPInt(), i * bits);
    else if (auto *integer = dyn_cast_or_null<ConstantInt>(element))
      word.insertBits(integer->getValue(), i * bits);
    else
      return std::nullopt;
  }
  return word;
}

void hideNegativeFactors(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || !isProduct(*call))
        continue;
      IRBuilder<> builder(call);
      for (Use &use : call->args()) {
        std::optional<APInt> word = getWord(use.get());
        if (!word || !word->isNegative())
          continue;
        Value *active = builder.CreateIntrinsic(builder.getInt32Ty(),
                                                Intrinsic::nvvm_activemask, {});
        Value *hidden = builder.CreateAnd(active, builder.getInt(*word));
        use.set(builder.CreateBitCast(hidden, use->getType()));
      }
    }
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/MemorySpaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <vector>

namespace tileir {

using namespace llvm;

/// The memory space of each argument that is a generic pointer cast from this
/// space; 0 for the others.
static std::vector<unsigned> spacesOf(const CallBase &call) {
  std::vector<unsigned> spaces;
  for (const Use &argument : call.args()) {
    unsigned space = 0;
    if (auto *cast = dyn_cast<AddrSpaceCastOperator>(argument.get()))
      if (cast->getDestAddressSpace() == 0 &&
          !call.isByValArgument(call.getArgOperandNo(&argument)))
        space = cast->getSrcAddressSpace();
    spaces.push_back(space);
  }
  return spaces;
}

/// Returns whether the module's body of `function` is the one that runs, so
/// that calls may use a copy of it.
static bool isClonable(const Function &function) {
  return function.hasExactDefinition() && !function.isVarArg() &&
         function.getCallingConv() != CallingConv::PTX_Kernel;
}

static Function *clone(Function &function, ArrayRef<unsigned> spaces) {
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&function, values);
  copy->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(&*copy->getEntryBlock().getFirstInsertionPt());
  for (auto [argument, space] : zip_equal(copy->args(), spaces)) {
    if (!space)
      continue;
    Value *special =
        builder.CreateAddrSpaceCast(&argument, builder.getPtrTy(space));
    Value *generic = builder.CreateAddrSpaceCast(special, argument.getType());
    argument.replaceUsesWithIf(
        generic, [&](Use &use) { return use.getUser() != special; });
  }
  return copy;
}

unsigned cloneForMemorySpaces(Module &module, int limit) {
  std::map<std::pair<Function *, std::vector<unsigned>>, Function *> clones;
  DenseMap<Function *, Function *> originals;
  unsigned made = 0;
  SmallVector<Function *> work;
  for (Function &function : module)
    work.push_back(&function);
  // Calls in a clone see its pointers with their spaces, so the loop visits
  // clones, too. There are at most as many clones as functions times
  // combinations of parameter spaces.
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    for (Instruction &inst : instructions(*function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !isClonable(*callee) ||
          call->getFunctionType() != callee->getFunctionType())
        continue;
      std::vector<unsigned> spaces = spacesOf(*call);
      if (none_of(spaces, [](unsigned space) { return space != 0; }))
        continue;
      Function *original = originals.lookup(callee);
      if (!original)
        original = callee;
      Function *&copy = clones[{original, spaces}];
      if (!copy) {
        if (limit >= 0 && made >= unsigned(limit))
          continue;
        copy = clone(*original, spaces);
        originals[copy] = original;
        work.push_back(copy);
        ++made;
      }
      call->setCalledFunction(copy);
    }
  }
  return made;
}

/// Replaces `pointer` by an opaque copy.
static void hide(Value &pointer, Instruction &before) {
  IRBuilder<> builder(&before);
  Type *type = pointer.getType();
  InlineAsm *copy = InlineAsm::get(FunctionType::get(type, {type}, false),
                                   "mov.b64 $0, $1;", "=l,l",
                                   /*hasSideEffects=*/false);
  CallInst *hidden = builder.CreateCall(copy, {&pointer});
  hidden->setDoesNotAccessMemory();
  hidden->setDoesNotThrow();
  pointer.replaceUsesWithIf(hidden,
                            [&](Use &use) { return use.getUser() != hidden; });
}

static bool isGenericPointer(const Value &value) {
  auto *type = dyn_cast<PointerType>(value.getType());
  return type && type->getAddressSpace() == 0;
}

static void hideLoadedPointers(Function &kernel) {
  SmallVector<Instruction *> pointers;
  for (Instruction &inst : instructions(kernel)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (!load)
      continue;
    auto *from =
        dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand()));
    if (!from || !from->hasByValAttr())
      continue;
    if (isGenericPointer(*load))
      pointers.push_back(load);
    for (User *user : load->users())
      if (isa<IntToPtrInst>(user) && isGenericPointer(*user))
        pointers.push_back(cast<Instruction>(user));
  }
  for (Instruction *pointer : pointers)
    hide(*pointer, *pointer->getNextNode());
}

void hidePointers(Module &module, bool parameters, bool loaded) {
  for (Function &function : module) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel ||
        function.isDeclaration())
      continue;
    if (loaded)
      hideLoadedPointers(function);
    if (parameters)
      for (Argument &argument : function.args())
        if (isGenericPointer(argument) && !argument.hasByValAttr() &&
            !argument.use_empty())
          hide(argument, *function.getEntryBlock().getFirstInsertionPt());
  }
}

} // namespace tileir

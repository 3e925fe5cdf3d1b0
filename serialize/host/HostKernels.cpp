// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/host/HostKernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

namespace {

/// An entry of the table of kernels.
struct Entry {
  Constant *words;
  GlobalVariable *name;
  Function *change;
};

} // namespace

static StringSet<> namesOf(ArrayRef<KernelFacts> kernels) {
  StringSet<> names;
  for (const KernelFacts &kernel : kernels)
    names.insert(kernel.name);
  return names;
}

/// The text of a NUL-terminated constant.
static StringRef textOf(const GlobalVariable &global) {
  auto *data = dyn_cast<ConstantDataArray>(global.getInitializer());
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

static bool readEntries(const GlobalVariable &table,
                        SmallVectorImpl<Entry> &entries) {
  const Constant *words = table.getInitializer();
  auto *type = dyn_cast<ArrayType>(words->getType());
  for (unsigned i = 0; type && i < type->getNumElements(); ++i) {
    Constant *entry = words->getAggregateElement(i);
    Constant *name = entry ? entry->getAggregateElement(0u) : nullptr;
    Constant *change = entry ? entry->getAggregateElement(2u) : nullptr;
    entries.push_back({entry, dyn_cast_or_null<GlobalVariable>(name),
                       dyn_cast_or_null<Function>(change)});
    if (!entries.back().name || !entries.back().change)
      return false;
  }
  return type != nullptr;
}

/// Returns the structure `constant` with another value in one field.
static Constant *withWord(Constant *constant, unsigned index, uint64_t value) {
  auto *type = cast<StructType>(constant->getType());
  SmallVector<Constant *> words;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    words.push_back(constant->getAggregateElement(i));
  words[index] = ConstantInt::get(type->getElementType(index), value);
  return ConstantStruct::get(type, words);
}

/// Updates the module table and ON_PRE_LOAD: the number of kernels, and
/// workspace for the kernel that builds most tensor maps.
static void adaptModuleTable(Module &module, ArrayRef<KernelFacts> kernels) {
  uint64_t maps = 0;
  for (const KernelFacts &kernel : kernels)
    maps = std::max<uint64_t>(maps, kernel.deviceMaps);
  uint64_t bytesPerSM = maps * limits::workspaceBytesPerMapAndSM;
  constexpr unsigned workspaceWord = 2, kernelsWord = 6;
  if (GlobalVariable *table =
          module.getGlobalVariable("__CUDA_TILEIR_CALLBACKS")) {
    Constant *words =
        withWord(table->getInitializer(), kernelsWord, kernels.size());
    table->setInitializer(
        withWord(words, workspaceWord, bytesPerSM * limits::workspaceSMs));
  }
  // The only multiplication of the function is SMs times bytes.
  if (Function *load = module.getFunction("__CUDA_TILEIR_ON_PRE_LOAD"))
    for (BasicBlock &block : *load)
      for (Instruction &inst : block)
        if (inst.getOpcode() == Instruction::Mul)
          inst.setOperand(1, ConstantInt::get(inst.getType(), bytesPerSM));
}

std::string keepHostKernels(Module &module, ArrayRef<KernelFacts> kernels) {
  GlobalVariable *table = module.getGlobalVariable(
      "__CUDA_TILEIR_FUNC_CALLBACKS", /*AllowInternal=*/true);
  SmallVector<Entry> entries;
  if (!table || !table->hasInitializer() || !readEntries(*table, entries))
    return "the host module has no table of kernels";
  StringSet<> wanted = namesOf(kernels), known;
  for (const Entry &entry : entries)
    known.insert(textOf(*entry.name));
  for (const KernelFacts &kernel : kernels)
    if (!known.contains(kernel.name))
      return "the host module does not know kernel '" + kernel.name + "'";
  SmallVector<Entry> kept, dropped;
  for (const Entry &entry : entries)
    (wanted.contains(textOf(*entry.name)) ? kept : dropped).push_back(entry);
  if (dropped.empty())
    return "";

  SmallVector<Constant *> words;
  for (const Entry &entry : kept)
    words.push_back(entry.words);
  auto *type = ArrayType::get(words.front()->getType(), words.size());
  auto *shorter =
      new GlobalVariable(module, type, /*isConstant=*/true, table->getLinkage(),
                         ConstantArray::get(type, words), "", table);
  shorter->setAlignment(table->getAlign());
  table->replaceAllUsesWith(shorter);
  shorter->takeName(table);
  table->eraseFromParent();
  for (const Entry &entry : dropped) {
    entry.change->removeDeadConstantUsers();
    entry.change->eraseFromParent();
    entry.name->removeDeadConstantUsers();
    entry.name->eraseFromParent();
  }
  // In ascending order a number is free before it is assigned.
  for (auto [index, entry] : enumerate(kept)) {
    entry.name->setName("__CUDA_TILEIR_FUNC_NAME_" + Twine(index));
    entry.change->setName("__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_" +
                          Twine(index));
  }
  adaptModuleTable(module, kernels);
  return "";
}

void keepLauncherStubs(Module &module, ArrayRef<KernelFacts> kernels) {
  StringSet<> wanted = namesOf(kernels);
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (name.consume_front("__tileir_launch_") && !wanted.contains(name))
      function.eraseFromParent();
  }
}

} // namespace tileir

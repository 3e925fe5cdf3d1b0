// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERIALIZE_PTX_CALLEDTEXT_H
#define SERIALIZE_PTX_CALLEDTEXT_H

#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

namespace tileir {

/// The text of inline PTX, else the name of the callee; empty where it is
/// unknown.
inline llvm::StringRef getCalledText(const llvm::CallBase &call) {
  if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return assembly->getAsmString();
  const llvm::Function *callee = call.getCalledFunction();
  return callee ? callee->getName() : llvm::StringRef();
}

/// Returns whether the instruction or callee `text`, as from `getCalledText`,
/// uses tensor cores.
inline bool usesTensorCores(llvm::StringRef text) {
  return text.contains("mma") || text.contains("tcgen05");
}

} // namespace tileir

#endif // SERIALIZE_PTX_CALLEDTEXT_H

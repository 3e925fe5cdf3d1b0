// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_REMATERIALIZE_H
#define SERIALIZE_PTX_REMATERIALIZE_H

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Computes cheap integers and addresses, as rows and offsets are, again behind
/// a loop that carries so much that none of its registers is left for them.
/// Only those are made again whose own operands are at hand there anyway:
/// parameters, numbers of threads, values that the loop uses or that something
/// else behind it wants. What is made has an empty piece of assembly in front,
/// so that no later pass finds it to be the same.
class RematerializePass : public llvm::PassInfoMixin<RematerializePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace tileir

#endif // SERIALIZE_PTX_REMATERIALIZE_H

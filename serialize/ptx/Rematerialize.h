// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_REMATERIALIZE_H
#define SERIALIZE_PTX_REMATERIALIZE_H

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Rematerializes cheap integers and addresses, such as rows and offsets, after
/// a loop that carries so many values that no register is left for them, and
/// before it in the loops around it. A value qualifies if its own operands are
/// live there in any case: parameters, thread numbers, values that the loop or
/// other code after it uses. An empty piece of inline assembly precedes the
/// copy, so that no later pass merges it with the original. In the same way the
/// pass hides the counters of the loops around from loop strength reduction.
class RematerializePass : public llvm::PassInfoMixin<RematerializePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace tileir

#endif // SERIALIZE_PTX_REMATERIALIZE_H

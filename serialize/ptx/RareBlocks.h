// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_RAREBLOCKS_H
#define SERIALIZE_PTX_RAREBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Takes blocks that multiply a sum of products, which few iterations go
/// through (nv_tileas.async.rescale), out of the loop around them. The loop
/// begins behind the block: what stands before it in the body is made once in
/// front of the loop, too, and control enters by the block. So the block begins
/// a loop around the one that is left, and that one has no wait for all
/// products. A block that is entered without need multiplies by one.
class RareBlocksPass : public llvm::PassInfoMixin<RareBlocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace tileir

#endif // SERIALIZE_PTX_RAREBLOCKS_H

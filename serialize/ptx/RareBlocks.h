// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_RAREBLOCKS_H
#define SERIALIZE_PTX_RAREBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Moves blocks that rescale an accumulator in few iterations
/// (nv_tileas.async.rescale) out of their loop. The new loop starts after the
/// block: the head of the body is copied before the loop, and control enters
/// through the block. The block becomes the header of a loop around the
/// remaining loop, which then has no wait for all MMAs. An execution without
/// need multiplies by one.
class RareBlocksPass : public llvm::PassInfoMixin<RareBlocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace tileir

#endif // SERIALIZE_PTX_RAREBLOCKS_H

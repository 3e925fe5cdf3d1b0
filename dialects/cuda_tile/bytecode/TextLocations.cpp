// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/TextLocations.h"

namespace tileir {

using namespace mlir;

void locateImplicitTerminators(cuda_tile::ModuleOp module, StringRef file) {
  // Parents come first: a terminator may end the region of an operation with
  // nested regions.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<cuda_tile::YieldOp, cuda_tile::ContinueOp>(op) ||
        op->getNumOperands())
      return;
    auto position = dyn_cast<FileLineColLoc>(op->getLoc());
    if (position && position.getFilename() == file)
      op->setLoc(op->getParentOp()->getLoc());
  });
}

} // namespace tileir

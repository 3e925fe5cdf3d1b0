// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/OperandBuffers.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

as::PipelineWaitOp getSlotWait(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op))
      return wait;
    if (!isa<as::ViewOp, as::PermuteOp, as::SubviewOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return {};
}

std::string checkOperandLayout(Value buffer, unsigned kDim,
                               as::TransposedBits transposed) {
  auto type = cast<as::BufferType>(buffer.getType());
  if (type.getRank() != 2 || !type.isWhole())
    return "it is a part of a buffer";
  std::string problem = as::getOperandProblem(type, kDim, transposed);
  return problem.empty() ? "" : "it " + problem;
}

} // namespace tileir

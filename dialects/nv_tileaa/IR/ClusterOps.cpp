// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ClusterOps.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

LogicalResult nv_tileaa::verifyClusterGather(Operation *op, int64_t dim,
                                             int64_t axes) {
  constexpr int64_t kMaxAxes = 4;
  if (axes <= 0 || axes >= int64_t(1) << kMaxAxes) // C1
    return op->emitOpError("expects 'axes' to name some of the ")
           << kMaxAxes << " bits of a rank, but got " << axes;
  auto source = cast<RankedTensorType>(op->getOperand(0).getType()),
       result = cast<RankedTensorType>(op->getResult(0).getType());
  if (dim < 0 || dim >= source.getRank()) // C2
    return op->emitOpError("expects 'dim' to be a dimension of the source, "
                           "but got ")
           << dim;
  SmallVector<int64_t> shape(source.getShape());
  shape[dim] <<= llvm::popcount(uint64_t(axes));
  if (result.getShape() != ArrayRef<int64_t>(shape) ||
      result.getElementType() != source.getElementType())
    return op->emitOpError("expects a result of type ")
           << RankedTensorType::get(shape, source.getElementType())
           << ", but got " << result;
  return success();
}

LogicalResult ClusterGatherOp::verify() {
  return verifyClusterGather(*this, getDim(), getAxes());
}

#define GET_OP_CLASSES
#include "dialects/nv_tileaa/ClusterOps.cpp.inc"

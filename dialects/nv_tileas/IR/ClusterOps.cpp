// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/ClusterOps.h"

#include "dialects/nv_tileaa/ClusterOps.h"
#include "dialects/nv_tileas/Scratch.h"

using namespace mlir;
using namespace mlir::nv_tileas;

LogicalResult ClusterGatherOp::verify() {
  return nv_tileaa::verifyClusterGather(*this, getDim(), getAxes());
}

int64_t ClusterGatherOp::getScratchBytes() {
  auto type = cast<RankedTensorType>(getSource().getType());
  return std::max<int64_t>(
      16,
      type.getNumElements() * tileir::getMemoryBits(type.getElementType()) / 8);
}

#define GET_OP_CLASSES
#include "dialects/nv_tileas/ClusterOps.cpp.inc"

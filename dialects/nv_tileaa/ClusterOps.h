// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that the CTAs of a cluster do together.

#ifndef DIALECTS_NV_TILEAA_CLUSTEROPS_H
#define DIALECTS_NV_TILEAA_CLUSTEROPS_H

#include "dialects/nv_tileaa/NVTileAA.h"

#define GET_OP_CLASSES
#include "dialects/nv_tileaa/ClusterOps.h.inc"

namespace mlir::nv_tileaa {

/// Checks the attributes and types of a gather `op`: C1 and C2.
LogicalResult verifyClusterGather(Operation *op, int64_t dim, int64_t axes);

} // namespace mlir::nv_tileaa

#endif // DIALECTS_NV_TILEAA_CLUSTEROPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTERORDER_H
#define PASSES_TILEAA_CLUSTER_CLUSTERORDER_H

#include "passes/tileaa/cluster/ClusterDemand.h"

namespace tileir {

/// Returns an access of `func` that a token orders after one of another CTA to
/// the same bytes, at least one of which writes. Nothing orders those: each CTA
/// runs at its own pace. Accesses of one CTA keep the order of their tokens.
ClusterObstacle findUnorderedAccess(mlir::nv_tileaa::FuncOp func,
                                    const ClusterDemand &demand);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTERORDER_H

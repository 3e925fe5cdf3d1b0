// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTERORDER_H
#define PASSES_TILEAA_CLUSTER_CLUSTERORDER_H

#include "passes/tileaa/cluster/ClusterDemand.h"

#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Accesses before which the CTAs of a cluster wait for each other.
using ClusterWaits = llvm::SetVector<mlir::Operation *>;

/// Finds the accesses that tokens order after accesses of other CTAs.
ClusterWaits findClusterWaits(mlir::nv_tileaa::FuncOp func,
                              const ClusterDemand &demand);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTERORDER_H

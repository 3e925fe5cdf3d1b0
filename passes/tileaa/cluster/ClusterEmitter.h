// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTEREMITTER_H
#define PASSES_TILEAA_CLUSTER_CLUSTEREMITTER_H

#include "passes/tileaa/cluster/ClusterOrder.h"

namespace tileir {

/// Replaces the body of `func` by that of one CTA of a cluster: each operation
/// once for each part of its results that `demand` names, and each effect in
/// its part. CTAs wait for each other before the accesses `waits`. Loads of
/// what several CTAs need say so.
void emitClusterBody(mlir::nv_tileaa::FuncOp func, const ClusterDemand &demand,
                     const ClusterWaits &waits);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTEREMITTER_H

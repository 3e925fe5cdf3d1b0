// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the CTAs of a cluster give each other. All CTAs reach them alike.

#ifndef PASSES_TILEAA_CLUSTER_CLUSTEREXCHANGE_H
#define PASSES_TILEAA_CLUSTER_CLUSTEREXCHANGE_H

#include "dialects/nv_tileaa/NVTileAA.h"

namespace tileir {

/// Returns the values that the CTAs of `axes`, bits of the rank, have, side by
/// side along a new dimension `dim`.
mlir::Value gatherFromCtas(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, unsigned dim, unsigned axes);

/// Returns the value that the CTA has whose bits of the rank in `axes` are
/// zero.
mlir::Value passFromFirst(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned axes);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTEREXCHANGE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTERRANK_H
#define PASSES_TILEAA_CLUSTER_CLUSTERRANK_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "llvm/ADT/DenseMap.h"

namespace tileir {

/// The rank of the CTA in its cluster, computed at the start of the entry block
/// where it is used.
class ClusterRank {
public:
  ClusterRank(mlir::Block &entry, mlir::Location loc, unsigned numAxes)
      : entry(entry), loc(loc), numAxes(numAxes) {}

  /// The bits of the rank in `axes`, put together.
  mlir::Value getPiece(unsigned axes);

private:
  mlir::Value getRank();

  mlir::Block &entry;
  mlir::Location loc;
  unsigned numAxes;
  mlir::Value rank;
  llvm::DenseMap<unsigned, mlir::Value> pieces;
};

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTERRANK_H

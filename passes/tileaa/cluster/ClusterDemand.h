// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTERDEMAND_H
#define PASSES_TILEAA_CLUSTER_CLUSTERDEMAND_H

#include "passes/tileaa/cluster/ClusterPart.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tileir {

/// The parts in which the effects of a kernel are had: of stores and atomics
/// their tiles, of assertions their conditions. An axis of the cluster that
/// divides nothing leaves the effect to the CTAs whose bit of it is zero.
using ClusterEffects = llvm::MapVector<mlir::Operation *, ClusterPart>;

/// A way to divide a kernel among the CTAs of a cluster.
struct ClusterChoice {
  ClusterEffects effects;
  /// Reductions whose operands CTAs divide along the combined dimension where
  /// they hold the same part of the results: each combines its elements, and
  /// they exchange what they get.
  llvm::SmallPtrSet<mlir::Operation *, 4> exchanged;
};

/// The operations of `func` with an effect that a choice of parts is about.
llvm::SmallVector<mlir::Operation *>
getClusterEffects(mlir::nv_tileaa::FuncOp func);

/// Where a kernel cannot be split over several CTAs, and why.
struct ClusterObstacle {
  mlir::Operation *op = nullptr;
  std::string reason;

  explicit operator bool() const { return op != nullptr; }
};

/// The parts of each value that the CTAs of a cluster need to have the effects
/// of a kernel, by the uses of the values. A value may be needed in several
/// parts: each CTA computes, or loads, all of them.
class ClusterDemand {
public:
  ClusterDemand(mlir::nv_tileaa::FuncOp func, const ClusterChoice &choice,
                unsigned numAxes);

  /// Something that no part of its operands gives.
  const ClusterObstacle &getObstacle() const { return obstacle; }
  /// The parts of `value` that are needed; none where it is unused.
  llvm::ArrayRef<ClusterPart> getParts(mlir::Value value) const;
  /// The parts of the results of `op` that are not scalars, without repetition.
  llvm::SmallVector<ClusterPart> getParts(mlir::Operation *op) const;
  /// Returns whether `part` of the result of `op` is cut out of the whole
  /// result, because no part of its operands gives it.
  bool isCut(mlir::Operation *op, ClusterPart part) const;

  /// Returns the part of the operands that a CTA combines to `part` of the
  /// results of `op` and exchanges; nothing where it exchanges none.
  std::optional<ClusterPart> getExchangedPart(mlir::Operation *op,
                                              ClusterPart part) const;

  /// Returns whether one CTA has `effect` and passes its results to the others.
  bool isPassed(mlir::Operation *effect) const;

  const ClusterEffects &getEffects() const { return choice.effects; }
  unsigned getNumAxes() const { return numAxes; }

private:
  void addEffects(mlir::Region &region);
  void addOperands(mlir::Operation *op, ClusterPart part);
  void addWhole(mlir::Operation *op);
  void need(mlir::Value value, ClusterPart part);
  void addSources(mlir::BlockArgument arg, ClusterPart part);
  void addSources(mlir::OpResult result, ClusterPart part);
  void checkOld(mlir::Operation *op);
  void addDefinition(mlir::Operation *op, ClusterPart part);
  void addCaptured(mlir::Operation *op);
  void fail(mlir::Operation *op, llvm::StringRef reason);

  mlir::nv_tileaa::FuncOp func;
  const ClusterChoice &choice;
  unsigned numAxes;
  llvm::MapVector<mlir::Value, llvm::SmallVector<ClusterPart, 2>> needed;
  llvm::SmallVector<std::pair<mlir::Value, ClusterPart>> worklist;
  ClusterObstacle obstacle;
};

/// The work of a CTA of a cluster, in elements that threads compute;
/// `minRows` is the fewest rows of an MMA instruction. Only compared with
/// another cost of the same kernel.
double getCost(mlir::nv_tileaa::FuncOp func, const ClusterDemand &demand,
               int64_t minRows);

/// Returns how often `op` runs, as the cost counts it.
double getTrips(mlir::Operation *op);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTERDEMAND_H

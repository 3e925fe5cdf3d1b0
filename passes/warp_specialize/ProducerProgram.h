// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of a warp that does nothing but fill rings.

#ifndef PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H
#define PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Steps of a function, the loops and branches around them, and all that these
/// are computed from.
class ProducerProgram {
public:
  explicit ProducerProgram(mlir::nv_tileaa::FuncOp func)
      : block(&func.getBody().front()) {}

  /// Collects the program of `steps`. Returns why a warp cannot run it for
  /// itself, empty if it can: it computes no tile, and nothing but the steps
  /// has an effect.
  std::string collect(llvm::ArrayRef<mlir::Operation *> steps);

  /// Returns whether the program needs `op` of the block of the function and
  /// does not do it for itself: storage, views and tensor maps, and what they
  /// are made of. It stays where it is, and everybody uses it.
  bool isShared(mlir::Operation *op) const { return shared.contains(op); }

  /// Builds the program anew.
  void clone(mlir::OpBuilder &builder) const;

private:
  std::string need(mlir::Operation *op);
  void need(mlir::Value value);
  void share();
  void cloneBlock(mlir::OpBuilder &builder, mlir::Block &from,
                  mlir::IRMapping &mapping) const;
  void cloneLoop(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                 mlir::IRMapping &mapping) const;
  void cloneBranch(mlir::OpBuilder &builder, mlir::scf::IfOp branch,
                   mlir::IRMapping &mapping) const;

  mlir::Block *block;
  llvm::SmallPtrSet<mlir::Operation *, 16> steps;
  llvm::SmallPtrSet<mlir::Operation *, 32> ops;
  llvm::SmallSetVector<mlir::Operation *, 32> shared;
  /// Results of loops and branches that are needed; of loops, by them, what
  /// they carry.
  llvm::DenseSet<mlir::Value> results;
  llvm::SmallVector<mlir::Value> open;
};

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H

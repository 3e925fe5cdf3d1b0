// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program of a producer warp that only fills pipelines.

#ifndef PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H
#define PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Backward slice of the producer steps of a function, with the loops and
/// branches around them.
class ProducerProgram {
public:
  explicit ProducerProgram(mlir::nv_tileaa::FuncOp func)
      : block(&func.getBody().front()) {}

  /// Collects the slice of `steps`. Returns why a warp cannot execute it, or an
  /// empty text. It must compute no tile, and only the steps may have effects.
  std::string collect(llvm::ArrayRef<mlir::Operation *> steps);

  /// Returns whether the program uses `op`, in the entry block, without cloning
  /// it: storage, views, tensor maps and their operands. Such operations stay
  /// in place for all agents.
  bool isShared(mlir::Operation *op) const { return shared.contains(op); }

  /// Clones the program.
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
  /// The needed results of loops and branches; a loop keeps the iter-args of
  /// its needed results.
  llvm::DenseSet<mlir::Value> results;
  llvm::SmallVector<mlir::Value> open;
};

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_PRODUCERPROGRAM_H

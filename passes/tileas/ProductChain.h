// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with two products of warpgroups, the second of what comes of the first.

#ifndef PASSES_TILEAS_PRODUCTCHAIN_H
#define PASSES_TILEAS_PRODUCTCHAIN_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Two products of a loop, the second of what comes of the first.
struct ChainedProducts {
  mlir::scf::ForOp loop;
  mlir::nv_tileas::AsyncDotOp first, second;
  mlir::nv_tileas::DotWaitOp firstWait, secondWait;
  /// The accumulator of the second product, as the loop carries it.
  mlir::BlockArgument sum;
  /// Operations that the first product takes, in the order of the body, itself
  /// and its wait included; and what hands its slots back.
  llvm::SmallVector<mlir::Operation *> start, finish;
  /// Copies for later iterations.
  llvm::SmallVector<mlir::Operation *> copies;
  /// Those of factors of the first product, and what they are computed from, in
  /// the order of the body. They too are made an iteration ahead.
  llvm::SmallVector<mlir::Operation *> early;
  /// The slot of the second product, in the order of the body.
  llvm::SmallVector<mlir::Operation *> slot;
  /// The last operation that reads the result of the first product, where the
  /// next one may start.
  mlir::Operation *lastReader = nullptr;
  /// Operation that writes the registers that the second product reads as a
  /// factor.
  mlir::Operation *factor = nullptr;
  /// The first operation that needs the sum or writes registers that the second
  /// product of the iteration before reads.
  mlir::Operation *firstNeed = nullptr;
  /// The multiplication of the sum by a factor, all that reads it but the
  /// product; null where there is another reader.
  mlir::arith::MulFOp rescale;
  mlir::Value rescaleFactor;
  /// Operations that the factor is computed from, as far as they are pure.
  llvm::SmallSetVector<mlir::Operation *, 8> rescaleMakers;
  /// True if the next first product has to take the registers of this one: it
  /// starts behind the first half of the second product, whose factor has taken
  /// half of them by then, and the other half of that follows it.
  bool isLate = false;

  bool isOneOf(llvm::ArrayRef<mlir::Operation *> list,
               mlir::Operation *op) const {
    return llvm::is_contained(list, op);
  }
};

/// Returns the products of `loop`, if the first can be started an iteration
/// ahead; without them, `reason` says why where there are two products.
std::optional<ChainedProducts> findChainedProducts(mlir::scf::ForOp loop,
                                                   std::string &reason);

/// Returns whether `op` gives a slot, or another name for one.
bool namesSlot(mlir::Operation *op);

/// The layout of the first half of the steps of a factor in registers.
std::optional<Layout> getHalfLayout(mlir::RankedTensorType type);

} // namespace tileir

#endif // PASSES_TILEAS_PRODUCTCHAIN_H

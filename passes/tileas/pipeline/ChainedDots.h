// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with two `wgmma` dots, the second of which depends on the first.

#ifndef PASSES_TILEAS_PIPELINE_CHAINEDDOTS_H
#define PASSES_TILEAS_PIPELINE_CHAINEDDOTS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Two dots of a loop, the second of which depends on the first.
struct ChainedDots {
  mlir::scf::ForOp loop;
  mlir::nv_tileas::AsyncDotOp first, second;
  mlir::nv_tileas::DotWaitOp firstWait, secondWait;
  /// The accumulator of the second dot, an iter-arg of the loop.
  mlir::BlockArgument acc;
  /// Operations of the first dot in the order of the body, itself and its wait
  /// included; the releases of its slots.
  llvm::SmallVector<mlir::Operation *> start, finish;
  /// Copies for later iterations.
  llvm::SmallVector<mlir::Operation *> copies;
  /// Copies of operands of the first dot and the slices they depend on, in the
  /// order of the body. They run an iteration ahead, too.
  llvm::SmallVector<mlir::Operation *> early;
  /// The waits for the slot of the second dot, in the order of the body.
  llvm::SmallVector<mlir::Operation *> slot;
  /// The last reader of the result of the first dot; the next first dot may
  /// start after it.
  mlir::Operation *lastReader = nullptr;
  /// Operation that writes the register operand of the second dot.
  mlir::Operation *operandOp = nullptr;
  /// The first operation that reads the accumulator or writes registers that
  /// the second dot of the previous iteration reads.
  mlir::Operation *firstNeed = nullptr;
  /// The rescale of the accumulator, its only reader besides the dot; null if
  /// there is another reader.
  mlir::arith::MulFOp rescale;
  mlir::Value rescaleFactor;
  /// Pure operations that the rescale factor depends on.
  llvm::SmallSetVector<mlir::Operation *, 8> rescaleProducers;
  /// True if the next first dot needs the registers of this one: it starts
  /// after the first half of the second dot, whose operand has taken half of
  /// the registers by then, and the second half follows it.
  bool isLate = false;

  bool isOneOf(llvm::ArrayRef<mlir::Operation *> list,
               mlir::Operation *op) const {
    return llvm::is_contained(list, op);
  }
};

/// Returns the dots of `loop` if the first one can start an iteration ahead.
/// Otherwise, if there are two dots, `reason` says why not.
std::optional<ChainedDots> findChainedDots(mlir::scf::ForOp loop,
                                           std::string &reason);

/// Returns whether `op` gives a slot, or another name for one.
bool namesSlot(mlir::Operation *op);

/// The layout of the first half of the K steps of a register operand.
std::optional<Layout> getHalfLayout(mlir::RankedTensorType type);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_CHAINEDDOTS_H

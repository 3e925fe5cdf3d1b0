// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of dots in a loop body: which dot's result is an operand of which.

#ifndef PASSES_ANALYSIS_MMACHAIN_H
#define PASSES_ANALYSIS_MMACHAIN_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Operations of a body; their order has no meaning.
using BodySlice = llvm::SmallSetVector<mlir::Operation *, 16>;

/// Returns the backward slice of `values` in `body`, within one iteration; an
/// operation with regions counts as a whole.
BodySlice getBodySlice(mlir::Block *body, mlir::ValueRange values);

/// A dot of a loop body, for any MMA instruction.
struct LoopDot {
  /// `dot` or `async.dot`.
  mlir::Operation *op = nullptr;
  /// The wait for an `async.dot`, the only reader of its result: it is in the
  /// body and waits for everything in flight.
  mlir::nv_tileas::DotWaitOp wait;
  mlir::Value a, b, c;
  /// The result tile: of `wait`, or of `op`.
  mlir::Value result;
  /// The iter-arg that holds the accumulator: `c`, or the loop-carried operand
  /// of `rescale`.
  mlir::BlockArgument accumulator;
  /// The multiplication that computes `c`, if `c` has no other reader.
  mlir::arith::MulFOp rescale;
  /// Returns the other operand of `rescale`.
  mlir::Value getScale() const;
  /// True if the loop yields `result` for `accumulator`, and `result` has no
  /// other reader.
  bool isCarried = false;
};

/// A dot whose result becomes operand A of another dot in the same iteration.
struct LoopDotSource {
  unsigned number;
  /// The operations between the two dots, in program order.
  llvm::SmallVector<mlir::Operation *> between;
};

/// The dots of a loop body, in program order.
class MmaChain {
public:
  explicit MmaChain(mlir::scf::ForOp loop);

  mlir::scf::ForOp getLoop() const { return loop; }
  llvm::ArrayRef<LoopDot> getDots() const { return dots; }
  /// True if there are two dots, and operand A of the second is computed from
  /// the result of the first.
  bool isPair();
  /// Returns the dots from whose results operand A of dot `number` is computed.
  llvm::SmallVector<LoopDotSource> getSources(unsigned number);
  /// Describes dot `number`: its accumulator, and the dots and operations that
  /// compute its operand A.
  void print(llvm::raw_ostream &os, unsigned number);

private:
  void addDot(mlir::Operation *op);

  mlir::scf::ForOp loop;
  llvm::SmallVector<LoopDot, 2> dots;
};

} // namespace tileir

#endif // PASSES_ANALYSIS_MMACHAIN_H

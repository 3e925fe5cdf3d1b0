// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dots of a loop body and how they feed each other.

#ifndef PASSES_ANALYSIS_MMACHAIN_H
#define PASSES_ANALYSIS_MMACHAIN_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Operations of a body, in no order that matters.
using BodySlice = llvm::SmallSetVector<mlir::Operation *, 16>;

/// Returns the operations of `body` that `values` are computed from in one
/// iteration; an operation with regions counts as a whole.
BodySlice getBodySlice(mlir::Block *body, mlir::ValueRange values);

/// A dot of a loop body, whatever multiplies it.
struct LoopDot {
  /// `dot` or `async.dot`.
  mlir::Operation *op = nullptr;
  /// The wait for an `async.dot`, its only reader: in the body and for all that
  /// is in flight.
  mlir::nv_tileas::DotWaitOp wait;
  mlir::Value a, b, c;
  /// The tile: of `wait`, or of `op`.
  mlir::Value result;
  /// The accumulator as the loop carries it: `c`, or the one operand of
  /// `rescale` that the loop carries.
  mlir::BlockArgument accumulator;
  /// The multiplication that gives `c`, if nothing else reads it.
  mlir::arith::MulFOp rescale;
  /// Returns the other operand of `rescale`.
  mlir::Value getScale() const;
  /// True if the loop carries `result` on as `accumulator`, and nothing else
  /// reads it.
  bool isCarried = false;
};

/// A dot whose result another one multiplies as A in the same iteration.
struct LoopDotSource {
  unsigned number;
  /// The operations between, in the order of the body.
  llvm::SmallVector<mlir::Operation *> between;
};

/// The dots of a loop body, in its order.
class MmaChain {
public:
  explicit MmaChain(mlir::scf::ForOp loop);

  mlir::scf::ForOp getLoop() const { return loop; }
  llvm::ArrayRef<LoopDot> getDots() const { return dots; }
  /// True if there are two dots, the second of which multiplies what is
  /// computed from the result of the first.
  bool isPair();
  /// Returns the dots from whose results A of dot `number` is computed.
  llvm::SmallVector<LoopDotSource> getSources(unsigned number);
  /// Describes dot `number`: what it adds to, and which dots feed it through
  /// which operations.
  void print(llvm::raw_ostream &os, unsigned number);

private:
  void addDot(mlir::Operation *op);

  mlir::scf::ForOp loop;
  llvm::SmallVector<LoopDot, 2> dots;
};

} // namespace tileir

#endif // PASSES_ANALYSIS_MMACHAIN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYCHAINS_H
#define PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYCHAINS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Two dots of one loop, as in attention: threads read the result of the first
/// one in each iteration; the second one has an operand that threads compute,
/// and adds to an accumulator that they rescale before.
struct DotChain {
  mlir::scf::ForOp loop;
  mlir::nv_tileas::DotOp first, second;
  /// Multiplication that rescales the loop-carried accumulator.
  mlir::arith::MulFOp rescale;
  mlir::BlockArgument acc;
};

/// The chain that `dot` is part of, by its structure alone.
std::optional<DotChain> getDotChain(mlir::nv_tileas::DotOp dot);

/// Returns whether the elements of `tile` are all +0, so that a dot need not
/// add them.
bool isZeroTile(mlir::Value tile);

/// The buffer in shared memory for an operand A in registers; null if the tile
/// is too small.
mlir::nv_tileas::BufferType getStagedOperandType(mlir::Value operand);

/// Bytes of shared memory for an operand that threads store for `dot`, one of
/// the two dots of a chain.
int64_t getChainRestagedBytes(mlir::nv_tileas::DotOp dot);

/// Operands of one dot of a chain: A and B in shared memory, A null if threads
/// store it.
struct ChainOperands {
  mlir::Value a, b;
  mlir::nv_tileas::MmaAtomAttr atom;
  /// Results that tensor memory holds at once.
  int64_t stages = 1;
};

/// Replaces the dots of `chain` by `tcgen05.mma`. Threads read the result of
/// the first one from tensor memory; the accumulator stays there.
void multiplyChain(DotChain chain, ChainOperands first, ChainOperands second);

} // namespace tileir

#endif // PASSES_TILEAS_ACCUMULATORS_TENSORMEMORYCHAINS_H

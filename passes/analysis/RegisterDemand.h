// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_REGISTERDEMAND_H
#define PASSES_ANALYSIS_REGISTERDEMAND_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir {

/// Demand of the tiles of a function for registers, in 32-bit words of the
/// whole CTA and whatever the layouts are. Tiles are counted where they have to
/// exist as a whole: at products, reductions, scans and the borders of loops.
/// Between those a chain of elementwise work needs one element at a time.
struct RegisterDemand {
  /// Most words of accumulators that are live at one point, and the most words
  /// of other tiles at such a point. Operands of dots that copies may bring to
  /// shared memory do not count.
  int64_t accumulators = 0;
  int64_t others = 0;
  /// Most words of operands at such a point that loads bring to registers:
  /// those of dots outside of loops, gathered ones, and those whose elements no
  /// copy moves.
  int64_t loadedOperands = 0;
  /// Most words of both at any point.
  int64_t peak = 0;
  /// Elements of the largest tile that is computed or loaded.
  int64_t largestTile = 0;
  /// Bytes of the largest tile that a memory access moves.
  int64_t largestAccess = 0;
  /// Rows times columns of the largest product; 0 without one.
  int64_t largestProduct = 0;
  bool hasReduction = false;
  /// More warps would keep a dot from the best instruction for it.
  unsigned maxWarps = heuristics::maxWarps;

  /// Registers of a thread of `numWarps` warps that hold `words`, with what
  /// addresses, loop counters and fragments take beside them.
  static int64_t estimateRegisters(int64_t words, unsigned numWarps);
  /// Registers of such a thread beyond what a CTA of `numWarps` warps can have;
  /// negative when some are left.
  static int64_t getExcess(int64_t words, unsigned numWarps);

  void print(llvm::raw_ostream &os) const;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const RegisterDemand &demand) {
  demand.print(os);
  return os;
}

/// Returns the 32-bit registers that a thread holds of a tile; none of a
/// buffer.
int64_t getRegisterWords(mlir::Type type);

/// Decisions about loads and dots that are still to be made. Without a rule,
/// loads stay loads and dots stay as they are.
struct DemandRules {
  /// Returns whether the tile that `load` gives a dot in `loop` will be copied
  /// to shared memory without registers. `loop` is null for a dot outside of
  /// loops.
  llvm::function_ref<bool(mlir::Operation *load, mlir::scf::ForOp loop)>
      isCopied = nullptr;
  /// Returns whether `warps` warps will make `dot` by warpgroups, with
  /// registers for parts of the sum beside its accumulator.
  llvm::function_ref<bool(mlir::nv_tileas::DotOp dot, unsigned warps)>
      isPromoted = nullptr;
};

/// Works at `nv_tileas` level in time n log n.
RegisterDemand getRegisterDemand(mlir::FunctionOpInterface func,
                                 const DemandRules &rules = {});

} // namespace tileir

#endif // PASSES_ANALYSIS_REGISTERDEMAND_H

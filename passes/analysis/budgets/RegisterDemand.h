// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_BUDGETS_REGISTERDEMAND_H
#define PASSES_ANALYSIS_BUDGETS_REGISTERDEMAND_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir {

/// Register demand of the tiles of a function, in 32-bit registers of the whole
/// CTA, independent of layouts. A tile counts where it exists as a whole: at
/// dots, reductions, scans and loop boundaries. Between these points a chain of
/// elementwise operations needs one element at a time.
struct RegisterDemand {
  /// Maximum registers of live accumulators at one point, and maximum registers
  /// of other tiles at such a point. Dot operands that can be copied to shared
  /// memory do not count.
  int64_t accumulators = 0;
  int64_t others = 0;
  /// Maximum registers at such a point of operands that are loaded to
  /// registers: operands of dots outside of loops, gathered ones, and those
  /// whose elements no copy can move.
  int64_t loadedOperands = 0;
  /// Maximum registers of both at any point.
  int64_t peak = 0;
  /// Elements of the largest computed or loaded tile.
  int64_t largestTile = 0;
  /// Bytes of the largest tile of a memory access.
  int64_t largestAccess = 0;
  /// Rows times columns of the largest dot; 0 without a dot.
  int64_t largestDot = 0;
  bool hasReduction = false;
  /// Maximum number of warps with which each dot keeps its best instruction.
  unsigned maxWarps = heuristics::maxWarps;

  /// Estimates the registers of a thread if `numWarps` warps hold tiles of
  /// `registers` in all: its share, and its addresses, loop counters and
  /// fragments.
  static int64_t estimateRegisters(int64_t registers, unsigned numWarps);
  /// Registers of such a thread beyond the limit of a CTA of `numWarps` warps;
  /// negative when some are left.
  static int64_t getExcess(int64_t registers, unsigned numWarps);

  void print(llvm::raw_ostream &os) const;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const RegisterDemand &demand) {
  demand.print(os);
  return os;
}

/// Returns the 32-bit registers of a thread for a tile; 0 for a buffer.
int64_t getRegisterCount(mlir::Type type);

/// Decisions about loads and dots that later passes make. Without a rule, loads
/// stay loads and dots stay as they are.
struct DemandRules {
  /// Returns whether the tile of `load`, an operand of a dot in `loop`, will be
  /// copied to shared memory without registers. `loop` is null for a dot
  /// outside of loops.
  llvm::function_ref<bool(mlir::Operation *load, mlir::scf::ForOp loop)>
      isCopied = nullptr;
  /// Returns whether `warps` warps will compute `dot` with warpgroup MMAs, with
  /// registers for partial accumulators beside its own.
  llvm::function_ref<bool(mlir::nv_tileas::DotOp dot, unsigned warps)>
      isPromoted = nullptr;
};

/// Computes the demand of `func` at `nv_tileas` level in time n log n.
RegisterDemand getRegisterDemand(mlir::FunctionOpInterface func,
                                 const DemandRules &rules = {});

} // namespace tileir

#endif // PASSES_ANALYSIS_BUDGETS_REGISTERDEMAND_H

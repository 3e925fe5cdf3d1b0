// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_BUDGETS_OCCUPANCY_H
#define PASSES_ANALYSIS_BUDGETS_OCCUPANCY_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Residency.h"

namespace tileir {

/// Smallest cap of registers per thread with which ptxas compiles kernels
/// without wide instructions. It accepts caps from `limits::registersMin` on,
/// but rejects the first `mma.sync` with C7602, "register target of 28 or
/// higher", and rounds registers to multiples of eight (ptxas 13.0 and 13.5).
inline constexpr int64_t kMinCappedRegisters = 32;

/// Demand of a CTA on an SM.
struct CtaNeeds {
  int64_t threads;
  /// Registers of a thread; with fewer ptxas rejects the kernel.
  int64_t registers = kMinCappedRegisters;
  /// Registers of a thread for tiles; with fewer tiles spill.
  int64_t tileRegisters = 0;
  /// Bytes of shared memory.
  int64_t bytes = 0;
  /// Columns of tensor memory; allocations are powers of two.
  int64_t columns = 0;
};

/// Lowers the hint `occupancy` of `func` to the CTAs that are resident on an SM
/// of `target` without spills, and raises its `max_regs` to the registers that
/// ptxas requires; both give a remark. Returns whether something has changed.
bool clampLaunch(mlir::nv_tileaa::FuncOp func, const Target &target,
                 const CtaNeeds &needs);

} // namespace tileir

#endif // PASSES_ANALYSIS_BUDGETS_OCCUPANCY_H

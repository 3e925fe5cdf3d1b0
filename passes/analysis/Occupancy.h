// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_OCCUPANCY_H
#define PASSES_ANALYSIS_OCCUPANCY_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Residency.h"

namespace tileir {

/// Registers of a thread from which ptxas compiles kernels without wide
/// instructions. It takes caps from `limits::registersMin` on, but ends at the
/// first `mma.sync` with C7602, "register target of 28 or higher", and counts
/// registers by eights (ptxas 13.0 and 13.5).
inline constexpr int64_t kMinCappedRegisters = 32;

/// Demand of a CTA on an SM.
struct CtaNeeds {
  int64_t threads;
  /// Of a thread; with fewer ptxas refuses the kernel.
  int64_t registers = kMinCappedRegisters;
  /// Of a thread; with fewer tiles spill.
  int64_t tileRegisters = 0;
  /// Of shared memory.
  int64_t bytes = 0;
  /// Of tensor memory; its allocations are powers of two.
  int64_t columns = 0;
};

/// Lowers the hint `occupancy` of `func` to the CTAs that an SM of `target`
/// holds at once without spills, and raises its `max_regs` to the registers
/// that ptxas asks for; remarks both. Returns whether something has changed.
bool clampLaunch(mlir::nv_tileaa::FuncOp func, const Target &target,
                 const CtaNeeds &needs);

} // namespace tileir

#endif // PASSES_ANALYSIS_OCCUPANCY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_CTA_ACCUMULATORSPLITTER_H
#define PASSES_TILEAS_CTA_ACCUMULATORSPLITTER_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Cuts each loop of `func` whose accumulators exceed the registers of every
/// CTA into two loops, one after the other. Each computes half of the columns
/// (or rows, if there are more) and the work on that half after the loop.
/// Returns whether it cut one. The layouts are then the default ones.
bool splitDots(mlir::nv_tileaa::FuncOp func, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_CTA_ACCUMULATORSPLITTER_H

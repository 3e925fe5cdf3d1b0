// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_LOOPS_H
#define PASSES_TILEAS_LOWERING_LOOPS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace tileir::lowering {

/// Disables unrolling of loops below `module` that gain nothing from it:
/// innermost loops without dots whose loads per iteration already keep a full
/// SM's memory accesses in flight.
void keepLoopsRolled(mlir::Operation *module);

/// Marks the asynchronous copies below `module` that may use additional
/// registers: copies in loops whose dots leave some.
void noteFreeRegisters(mlir::Operation *module);
bool hasFreeRegisters(mlir::Operation *copy);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_LOOPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_LOOPS_H
#define PASSES_TILEAS_LOWERING_LOOPS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace tileir::lowering {

/// Notes on loops below `module` that more copies of their body would gain
/// nothing: the innermost ones that multiply no tiles and load so much per trip
/// that a full SM has enough memory accesses in flight.
void keepLoopsRolled(mlir::Operation *module);

/// Marks the copies to shared memory below `module` that may have registers of
/// their own: in loops whose products leave some.
void noteFreeRegisters(mlir::Operation *module);
bool hasFreeRegisters(mlir::Operation *copy);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_LOOPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_FRAME_INSTRUMENTATION_H
#define PASSES_FRAME_INSTRUMENTATION_H

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir {

/// Makes `manager` open the scope `CompileNVVM` when it starts and close it
/// when it ends or fails; the markers in its list then do nothing. For programs
/// that own a pass manager: the scope of a failed pipeline closes at once.
void addTileIRInstrumentation(mlir::PassManager &manager);

} // namespace tileir

#endif // PASSES_FRAME_INSTRUMENTATION_H

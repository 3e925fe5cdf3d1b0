// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_PRODUCTREGISTERS_H
#define PASSES_ANALYSIS_PRODUCTREGISTERS_H

#include "mlir/IR/Operation.h"

namespace tileir {

/// The 32-bit words that a thread holds of a tile; none of a buffer.
int64_t getRegisterWords(mlir::Type type);

/// Returns whether threads have registers left beside the products in `loop`.
/// Where every register is taken, more live values would be spilled.
bool leavesRegisters(mlir::Operation *loop);

} // namespace tileir

#endif // PASSES_ANALYSIS_PRODUCTREGISTERS_H

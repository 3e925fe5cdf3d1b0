// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_WARP_SPECIALIZE_RINGUNROLL_H
#define PASSES_WARP_SPECIALIZE_RINGUNROLL_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Lets an iteration of `loop`, which goes round rings of slots, make one whole
/// round: the slots of its parts are constants, and so is what is computed from
/// them. Gives the loop that is left for the iterations of a round that is not
/// whole, with the results of `loop`; null, with nothing changed, where the
/// rings differ in depth, start at a slot that is not the first, or the loop
/// takes other steps than one.
mlir::scf::ForOp unrollByRing(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_RINGUNROLL_H

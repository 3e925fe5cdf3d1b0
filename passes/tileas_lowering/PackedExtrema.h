// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H
#define PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H

#include "passes/tileas_lowering/Lowering.h"

namespace tileir::lowering {

/// Half of a word of two numbers.
struct Half {
  /// Two numbers as a vector, or the bits of two bf16; null where there is
  /// none.
  mlir::Value word;
  bool isUpper = false;
};

/// The half of which the f32 number `value` was made.
Half getHalf(mlir::Value value);

/// f32 numbers whose extremum by `combiner` is the one of `values`: two for all
/// of them, found two at a time while they are still halves of words; or
/// `values`, where those are not numbers made of whole words.
llvm::SmallVector<mlir::Value>
combineHalves(Emitter &emitter, mlir::Operation *combiner,
              llvm::ArrayRef<mlir::Value> values);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H

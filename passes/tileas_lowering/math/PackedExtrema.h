// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_MATH_PACKEDEXTREMA_H
#define PASSES_TILEAS_LOWERING_MATH_PACKEDEXTREMA_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Half of a 32-bit register of two numbers.
struct Half {
  /// Two numbers as a vector, or the bits of two bf16; null if there is none.
  mlir::Value word;
  bool isUpper = false;
};

/// Returns the half from which the f32 number `value` was converted.
Half getHalf(mlir::Value value);

/// Extrema of f32 numbers that are still halves of registers, found two at a
/// time: the maximum is the same before the conversion to f32.
class PackedExtremum {
public:
  /// Reduces all lower and all upper halves of `values` by `combiner`; none if
  /// the numbers do not fill whole registers.
  static std::optional<PackedExtremum> get(Emitter &emitter,
                                           mlir::Operation *combiner,
                                           llvm::ArrayRef<mlir::Value> values);

  /// Returns the two f32 numbers, converted like a tile.
  llvm::SmallVector<mlir::Value> extend() const;
  /// Combines the extrema of all lanes that differ in `lanes`.
  void combineLanes(llvm::ArrayRef<unsigned> lanes);
  /// Returns the extremum of both halves, in 16 bits.
  mlir::Value getNarrow() const;
  /// Replaces its halves by those of `words`.
  void take(llvm::ArrayRef<mlir::Value> words);
  mlir::VectorType getType() const {
    return llvm::cast<mlir::VectorType>(word.getType());
  }

private:
  PackedExtremum(Emitter &emitter, mlir::Operation *combiner, bool isBits)
      : emitter(emitter), combiner(combiner), isBits(isBits) {}
  mlir::Value combine(mlir::Value a, mlir::Value b) const;

  Emitter &emitter;
  mlir::Operation *combiner;
  /// Two numbers.
  mlir::Value word;
  /// The register holds the bits of two bf16.
  bool isBits;
};

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MATH_PACKEDEXTREMA_H

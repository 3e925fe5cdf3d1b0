// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H
#define PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H

#include "passes/tileas_lowering/Emitter.h"

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

/// Extrema of f32 numbers, found two at a time while the numbers are still
/// halves of words: the largest number is the same before it is made wider.
class PackedExtremum {
public:
  /// A word whose halves are the extrema by `combiner` of all lower and of all
  /// upper halves in `values`; none, where those are not numbers made of whole
  /// words.
  static std::optional<PackedExtremum> get(Emitter &emitter,
                                           mlir::Operation *combiner,
                                           llvm::ArrayRef<mlir::Value> values);

  /// The two f32 numbers, as the conversion of a tile makes them.
  llvm::SmallVector<mlir::Value> extend() const;
  /// Lets the lanes that differ in `lanes` have the extrema of all of them.
  void combineLanes(llvm::ArrayRef<unsigned> lanes);
  /// The extremum of both halves, of 16 bits.
  mlir::Value getNarrow() const;
  /// Takes the halves of `words` in place of its own.
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
  /// The words were the bits of two bf16.
  bool isBits;
};

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_PACKEDEXTREMA_H

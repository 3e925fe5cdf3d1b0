// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of two f32 numbers at once, where the target has it. Each of the
// two is rounded as one alone.

#ifndef PASSES_TILEAS_LOWERING_FLOATPAIRS_H
#define PASSES_TILEAS_LOWERING_FLOATPAIRS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns whether the target adds, multiplies and fuses both in pairs.
inline bool hasFloatPairs(const Emitter &emitter) {
  return emitter.state.target.has(Feature::F32x2);
}

/// Returns what `build` makes of values that have the same place in all of
/// `operands`: of vectors of two on targets that have pairs, otherwise and for
/// the last of an odd number one by one.
llvm::SmallVector<mlir::Value>
mapPairs(Emitter &emitter,
         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> operands,
         llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)> build);

/// The sum of `values` by additions of pairs; the target has them.
mlir::Value sumPairs(Emitter &emitter, llvm::ArrayRef<mlir::Value> values);

/// `op` on f32 tiles, an addition, subtraction, multiplication or both fused,
/// by pairs of words; nothing where that would not be shorter.
llvm::SmallVector<mlir::Value>
computeInPairs(Emitter &emitter, mlir::Operation *op,
               llvm::ArrayRef<mlir::ValueRange> operands);

/// Operations on all f32 numbers of lists, in pairs where the target has them.
class Lists {
public:
  explicit Lists(Emitter &emitter) : emitter(emitter) {}

  mlir::Value number(float value);
  llvm::SmallVector<mlir::Value> all(float value, size_t count) {
    return llvm::SmallVector<mlir::Value>(count, number(value));
  }
  llvm::SmallVector<mlir::Value> add(llvm::ArrayRef<mlir::Value> a,
                                     llvm::ArrayRef<mlir::Value> b);
  llvm::SmallVector<mlir::Value> subtract(llvm::ArrayRef<mlir::Value> a,
                                          llvm::ArrayRef<mlir::Value> b);
  llvm::SmallVector<mlir::Value> negate(llvm::ArrayRef<mlir::Value> a);
  llvm::SmallVector<mlir::Value> multiply(llvm::ArrayRef<mlir::Value> a,
                                          llvm::ArrayRef<mlir::Value> b);
  /// a b + c, rounded once.
  llvm::SmallVector<mlir::Value> fuse(llvm::ArrayRef<mlir::Value> a,
                                      llvm::ArrayRef<mlir::Value> b,
                                      llvm::ArrayRef<mlir::Value> c);
  /// Intrinsics without the type that names end in: overloaded ones.
  mlir::Value call(llvm::StringRef intrinsic, mlir::ValueRange operands);

private:
  Emitter &emitter;
};

/// tanh x of each of f32 `values`: the bits of CUDA's `tanhf`, within two units
/// in the last place, in fewer instructions than the library's. Subnormal
/// numbers are kept, and so is the sign of zero.
llvm::SmallVector<mlir::Value>
hyperbolicTangentsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> values);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_FLOATPAIRS_H

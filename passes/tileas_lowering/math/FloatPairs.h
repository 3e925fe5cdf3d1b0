// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed arithmetic on two f32 numbers, if the target has it. Each number is
// rounded as by a scalar instruction.

#ifndef PASSES_TILEAS_LOWERING_MATH_FLOATPAIRS_H
#define PASSES_TILEAS_LOWERING_MATH_FLOATPAIRS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns whether the target has packed add, multiply and fma.
inline bool hasFloatPairs(const Emitter &emitter) {
  return emitter.state.target.has(Feature::F32x2);
}

/// Applies `build` to the values at the same index of all `operands`: to
/// vectors of two on targets with packed arithmetic, else, and for the last of
/// an odd number, one by one.
llvm::SmallVector<mlir::Value>
mapPairs(Emitter &emitter,
         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> operands,
         llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)> build);

/// Sums `values` with packed additions; the target must have them.
mlir::Value sumPairs(Emitter &emitter, llvm::ArrayRef<mlir::Value> values);

/// Computes `op`, an add, subtract, multiply or fma on f32 tiles, in pairs of
/// registers; nothing if pairs are not shorter.
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

#endif // PASSES_TILEAS_LOWERING_MATH_FLOATPAIRS_H

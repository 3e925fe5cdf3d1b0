// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fnv8E5M3FNU behind `cuda_tile`: eight bits without a sign, five for the
// exponent and three for the mantissa. No later level and no target computes in
// it, so it travels as f8E8M0FNU, the builtin float of its size whose zero,
// largest number and NaN have the same bits (00, FE, FF), and is decoded and
// encoded where `cuda_tile` converts.

#ifndef PASSES_TILEAA_UNSIGNEDFLOAT_H
#define PASSES_TILEAA_UNSIGNEDFLOAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tileir {

/// Returns whether `type`, or that of its elements, is fnv8E5M3FNU.
bool isUnsignedFloat(mlir::Type type);

/// f8E8M0FNU for fnv8E5M3FNU, `type` for every other element type.
mlir::Type carryUnsignedFloat(mlir::Type type);

/// `elements` as those of `type`, whose element type carries fnv8E5M3FNU.
mlir::DenseElementsAttr carryUnsignedFloat(mlir::DenseElementsAttr elements,
                                           mlir::ShapedType type);

/// The f32 numbers, all exact, that the bits of `value` mean. `value`: scalar
/// or tile of f8E8M0FNU.
mlir::Value decodeUnsignedFloat(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value);

/// `value`, scalar or tile of f32 or f64, rounded to nearest even: NaN stays,
/// what is negative becomes zero and what is too large 114688. The result
/// carries the bits in f8E8M0FNU.
mlir::Value encodeUnsignedFloat(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value);

} // namespace tileir

#endif // PASSES_TILEAA_UNSIGNEDFLOAT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding of fnv8E5M3FNU below `cuda_tile`: eight bits without a sign, five
// for the exponent and three for the mantissa. No later level and no target
// computes in it. Its values travel as f8E8M0FNU, the builtin float of the same
// size whose zero, largest number and NaN have the same bits (00, FE, FF), and
// are decoded and encoded where `cuda_tile` converts.

#ifndef PASSES_TILEAA_PATTERNS_UNSIGNEDFLOAT_H
#define PASSES_TILEAA_PATTERNS_UNSIGNEDFLOAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tileir {

/// Returns whether `type`, or its element type, is fnv8E5M3FNU.
bool isUnsignedFloat(mlir::Type type);

/// Returns f8E8M0FNU for fnv8E5M3FNU, `type` for every other element type.
mlir::Type carryUnsignedFloat(mlir::Type type);

/// Converts `elements` to `type`, whose element type carries fnv8E5M3FNU.
mlir::DenseElementsAttr carryUnsignedFloat(mlir::DenseElementsAttr elements,
                                           mlir::ShapedType type);

/// Decodes the bits of `value`, a scalar or tile of f8E8M0FNU, to f32, which
/// holds all of them exactly.
mlir::Value decodeUnsignedFloat(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value);

/// Encodes `value`, a scalar or tile of f32 or f64, rounded to nearest even:
/// NaN stays, negative values become zero, and values out of range become
/// 114688. The result carries the bits in f8E8M0FNU.
mlir::Value encodeUnsignedFloat(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value);

} // namespace tileir

#endif // PASSES_TILEAA_PATTERNS_UNSIGNEDFLOAT_H

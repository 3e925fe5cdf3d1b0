// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_OPCONVERSION_H
#define PASSES_TILEAS_OPCONVERSION_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

#include "mlir/IR/Builders.h"

namespace tileir {

/// Replaces the `nv_tileaa` operations in `func` by `nv_tileas` ones. The tiles
/// get no layouts: a layout plan must follow. Fails with a diagnostic at the
/// first operation that is not supported.
mlir::LogicalResult convertOperations(mlir::nv_tileaa::FuncOp func,
                                      const Target &target);

/// Facts about the addresses of every memory access of `func`, attached
/// as `nv_tileas.align` and `nv_tileas.contiguous`.
void attachAccessFacts(mlir::nv_tileaa::FuncOp func);

/// `value` with another element type, converted as a number.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::Type element,
                            bool isSigned);

/// Math with a rounding mode or with denormals flushed: `op` is one of the
/// `nv_tileaa` operations that `arith` and `math` cannot express.
mlir::FailureOr<mlir::Value> convertMath(mlir::OpBuilder &builder,
                                         mlir::Operation *op);
/// Returns whether `convertMath` takes the operation.
bool isRoundedMath(mlir::Operation *op);

/// Returns the combining operation in the body of a reduction or scan.
mlir::nv_tileas::ReduceAtomAttr inferReduceAtom(mlir::Region &body);

} // namespace tileir

#endif // PASSES_TILEAS_OPCONVERSION_H

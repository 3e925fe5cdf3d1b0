// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TENSORMAPS_H
#define PASSES_NVVM_FINALIZE_TENSORMAPS_H

#include "dialects/launch/TensorMap.h"

namespace tileir {

/// Converts `value` to an expression of the visible parameters of its kernel;
/// nothing when it depends on memory, a special register or control flow.
std::optional<ExpressionGraph::Id> expressionOf(mlir::Value value,
                                                ExpressionGraph &graph);

/// Returns whether `divisor`, a `tileir.divisible_by` or null, promises the
/// divisibility that the hardware requires of base and strides of a map.
bool isPromised(mlir::Attribute divisor);

/// Replaces the calls of `launch::makeTensorMapName` in `kernel`: a map that is
/// a function of the visible parameters becomes a hidden parameter with a
/// recipe; the kernel builds any other map in its CTA's slot. Counts both.
mlir::LogicalResult placeTensorMaps(mlir::LLVM::LLVMFuncOp kernel,
                                    unsigned &numHost, unsigned &numDevice);

/// Emits code before `call` that builds map number `index` of the kernel, and
/// replaces the call. All threads of the block reach `call` together.
mlir::LogicalResult buildOnDevice(mlir::LLVM::CallOp call,
                                  const TensorMapShape &shape,
                                  mlir::Value workspace, unsigned index);

} // namespace tileir

#endif // PASSES_NVVM_FINALIZE_TENSORMAPS_H

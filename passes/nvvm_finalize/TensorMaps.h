// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TENSORMAPS_H
#define PASSES_NVVM_FINALIZE_TENSORMAPS_H

#include "dialects/launch/TensorMap.h"

namespace tileir {

/// `value` as an expression of the visible parameters of the kernel that it is
/// in; nothing when it takes memory, a special register or control flow.
std::optional<ExpressionGraph::Id> expressionOf(mlir::Value value,
                                                ExpressionGraph &graph);

/// Returns whether `divisor`, a `tileir.divisible_by`, is the promise that base
/// and strides of a map are what hardware asks for; null is none.
bool isPromised(mlir::Attribute divisor);

/// Replaces the calls of `launch::makeTensorMapName` in `kernel`: a map that is
/// a function of the visible parameters becomes a hidden parameter with a
/// recipe, any other is built by the kernel in its CTA's slot. Counts both.
mlir::LogicalResult placeTensorMaps(mlir::LLVM::LLVMFuncOp kernel,
                                    unsigned &numHost, unsigned &numDevice);

/// Emits the code that builds map number `index` of the kernel in front of
/// `call`, which all threads of the block reach together, and replaces the
/// call.
mlir::LogicalResult buildOnDevice(mlir::LLVM::CallOp call,
                                  const TensorMapShape &shape,
                                  mlir::Value workspace, unsigned index);

} // namespace tileir

#endif // PASSES_NVVM_FINALIZE_TENSORMAPS_H

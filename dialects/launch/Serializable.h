// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_SERIALIZABLE_H
#define DIALECTS_LAUNCH_SERIALIZABLE_H

#include "mlir/IR/Operation.h"

namespace tileir {

/// Checks that the serializer can take `module` (a gpu.module, or a builtin
/// module in its place) unchanged, and emits one error at the first operation
/// that it cannot take. It establishes:
///   - exactly one `#nvvm.target`, unless `requireTarget` is false;
///   - only `llvm` and `nvvm` operations in the body;
///   - a kernel has a body, external linkage, no result and no variadic part,
///     and a name that is a PTX identifier;
///   - attributes of the launch ABI are well-formed, recipes of tensor maps
///     included, and hidden parameters come after the visible ones, the
///     workspace first.
mlir::LogicalResult verifySerializable(mlir::Operation *module,
                                       bool requireTarget = true);

} // namespace tileir

#endif // DIALECTS_LAUNCH_SERIALIZABLE_H

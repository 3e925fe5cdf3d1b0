// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_SERIALIZABLE_H
#define DIALECTS_LAUNCH_SERIALIZABLE_H

#include "mlir/IR/Operation.h"

namespace tileir {

/// Checks that the serializer can take `module` (a gpu.module, or a builtin
/// module in its place) as it is, and emits one error at the first operation
/// that it cannot take. What holds afterwards:
///   - exactly one `#nvvm.target`, unless `requireTarget` is false;
///   - only `llvm` and `nvvm` operations in the body;
///   - a kernel has a body, external linkage, no result and no variadic part,
///     and a name that is a PTX identifier;
///   - attributes of the launch ABI have their form, recipes of tensor maps
///     included, and hidden parameters stand behind the visible ones, the
///     workspace first.
mlir::LogicalResult verifySerializable(mlir::Operation *module,
                                       bool requireTarget = true);

} // namespace tileir

#endif // DIALECTS_LAUNCH_SERIALIZABLE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_REMARKS_H
#define PASSES_ANALYSIS_REMARKS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir {

/// Categories that the closed compiler has, too; names, kinds and texts in them
/// are its own. Ours have the name of the family that reports.
inline constexpr llvm::StringLiteral kMemoryRemarks = "Memory";
inline constexpr llvm::StringLiteral kTensorCoreRemarks = "Tensor-core";
inline constexpr llvm::StringLiteral kHintRemarks = "Hints";

/// A remark called `name` about `op`, in the function around it.
inline mlir::remark::RemarkOpts remarkAbout(mlir::Operation *op,
                                            llvm::StringRef name,
                                            llvm::StringRef category) {
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<mlir::FunctionOpInterface>();
  return mlir::remark::RemarkOpts::name(name).category(category).function(
      function ? function.getName() : llvm::StringRef());
}

} // namespace tileir

#endif // PASSES_ANALYSIS_REMARKS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_EXPLAIN_H
#define TOOLS_DRIVER_EXPLAIN_H

#include "tools/driver/Remarks.h"

#include "llvm/Support/JSON.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir {
struct SerializeResult;
} // namespace tileir

namespace tileir::driver {

/// Collects the decisions of a compilation for each kernel, for
/// `tileir-explain`: registers of a thread after each pass, storage in shared
/// and tensor memory with its live ranges, loops, and the operations that are
/// lowered to LLVM IR.
class ExplainCollector {
public:
  /// Makes the passes of `manager` report here; this object must outlive them.
  void attach(mlir::PassManager &manager);

  /// Returns all of it, the kernels of the product, the target and `remarks` as
  /// JSON.
  std::string json(const SerializeResult &result,
                   const RemarkCollector &remarks) const;

private:
  struct Instrumentation;
  llvm::json::Array passes, storage, loops, operations;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_EXPLAIN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_LSP_SERVER_HINTS_H
#define TOOLS_TILEIR_LSP_SERVER_HINTS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileir {

/// A remark or an error of the compiler at a position in a document.
struct Hint {
  unsigned line = 1; ///< Counted from 1, like columns.
  unsigned column = 1;
  /// True for a kernel that does not compile, false for a remark.
  bool isError = false;
  std::string text;
};

/// Lowers the kernels of `text` for `gpu` and returns the remarks of the
/// passes. Text that does not parse has none: MLIR's server reports its errors.
std::vector<Hint> findHints(llvm::StringRef text, llvm::StringRef gpu,
                            const mlir::DialectRegistry &registry);

} // namespace tileir

#endif // TOOLS_TILEIR_LSP_SERVER_HINTS_H

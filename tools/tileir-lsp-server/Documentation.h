// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_LSP_SERVER_DOCUMENTATION_H
#define TOOLS_TILEIR_LSP_SERVER_DOCUMENTATION_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// Returns the `.td` description of an operation of our dialects as Markdown;
/// empty for other operations.
llvm::StringRef findDocumentation(llvm::StringRef operation);

} // namespace tileir

#endif // TOOLS_TILEIR_LSP_SERVER_DOCUMENTATION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_PASSES_H
#define PASSES_TILEAA_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

/// Key of a note in a location: `fused<{tileir.text_line = 7 : i32}>[…]` marks
/// an operation of line 7 of the tile text for the debug information.
inline constexpr llvm::StringLiteral kTextLineNote = "tileir.text_line";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/tileaa/Passes.h.inc"

} // namespace tileir

#endif // PASSES_TILEAA_PASSES_H

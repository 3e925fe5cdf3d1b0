// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_FRAME_PASSES_H
#define PASSES_FRAME_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/frame/Passes.h.inc"

} // namespace tileir

#endif // PASSES_FRAME_PASSES_H

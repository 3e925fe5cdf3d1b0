// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_HOST_WRAPPER_PASSES_H
#define PASSES_HOST_WRAPPER_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/host_wrapper/Passes.h.inc"

} // namespace tileir

#endif // PASSES_HOST_WRAPPER_PASSES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_PLUGIN_H
#define DIALECTS_SUPPORT_PLUGIN_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

/// Defines the two entry points of a plugin. `RegisterDialects` is called with
/// a `mlir::DialectRegistry &`, `RegisterPasses` without arguments. Every
/// plugin has both: `mlir-opt` looks them up with dlsym on the library's
/// handle, which also searches the linked libraries, so a plugin without one of
/// them would return its dependency's.
#define TILEIR_PLUGIN(Name, RegisterDialects, RegisterPasses)                  \
  extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo              \
  mlirGetDialectPluginInfo() {                                                 \
    return {MLIR_PLUGIN_API_VERSION, Name, LLVM_VERSION_STRING,                \
            [](::mlir::DialectRegistry *registry) {                            \
              RegisterDialects(*registry);                                     \
            }};                                                                \
  }                                                                            \
  extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo                 \
  mlirGetPassPluginInfo() {                                                    \
    return {MLIR_PLUGIN_API_VERSION, Name, LLVM_VERSION_STRING,                \
            []() { RegisterPasses(); }};                                       \
  }

namespace tileir {

/// Pass callback of a plugin without passes, for dialects.
inline void registerNoPasses() {}

} // namespace tileir

#endif // DIALECTS_SUPPORT_PLUGIN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_TRANSLATE_TRANSLATE_H
#define TOOLS_TILEIR_TRANSLATE_TRANSLATE_H

#include "dialects/cuda_tile/bytecode/Versions.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tileir {

enum class Translation {
  TextToBytecode,
  BytecodeToText,
  RoundTrip,
  MinimumVersion
};

struct TranslateOptions {
  /// Applied in sequence, each to the result of the previous one.
  llvm::SmallVector<Translation, 2> translations;
  BytecodeVersion version = kDefaultBytecodeVersion;
  bool noImplicitModule = false;
  bool genericForm = false;
  /// Bytecode keeps source locations only inside of debug scopes.
  bool addDebugScopes = false;
  bool warnHints = false;
  bool errorOnHints = false;
  bool allowUnregisteredDialects = false;
  bool errorDiagnosticsOnly = false;
  mlir::SourceMgrDiagnosticVerifierHandler::Level verifyDiagnostics =
      mlir::SourceMgrDiagnosticVerifierHandler::Level::None;
};

/// Translates one input. Errors go to standard error, or are compared with the
/// expected errors of the input; then only these decide about success.
mlir::LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> input,
                              const TranslateOptions &options,
                              mlir::TimingScope &timing, llvm::raw_ostream &os);

} // namespace tileir

#endif // TOOLS_TILEIR_TRANSLATE_TRANSLATE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel file with a case in the oracle.

#ifndef TOOLS_ORACLE_ORACLE_H
#define TOOLS_ORACLE_ORACLE_H

#include "dialects/cuda_tile/reference/Interpreter.h"
#include "tools/cases/Case.h"

#include "mlir/IR/OwningOpRef.h"

namespace tileir {

/// Reads bytecode or text. Returns null after an error, which was reported to
/// the diagnostic handlers or on standard error.
mlir::OwningOpRef<mlir::Operation *> loadKernel(const std::string &path,
                                                mlir::MLIRContext *context);

/// Returns the kernel of this name, or the only kernel. Null with `error` set.
mlir::cuda_tile::EntryOp findEntry(mlir::Operation *module,
                                   llvm::StringRef name, std::string &error);

/// Final contents of a compared buffer.
struct OracleOutput {
  const cases::BufferSpec *spec;
  std::vector<uint64_t> bits;
  /// Per element; empty if all are exact or errors were not tracked.
  std::vector<double> errors;
};

struct OracleResult {
  std::vector<reference::Finding> findings;
  /// Possible faults without an effect on the result.
  std::vector<reference::Finding> notes;
  std::vector<OracleOutput> outputs;
  std::string printed;
};

/// Runs a case. Returns false with `error` set if it cannot be run.
bool runOracle(mlir::cuda_tile::EntryOp entry, const cases::Case &theCase,
               const reference::RunOptions &options, OracleResult &result,
               std::string &error);

} // namespace tileir

#endif // TOOLS_ORACLE_ORACLE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel file and a case, run in the oracle.

#ifndef TOOLS_ORACLE_ORACLE_H
#define TOOLS_ORACLE_ORACLE_H

#include "dialects/cuda_tile/reference/Interpreter.h"
#include "tools/cases/Case.h"

#include "mlir/IR/OwningOpRef.h"

namespace tileir {

/// Reads bytecode or text. Null after an error, which went to the diagnostic
/// handlers or standard error.
mlir::OwningOpRef<mlir::Operation *> loadKernel(const std::string &path,
                                                mlir::MLIRContext *context);

/// The kernel of that name, or the only one. Null with `error` set.
mlir::cuda_tile::EntryOp findEntry(mlir::Operation *module,
                                   llvm::StringRef name, std::string &error);

/// Contents of a compared buffer in the end.
struct OracleOutput {
  const cases::BufferSpec *spec;
  std::vector<uint64_t> bits;
  /// Per element; nothing when all are exact or errors were not followed.
  std::vector<double> errors;
};

struct OracleResult {
  std::vector<reference::Finding> findings;
  /// Faults would they matter.
  std::vector<reference::Finding> notes;
  std::vector<OracleOutput> outputs;
  std::string printed;
};

/// Runs a case. False with `error` set when it cannot be run.
bool runOracle(mlir::cuda_tile::EntryOp entry, const cases::Case &theCase,
               const reference::RunOptions &options, OracleResult &result,
               std::string &error);

} // namespace tileir

#endif // TOOLS_ORACLE_ORACLE_H

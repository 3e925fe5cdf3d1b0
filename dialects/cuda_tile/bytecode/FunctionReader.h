// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H
#define DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H

#include "dialects/cuda_tile/bytecode/DebugInfo.h"
#include "dialects/cuda_tile/bytecode/Tables.h"

#include "mlir/IR/Builders.h"

namespace tileir::bytecode {

/// Reads the function section and makes the functions.
class FunctionReader {
public:
  FunctionReader(Tables &tables, DebugInfo &debugInfo)
      : tables(tables), debugInfo(debugInfo) {}

  /// Reads everything but the bodies.
  mlir::LogicalResult readTable(llvm::ArrayRef<uint8_t> payload);

  size_t size() const { return functions.size(); }

  /// Creates function `index` with its body at the builder's insertion point.
  mlir::LogicalResult createFunction(size_t index, mlir::OpBuilder &builder);

private:
  struct Record {
    llvm::StringRef name;
    mlir::FunctionType type;
    uint8_t flags = 0;
    uint64_t location = 0;
    mlir::Attribute hints;
    llvm::ArrayRef<uint8_t> body;
  };

  mlir::LogicalResult readRecord(Cursor &cursor, size_t index,
                                 Record &function);
  mlir::LogicalResult checkRecord(const Record &function, mlir::Location loc);

  Tables &tables;
  DebugInfo &debugInfo;
  llvm::SmallVector<Record, 0> functions;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H

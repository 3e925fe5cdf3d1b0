// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H
#define DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H

#include "dialects/cuda_tile/bytecode/BodyReader.h"

#include "mlir/IR/Builders.h"

namespace tileir::bytecode {

/// Reads the function section and makes the functions.
class FunctionReader {
public:
  FunctionReader(Tables &tables, DebugInfo &debugInfo)
      : tables(tables), debugInfo(debugInfo), bodies(tables, debugInfo) {}

  /// Reads everything except the bodies.
  mlir::LogicalResult readTable(llvm::ArrayRef<uint8_t> payload);

  size_t size() const { return functions.size(); }

  /// Creates function `index` with its body at the builder's insertion point.
  /// Faults outside of the body are reported at the position of `file`.
  mlir::LogicalResult createFunction(size_t index, mlir::OpBuilder &builder,
                                     const Cursor &file);

  /// Returns whether the verifier would report nothing about the created
  /// functions, apart from their symbol uses.
  bool areSilent() const { return silent; }
  llvm::ArrayRef<mlir::SymbolUserOpInterface> getSymbolUsers() const {
    return bodies.getSymbolUsers();
  }

  /// Rejects functions that are private or no kernels, after all are made.
  mlir::LogicalResult checkKinds() const;
  /// Rejects arguments that the verifier accepts, but no kernel can have.
  mlir::LogicalResult checkArguments() const;

private:
  struct Record {
    uint64_t name = 0;
    uint64_t signature = 0;
    uint8_t flags = 0;
    uint64_t location = 0;
    mlir::Attribute hints;
    mlir::Attribute argAttrs;
    llvm::ArrayRef<uint8_t> body;
  };

  mlir::LogicalResult readRecord(Cursor &cursor, Record &function);
  mlir::LogicalResult checkFlags(const Cursor &cursor,
                                 const Record &function) const;
  mlir::LogicalResult readAttrs(Cursor &cursor, Record &function);
  mlir::LogicalResult resolve(size_t index, const Cursor &file,
                              llvm::StringRef &name, mlir::FunctionType &type);
  mlir::LogicalResult addAttrs(const Record &function, llvm::StringRef quoted,
                               const Cursor &file, mlir::OperationState &state);

  Tables &tables;
  DebugInfo &debugInfo;
  BodyReader bodies;
  llvm::SmallVector<Record, 0> functions;
  /// The created operations, in the same order.
  llvm::SmallVector<mlir::Operation *, 0> made;
  bool silent = true;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_FUNCTIONREADER_H

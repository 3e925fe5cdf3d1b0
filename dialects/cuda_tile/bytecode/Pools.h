// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_POOLS_H
#define DIALECTS_CUDA_TILE_BYTECODE_POOLS_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/cuda_tile/bytecode/Encoder.h"
#include "dialects/cuda_tile/bytecode/OpTable.h"

#include "llvm/ADT/MapVector.h"

namespace tileir::bytecode {

/// The string, type, constant and debug tables of a file under construction. An
/// item gets the number of distinct items before it.
class Pools {
public:
  Pools(mlir::MLIRContext *context, BytecodeVersion version)
      : context(context), version(version) {}

  uint64_t string(llvm::StringRef text);
  /// Interns a type. Fails with an error for a type that the version lacks; its
  /// note names the last user.
  mlir::FailureOr<uint64_t> type(mlir::Type type);
  void setUser(mlir::Operation *op) { user = op; }
  mlir::FailureOr<uint64_t> constant(mlir::DenseElementsAttr value);
  /// Interns a location; 0 for an unknown or plain file location.
  uint64_t location(mlir::LocationAttr loc);

  /// Writes an attribute whose kind the operation determines. Errors are at
  /// `op`, about its attribute `name`.
  mlir::LogicalResult writeInlineAttr(Encoder &out, mlir::Operation *op,
                                      llvm::StringRef name, AttrCode code,
                                      mlir::Attribute value);
  /// Writes an attribute after its tag.
  mlir::LogicalResult writeAttr(Encoder &out, mlir::Operation *op,
                                llvm::StringRef name, mlir::Attribute value);

  /// Returns the payloads; afterwards only strings of debug attributes may be
  /// added.
  Encoder typePayload() const;
  Encoder constantPayload() const;
  /// `lists` are the location lists of functions, in attribute numbers.
  Encoder debugPayload(llvm::ArrayRef<llvm::SmallVector<uint64_t, 0>> lists);
  Encoder stringPayload() const;

  bool hasConstants() const { return !constants.empty(); }
  bool hasDebugAttrs() const { return !debugAttrs.empty(); }

private:
  using Bytes = std::string;

  mlir::LogicalResult writeType(Encoder &out, mlir::Type type);
  mlir::LogicalResult
  writeTestEvolved(Encoder &out,
                   mlir::cuda_tile::TestingBytecodeTestEvolvedType type);
  mlir::LogicalResult
  checkPointerKind(mlir::cuda_tile::PointerKindAttr kind) const;
  mlir::LogicalResult writeTypes(Encoder &out, mlir::TypeRange types);
  mlir::LogicalResult internParts(mlir::Type type);
  uint64_t debugAttr(mlir::Attribute attr);
  void writeDebugAttr(Encoder &out, mlir::Attribute attr);
  mlir::LogicalResult writeDictionary(Encoder &out, mlir::Operation *op,
                                      llvm::StringRef name,
                                      mlir::DictionaryAttr entries);
  mlir::LogicalResult writeElements(Encoder &out, mlir::Operation *op,
                                    llvm::StringRef name,
                                    mlir::ArrayAttr elements);
  mlir::LogicalResult writeInteger(Encoder &out, mlir::IntegerAttr value);
  void writeAPInt(Encoder &out, const llvm::APInt &value);

  mlir::InFlightDiagnostic error() const;

  mlir::MLIRContext *context;
  BytecodeVersion version;
  mlir::Operation *user = nullptr;
  llvm::MapVector<mlir::StringAttr, uint64_t> strings;
  llvm::MapVector<mlir::Type, Bytes> types;
  llvm::DenseMap<mlir::Type, uint64_t> typeNumbers;
  llvm::MapVector<mlir::Attribute, Bytes> constants;
  llvm::DenseMap<mlir::Attribute, uint64_t> constantNumbers;
  llvm::MapVector<mlir::Attribute, uint64_t> debugAttrs;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_POOLS_H

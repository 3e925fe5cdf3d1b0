// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H
#define DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H

#include "dialects/cuda_tile/bytecode/DebugInfo.h"
#include "dialects/cuda_tile/bytecode/Tables.h"

namespace tileir::bytecode {

/// Decodes the bodies of functions, one after the other.
class BodyReader {
public:
  BodyReader(Tables &tables, DebugInfo &debugInfo);

  /// Appends the operations of `body` to `block`, whose arguments are those of
  /// the function. `locations` are the debug attribute numbers of the
  /// operations, in encoding order; absent when all are unknown.
  mlir::LogicalResult read(Cursor &body, mlir::Block &block,
                           std::optional<llvm::ArrayRef<uint64_t>> locations);

private:
  /// What making an operation needs from the context; found once a row.
  struct Names {
    std::optional<mlir::OperationName> op;
    mlir::StringAttr attrs[OpRecord::kMaxFields];
  };

  /// An attribute that waits for its operation to be made.
  struct PendingAttr {
    mlir::StringAttr name;
    mlir::Attribute value;
  };

  mlir::LogicalResult readOperation(Cursor &cursor, mlir::Block &block);
  mlir::LogicalResult readLocation(Cursor &cursor, mlir::Location &loc);
  mlir::LogicalResult readResults(Cursor &cursor, const OpRecord &op,
                                  unsigned &numValues);
  mlir::LogicalResult readFlags(Cursor &cursor, const OpRecord &op,
                                uint64_t &flags);
  mlir::LogicalResult readAttrs(Cursor &cursor, const OpRecord &op,
                                const Names &names, uint64_t flags);
  mlir::LogicalResult readOperands(Cursor &cursor, const OpRecord &op);
  mlir::LogicalResult readSegments(Cursor &cursor, const OpRecord &op,
                                   uint64_t flags);
  mlir::LogicalResult readRegions(Cursor &cursor, const OpRecord &op,
                                  mlir::Operation *operation);
  mlir::LogicalResult readRegion(Cursor &cursor, mlir::Region &region,
                                 mlir::Location loc);
  mlir::LogicalResult readBlock(Cursor &cursor, mlir::Block &block,
                                mlir::Location loc);
  mlir::LogicalResult checkTerminator(Cursor &cursor, mlir::Block &block);

  const Names &namesOf(const OpRecord &op);
  bool promisesNothing(mlir::Attribute attr) const;
  mlir::Attribute segmentSizes(llvm::ArrayRef<int32_t> sizes);

  Tables &tables;
  DebugInfo &debugInfo;
  std::optional<llvm::ArrayRef<uint64_t>> locations;
  size_t nextLocation = 0;
  uint32_t maxOpcode;
  /// By row of the table of operations.
  llvm::SmallVector<Names, 0> names;
  mlir::StringAttr segmentSizesName;
  mlir::DictionaryAttr noAttrs;
  /// Attributes by the sizes, packed into a number.
  llvm::DenseMap<uint64_t, mlir::Attribute> segmentSizesCache;
  /// Values by number; a finished block gives its numbers back.
  llvm::SmallVector<mlir::Value> values;
  unsigned depth = 0;

  // Parts of the operation that is being read; its regions come after it is
  // made, so none of this is needed across them.
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Value> operands;
  /// The index operands of an access to a view.
  uint64_t numIndices = 0;
  llvm::SmallVector<PendingAttr, OpRecord::kMaxFields + 1> attrs;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H

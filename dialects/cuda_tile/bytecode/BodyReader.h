// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H
#define DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H

#include "dialects/cuda_tile/bytecode/DebugInfo.h"
#include "dialects/cuda_tile/bytecode/Tables.h"
#include "dialects/cuda_tile/bytecode/Verification.h"

#include "llvm/Support/Allocator.h"

namespace tileir::bytecode {

/// Decodes the bodies of functions, one after the other.
///
/// Most operations repeat an earlier one in name, types and attributes. The
/// reader makes the first of its kind attribute by attribute; the others copy
/// its properties, and the verifier skips them.
class BodyReader {
public:
  BodyReader(Tables &tables, DebugInfo &debugInfo);

  /// Appends the operations of `body` to `block`, whose arguments are those of
  /// the function. `locations` are the debug attribute numbers of the
  /// operations, in encoding order; absent when all are unknown.
  mlir::LogicalResult read(Cursor &body, mlir::Block &block,
                           std::optional<Numbers<uint64_t>> locations);

  /// The operations of the last body that the verifier must check.
  llvm::ArrayRef<Check> getChecks() const { return checks; }
  /// The operations of all bodies that use symbols.
  llvm::ArrayRef<mlir::SymbolUserOpInterface> getSymbolUsers() const {
    return symbolUsers;
  }

private:
  /// A row of the operation table, prepared for the version of this file.
  struct Plan {
    Plan(const OpRecord &record, mlir::OperationName name)
        : record(&record), name(name), attrs(record.attrFields()),
          operands(record.operandFields()) {}

    const OpRecord *record;
    mlir::OperationName name;
    llvm::ArrayRef<AttrField> attrs;
    llvm::ArrayRef<ValueField> operands;
    mlir::StringAttr attrNames[OpRecord::kMaxFields];
    /// Number of results in the version, and of results that are newer.
    unsigned numResults = 0, numLaterResults = 0;
    bool hasYoungerResults = false, hasFlags = false, countsOperands = false;
    uint64_t knownFlags = 0;
    /// The data field, which no rule checks, or -1.
    int dataField = -1;
    /// True if name, types and attributes alone decide validity.
    bool isLocal = false;
    bool usesSymbols = false;
  };

  /// Key of a kind of operations: plan, present attributes, number of results,
  /// then types and attributes.
  using Signature = llvm::ArrayRef<const void *>;
  struct SignatureInfo : llvm::DenseMapInfo<Signature> {
    static unsigned getHashValue(Signature signature);
  };

  mlir::LogicalResult readOperation(Cursor &cursor, mlir::Block &block);
  mlir::LogicalResult readPlan(Cursor &cursor, const Plan *&plan);
  const Plan &makePlan(const OpRecord &record);
  mlir::LogicalResult readLocation(Cursor &cursor, mlir::Location &loc);
  mlir::LogicalResult readResults(Cursor &cursor, const Plan &plan,
                                  unsigned &numValues);
  mlir::LogicalResult readFlags(Cursor &cursor, const Plan &plan,
                                uint64_t &flags);
  mlir::LogicalResult checkFlags(const Cursor &cursor, const Plan &plan,
                                 uint64_t flags) const;
  mlir::LogicalResult readAttrs(Cursor &cursor, const Plan &plan,
                                uint64_t flags);
  mlir::LogicalResult readOperands(Cursor &cursor, const Plan &plan);
  mlir::LogicalResult readSegments(Cursor &cursor, const Plan &plan,
                                   uint64_t flags);
  mlir::Operation *makeOperation(const Plan &plan, mlir::Location loc,
                                 mlir::Block &block);
  void setAttrs(const Plan &plan, mlir::Operation *operation);
  mlir::LogicalResult readRegions(Cursor &cursor, const OpRecord &op,
                                  mlir::Operation *operation);
  mlir::LogicalResult readRegion(Cursor &cursor, mlir::Region &region,
                                 mlir::Location loc);
  mlir::LogicalResult readBlock(Cursor &cursor, mlir::Block &block,
                                mlir::Location loc);
  mlir::LogicalResult checkTerminator(Cursor &cursor, mlir::Block &block);

  bool promisesNothing(mlir::Attribute attr) const;
  mlir::Attribute segmentSizes(llvm::ArrayRef<int32_t> sizes);

  Tables &tables;
  DebugInfo &debugInfo;
  std::optional<Numbers<uint64_t>> locations;
  size_t nextLocation = 0;
  uint32_t maxOpcode;
  /// Plans by row of the operation table, each made at its first use.
  llvm::SmallVector<std::unique_ptr<Plan>, 0> plans;
  mlir::StringAttr segmentSizesName;
  mlir::DictionaryAttr noAttrs;
  mlir::Location unknown;
  /// Attributes by their segment sizes, packed into a number.
  llvm::DenseMap<uint64_t, mlir::Attribute> segmentSizesCache;
  /// Values by number; a finished block releases its numbers.
  llvm::SmallVector<mlir::Value, 0> values;
  unsigned depth = 0;

  /// The first operation of each kind.
  llvm::DenseMap<Signature, mlir::Operation *, SignatureInfo> prototypes;
  llvm::BumpPtrAllocator signatureStorage;
  llvm::SmallVector<Check, 0> checks;
  llvm::SmallVector<mlir::SymbolUserOpInterface, 0> symbolUsers;

  // Parts of the current operation; its regions are read after it is made, so
  // no part is needed across them.
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Value> operands;
  /// Number of index operands of an access to a view.
  uint64_t numIndices = 0;
  /// Attributes by field; null where an optional one is absent.
  mlir::Attribute attrs[OpRecord::kMaxFields];
  mlir::Attribute segments;
  llvm::SmallVector<const void *> signature;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_BODYREADER_H

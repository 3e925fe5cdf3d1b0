// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H
#define DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H

#include "dialects/cuda_tile/bytecode/Tables.h"

#include "llvm/ADT/BitVector.h"

namespace tileir::bytecode {

/// The debug section: a list of attribute numbers for each function with
/// locations, and the attributes, decoded at their first use.
class DebugInfo {
public:
  DebugInfo(Tables &tables)
      : tables(tables), unknown(mlir::UnknownLoc::get(tables.getContext())) {}

  mlir::LogicalResult read(llvm::ArrayRef<uint8_t> payload);

  /// Returns the attribute numbers of function list `list`, counted from 1: of
  /// the function itself, then of its operations. False when there is no such
  /// list.
  bool getList(uint64_t list, Numbers<uint64_t> &numbers) const;

  /// The location with attribute number `number`; null after an error.
  mlir::LocationAttr getLocation(uint64_t number);
  /// The attribute with this number; null when there is none, when it refers to
  /// itself, or after a reported error.
  mlir::Attribute getAttr(uint64_t number) {
    if (number - 1 < attrs.size() && attrs[number - 1])
      return attrs[number - 1];
    return decode(number);
  }

  /// The attribute with this number as a part of the current one.
  mlir::Attribute getPart(uint64_t number);

private:
  mlir::Attribute decode(uint64_t number);

  mlir::Attribute parse(Cursor &item, uint64_t number);
  mlir::Attribute parseCompileUnit(Cursor &cursor);
  mlir::Attribute parseFile(Cursor &cursor);
  mlir::Attribute parseLexicalBlock(Cursor &cursor);
  mlir::Attribute parseLoc(Cursor &cursor);
  mlir::Attribute parseSubprogram(Cursor &cursor);
  mlir::Attribute parseCallSite(Cursor &cursor);

  Tables &tables;
  mlir::LocationAttr unknown;
  /// Start of each list in `numbers`.
  Numbers<uint32_t> starts;
  Numbers<uint64_t> numbers;
  Items items;
  llvm::SmallVector<mlir::Attribute, 0> attrs;
  /// Visited attributes; an attribute that refers to itself gets null.
  llvm::BitVector visited;
  /// Extent of a decoded attribute; both fields fit.
  struct SmallExtent {
    uint16_t depth = 0, size = 0;
  };
  llvm::SmallVector<SmallExtent, 0> extents;
  /// Extent of the parts of the current attribute.
  Extent parts;
  unsigned depth = 0;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H

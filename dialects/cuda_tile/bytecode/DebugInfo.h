// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H
#define DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H

#include "dialects/cuda_tile/bytecode/Tables.h"

namespace tileir::bytecode {

/// The debug section: a list of attribute numbers for each function that has
/// one, and the attributes, decoded on first use.
class DebugInfo {
public:
  DebugInfo(Tables &tables) : tables(tables) {}

  mlir::LogicalResult read(llvm::ArrayRef<uint8_t> payload);

  /// The attribute numbers of function list `list`, counted from 1: of the
  /// function itself, then of its operations. False when there is no such list.
  bool getList(uint64_t list, llvm::ArrayRef<uint64_t> &numbers) const;

  /// The location with attribute number `number`; null after an error.
  mlir::LocationAttr getLocation(uint64_t number);
  /// The attribute with that number; null when there is none, when it refers
  /// to itself, or after an error that was reported.
  mlir::Attribute getAttr(uint64_t number);

private:
  struct Item {
    llvm::ArrayRef<uint8_t> bytes;
    mlir::Attribute attr;
    bool visited = false;
  };

  mlir::Attribute parse(Cursor &cursor, uint64_t number);
  mlir::Attribute parseCompileUnit(Cursor &cursor);
  mlir::Attribute parseFile(Cursor &cursor);
  mlir::Attribute parseLexicalBlock(Cursor &cursor);
  mlir::Attribute parseLoc(Cursor &cursor);
  mlir::Attribute parseSubprogram(Cursor &cursor);
  mlir::Attribute parseCallSite(Cursor &cursor);

  Tables &tables;
  llvm::SmallVector<uint32_t, 0> starts;
  llvm::SmallVector<uint64_t, 0> numbers;
  llvm::SmallVector<Item, 0> items;
  unsigned depth = 0;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_DEBUGINFO_H

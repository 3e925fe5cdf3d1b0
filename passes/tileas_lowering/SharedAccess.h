// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_SHAREDACCESS_H
#define PASSES_TILEAS_LOWERING_SHAREDACCESS_H

#include "passes/tileas_lowering/Emitter.h"

#include "dialects/support/layout/Fragments.h"

namespace tileir::lowering {

/// An unstaged buffer in shared memory, as patterns see it. The element with
/// coordinate c lies at `base` + (`offset` ^ bytes of c in `layout`).
struct SharedBuffer {
  /// Scratch storage at `base`.
  SharedBuffer(mlir::Value base, const Layout &layout)
      : base(base), layout(layout) {}
  /// A lowered buffer: the address of its stage and the bytes of its position
  /// in the allocation.
  SharedBuffer(mlir::ValueRange values, mlir::nv_tileas::BufferType type);

  mlir::Value base;
  /// An i32; null where it is known.
  mlir::Value offset;
  /// The bits that `offset` may have.
  uint64_t offsetMask = 0;
  /// The offset where it is known.
  uint64_t origin = 0;
  /// Of the whole allocation.
  Layout layout;
};

/// Moves the registers of a tile from and to shared memory, 16 bytes or four
/// matrices at a time where both layouts allow it. Addresses are made at the
/// insertion point of the first use: one object serves one block.
class SharedAccess {
public:
  /// `reg` may have smaller extents than the buffer's layout, and may leave out
  /// registers of its tile: `read` and `write` then move a part of it.
  SharedAccess(Emitter &emitter, const SharedBuffer &buffer, const Layout &reg,
               mlir::Type element);

  /// The registers as elements, in order; `origin` is the row-major index, in
  /// the extents of the buffer's layout, of the tile's first element.
  llvm::SmallVector<mlir::Value> readElements(uint32_t origin = 0);
  /// The same, packed into words.
  llvm::SmallVector<mlir::Value> readWords(uint32_t origin = 0);
  /// Stores one element per register, by one thread of those that have copies.
  /// Where the target has `stmatrix`, four matrices at a time.
  void write(llvm::ArrayRef<mlir::Value> elements);

  /// Adds a position that only the running kernel knows: `bytes` is XOR-ed into
  /// every address; `mask` has all the bits that it may have.
  void moveBy(mlir::Value bytes, uint64_t mask);

private:
  void setThreadColumns(llvm::ArrayRef<uint64_t> columns);
  mlir::Value pointerAt(uint64_t bytes);
  void setMatrixColumns();
  /// Offset of the matrices of number `rest` with the register bits behind
  /// those that choose among the matrices of one instruction.
  uint64_t getMatrixDistance(uint64_t rest) const;
  llvm::SmallVector<mlir::Value> readMatrices(uint64_t origin);
  llvm::SmallVector<mlir::Value> readTransposed(uint64_t origin);
  void writeMatrices(llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> readVectors(uint64_t origin);
  Packing packing() const;
  mlir::Type getWordType() const;

  Emitter &emitter;
  mlir::Value base, dynamicOffset;
  /// XOR-ed into every distance.
  uint64_t start;
  Layout reg;
  mlir::Type element;
  /// Bytes of an element.
  unsigned bytes;
  /// Element index to element offset.
  LinearMap offsets;
  tileir::SmemAccess vectors;
  std::optional<MatrixMatch> matrices;
  std::optional<ByteTranspose> transpose;
  /// The part of the address that depends on the thread, and all its bits.
  llvm::SmallVector<uint64_t> columns;
  uint64_t threadMask = 0;
  mlir::Value thread;
  /// Thread addresses by the constant that was XOR-ed in.
  llvm::DenseMap<uint64_t, mlir::Value> pointers;
};

/// `reg` with its coordinates read in the larger extents of `shape`.
Layout embed(const Layout &reg, const Layout::Shape &shape);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_SHAREDACCESS_H

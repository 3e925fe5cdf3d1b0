// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_MEMORY_SHAREDACCESS_H
#define PASSES_TILEAS_LOWERING_MEMORY_SHAREDACCESS_H

#include "passes/tileas_lowering/Emitter.h"

#include "dialects/support/layout/Fragments.h"

namespace tileir::lowering {

/// A buffer in shared memory without stages. The element with coordinate c is
/// at `base` + (`offset` ^ bytes of c in `layout`).
struct SharedBuffer {
  /// Describes scratch storage at `base`.
  SharedBuffer(mlir::Value base, const Layout &layout)
      : base(base), layout(layout) {}
  /// Describes a lowered buffer: the address of its stage and the byte offset
  /// of a subview in the allocation.
  SharedBuffer(mlir::ValueRange values, mlir::nv_tileas::BufferType type);

  mlir::Value base;
  /// An i32; null if it is constant.
  mlir::Value offset;
  /// Mask of the bits that `offset` may have.
  uint64_t offsetMask = 0;
  /// The offset if it is constant.
  uint64_t origin = 0;
  /// Layout of the whole allocation.
  Layout layout;
};

/// Moves the registers of a tile from and to shared memory, by 16 bytes or four
/// matrices at a time if both layouts allow it. Addresses are built at the
/// insertion point of the first use: one object serves one block.
class SharedAccess {
public:
  /// `reg` may have smaller extents than the buffer's layout, and may omit
  /// registers of its tile: `read` and `write` then move a part of the tile.
  SharedAccess(Emitter &emitter, const SharedBuffer &buffer, const Layout &reg,
               mlir::Type element);

  /// Returns the registers as elements, in order; `origin` is the row-major
  /// index, in the extents of the buffer's layout, of the tile's first element.
  llvm::SmallVector<mlir::Value> readElements(uint32_t origin = 0);
  /// Returns the elements in packed registers.
  llvm::SmallVector<mlir::Value> readWords(uint32_t origin = 0);
  /// Stores one element per register, by one of the threads that hold copies;
  /// with `stmatrix`, four matrices at a time, if the target has it.
  void write(llvm::ArrayRef<mlir::Value> elements);

  /// Adds a run-time position: `bytes` is XOR-ed into every address; `mask` has
  /// all the bits that it may have.
  void moveBy(mlir::Value bytes, uint64_t mask);

private:
  void setThreadColumns(llvm::ArrayRef<uint64_t> columns);
  mlir::Value pointerAt(uint64_t bytes);
  void setMatrixColumns();
  /// Returns the offset of matrix number `rest`, by the register bits above
  /// those that select a matrix of one instruction.
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
  /// Maps an element index to an element offset.
  LinearMap offsets;
  tileir::SmemAccess vectors;
  std::optional<MatrixMatch> matrices;
  std::optional<ByteTranspose> transpose;
  /// The thread-dependent part of the address, and the mask of its bits.
  llvm::SmallVector<uint64_t> columns;
  uint64_t threadMask = 0;
  mlir::Value thread;
  /// Thread addresses by the constant that was XOR-ed in.
  llvm::DenseMap<uint64_t, mlir::Value> pointers;
};

/// Returns `reg` with its coordinates in the larger extents of `shape`.
Layout embed(const Layout &reg, const Layout::Shape &shape);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MEMORY_SHAREDACCESS_H

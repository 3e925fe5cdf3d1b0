// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a kernel in execution.

#ifndef DIALECTS_CUDA_TILE_REFERENCE_VALUE_H
#define DIALECTS_CUDA_TILE_REFERENCE_VALUE_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/cuda_tile/reference/Memory.h"

#include "llvm/ADT/APFloat.h"

#include <memory>
#include <vector>

namespace tileir::reference {

/// The elements of a tile in row-major order, as raw bits. An element is marked
/// when the dialect leaves its value open.
struct Tile {
  mlir::cuda_tile::TileType type;
  std::vector<uint64_t> bits;
  /// One byte an element; empty when no element is marked.
  std::vector<uint8_t> marks;
  /// For each element, a bound of the distance to the value of any other
  /// correct implementation (infinity: any value); empty when all are exact.
  /// Only runs with `tracksErrors` fill it.
  std::vector<double> errors;

  Tile() = default;
  explicit Tile(mlir::cuda_tile::TileType type)
      : type(type), bits(type.getNumElements()) {}

  size_t size() const { return bits.size(); }
  mlir::Type element() const { return type.getElementType(); }
  bool isMarked(size_t index) const {
    return !marks.empty() && marks[index] != 0;
  }
  bool anyMarked() const;
  void mark(size_t index) {
    if (marks.empty())
      marks.assign(bits.size(), 0);
    marks[index] = 1;
  }
  double errorAt(size_t index) const {
    return errors.empty() ? 0 : errors[index];
  }
  void setError(size_t index, double error) {
    if (errors.empty() && error != 0)
      errors.assign(bits.size(), 0);
    if (!errors.empty())
      errors[index] = error;
  }
  /// Copies element `from` of `source` to element `index`.
  void take(size_t index, const Tile &source, size_t from) {
    bits[index] = source.bits[from];
    if (source.isMarked(from))
      mark(index);
    if (!source.errors.empty())
      setError(index, source.errors[from]);
  }
};

/// Numbers of false assumptions about a value or its operands.
using Doubts = std::vector<unsigned>;

/// A tensor in memory, possibly accessed through a view.
struct View {
  uint64_t base = 0;
  std::vector<uint64_t> shape, strides;
  /// Doubts about the base, the extents, and each stride.
  Doubts doubts, extentDoubts;
  std::vector<Doubts> strideDoubts;
};

/// A tile, a view or a token. A pending value is the result of a delayed memory
/// operation.
struct RuntimeValue {
  std::shared_ptr<const Tile> tile;
  std::shared_ptr<const View> view;
  /// Delayed operations for which a token waits.
  std::vector<unsigned> after;
  /// Order of all operations before a token; null for none.
  std::shared_ptr<const TokenOrder> order;
  /// Number of the delayed operation that computes the tile, plus one; 0 for a
  /// tile with a value.
  unsigned pending = 0;
  /// Doubts about a tile.
  Doubts doubts;
};

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Bits of an element's value; tf32 has 19.
unsigned bitWidth(mlir::Type element);

/// Bits of an element in memory; i1 takes a byte, tf32 four.
unsigned storageBits(mlir::Type element);

inline uint64_t maskOf(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}
inline int64_t signExtend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits)
                     : llvm::SignExtend64(bits & maskOf(width), width);
}

llvm::APFloat toAPFloat(mlir::Type element, uint64_t bits);
uint64_t fromAPFloat(const llvm::APFloat &value);

/// The exact value of a float element.
double toDouble(mlir::Type element, uint64_t bits);

llvm::APFloat::roundingMode toLLVM(mlir::cuda_tile::RoundingMode mode);

/// Rounds `value` once to `element` under the rules of `ftof`: f8 and f4
/// saturate, f8E8M0FNU clamps.
uint64_t roundTo(mlir::Type element, llvm::APFloat value,
                 mlir::cuda_tile::RoundingMode mode);
uint64_t roundTo(mlir::Type element, double value,
                 mlir::cuda_tile::RoundingMode mode =
                     mlir::cuda_tile::RoundingMode::NEAREST_EVEN);

/// The padding value of a view as raw bits of its element type.
uint64_t paddingBits(mlir::Type element, mlir::cuda_tile::PaddingValue value);

/// The tile of a literal.
Tile fromAttr(mlir::DenseElementsAttr attr);
/// The raw bits of one number.
uint64_t bitsOf(mlir::Attribute attr);

/// Formats an element for messages.
std::string formatElement(mlir::Type element, uint64_t bits);

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_VALUE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of operations that make and reshape tiles.

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static TileType tileTypeOf(Value tile) {
  return cast<TileType>(tile.getType());
}

//===----------------------------------------------------------------------===//
// ConstantOp, IotaOp
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// Prints the value into the name of a splat, where it is short enough.
static void nameFloat(const APFloat &value, raw_ostream &os) {
  llvm::APSInt integer(64, /*isUnsigned=*/true);
  bool isExact = false;
  if (value.isNaN())
    os << "NaN_";
  else if (value.convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                  &isExact) == llvm::APFloat::opOK &&
           isExact)
    os << integer << '_';
}

/// Prints the name of a splat: `cst_<value>_<type>`.
static void nameSplat(DenseElementsAttr value, raw_ostream &os) {
  Type element = value.getElementType();
  os << "cst_";
  if (isa<FloatNV8E5M3FNUType>(element)) {
    // `APFloat` does not have this format.
    auto bits = static_cast<uint8_t>(value.getRawData().front());
    nameFloat(APFloat(decodeFNV8E5M3FNU(bits)), os);
    os << FloatNV8E5M3FNUType::getMnemonic();
    return;
  }
  if (isa<FloatType>(element)) {
    nameFloat(*value.value_begin<APFloat>(), os);
  } else {
    (*value.value_begin<APInt>()).print(os, /*isSigned=*/true);
    os << '_';
  }
  os << element;
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  DenseIntOrFPElementsAttr value = getValue();
  Type element = value.getElementType();
  bool isSingle = value.isSplat() || value.getNumElements() == 1;
  llvm::SmallString<32> name;
  llvm::raw_svector_ostream os(name);
  if (element.isInteger(1)) {
    if (!isSingle)
      os << "cst_i1";
    else
      os << ((*value.value_begin<APInt>()).isZero() ? "false" : "true");
  } else if (isSingle) {
    nameSplat(value, os);
  } else if (isa<FloatNV8E5M3FNUType>(element)) {
    os << "cst_" << FloatNV8E5M3FNUType::getMnemonic();
  } else {
    os << "cst_" << element;
  }
  setName(getResult(), name);
}

LogicalResult IotaOp::verify() {
  auto type = tileTypeOf(getResult());
  if (type.getRank() != 1) // C1
    return emitOpError("expects result type to be 1-d tile");
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  int64_t size = type.getDimSize(0);
  if (width < 64 && size > (int64_t(1) << width)) // C2
    return emitOpError("the number of elements ")
           << size << " exceeds the maximum value of element type "
           << type.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  for (auto [from, to] : llvm::zip_equal(source.getShape(), result.getShape()))
    if (from != 1 && from != to) // C1
      return emitOpError("expects the shape of source tile to be compatible "
                         "with that of the result tile, but got: ")
             << source.getShape() << " and " << result.getShape();
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (tileTypeOf(getSource()).getNumElements() !=
      tileTypeOf(getResult()).getNumElements()) // C1
    return emitOpError("expected source tile and result tile to have the same "
                       "number of elements");
  return success();
}

LogicalResult PermuteOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  ArrayRef<int32_t> permutation = getPermutation();
  int64_t rank = source.getRank();
  if (rank < 2) // C1
    return emitOpError("expects at least rank 2, but got: ") << rank;
  // C2
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emitOpError("expect permutation size (")
           << permutation.size() << ") to equal the rank of the source ("
           << rank << ")";
  SmallVector<int32_t> sorted(permutation);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return emitOpError("expect permutation elements to be unique");
  for (auto [index, dim] : llvm::enumerate(permutation))
    if (dim < 0 || dim >= rank)
      return emitOpError("permutation element at index ")
             << index << " (" << dim << ") is out of bound [0, " << rank << ")";
  // C3
  for (auto [index, dim] : llvm::enumerate(permutation))
    if (result.getDimSize(index) != source.getDimSize(dim))
      return emitOpError("result shape invalid at index ")
             << index << ", expected: " << source.getDimSize(dim)
             << ", but got: " << result.getDimSize(index);
  return success();
}

LogicalResult CatOp::verify() {
  TileType lhs = tileTypeOf(getLhs()), rhs = tileTypeOf(getRhs()),
           result = tileTypeOf(getResult());
  int64_t dim = getDim();
  if (dim < 0 || dim >= lhs.getRank()) // C1
    return emitOpError("expect dim to be [0, ")
           << lhs.getRank() << "), but got: " << dim;
  // C2
  int64_t sum = lhs.getDimSize(dim) + rhs.getDimSize(dim);
  if (result.getDimSize(dim) != sum)
    return emitOpError("invalid concat at position ")
           << dim << ", expected: " << sum
           << " but got: " << result.getDimSize(dim);
  for (int64_t i = 0; i < lhs.getRank(); ++i) {
    if (i == dim)
      continue;
    if (lhs.getDimSize(i) != rhs.getDimSize(i))
      return emitOpError(
                 "expect lhs and rhs shapes to match at non-concat position ")
             << i << ", expected: " << lhs.getDimSize(i)
             << " but got: " << rhs.getDimSize(i);
    if (lhs.getDimSize(i) != result.getDimSize(i))
      return emitOpError("expect lhs and result shapes to match at non-concat "
                         "position ")
             << i << ", expected: " << lhs.getDimSize(i)
             << " but got: " << result.getDimSize(i);
  }
  return success();
}

/// Warns about a constant index that is out of bounds.
static void warnAboutIndex(ExtractOp op, unsigned position, int64_t max) {
  DenseIntElementsAttr constant;
  if (!matchPattern(op.getIndices()[position], m_Constant(&constant)) ||
      !constant.isSplat())
    return;
  int64_t value = constant.getSplatValue<APInt>().getSExtValue();
  // The warning is at the location, not at the operation, whose printer would
  // verify it again.
  if (value < 0)
    emitWarning(op.getLoc(), "extract index ")
        << position << " has negative value " << value
        << ", which may cause undefined behavior";
  else if (value > max)
    emitWarning(op.getLoc(), "extract index ")
        << position << " value " << value
        << " may be out of bounds (max valid index: " << max << ")";
}

namespace {

/// A tile as diagnostics name it.
struct NamedTile {
  StringRef name;
  TileType type;
};

} // namespace

/// Verifies that slices of shape `piece` divide `whole` into a grid, with
/// `indices` into the grid.
static LogicalResult verifyPiece(Operation *op, NamedTile whole,
                                 NamedTile piece, size_t numIndices) {
  if (whole.type.getElementType() != piece.type.getElementType()) // C1
    return op->emitOpError("source and result element type do not match");
  int64_t rank = whole.type.getRank();
  if (rank != piece.type.getRank())
    return op->emitOpError("source and result must have the same rank");
  for (int64_t i = 0; i < rank; ++i)
    if (whole.type.getDimSize(i) % piece.type.getDimSize(i) != 0) // C2
      return op->emitOpError(whole.name)
             << " dimension " << i << " size (" << whole.type.getDimSize(i)
             << ") must be evenly divisible by " << piece.name << " dimension "
             << i << " size (" << piece.type.getDimSize(i) << ")";
  if (static_cast<int64_t>(numIndices) != rank) // C3
    return op->emitOpError("expected ")
           << rank << " indices, but got " << numIndices;
  return success();
}

LogicalResult ExtractOp::verify() {
  TileType source = tileTypeOf(getSource()), result = tileTypeOf(getResult());
  if (failed(verifyPiece(*this, {"source", source}, {"result", result},
                         getIndices().size())))
    return failure();
  for (int64_t i = 0; i < source.getRank(); ++i)
    warnAboutIndex(*this, i, source.getDimSize(i) / result.getDimSize(i) - 1);
  return success();
}

LogicalResult InsertOp::verify() {
  return verifyPiece(*this, {"result", tileTypeOf(getResult())},
                     {"source", tileTypeOf(getSource())}, getIndices().size());
}

/// Bits of an element for `pack`.
static int64_t packedWidth(Type type) {
  return isa<FloatTF32Type>(type) ? 32 : type.getIntOrFloatBitWidth();
}

static LogicalResult verifyPacking(Operation *op, TileType source,
                                   TileType result) {
  if (source.getRank() != 1 || result.getRank() != 1) // C1
    return op->emitOpError("expects source and result to be rank-1 tiles");
  int64_t sourceWidth = packedWidth(source.getElementType());
  int64_t resultWidth = packedWidth(result.getElementType());
  if (sourceWidth == resultWidth) // C2
    return op->emitOpError(
        "expects source and result to have different element type widths");
  int64_t sourceBits = source.getNumElements() * sourceWidth;
  int64_t resultBits = result.getNumElements() * resultWidth;
  // C3
  if (sourceBits % 8 != 0)
    return op->emitOpError("expects source tile to be byte-aligned");
  if (resultBits % 8 != 0)
    return op->emitOpError("expects result tile to be byte-aligned");
  if (sourceBits != resultBits)
    return op->emitOpError("expects source and result to have the same size in "
                           "bytes, but got source tile size ")
           << sourceBits / 8 << " bytes and result tile size " << resultBits / 8
           << " bytes";
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacking(*this, tileTypeOf(getSource()), tileTypeOf(getResult()));
}

LogicalResult UnpackOp::verify() {
  return verifyPacking(*this, tileTypeOf(getSource()), tileTypeOf(getResult()));
}

LogicalResult SelectOp::verify() {
  if (isa<Float4E2M1FNType>(tileTypeOf(getResult()).getElementType())) // C1
    return emitOpError("cannot operate on sub-byte type F4E2M1FN");
  return success();
}

//===----------------------------------------------------------------------===//
// Names of results
//===----------------------------------------------------------------------===//

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "bcast");
}

void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "reshape");
}

void GetTileBlockIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBlockIdX(), "blockId_x");
  setName(getBlockIdY(), "blockId_y");
  setName(getBlockIdZ(), "blockId_z");
}

void GetNumTileBlocksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getGridSizeX(), "gridSize_x");
  setName(getGridSizeY(), "gridSize_y");
  setName(getGridSizeZ(), "gridSize_z");
}

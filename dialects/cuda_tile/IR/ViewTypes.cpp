// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View types, which split tensors into tiles.

#include "dialects/cuda_tile/IR/TypeDetail.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static SmallVector<int64_t> widen(ArrayRef<int32_t> values) {
  return SmallVector<int64_t>(values.begin(), values.end());
}

//===----------------------------------------------------------------------===//
// Facts that the views share
//===----------------------------------------------------------------------===//

static ParseResult parseTileShape(AsmParser &parser,
                                  DenseI32ArrayAttr &tileShape) {
  SmallVector<int64_t> dims;
  SMLoc loc;
  if (parser.parseKeyword("tile") || parser.parseEqual() ||
      parser.getCurrentLocation(&loc) || parser.parseLParen() ||
      parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      parser.parseRParen())
    return failure();
  SmallVector<int32_t> narrow;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim <= 0 || dim > std::numeric_limits<int32_t>::max())
      return parser.emitError(loc, "tile dimension ")
             << index << " exceeds i32 limitations (got " << dim
             << ", expected strictly positive and less than or equal to "
             << std::numeric_limits<int32_t>::max() << ")";
    narrow.push_back(dim);
  }
  tileShape = DenseI32ArrayAttr::get(parser.getContext(), narrow);
  return success();
}

/// Parses an optional `padding_value = K,`.
static ParseResult parseOptionalPadding(AsmParser &parser,
                                        PaddingValueAttr &padding) {
  if (failed(parser.parseOptionalKeyword("padding_value")))
    return success();
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseEqual() || parser.parseKeyword(&keyword))
    return failure();
  std::optional<PaddingValue> value = symbolizePaddingValue(keyword);
  if (!value)
    return parser.emitError(loc,
                            "invalid padding_value attribute specification. "
                            "Got \"")
           << keyword
           << "\" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf";
  padding = PaddingValueAttr::get(parser.getContext(), *value);
  return parser.parseComma();
}

static ParseResult parseTensorView(AsmParser &parser,
                                   TensorViewType &tensorView) {
  Type type;
  if (parseShortType(parser, type))
    return failure();
  tensorView = dyn_cast<TensorViewType>(type);
  if (!tensorView)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected 'tensor_view' type, but got ")
           << type;
  return success();
}

/// Parses integers; `what` ends the error about a missing bracket.
static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int32_t> &values,
                                 StringRef what) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square,
      [&] { return parser.parseInteger(values.emplace_back()); }, what);
}

/// Parses an optional `, dim_map=[1, 0]`; the default is the identity over
/// `rank` dimensions.
static ParseResult parseOptionalDimMap(AsmParser &parser, int64_t rank,
                                       SmallVectorImpl<int32_t> &dimMap) {
  if (succeeded(parser.parseOptionalComma()))
    return failure(parser.parseKeyword("dim_map") || parser.parseEqual() ||
                   parseIntegers(parser, dimMap, "dim map"));
  llvm::append_range(dimMap, llvm::seq<int32_t>(0, rank));
  return success();
}

static void printTileShape(AsmPrinter &printer, DenseI32ArrayAttr tileShape) {
  printer << "tile=(";
  llvm::interleave(tileShape.asArrayRef(), printer, "x");
  printer << ')';
}

static void printOptionalPadding(AsmPrinter &printer,
                                 PaddingValueAttr padding) {
  if (padding)
    printer << "padding_value = " << stringifyPaddingValue(padding.getValue())
            << ", ";
}

static void printOptionalDimMap(AsmPrinter &printer, ArrayRef<int32_t> dimMap) {
  if (llvm::equal(dimMap, llvm::seq<int32_t>(0, dimMap.size())))
    return;
  printer << ", dim_map=[";
  llvm::interleaveComma(dimMap, printer);
  printer << ']';
}

/// First steps of the verification, before those about the map from tile to
/// tensor dimensions.
static LogicalResult
verifyViewRanks(llvm::function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int32_t> tileShape, TensorViewType tensorView) {
  if (tileShape.empty())
    return emitError() << "0-dimension tile shape is not supported";
  if (tensorView.getRank() != static_cast<int64_t>(tileShape.size()))
    return emitError() << "expected tensor_view rank and tile rank to match, "
                          "got tensor_view of rank "
                       << tensorView.getRank() << " and tiles of rank "
                       << tileShape.size();
  if (tileShape.size() > std::numeric_limits<int32_t>::max())
    return emitError() << "tile rank cannot be more than "
                       << std::numeric_limits<int32_t>::max() << ", got "
                       << tileShape.size();
  return success();
}

static LogicalResult
verifyTileExtents(llvm::function_ref<InFlightDiagnostic()> emitError,
                  ArrayRef<int32_t> tileShape) {
  if (llvm::any_of(tileShape, [](int32_t dim) { return dim <= 0; }))
    return emitError()
           << "tile shape dimensions must have positive length but got "
           << dimsToString(widen(tileShape));
  if (!llvm::all_of(tileShape,
                    [](int32_t dim) { return llvm::isPowerOf2_32(dim); }))
    return emitError()
           << "tile shape dimensions must have power of two length but got "
           << dimsToString(widen(tileShape));
  return success();
}

static LogicalResult
verifyDimMap(llvm::function_ref<InFlightDiagnostic()> emitError,
             ArrayRef<int32_t> dimMap, int64_t rank) {
  SmallVector<int64_t> mappedBy(rank, -1);
  for (auto [tileDim, target] : llvm::enumerate(dimMap)) {
    if (target < 0)
      return emitError() << "target dimension must not be negative, got "
                         << target;
    if (target >= rank)
      return emitError() << "target dimension is outside of tensor view "
                            "dimensions, expected strictly less than "
                         << rank << ", got " << target;
    if (mappedBy[target] >= 0)
      return emitError() << "target dimension " << target
                         << " mapped at least twice (for tile dimensions "
                         << mappedBy[target] << " and " << tileDim << ")";
    mappedBy[target] = tileDim;
  }
  return success();
}

/// Last steps of the verification: the tile is legal, and the element type has
/// the padding.
static LogicalResult
verifyViewTile(llvm::function_ref<InFlightDiagnostic()> emitError,
               ArrayRef<int32_t> tileShape, Type elementType,
               PaddingValueAttr padding) {
  if (failed(TileType::verify(emitError, widen(tileShape), elementType)))
    return failure();
  if (padding && padding.getValue() != PaddingValue::zero &&
      !isa<FloatType>(elementType))
    return emitError() << "padding_value "
                       << stringifyPaddingValue(padding.getValue())
                       << " can only be used with floating point element "
                          "types, got "
                       << elementType;
  return success();
}

static LogicalResult
verifyDenseView(llvm::function_ref<InFlightDiagnostic()> emitError,
                DenseI32ArrayAttr tileShape, TensorViewType tensorView,
                ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyViewRanks(emitError, tileShape, tensorView)))
    return failure();
  if (dimMap.size() != static_cast<size_t>(tileShape.size()))
    return emitError() << "expected dim_map to map exactly all "
                       << tileShape.size() << " dimensions of the tile, got "
                       << dimMap.size() << " mappings";
  if (failed(verifyTileExtents(emitError, tileShape)) ||
      failed(verifyDimMap(emitError, dimMap, tensorView.getRank())))
    return failure();
  return verifyViewTile(emitError, tileShape, tensorView.getElementType(),
                        padding);
}

/// Verifies scalars of one type.
static LogicalResult
verifyScalarIndices(llvm::function_ref<InFlightDiagnostic()> emitError,
                    TypeRange indexTypes) {
  for (auto [index, type] : llvm::enumerate(indexTypes)) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return emitError() << "expected index type to be a tile type, got "
                         << type;
    if (tile.getRank() != 0)
      return emitError() << "expected index type to be a scalar tile, got "
                         << type;
    if (type != indexTypes.front())
      return emitError() << "expected index type " << index
                         << " to be the same as other index types ("
                         << indexTypes.front() << "), got " << type;
  }
  return success();
}

TileType TileView::getViewTileType() const {
  return cast<TileType>(viewTileType());
}
TensorViewType TileView::getViewTensor() const {
  return cast<TensorViewType>(viewTensor());
}
PaddingValueAttr TileView::getViewPadding() const {
  return cast_if_present<PaddingValueAttr>(viewPadding());
}

//===----------------------------------------------------------------------===//
// PartitionViewType
//===----------------------------------------------------------------------===//

LogicalResult PartitionViewType::verifyIndices(
    llvm::function_ref<InFlightDiagnostic()> emitError,
    TypeRange indexTypes) const {
  return verifyScalarIndices(emitError, indexTypes);
}

LogicalResult
PartitionViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                          DenseI32ArrayAttr tileShape,
                          TensorViewType tensorView, ArrayRef<int32_t> dimMap,
                          PaddingValueAttr padding) {
  return verifyDenseView(emitError, tileShape, tensorView, dimMap, padding);
}

Type PartitionViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  DenseI32ArrayAttr tileShape;
  TensorViewType tensorView;
  SmallVector<int32_t> dimMap;
  PaddingValueAttr padding;
  if (parser.parseLess() || parseTileShape(parser, tileShape) ||
      parser.parseComma() || parseOptionalPadding(parser, padding) ||
      parseTensorView(parser, tensorView) ||
      parseOptionalDimMap(parser, tileShape.size(), dimMap) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<PartitionViewType>(
      loc, parser.getContext(), tileShape, tensorView,
      ArrayRef<int32_t>(dimMap), padding);
}

void PartitionViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printTileShape(printer, getTileShape());
  printer << ", ";
  printOptionalPadding(printer, getPaddingValue());
  printShortType(printer, getTensorView());
  printOptionalDimMap(printer, getDimMap());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// StridedViewType
//===----------------------------------------------------------------------===//

LogicalResult StridedViewType::verifyIndices(
    llvm::function_ref<InFlightDiagnostic()> emitError,
    TypeRange indexTypes) const {
  return verifyScalarIndices(emitError, indexTypes);
}

LogicalResult
StridedViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                        DenseI32ArrayAttr tileShape,
                        DenseI32ArrayAttr traversalStrides,
                        TensorViewType tensorView, ArrayRef<int32_t> dimMap,
                        PaddingValueAttr padding) {
  if (failed(
          verifyDenseView(emitError, tileShape, tensorView, dimMap, padding)))
    return failure();
  if (traversalStrides.size() != tileShape.size())
    return emitError() << "expected " << tileShape.size()
                       << " traversal strides, got " << traversalStrides.size();
  if (llvm::any_of(traversalStrides.asArrayRef(),
                   [](int32_t stride) { return stride <= 0; }))
    return emitError() << "traversal strides must be strictly positive but got "
                       << dimsToString(widen(traversalStrides));
  return success();
}

Type StridedViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  DenseI32ArrayAttr tileShape;
  SmallVector<int32_t> traversalStrides;
  TensorViewType tensorView;
  SmallVector<int32_t> dimMap;
  PaddingValueAttr padding;
  if (parser.parseLess() || parseTileShape(parser, tileShape) ||
      parser.parseComma() || parser.parseKeyword("traversal_strides") ||
      parser.parseEqual() || parseIntegers(parser, traversalStrides, "") ||
      parser.parseComma() || parseOptionalPadding(parser, padding) ||
      parseTensorView(parser, tensorView) ||
      parseOptionalDimMap(parser, tileShape.size(), dimMap) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<StridedViewType>(
      loc, parser.getContext(), tileShape,
      DenseI32ArrayAttr::get(parser.getContext(), traversalStrides), tensorView,
      ArrayRef<int32_t>(dimMap), padding);
}

void StridedViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printTileShape(printer, getTileShape());
  printer << ", traversal_strides=[";
  printJoined(printer, widen(getTraversalStrides()));
  printer << "], ";
  printOptionalPadding(printer, getPaddingValue());
  printShortType(printer, getTensorView());
  printOptionalDimMap(printer, getDimMap());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// GatherScatterViewType
//===----------------------------------------------------------------------===//

LogicalResult GatherScatterViewType::verifyIndices(
    llvm::function_ref<InFlightDiagnostic()> emitError,
    TypeRange indexTypes) const {
  if (indexTypes.empty())
    return success();
  size_t sparseDim = getSparseDim();
  if (sparseDim >= indexTypes.size())
    return emitError() << "gather/scatter dimension " << sparseDim
                       << " is out of range for index count "
                       << indexTypes.size();
  auto sparse = dyn_cast<TileType>(indexTypes[sparseDim]);
  if (!sparse)
    return emitError() << "expected index at sparse_dim position " << sparseDim
                       << " to be a tile type for GatherScatterView";
  if (sparse.getRank() != 1)
    return emitError() << "expected index at sparse_dim position " << sparseDim
                       << " to be a 1D tensor for GatherScatterView, got rank "
                       << sparse.getRank();
  if (sparse.getDimSize(0) != getTileShape()[sparseDim])
    return emitError() << "expected gather/scatter index size ("
                       << sparse.getDimSize(0)
                       << ") to match tile shape at gather/scatter dimension "
                       << sparseDim << " (" << getTileShape()[sparseDim] << ")";
  Type scalar;
  for (auto [index, type] : llvm::enumerate(indexTypes)) {
    if (index == sparseDim)
      continue;
    auto tile = dyn_cast<TileType>(type);
    if (!tile || tile.getRank() != 0)
      return emitError() << "expected index " << index
                         << " to be a scalar tile for GatherScatterView";
    if (!scalar)
      scalar = type;
    if (type != scalar)
      return emitError() << "expected scalar index " << index
                         << " to have the same type as other scalar indices ("
                         << scalar << "), got " << type;
  }
  if (isa<Float4E2M1FNType>(getElementType()) &&
      getTensorView().getStrides()[sparseDim] == 1)
    return emitError() << "an f4 gather/scatter view cannot use packing "
                          "dimension "
                       << sparseDim << " as its sparse dimension";
  return success();
}

LogicalResult GatherScatterViewType::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError,
    DenseI32ArrayAttr tileShape, TensorViewType tensorView, int32_t sparseDim,
    PaddingValueAttr padding) {
  if (failed(verifyViewRanks(emitError, tileShape, tensorView)) ||
      failed(verifyTileExtents(emitError, tileShape)))
    return failure();
  if (sparseDim < 0 || sparseDim >= tensorView.getRank())
    return emitError() << "gather dimension is outside of tensor view "
                          "dimensions, expected strictly less than "
                       << tensorView.getRank() << ", got "
                       << static_cast<uint32_t>(sparseDim);
  return verifyViewTile(emitError, tileShape, tensorView.getElementType(),
                        padding);
}

Type GatherScatterViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  DenseI32ArrayAttr tileShape;
  TensorViewType tensorView;
  int32_t sparseDim = 0;
  PaddingValueAttr padding;
  if (parser.parseLess() || parseTileShape(parser, tileShape) ||
      parser.parseComma() || parseOptionalPadding(parser, padding) ||
      parseTensorView(parser, tensorView) || parser.parseComma() ||
      parser.parseKeyword("sparse_dim") || parser.parseEqual() ||
      parser.parseInteger(sparseDim) || parser.parseGreater())
    return {};
  return parser.getChecked<GatherScatterViewType>(
      loc, parser.getContext(), tileShape, tensorView, sparseDim, padding);
}

void GatherScatterViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printTileShape(printer, getTileShape());
  printer << ", ";
  printOptionalPadding(printer, getPaddingValue());
  printShortType(printer, getTensorView());
  printer << ", sparse_dim=" << getSparseDim() << '>';
}

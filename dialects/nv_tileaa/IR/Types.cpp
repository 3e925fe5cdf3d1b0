// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

#define GET_TYPEDEF_CLASSES
#include "dialects/nv_tileaa/Types.cpp.inc"

void TileAADialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/nv_tileaa/Types.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static bool isIntElement(Type type) {
  return type.isSignlessInteger(1) || type.isSignlessInteger(4) ||
         type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

static bool isMathElement(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

static bool isFloatElement(Type type) {
  return isMathElement(type) ||
         isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(type);
}

static bool isPtrElement(Type type) { return isa<TAPointerType>(type); }

static bool isTensorOf(Type type, function_ref<bool(Type)> isElement) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding() || !tensor.hasStaticShape() ||
      !isElement(tensor.getElementType()))
    return false;
  int64_t count = 1;
  for (int64_t extent : tensor.getShape()) {
    if (!llvm::isPowerOf2_64(extent) || extent > kMaxTileElements / count)
      return false;
    count *= extent;
  }
  return tensor.getRank() > 0;
}

static bool isTileOf(Type type, function_ref<bool(Type)> isElement) {
  return isElement(type) || isTensorOf(type, isElement);
}

static bool isAnyElement(Type type) {
  return isNumber(type) || isPtrElement(type);
}

bool nv_tileaa::isNumber(Type type) {
  return isIntElement(type) || isFloatElement(type);
}
bool nv_tileaa::isTileOrScalar(Type type) {
  return isTileOf(type, isAnyElement);
}
bool nv_tileaa::isNumberTile(Type type) { return isTileOf(type, isNumber); }
bool nv_tileaa::isIntTile(Type type) { return isTileOf(type, isIntElement); }
bool nv_tileaa::isFloatTile(Type type) {
  return isTileOf(type, isFloatElement);
}
bool nv_tileaa::isMathTile(Type type) { return isTileOf(type, isMathElement); }
bool nv_tileaa::isPtrTile(Type type) { return isTileOf(type, isPtrElement); }
bool nv_tileaa::isBoolTile(Type type) {
  return isTileOf(type, [](Type t) { return t.isSignlessInteger(1); });
}
bool nv_tileaa::isI64Tile(Type type) {
  return isTileOf(type, [](Type t) { return t.isSignlessInteger(64); });
}
bool nv_tileaa::isScalarTile(Type type) { return isAnyElement(type); }
bool nv_tileaa::isTensorTile(Type type) {
  return isTensorOf(type, isAnyElement);
}
bool nv_tileaa::isNumberTensor(Type type) { return isTensorOf(type, isNumber); }

bool nv_tileaa::isCoordinate(Type type) {
  if (type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return true;
  return isTensorOf(type, isIntElement) &&
         cast<RankedTensorType>(type).getRank() == 1;
}

ArrayRef<int64_t> nv_tileaa::getTileShape(Type tile) {
  if (auto tensor = dyn_cast<RankedTensorType>(tile))
    return tensor.getShape();
  return {};
}

Type nv_tileaa::withElementType(Type tile, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(tile))
    return tensor.clone(element);
  return element;
}

Type nv_tileaa::getMaskType(Type ptrTile) {
  return withElementType(ptrTile, IntegerType::get(ptrTile.getContext(), 1));
}

Type nv_tileaa::getPointeeTile(Type ptrTile) {
  auto ptr = cast<TAPointerType>(getElementTypeOrSelf(ptrTile));
  return withElementType(ptrTile, ptr.getPointee());
}

unsigned nv_tileaa::getStorageBits(Type element) {
  if (isa<TAPointerType>(element))
    return 64;
  if (element.isSignlessInteger(1))
    return 8;
  if (isa<FloatTF32Type>(element))
    return 32;
  return element.getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// ptr
//===----------------------------------------------------------------------===//

static LogicalResult verifySpace(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned space) {
  switch (space) {
  case GenericSpace:
  case GlobalSpace:
  case SharedSpace:
  case ConstantSpace:
  case LocalSpace:
  case TensorSpace:
  case SharedClusterSpace:
    return success();
  default:
    return emitError() << "memory space " << space
                       << " is unknown; expected 0, 1, 3, 4, 5, 6 or 7";
  }
}

LogicalResult
TAPointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                      Type pointee, unsigned space) {
  if (!isNumber(pointee))
    return emitError() << "pointee must be a number, but got " << pointee;
  return verifySpace(emitError, space);
}

//===----------------------------------------------------------------------===//
// memref
//===----------------------------------------------------------------------===//

unsigned TAMemRefType::getNumDynamicSizes() const {
  return llvm::count_if(getShape(), ShapedType::isDynamic);
}

unsigned TAMemRefType::getNumDynamicStrides() const {
  return llvm::count_if(getStrides(), ShapedType::isDynamic);
}

TAMemRefType TAMemRefType::withScope(unsigned scope) const {
  return get(getShape(), getElementType(), getStrides(), getSpace(), scope);
}

/// Parses an integer or `?`.
static ParseResult parseExtent(AsmParser &parser, int64_t &extent) {
  if (succeeded(parser.parseOptionalQuestion())) {
    extent = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(extent);
}

static void printExtent(raw_ostream &os, int64_t extent) {
  if (ShapedType::isDynamic(extent))
    os << "?";
  else
    os << extent;
}

static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> extents) {
  llvm::interleaveComma(extents, printer.getStream(), [&](int64_t extent) {
    printExtent(printer.getStream(), extent);
  });
}

static ParseResult parseNumber(AsmParser &parser, unsigned &number) {
  return failure(parser.parseEqual() || parser.parseInteger(number));
}

Type TAMemRefType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type element;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                /*withTrailingX=*/true) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseKeyword("strides") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseExtent(parser, strides.emplace_back());
      }))
    return {};
  unsigned space = GlobalSpace, scope = 0;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    SMLoc keywordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return {};
    if (keyword != "space" && keyword != "scope") {
      parser.emitError(keywordLoc, "expected 'space' or 'scope'");
      return {};
    }
    if (parseNumber(parser, keyword == "space" ? space : scope))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TAMemRefType>(loc, parser.getContext(), shape,
                                         element, strides, space, scope);
}

void TAMemRefType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape()) {
    printExtent(printer.getStream(), extent);
    printer << "x";
  }
  printer << getElementType() << ", strides = [";
  printExtents(printer, getStrides());
  printer << "]";
  if (getSpace() != GlobalSpace)
    printer << ", space = " << getSpace();
  if (getScope())
    printer << ", scope = " << getScope();
  printer << ">";
}

/// Prints a list of extents in the format of diagnostics.
static std::string formatExtents(ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(extents, os, [&](int64_t e) { printExtent(os, e); });
  return text;
}

LogicalResult TAMemRefType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, Type element,
                                   ArrayRef<int64_t> strides, unsigned space,
                                   unsigned scope) {
  if (!isNumber(element))
    return emitError() << "memref element must be a number, but got "
                       << element;
  if (shape.size() != strides.size())
    return emitError()
           << "expected shape and stride to be of same rank but got shape of "
              "rank "
           << shape.size() << " and stride of rank " << strides.size();
  auto isBad = [](int64_t extent) {
    return !ShapedType::isDynamic(extent) && extent <= 0;
  };
  if (llvm::any_of(shape, isBad))
    return emitError() << "dimensions must have strictly positive constant "
                          "sizes but got ["
                       << formatExtents(shape) << "]";
  if (llvm::any_of(strides, isBad))
    return emitError() << "dimensions must have strictly positive constant "
                          "strides but got ["
                       << formatExtents(strides) << "]";
  if (getStorageBits(element) == 4 &&
      llvm::none_of(llvm::zip(shape, strides), [](auto dim) {
        auto [size, stride] = dim;
        return stride == 1 && (ShapedType::isDynamic(size) || size % 2 == 0);
      }))
    return emitError()
           << "4-bit elements require a dimension of stride 1 and even size";
  return verifySpace(emitError, space);
}

//===----------------------------------------------------------------------===//
// tiled_view
//===----------------------------------------------------------------------===//

RankedTensorType TATiledViewType::getTileType() const {
  return RankedTensorType::get(getTileShape(), getElementType());
}

TATiledViewType TATiledViewType::withSource(TAMemRefType source) const {
  return get(getContext(), getTileShape(), source, getDims(), getGroupSizes(),
             getSteps(), getSparseDim(), getPadding());
}

/// Parses `[1, 0]` or `[[0], [1, 2]]`.
static ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int32_t> &dims,
                             SmallVectorImpl<int32_t> &groupSizes) {
  auto parseGroup = [&]() -> ParseResult {
    if (failed(parser.parseOptionalLSquare())) {
      groupSizes.push_back(1);
      return parser.parseInteger(dims.emplace_back());
    }
    size_t before = dims.size();
    if (parser.parseCommaSeparatedList(
            [&] { return parser.parseInteger(dims.emplace_back()); }) ||
        parser.parseRSquare())
      return failure();
    groupSizes.push_back(dims.size() - before);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseGroup))
    return failure();
  if (llvm::all_of(groupSizes, [](int32_t size) { return size == 1; }))
    groupSizes.clear();
  return success();
}

static bool isIdentity(ArrayRef<int32_t> dims) {
  for (auto [index, dim] : llvm::enumerate(dims))
    if (static_cast<int32_t>(index) != dim)
      return false;
  return true;
}

Type TATiledViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> tile, steps;
  SmallVector<int32_t> dims, groupSizes;
  TAMemRefType source;
  int32_t sparse = -1;
  PaddingValueAttr padding;
  if (parser.parseLess() ||
      parser.parseDimensionList(tile, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      parser.parseKeyword("of") || parser.parseType(source))
    return {};
  bool hasDims = false, hasSteps = false;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    SMLoc keywordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    if (keyword == "dims") {
      hasDims = true;
      if (parseDims(parser, dims, groupSizes))
        return {};
    } else if (keyword == "steps") {
      hasSteps = true;
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
            return parser.parseInteger(steps.emplace_back());
          }))
        return {};
    } else if (keyword == "sparse") {
      SMLoc sparseLoc = parser.getCurrentLocation();
      if (parser.parseInteger(sparse))
        return {};
      if (sparse < 0) {
        parser.emitError(sparseLoc, "expected a tile dimension");
        return {};
      }
    } else if (keyword == "padding") {
      StringRef value;
      SMLoc valueLoc = parser.getCurrentLocation();
      if (parser.parseKeyword(&value))
        return {};
      std::optional<PaddingValue> symbol = symbolizePaddingValue(value);
      if (!symbol) {
        parser.emitError(valueLoc, "unknown padding value '") << value << "'";
        return {};
      }
      padding = PaddingValueAttr::get(parser.getContext(), *symbol);
    } else {
      parser.emitError(keywordLoc,
                       "expected 'dims', 'steps', 'sparse' or 'padding'");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  if (!hasDims)
    for (size_t d = 0; d < tile.size(); ++d)
      dims.push_back(d);
  if (!hasSteps)
    steps = tile;
  return parser.getChecked<TATiledViewType>(loc, parser.getContext(), tile,
                                            source, dims, groupSizes, steps,
                                            sparse, padding);
}

void TATiledViewType::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleave(getTileShape(), printer.getStream(), "x");
  printer << " of " << getSource();
  if (!getGroupSizes().empty()) {
    printer << ", dims = [";
    ArrayRef<int32_t> rest = getDims();
    llvm::interleaveComma(
        getGroupSizes(), printer.getStream(), [&](int32_t size) {
          printer << "[";
          llvm::interleaveComma(rest.take_front(size), printer.getStream());
          printer << "]";
          rest = rest.drop_front(size);
        });
    printer << "]";
  } else if (!isIdentity(getDims())) {
    printer << ", dims = [";
    llvm::interleaveComma(getDims(), printer.getStream());
    printer << "]";
  }
  if (getSteps() != getTileShape()) {
    printer << ", steps = [";
    llvm::interleaveComma(getSteps(), printer.getStream());
    printer << "]";
  }
  if (hasSparseDim())
    printer << ", sparse = " << getSparseDim();
  if (getPadding())
    printer << ", padding = " << stringifyPaddingValue(getPadding().getValue());
  printer << ">";
}

static LogicalResult
verifyTileShape(function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int64_t> tile) {
  if (tile.empty())
    return emitError() << "expects non-empty tileSizes";
  if (llvm::is_contained(tile, 0))
    return emitError() << "expects all tile size bigger than zero";
  int64_t count = 1;
  for (int64_t extent : tile) {
    if (extent <= 0)
      return emitError() << "all dimensions must be positive constants, got "
                         << formatExtents(tile);
    if (!llvm::isPowerOf2_64(extent))
      return emitError() << "all dimensions must be powers of two, got "
                         << formatExtents(tile);
    if (extent > kMaxTileElements / count)
      return emitError() << "tile would exceed the maximum of "
                         << kMaxTileElements << " elements";
    count *= extent;
  }
  return success();
}

LogicalResult TATiledViewType::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tile,
    TAMemRefType source, ArrayRef<int32_t> dims, ArrayRef<int32_t> groupSizes,
    ArrayRef<int64_t> steps, int32_t sparse, PaddingValueAttr padding) {
  if (failed(verifyTileShape(emitError, tile)))
    return failure();
  if (dims.empty())
    return emitError() << "expects non-empty dimGroups";
  size_t groups = groupSizes.empty() ? dims.size() : groupSizes.size();
  if (groups != tile.size())
    return emitError() << "expects rank of tileSizes be equal to rank of "
                          "dimGroups, but got "
                       << tile.size() << " vs " << groups;
  SmallVector<bool> seen(source.getRank(), false);
  for (int32_t dim : dims) {
    if (dim < 0 || dim >= static_cast<int32_t>(source.getRank()))
      return emitError() << "expects dims below the memref rank "
                         << source.getRank() << ", but got " << dim;
    if (seen[dim])
      return emitError() << "expects dim is being tiled only one time, but got "
                         << dim;
    seen[dim] = true;
  }
  if (dims.size() != source.getRank())
    return emitError() << "expects every memref dimension to be tiled, but got "
                       << dims.size() << " of " << source.getRank();
  if (steps.size() != tile.size() ||
      llvm::any_of(steps, [](int64_t step) { return step <= 0; }))
    return emitError() << "expects one positive step per tile dimension";
  if (sparse >= static_cast<int32_t>(tile.size()))
    return emitError() << "expects the sparse dimension to be below the tile "
                          "rank "
                       << tile.size() << ", but got " << sparse;
  if (padding && padding.getValue() != PaddingValue::Zero &&
      !isFloatElement(source.getElementType()))
    return emitError() << "special padding values (nan, pos_inf, neg_inf, "
                          "neg_zero) only for float-like element types";
  return success();
}

//===----------------------------------------------------------------------===//
// queue
//===----------------------------------------------------------------------===//

Type TAQueueType::parse(AsmParser &parser) {
  SmallVector<Type> payload;
  bool isolated = false;
  if (parser.parseLess())
    return {};
  do {
    if (succeeded(parser.parseOptionalKeyword("isolated"))) {
      if (parser.parseEqual())
        return {};
      if (succeeded(parser.parseOptionalKeyword("true")))
        isolated = true;
      else if (parser.parseKeyword("false"))
        return {};
      break;
    }
    if (parser.parseType(payload.emplace_back()))
      return {};
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), payload, isolated);
}

void TAQueueType::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getPayloadTypes(), printer.getStream(),
                        [&](Type type) { printer << type; });
  if (getIsolated())
    printer << (getPayloadTypes().empty() ? "" : ", ") << "isolated = true";
  printer << ">";
}

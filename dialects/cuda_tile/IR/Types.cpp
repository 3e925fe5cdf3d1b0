// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/IR/TypeDetail.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::cuda_tile;

static ParseResult parseShortTypeParameter(AsmParser &parser, Type &type) {
  return parseShortType(parser, type);
}

static void printShortTypeParameter(AsmPrinter &printer, Type type) {
  printShortType(printer, type);
}

#include "dialects/cuda_tile/TypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/cuda_tile/Types.cpp.inc"

void CudaTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/cuda_tile/Types.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types without a prefix
//===----------------------------------------------------------------------===//

void cuda_tile::printShortType(AsmPrinter &printer, Type type) {
  if (!type || !isa<CudaTileDialect>(type.getDialect())) {
    printer << type;
    return;
  }
  (void)generatedTypePrinter(type, printer);
}

ParseResult cuda_tile::parseShortType(AsmParser &parser, Type &type) {
  // Later releases of MLIR have a builtin type of this name.
  if (succeeded(parser.parseOptionalKeyword("token"))) {
    type = TokenType::get(parser.getContext());
    return success();
  }
  OptionalParseResult builtin = parser.parseOptionalType(type);
  if (builtin.has_value())
    return *builtin;
  StringRef keyword;
  OptionalParseResult ours = generatedTypeParser(parser, &keyword, type);
  if (ours.has_value())
    return *ours;
  return parser.emitError(parser.getCurrentLocation(), "unknown type: ")
         << keyword;
}

//===----------------------------------------------------------------------===//
// Helpers of the constraints
//===----------------------------------------------------------------------===//

Type cuda_tile::getI1TileLike(Type tile) {
  return TileType::get(cast<TileType>(tile).getShape(),
                       IntegerType::get(tile.getContext(), 1));
}

bool cuda_tile::isPointerTileOf(Type pointers, Type values) {
  auto pointerTile = dyn_cast<TileType>(pointers);
  auto valueTile = dyn_cast<TileType>(values);
  if (!pointerTile || !valueTile)
    return false;
  auto pointer = dyn_cast<PointerType>(pointerTile.getElementType());
  return pointer && pointer.getPointeeType() == valueTile.getElementType() &&
         pointerTile.getShape() == valueTile.getShape();
}

bool cuda_tile::isAbsentOrSameShape(Value optional, Value tile) {
  return !optional || cast<TileType>(optional.getType()).getShape() ==
                          cast<TileType>(tile.getType()).getShape();
}

unsigned cuda_tile::getElementBytes(Type type) {
  if (isa<PointerType>(type))
    return 8;
  if (isa<FloatTF32Type>(type))
    return 4;
  if (type.isInteger(1))
    return 1;
  return type.getIntOrFloatBitWidth() / 8;
}

std::string cuda_tile::dimsToString(ArrayRef<int64_t> dims) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(dims, os, [&](int64_t dim) {
    if (ShapedType::isDynamic(dim))
      os << '?';
    else
      os << dim;
  });
  os << ']';
  return text;
}

bool cuda_tile::isNumberType(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, FloatTF32Type, Float64Type,
             Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType, FloatNV8E5M3FNUType>(type) ||
         (type.isSignlessInteger() &&
          llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                             type.getIntOrFloatBitWidth()));
}

/// Reports that `type` is no number, nor one of `more`.
static LogicalResult
refuseParameter(llvm::function_ref<InFlightDiagnostic()> emitError,
                StringRef parameter, Type type, StringRef more = "") {
  return emitError() << "failed to verify '" << parameter
                     << "': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or "
                        "f8E5M2 or f8E8M0FNU or f4E2M1FN"
                     << nameNewestFloat(type.getContext())
                     << " or i1 or i8 or i16 or i32 or i64" << more;
}

//===----------------------------------------------------------------------===//
// PointerType
//===----------------------------------------------------------------------===//

LogicalResult
PointerType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    Type pointeeType, PointerKindAttr ptrAttr) {
  if (!isNumberType(pointeeType))
    return refuseParameter(emitError, "pointeeType", pointeeType);
  return success();
}

//===----------------------------------------------------------------------===//
// FloatNV8E5M3FNUType
//===----------------------------------------------------------------------===//

const llvm::fltSemantics &FloatNV8E5M3FNUType::getFloatSemantics() const {
  // A format of the same width without a sign; no code may compute in it.
  return llvm::APFloat::Float8E8M0FNU();
}

static constexpr uint8_t kFNV8NaN = 0xFF, kFNV8Largest = 0xFE;

double cuda_tile::decodeFNV8E5M3FNU(uint8_t bits) {
  if (bits == kFNV8NaN)
    return std::numeric_limits<double>::quiet_NaN();
  int exponent = bits >> 3, mantissa = bits & 7;
  if (exponent == 0)
    return std::ldexp(mantissa, -17);
  return std::ldexp(8 + mantissa, exponent - 18);
}

uint8_t cuda_tile::encodeFNV8E5M3FNU(double value) {
  if (std::isnan(value))
    return kFNV8NaN;
  if (!(value > 0))
    return 0;
  if (value >= 0x1p17)
    return kFNV8Largest;
  int exponent = 0;
  (void)std::frexp(value, &exponent); // value < 2^exponent
  // Unit of the last of four significant bits; subnormals have a fixed one.
  int unit = std::max(exponent - 4, -17);
  // The default rounding of the environment is to nearest even. A mantissa that
  // rounds up to 16 carries into the exponent.
  int bits = static_cast<int>(std::nearbyint(std::ldexp(value, -unit))) +
             (unit + 17) * 8;
  return std::min<int>(bits, kFNV8Largest);
}

//===----------------------------------------------------------------------===//
// TileType
//===----------------------------------------------------------------------===//

TileType TileType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                             Type elementType) const {
  return TileType::get(shape.value_or(getShape()), elementType);
}

LogicalResult
TileType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> shape, Type elementType) {
  if (!isNumberType(elementType) && !isa<PointerType>(elementType) &&
      !elementType.isSignlessInteger(4))
    return refuseParameter(emitError, "elementType", elementType,
                           " or Pointer type or i4");
  if (isa<Float4E2M1FNType>(elementType) &&
      llvm::all_of(shape, [](int64_t dim) { return dim % 2 != 0; }))
    return emitError() << "F4E2M1FN tiles must have an even number of elements";
  int64_t numElements = 1;
  for (int64_t dim : shape) {
    if (dim <= 0)
      return emitError() << "all dimensions must be positive constants, got "
                         << shape;
    if (!llvm::isPowerOf2_64(dim))
      return emitError() << "all dimensions must be powers of two, got "
                         << shape;
    if (numElements > TileType::kMaxNumElements / dim)
      return emitError() << "tile would exceed the maximum of "
                         << TileType::kMaxNumElements << " elements";
    numElements *= dim;
  }
  auto pointer = dyn_cast<PointerType>(elementType);
  if (pointer && isa<Float4E2M1FNType>(pointer.getPointeeType()) &&
      !shape.empty())
    return emitError() << "tiles of ptr<f4E2M1FN> must have rank 0; use an f4 "
                          "tile view for memory accesses";
  return success();
}

Type TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parseShortType(parser, elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape,
                                     elementType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t dim : getShape())
    printer << dim << 'x';
  printShortType(printer, getElementType());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// TensorViewType
//===----------------------------------------------------------------------===//

LogicalResult
TensorViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                       Type elementType, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> strides, PointerKindAttr ptrAttr) {
  if (!isNumberType(elementType))
    return refuseParameter(emitError, "elementType", elementType);
  if (shape.size() != strides.size())
    return emitError() << "expected shape and stride to be of same rank but "
                          "got shape of rank "
                       << shape.size() << " and stride of rank "
                       << strides.size();
  auto isStaticNonPositive = [](int64_t dim) {
    return !ShapedType::isDynamic(dim) && dim <= 0;
  };
  if (llvm::any_of(shape, isStaticNonPositive))
    return emitError() << "dimensions must have strictly positive constant "
                          "sizes but got "
                       << dimsToString(shape);
  if (llvm::any_of(strides, isStaticNonPositive))
    return emitError() << "dimensions must have strictly positive constant "
                          "strides but got "
                       << dimsToString(strides);
  return success();
}

static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  if (succeeded(parser.parseOptionalQuestion())) {
    stride = ShapedType::kDynamic;
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult integer = parser.parseOptionalInteger(stride);
  if (!integer.has_value())
    return parser.emitError(loc,
                            "expected either 64-bit integer or question mark");
  if (failed(*integer))
    return failure();
  if (stride <= 0)
    return parser.emitError(loc, "expected strictly positive integer, got ")
           << stride;
  return success();
}

Type TensorViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parseShortType(parser, elementType))
    return {};
  SMLoc commaLoc = parser.getCurrentLocation();
  bool hasComma = succeeded(parser.parseOptionalComma());
  PointerKindAttr ptrAttr;
  if (shape.empty() && hasComma) {
    SMLoc tokenLoc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword("strides"))) {
      parser.emitError(parser.getCurrentLocation(),
                       "strides must not be provided for 0-d tiles");
      return {};
    }
    Attribute attr;
    OptionalParseResult parsed = parser.parseOptionalAttribute(attr);
    if (parsed.has_value() && failed(*parsed))
      return {};
    ptrAttr = dyn_cast_if_present<PointerKindAttr>(attr);
    if (!ptrAttr) {
      parser.emitError(
          tokenLoc, "unexpected token after element type in 0-d tensor_view");
      return {};
    }
  }
  if (!shape.empty()) {
    if (!hasComma) {
      parser.emitError(commaLoc, "expected 'strides'");
      return {};
    }
    if (parser.parseKeyword("strides") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(
            AsmParser::Delimiter::Square,
            [&]() -> ParseResult {
              return parseStride(parser, strides.emplace_back());
            },
            "strides array"))
      return {};
    if (succeeded(parser.parseOptionalComma()) &&
        parser.parseAttribute(ptrAttr))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorViewType>(
      loc, parser.getContext(), elementType, shape, strides, ptrAttr);
}

void cuda_tile::printJoined(AsmPrinter &printer, ArrayRef<int64_t> values) {
  llvm::interleave(
      values, printer,
      [&](int64_t value) {
        if (ShapedType::isDynamic(value))
          printer << '?';
        else
          printer << value;
      },
      ",");
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t dim : getShape()) {
    if (ShapedType::isDynamic(dim))
      printer << "?x";
    else
      printer << dim << 'x';
  }
  printShortType(printer, getElementType());
  if (!getShape().empty()) {
    printer << ", strides=[";
    printJoined(printer, getStrides());
    printer << ']';
  }
  if (getPtrAttr())
    printer << ", " << getPtrAttr();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// TestingBytecodeTestEvolvedType
//===----------------------------------------------------------------------===//

LogicalResult TestingBytecodeTestEvolvedType::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, Type baseType,
    Type newType, PaddingValueAttr optionalAttr, Type optionalType) {
  if (!isNumberType(baseType))
    return refuseParameter(emitError, "baseType", baseType);
  return success();
}

Type TestingBytecodeTestEvolvedType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type baseType, newType, optionalType;
  PaddingValueAttr optionalAttr;
  if (parser.parseLess() || parseShortType(parser, baseType))
    return {};
  // The new type comes first among the optional parameters, if present.
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    if (!optionalAttr &&
        succeeded(parser.parseOptionalKeyword(
            &keyword, {"zero", "neg_zero", "nan", "pos_inf", "neg_inf"}))) {
      optionalAttr = PaddingValueAttr::get(parser.getContext(),
                                           *symbolizePaddingValue(keyword));
      continue;
    }
    Type type;
    if (parseShortType(parser, type))
      return {};
    if (!newType && !optionalAttr) {
      newType = type;
    } else if (!optionalType) {
      optionalType = type;
    } else {
      parser.emitError(loc, "too many parameters");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  if (!newType)
    newType = parser.getBuilder().getI32Type();
  return parser.getChecked<TestingBytecodeTestEvolvedType>(
      loc, parser.getContext(), baseType, newType, optionalAttr, optionalType);
}

void TestingBytecodeTestEvolvedType::print(AsmPrinter &printer) const {
  printer << '<' << getBaseType();
  // The default is omitted at the end of the list.
  if (!getNewType().isSignlessInteger(32) || getOptionalAttr() ||
      getOptionalType())
    printer << ", " << getNewType();
  if (getOptionalAttr())
    printer << ",  " << stringifyPaddingValue(getOptionalAttr().getValue());
  if (getOptionalType())
    printer << ", " << getOptionalType();
  printer << '>';
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parser and printer of the literals of constants and globals.

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

/// Parses `<T: literal> : tile<…>`.
class LiteralParser {
public:
  explicit LiteralParser(OpAsmParser &parser) : parser(parser) {}

  ParseResult parse(DenseIntOrFPElementsAttr &attr);

private:
  ParseResult parseElementType();
  /// Parses nested brackets or a scalar; `shape` becomes the extents of the
  /// nest.
  ParseResult parseNest(SmallVectorImpl<int64_t> &shape);
  ParseResult parseScalar();
  ParseResult parseInteger(SMLoc loc);
  ParseResult parseFloat(SMLoc loc);
  ParseResult parseFNV8(SMLoc loc);
  ParseResult parseHex(StringRef text);
  ParseResult getResultType(TileType &type);
  ParseResult build(TileType type, DenseIntOrFPElementsAttr &attr);

  OpAsmParser &parser;
  SMLoc literalLoc, typeLoc;
  Type elementType;
  SmallVector<int64_t> shape;
  /// The bits of the elements in row-major order.
  SmallVector<APInt> elements;
  bool isScalar = false;
  /// The raw bytes of a string literal.
  std::optional<std::string> rawBytes;
};

} // namespace

static constexpr const char *kLiteralElements =
    "i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or "
    "f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got ";

ParseResult LiteralParser::parseElementType() {
  if (failed(parseShortType(parser, elementType)))
    elementType = Type();
  if (!elementType || !isNumberType(elementType))
    return parser.emitError(parser.getCurrentLocation(),
                            "expect element type to be one of ")
           << kLiteralElements << elementType;
  return success();
}

ParseResult LiteralParser::parseInteger(SMLoc loc) {
  unsigned width = elementType.getIntOrFloatBitWidth();
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"true", "false"}))) {
    if (width != 1)
      return parser.emitError(loc, "expected integer value");
    elements.push_back(APInt(1, keyword == "true"));
    return success();
  }
  int64_t number = 0;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  // The published dialect reports it twice where there is no number.
  if (!parsed.has_value())
    parser.emitError(loc, "expected integer value");
  if (!parsed.has_value() || failed(*parsed))
    return parser.emitError(loc, "expected integer value");
  // i1 accepts -1 to 1, other types every number of either signedness.
  APInt value(64, number, /*isSigned=*/true);
  bool fits = value.isNegative() ? value.getSignificantBits() <= width
                                 : value.getActiveBits() <= width;
  if (!fits)
    return parser.emitError(loc, "integer constant out of range for type");
  elements.push_back(value.trunc(width));
  return success();
}

ParseResult LiteralParser::parseFNV8(SMLoc loc) {
  // Hexadecimal digits give the bits.
  const char *text = loc.getPointer();
  if (text[0] == '0' && text[1] == 'x') {
    APInt bits;
    OptionalParseResult parsed = parser.parseOptionalInteger(bits);
    if (!parsed.has_value() || failed(*parsed))
      return failure();
    if (bits.getActiveBits() > 8)
      return parser.emitError(loc, "float constant out of range for type");
    elements.push_back(bits.zextOrTrunc(8));
    return success();
  }
  APFloat value(APFloat::IEEEdouble());
  if (parser.parseFloat(APFloat::IEEEdouble(), value))
    return failure();
  double number = value.convertToDouble();
  uint8_t bits = encodeFNV8E5M3FNU(number);
  // Legal numbers are not negative and do not round beyond the largest value.
  if (number < 0 || number >= 118784)
    return parser.emitError(loc, "float constant out of range for type");
  elements.push_back(APInt(8, bits));
  return success();
}

ParseResult LiteralParser::parseFloat(SMLoc loc) {
  auto type = cast<FloatType>(elementType);
  APFloat value(type.getFloatSemantics());
  if (parser.parseFloat(type.getFloatSemantics(), value))
    return failure();
  elements.push_back(value.bitcastToAPInt());
  return success();
}

ParseResult LiteralParser::parseScalar() {
  SMLoc loc = parser.getCurrentLocation();
  if (isa<FloatNV8E5M3FNUType>(elementType))
    return parseFNV8(loc);
  return isa<FloatType>(elementType) ? parseFloat(loc) : parseInteger(loc);
}

ParseResult LiteralParser::parseNest(SmallVectorImpl<int64_t> &shape) {
  if (failed(parser.parseOptionalLSquare()))
    return parseScalar();
  SmallVector<int64_t> inner;
  int64_t count = 0;
  auto parseElement = [&]() -> ParseResult {
    SmallVector<int64_t> current;
    if (parseNest(current))
      return failure();
    if (count++ == 0)
      inner = current;
    else if (inner != current)
      return parser.emitError(
          parser.getCurrentLocation(),
          "tensor literal is invalid; ranks are not consistent between "
          "elements");
    return success();
  };
  if (parser.parseCommaSeparatedList(parseElement) || parser.parseRSquare())
    return failure();
  shape.assign(1, count);
  shape.append(inner);
  return success();
}

ParseResult LiteralParser::parseHex(StringRef text) {
  std::string bytes;
  if (!text.consume_front("0x") || !llvm::tryGetFromHex(text, bytes))
    return parser.emitError(literalLoc, "expected a string of hexadecimal "
                                        "digits that starts with 0x");
  rawBytes = std::move(bytes);
  return success();
}

ParseResult LiteralParser::getResultType(TileType &type) {
  typeLoc = parser.getCurrentLocation();
  Type parsed;
  if (parseShortType(parser, parsed))
    return failure();
  type = dyn_cast<TileType>(parsed);
  if (!type)
    return parser.emitError(typeLoc, "result #0 must be tile of ")
           << kLiteralElements << parsed;
  if (type.getElementType() != elementType)
    return parser.emitError(typeLoc, "mismatch between the element type: ")
           << elementType << " and the tile element type "
           << type.getElementType();
  return success();
}

ParseResult LiteralParser::build(TileType type,
                                 DenseIntOrFPElementsAttr &attr) {
  DenseElementsAttr dense;
  if (rawBytes) {
    ArrayRef<char> bytes(rawBytes->data(), rawBytes->size());
    bool isSplat = false;
    if (!DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
      return parser.emitError(literalLoc,
                              "elements hex data size is invalid for provided "
                              "type: ")
             << type;
    dense = DenseElementsAttr::getFromRawBuffer(type, bytes);
  } else {
    if (!isScalar && ArrayRef<int64_t>(shape) != type.getShape()) {
      InFlightDiagnostic diag =
          parser.emitError(typeLoc, "inferred shape of elements literal ([");
      llvm::interleaveComma(shape, diag);
      diag << "]) does not match type ([";
      llvm::interleaveComma(type.getShape(), diag);
      return diag << "])";
    }
    if (isa<FloatNV8E5M3FNUType>(elementType)) {
      SmallVector<char> bytes = llvm::map_to_vector(elements, [](APInt bits) {
        return static_cast<char>(bits.getZExtValue());
      });
      dense = DenseElementsAttr::getFromRawBuffer(type, bytes);
    } else if (auto floatType = dyn_cast<FloatType>(elementType)) {
      SmallVector<APFloat> floats;
      for (const APInt &bits : elements)
        floats.emplace_back(floatType.getFloatSemantics(), bits);
      dense = DenseElementsAttr::get(type, floats);
    } else {
      dense = DenseElementsAttr::get(type, elements);
    }
  }
  attr = cast<DenseIntOrFPElementsAttr>(dense);
  return success();
}

ParseResult LiteralParser::parse(DenseIntOrFPElementsAttr &attr) {
  if (parser.parseLess() || parseElementType() || parser.parseColon())
    return failure();
  literalLoc = parser.getCurrentLocation();
  std::string text;
  // Other strings are no literals.
  if (StringRef(literalLoc.getPointer(), 3) == "\"0x" &&
      succeeded(parser.parseOptionalString(&text))) {
    if (parseHex(text))
      return failure();
  } else {
    if (parseNest(shape))
      return failure();
    isScalar = shape.empty();
  }
  TileType type;
  return failure(parser.parseGreater() || parser.parseColon() ||
                 getResultType(type) || build(type, attr));
}

ParseResult cuda_tile::parseDenseLiteral(OpAsmParser &parser,
                                         DenseIntOrFPElementsAttr &attr) {
  return LiteralParser(parser).parse(attr);
}

/// Prints the elements of fnv8E5M3FNU, whose values MLIR does not know.
static void printFNV8Elements(raw_ostream &os, DenseElementsAttr attr) {
  auto printElement = [&](unsigned index) {
    uint8_t bits = static_cast<uint8_t>(attr.getRawData()[index]);
    double value = decodeFNV8E5M3FNU(bits);
    if (std::isnan(value)) {
      os << "0xFF";
      return;
    }
    // Six digits distinguish all values.
    SmallVector<char> digits;
    APFloat(value).toString(digits, /*FormatPrecision=*/6,
                            /*FormatMaxPadding=*/0, /*TruncateZero=*/false);
    os << StringRef(digits.data(), digits.size());
  };
  if (attr.isSplat())
    return printElement(0);
  ArrayRef<int64_t> shape = attr.getType().getShape();
  std::function<void(size_t, int64_t)> printNest = [&](size_t dim,
                                                       int64_t first) {
    if (dim == shape.size())
      return printElement(first);
    os << '[';
    llvm::interleaveComma(
        llvm::seq<int64_t>(0, shape[dim]), os,
        [&](int64_t i) { printNest(dim + 1, first * shape[dim] + i); });
    os << ']';
  };
  printNest(0, 0);
}

void cuda_tile::printDenseLiteral(OpAsmPrinter &printer, Operation *,
                                  DenseIntOrFPElementsAttr attr) {
  printer << '<';
  printShortType(static_cast<AsmPrinter &>(printer), attr.getElementType());
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef body;
  if (isa<FloatNV8E5M3FNUType>(attr.getElementType())) {
    printFNV8Elements(os, attr);
    body = text;
  } else {
    // MLIR prints the elements between `dense<` and the last `>`.
    attr.print(os, /*elideType=*/true);
    body = text;
    body.consume_front("dense<");
    body.consume_back(">");
  }
  printer << ": " << body << "> : ";
  printShortType(static_cast<AsmPrinter &>(printer), attr.getType());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void cuda_tile::printShortType(OpAsmPrinter &printer, Operation *, Type type) {
  printShortType(static_cast<AsmPrinter &>(printer), type);
}

ParseResult cuda_tile::parseShortTypes(OpAsmParser &parser,
                                       SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&] { return parseShortType(parser, types.emplace_back()); });
}

void cuda_tile::printShortTypes(OpAsmPrinter &printer, TypeRange types) {
  llvm::interleaveComma(types, printer, [&](Type type) {
    printShortType(static_cast<AsmPrinter &>(printer), type);
  });
}

void cuda_tile::printShortTypes(OpAsmPrinter &printer, Operation *,
                                TypeRange types) {
  printShortTypes(printer, types);
}

//===----------------------------------------------------------------------===//
// Keywords
//===----------------------------------------------------------------------===//

ParseResult cuda_tile::parseSignedness(OpAsmParser &parser,
                                       SignednessAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  std::optional<Signedness> value;
  if (succeeded(parser.parseKeyword(&keyword)))
    value = symbolizeSignedness(keyword);
  if (!value)
    return parser.emitError(
        loc, "expected signedness to be one of: {'signed', 'unsigned'}");
  attr = SignednessAttr::get(parser.getContext(), *value);
  return success();
}

void cuda_tile::printSignedness(OpAsmPrinter &printer, Operation *,
                                SignednessAttr attr) {
  printer << stringifySignedness(attr.getValue());
}

ParseResult cuda_tile::parsePredicate(OpAsmParser &parser,
                                      ComparisonPredicateAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  std::optional<ComparisonPredicate> value;
  if (succeeded(parser.parseKeyword(&keyword)))
    value = symbolizeComparisonPredicate(keyword);
  if (!value)
    return parser.emitError(
        loc, "expected 'comparison_predicate' to be one of: {'equal', "
             "'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', "
             "'greater_than_or_equal'}");
  attr = ComparisonPredicateAttr::get(parser.getContext(), *value);
  return success();
}

void cuda_tile::printPredicate(OpAsmPrinter &printer, Operation *,
                               ComparisonPredicateAttr attr) {
  printer << stringifyComparisonPredicate(attr.getValue());
}

ParseResult cuda_tile::parseOrdering(OpAsmParser &parser,
                                     ComparisonOrderingAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  std::optional<ComparisonOrdering> value;
  if (succeeded(parser.parseKeyword(&keyword)))
    value = symbolizeComparisonOrdering(keyword);
  if (!value)
    return parser.emitError(loc, "expected 'comparison_ordering' to be one of: "
                                 "{'ordered', 'unordered'}");
  attr = ComparisonOrderingAttr::get(parser.getContext(), *value);
  return success();
}

void cuda_tile::printOrdering(OpAsmPrinter &printer, Operation *,
                              ComparisonOrderingAttr attr) {
  printer << stringifyComparisonOrdering(attr.getValue());
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// Parses `rounding<KW>`, or nothing for the default. `accepts` decides about a
/// keyword (nothing if there is no such mode); a rejected keyword gives the
/// error `text`, with the keyword at the end if `quote` is set.
static ParseResult
parseRounding(OpAsmParser &parser, RoundingModeAttr &attr,
              RoundingMode defaultMode, StringRef text, bool quote,
              llvm::function_ref<bool(RoundingMode)> accepts) {
  RoundingMode mode = defaultMode;
  if (succeeded(parser.parseOptionalKeyword("rounding"))) {
    StringRef keyword;
    if (parser.parseLess() || parser.parseKeyword(&keyword) ||
        parser.parseGreater())
      return failure();
    std::optional<RoundingMode> value = symbolizeRoundingMode(keyword);
    if (!value || !accepts(*value)) {
      InFlightDiagnostic diag =
          parser.emitError(parser.getCurrentLocation(), text);
      if (quote)
        diag << ", got: '" << keyword << "'";
      return diag;
    }
    mode = *value;
  }
  attr = RoundingModeAttr::get(parser.getContext(), mode);
  return success();
}

static void printRounding(OpAsmPrinter &printer, RoundingModeAttr attr,
                          RoundingMode defaultMode) {
  if (attr.getValue() != defaultMode)
    printer << "rounding<" << stringifyRoundingMode(attr.getValue()) << ">";
}

static bool anyRounding(RoundingMode) { return true; }

static bool isIEEERounding(RoundingMode mode) {
  return mode <= RoundingMode::POSITIVE_INF;
}

#define DEFINE_ROUNDING(Name, Default, Quote, Accepts, Text)                   \
  ParseResult cuda_tile::parse##Name(OpAsmParser &parser,                      \
                                     RoundingModeAttr &attr) {                 \
    return parseRounding(parser, attr, RoundingMode::Default, Text, Quote,     \
                         Accepts);                                             \
  }                                                                            \
  void cuda_tile::print##Name(OpAsmPrinter &printer, Operation *,              \
                              RoundingModeAttr attr) {                         \
    printRounding(printer, attr, RoundingMode::Default);                       \
  }

DEFINE_ROUNDING(IEEERounding, NEAREST_EVEN, true, isIEEERounding,
                "expected rounding mode to be one of: 'nearest_even', 'zero', "
                "'negative_inf', 'positive_inf'")
// The keywords are those of the operations without other modes.
DEFINE_ROUNDING(
    ConversionRounding, NEAREST_EVEN, true,
    [](RoundingMode mode) {
      return isIEEERounding(mode) || mode == RoundingMode::NEAREST_AWAY;
    },
    "expected rounding mode to be one of: 'nearest_even', 'zero', "
    "'negative_inf', 'positive_inf'")
DEFINE_ROUNDING(DivRounding, NEAREST_EVEN, false, anyRounding,
                "expected rounding mode to be one of: 'nearest_even', 'zero', "
                "'negative_inf', 'positive_inf', 'approx', 'full'")
DEFINE_ROUNDING(SqrtRounding, NEAREST_EVEN, false, anyRounding,
                "expected rounding mode to be one of: 'nearest_even', 'zero', "
                "'negative_inf', 'positive_inf', 'approx'")
DEFINE_ROUNDING(FullRounding, FULL, false, anyRounding,
                "expected rounding mode to be one of: 'approx', 'full'")
DEFINE_ROUNDING(
    IntRounding, NEAREST_INT_TO_ZERO, true,
    [](RoundingMode mode) { return mode == RoundingMode::NEAREST_INT_TO_ZERO; },
    "expected rounding mode to be one of: 'nearest_int_to_zero'")

#undef DEFINE_ROUNDING

//===----------------------------------------------------------------------===//
// Globals and assumptions
//===----------------------------------------------------------------------===//

ParseResult cuda_tile::parseGlobalVisibility(OpAsmParser &parser,
                                             SymbolVisibilityAttr &attr) {
  StringRef keyword;
  SymbolVisibility value = SymbolVisibility::Public;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"public", "private"})))
    value = *symbolizeSymbolVisibility(keyword);
  attr = SymbolVisibilityAttr::get(parser.getContext(), value);
  return success();
}

void cuda_tile::printGlobalVisibility(OpAsmPrinter &printer, Operation *,
                                      SymbolVisibilityAttr attr) {
  if (attr && attr.getValue() == SymbolVisibility::Private)
    printer << "private ";
}

ParseResult
cuda_tile::parseAssumePredicate(OpAsmParser &parser,
                                AssumePredicateAttrInterface &attr) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute parsed;
  StringRef keyword;
  OptionalParseResult attribute = parser.parseOptionalAttribute(parsed);
  if (attribute.has_value()) {
    if (failed(*attribute))
      return failure();
  } else {
    if (parser.parseKeyword(&keyword))
      return parser.emitError(loc, "expected attribute name");
    if (keyword == DivByAttr::getMnemonic())
      parsed = DivByAttr::parse(parser, {});
    else if (keyword == SameElementsAttr::getMnemonic())
      parsed = SameElementsAttr::parse(parser, {});
    else if (keyword == BoundedAttr::getMnemonic())
      parsed = BoundedAttr::parse(parser, {});
    else
      return parser.emitError(loc, "unknown assume predicate attribute: ")
             << keyword
             << " (expected 'div_by', 'same_elements', or 'bounded')";
    if (!parsed)
      return failure();
  }
  attr = dyn_cast<AssumePredicateAttrInterface>(parsed);
  if (!attr)
    return parser.emitError(loc, "expected assume predicate attribute");
  return success();
}

void cuda_tile::printAssumePredicate(OpAsmPrinter &printer, Operation *,
                                     AssumePredicateAttrInterface attr) {
  Attribute plain = attr;
  if (auto divBy = dyn_cast<DivByAttr>(plain)) {
    printer << DivByAttr::getMnemonic();
    divBy.print(printer);
  } else if (auto same = dyn_cast<SameElementsAttr>(plain)) {
    printer << SameElementsAttr::getMnemonic();
    same.print(printer);
  } else if (auto bounded = dyn_cast<BoundedAttr>(plain)) {
    printer << BoundedAttr::getMnemonic();
    bounded.print(printer);
  } else {
    printer << plain;
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

ParseResult
cuda_tile::parseArguments(OpAsmParser &parser,
                          SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        OpAsmParser::Argument argument;
        OptionalParseResult named =
            parser.parseOptionalArgument(argument, /*allowType=*/false);
        if (named.has_value()) {
          if (failed(*named))
            return failure();
          if (!arguments.empty() && arguments.back().ssaName.name.empty())
            return parser.emitError(loc,
                                    "expected type instead of SSA identifier");
          if (parser.parseColon())
            return failure();
        } else {
          if (!arguments.empty() && !arguments.back().ssaName.name.empty())
            return parser.emitError(loc, "expected SSA identifier");
          argument.ssaName.location = loc;
        }
        NamedAttrList attrs;
        if (parseShortType(parser, argument.type) ||
            parser.parseOptionalAttrDict(attrs) ||
            parser.parseOptionalLocationSpecifier(argument.sourceLoc))
          return failure();
        argument.attrs = attrs.getDictionary(parser.getContext());
        arguments.push_back(argument);
        return success();
      });
}

void cuda_tile::printArguments(OpAsmPrinter &printer, Region &region,
                               ArrayAttr argAttrs) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer, [&](BlockArgument arg) {
    printer << arg << ": ";
    printShortType(static_cast<AsmPrinter &>(printer), arg.getType());
    if (argAttrs && arg.getArgNumber() < argAttrs.size())
      printer.printOptionalAttrDict(
          cast<DictionaryAttr>(argAttrs[arg.getArgNumber()]).getValue());
  });
  printer << ')';
}

ParseResult cuda_tile::parseArgumentRegion(OpAsmParser &parser,
                                           Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parseArguments(parser, arguments))
    return failure();
  // Unnamed arguments have no value; the verifier rejects them.
  bool isNamed = arguments.empty() || !arguments.front().ssaName.name.empty();
  if (parser.parseRegion(region, isNamed ? ArrayRef(arguments)
                                         : ArrayRef<OpAsmParser::Argument>()))
    return failure();
  if (region.getBlocks().size() > 1) {
    // A trait would report it before the verifier of the region.
    StringRef name(parser.getNameLoc().getPointer());
    name.consume_front("cuda_tile.");
    return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()))
           << "'cuda_tile." << (name.starts_with("scan") ? "scan" : "reduce")
           << "' op region #0 ('body') failed to verify constraint: region "
              "with 1 blocks";
  }
  return success();
}

void cuda_tile::printArgumentRegion(OpAsmPrinter &printer, Operation *,
                                    Region &region) {
  printer.printNewline();
  printArguments(printer, region, ArrayAttr());
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

ParseResult cuda_tile::parseBranchRegion(OpAsmParser &parser, Region &region) {
  if (parser.parseRegion(region))
    return failure();
  IfOp::ensureTerminator(region, parser.getBuilder(),
                         parser.getEncodedSourceLoc(parser.getNameLoc()));
  return success();
}

void cuda_tile::printBranchRegion(OpAsmPrinter &printer, Operation *,
                                  Region &region) {
  Operation &terminator = region.front().back();
  bool isImplicit =
      isa<YieldOp>(terminator) && terminator.getNumOperands() == 0;
  printer.printRegion(region, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!isImplicit);
}

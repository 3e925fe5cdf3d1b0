// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and accesses through them.

#include "dialects/cuda_tile/IR/Directives.h"
#include "dialects/cuda_tile/IR/MemoryModel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::cuda_tile;

using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

static Type elementTypeOf(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// MakeTensorViewOp
//===----------------------------------------------------------------------===//

/// `name = [1, %n, …]`: numbers, and kDynamic where there is an operand.
static ParseResult
parseMixedList(OpAsmParser &parser, StringRef name,
               SmallVectorImpl<int64_t> &values,
               SmallVectorImpl<UnresolvedOperand> &operands) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        UnresolvedOperand operand;
        OptionalParseResult isOperand = parser.parseOptionalOperand(operand);
        if (isOperand.has_value()) {
          values.push_back(ShapedType::kDynamic);
          operands.push_back(operand);
          return *isOperand;
        }
        SMLoc loc = parser.getCurrentLocation();
        int64_t value = 0;
        OptionalParseResult isInteger = parser.parseOptionalInteger(value);
        if (!isInteger.has_value())
          return parser.emitError(loc, "expected either integer or SSA value");
        values.push_back(value);
        return *isInteger;
      });
}

/// Whether the list in the text agrees with the type.
static ParseResult checkMixedList(OpAsmParser &parser, SMLoc loc,
                                  StringRef name, ArrayRef<int64_t> values,
                                  ArrayRef<int64_t> expected) {
  if (values.size() != expected.size())
    return parser.emitError(loc, "expected ")
           << name << " declaration to contain " << expected.size()
           << " elements due to tensor_view type, but " << values.size()
           << " were provided";
  auto describe = [](int64_t value) {
    return ShapedType::isDynamic(value) ? std::string("dynamic")
                                        : std::to_string(value);
  };
  for (auto [index, value, wanted] : llvm::enumerate(values, expected))
    if (value != wanted)
      return parser.emitError(loc, "input ")
             << name << " dimension " << index
             << " does not match tensor_view type (expected "
             << describe(wanted) << ", got " << describe(value) << ")";
  return success();
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  UnresolvedOperand base;
  SmallVector<int64_t> shape, strides;
  SmallVector<UnresolvedOperand> dynamicShape, dynamicStrides;
  SMLoc shapeLoc, stridesLoc;
  if (parser.parseOperand(base) || parser.parseComma() ||
      parser.getCurrentLocation(&shapeLoc) ||
      parseMixedList(parser, "shape", shape, dynamicShape) ||
      parser.parseComma() || parser.getCurrentLocation(&stridesLoc) ||
      parseMixedList(parser, "strides", strides, dynamicStrides) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  Type dynamicType, viewType;
  if (!dynamicShape.empty() || !dynamicStrides.empty()) {
    if (parseShortType(parser, dynamicType) || parser.parseArrow())
      return failure();
  }
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseShortType(parser, viewType))
    return failure();
  auto view = dyn_cast<TensorViewType>(viewType);
  if (!view)
    return parser.emitError(typeLoc, "expected 'tensor_view' type, but got ")
           << viewType;
  if (checkMixedList(parser, shapeLoc, "shape", shape, view.getShape()) ||
      checkMixedList(parser, stridesLoc, "stride", strides, view.getStrides()))
    return failure();
  Type baseType = TileType::get({}, PointerType::get(view.getElementType()));
  if (parser.resolveOperand(base, baseType, result.operands) ||
      parser.resolveOperands(dynamicShape, dynamicType, result.operands) ||
      parser.resolveOperands(dynamicStrides, dynamicType, result.operands))
    return failure();
  result.addTypes(view);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(dynamicShape.size()),
      static_cast<int32_t>(dynamicStrides.size())};
  return success();
}

static void printMixedList(OpAsmPrinter &printer, ArrayRef<int64_t> values,
                           OperandRange operands) {
  size_t next = 0;
  printer << '[';
  llvm::interleaveComma(values, printer, [&](int64_t value) {
    if (ShapedType::isDynamic(value) && next < operands.size())
      printer << operands[next++];
    else
      printer << value;
  });
  printer << ']';
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  TensorViewType view = getResult().getType();
  printer << ' ' << getBase() << ", shape = ";
  printMixedList(printer, view.getShape(), getDynamicShape());
  printer << ", strides = ";
  printMixedList(printer, view.getStrides(), getDynamicStrides());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : ";
  OperandRange dynamic =
      getDynamicShape().empty() ? getDynamicStrides() : getDynamicShape();
  if (!dynamic.empty()) {
    printShortType(printer, *this, dynamic.front().getType());
    printer << " -> ";
  }
  printShortType(printer, *this, view);
}

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tview");
}

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType view = getResult().getType();
  Type pointee = cast<PointerType>(elementTypeOf(getBase())).getPointeeType();
  if (pointee != view.getElementType()) // C1
    return emitOpError("expected pointer to ")
           << view.getElementType()
           << " to build tensor_view of this type, got " << pointee;
  // C2
  int64_t numDims = view.getNumDynamicDims();
  int64_t numStrides = view.getNumDynamicStrides();
  if (static_cast<int64_t>(getDynamicShape().size()) != numDims)
    return emitOpError("expected ")
           << numDims << " dynamic shape operands, got "
           << getDynamicShape().size();
  if (static_cast<int64_t>(getDynamicStrides().size()) != numStrides)
    return emitOpError("expected ")
           << numStrides << " dynamic stride operands, got "
           << getDynamicStrides().size();
  // C3
  Type common;
  auto verifySame = [&](StringRef name, OperandRange values) -> LogicalResult {
    for (auto [index, value] : llvm::enumerate(values)) {
      if (!common)
        common = value.getType();
      if (value.getType() != common)
        return emitOpError("expected dynamic ")
               << name << " index " << index
               << " to be of the same type as the other dynamic values ("
               << common << "), got " << value.getType();
    }
    return success();
  };
  return failure(failed(verifySame("shape", getDynamicShape())) ||
                 failed(verifySame("stride", getDynamicStrides())));
}

//===----------------------------------------------------------------------===//
// MakePartitionViewOp, MakeStridedViewOp, MakeGatherScatterViewOp
//===----------------------------------------------------------------------===//

template <typename ViewType>
static ParseResult parseMakeView(OpAsmParser &parser, OperationState &result) {
  UnresolvedOperand tensorView;
  Type type;
  if (parser.parseOperand(tensorView) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseShortType(parser, type))
    return failure();
  auto view = dyn_cast<ViewType>(type);
  if (!view)
    return parser.emitError(loc, "expected '")
           << ViewType::getMnemonic() << "' type, but got " << type;
  result.addTypes(type);
  return parser.resolveOperand(tensorView, view.getTensorView(),
                               result.operands);
}

template <typename OpTy>
static void printMakeView(OpTy op, OpAsmPrinter &printer) {
  printer << ' ' << op.getTensorView();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printShortType(printer, op, op.getResult().getType());
}

template <typename OpTy> static LogicalResult verifyMakeView(OpTy op) {
  Type actual = op.getTensorView().getType();
  Type expected = op.getResult().getType().getTensorView();
  if (actual != expected) // C1
    return op.emitOpError(
               "expected the type of the provided tensor_view value (")
           << actual << ") to be the same as the view's tensor_view type ("
           << expected << ")";
  return success();
}

ParseResult MakePartitionViewOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  return parseMakeView<PartitionViewType>(parser, result);
}
void MakePartitionViewOp::print(OpAsmPrinter &printer) {
  printMakeView(*this, printer);
}
void MakePartitionViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pview");
}
LogicalResult MakePartitionViewOp::verify() { return verifyMakeView(*this); }

ParseResult MakeStridedViewOp::parse(OpAsmParser &parser,
                                     OperationState &result) {
  return parseMakeView<StridedViewType>(parser, result);
}
void MakeStridedViewOp::print(OpAsmPrinter &printer) {
  printMakeView(*this, printer);
}
void MakeStridedViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "sview");
}
LogicalResult MakeStridedViewOp::verify() { return verifyMakeView(*this); }

ParseResult MakeGatherScatterViewOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  return parseMakeView<GatherScatterViewType>(parser, result);
}
void MakeGatherScatterViewOp::print(OpAsmPrinter &printer) {
  printMakeView(*this, printer);
}
void MakeGatherScatterViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "gsview");
}
LogicalResult MakeGatherScatterViewOp::verify() {
  return verifyMakeView(*this);
}

//===----------------------------------------------------------------------===//
// GetTensorShapeOp, GetIndexSpaceShapeOp
//===----------------------------------------------------------------------===//

/// `%src : VT -> T`; `getRank` gives the number of results, or nothing after a
/// diagnostic.
static ParseResult
parseGetShape(OpAsmParser &parser, OperationState &result,
              llvm::function_ref<std::optional<int64_t>(Type, SMLoc)> getRank) {
  UnresolvedOperand source;
  Type sourceType, resultType;
  if (parser.parseOperand(source) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseShortType(parser, sourceType))
    return failure();
  std::optional<int64_t> rank = getRank(sourceType, loc);
  if (!rank || parser.parseArrow() || parseShortType(parser, resultType))
    return failure();
  result.types.append(*rank, resultType);
  return parser.resolveOperand(source, sourceType, result.operands);
}

static void printGetShape(OpAsmPrinter &printer, Operation *op) {
  printer << ' ' << op->getOperand(0) << " : ";
  printShortType(printer, op, op->getOperand(0).getType());
  printer << " -> ";
  // Without a result, any type will do.
  Type type = op->getNumResults() > 0
                  ? op->getResult(0).getType()
                  : TileType::get({}, IntegerType::get(op->getContext(), 32));
  printShortType(printer, op, type);
}

ParseResult GetTensorShapeOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  return parseGetShape(
      parser, result, [&](Type type, SMLoc loc) -> std::optional<int64_t> {
        if (auto view = dyn_cast<TensorViewType>(type))
          return view.getRank();
        parser.emitError(loc, "expected tensor_view, got ") << type;
        return std::nullopt;
      });
}

void GetTensorShapeOp::print(OpAsmPrinter &printer) {
  printGetShape(printer, *this);
}

LogicalResult GetTensorShapeOp::verify() {
  int64_t rank = getSrc().getType().getRank();
  if (static_cast<int64_t>(getNumResults()) != rank) // C1
    return emitOpError("expected ")
           << rank << " results due to tensor rank, but got "
           << getNumResults();
  return success();
}

ParseResult GetIndexSpaceShapeOp::parse(OpAsmParser &parser,
                                        OperationState &result) {
  return parseGetShape(
      parser, result, [&](Type type, SMLoc loc) -> std::optional<int64_t> {
        if (auto view = dyn_cast<TileView>(type))
          return view.getViewIndexRank();
        parser.emitError(loc, "expected tile view, got ") << type;
        return std::nullopt;
      });
}

void GetIndexSpaceShapeOp::print(OpAsmPrinter &printer) {
  printGetShape(printer, *this);
}

LogicalResult GetIndexSpaceShapeOp::verify() {
  int64_t rank = cast<TileView>(getSrc().getType()).getViewIndexRank();
  if (static_cast<int64_t>(getNumResults()) != rank) // C1
    return emitOpError("expected ")
           << rank << " results due to view index space rank, but got "
           << getNumResults();
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax of the accesses
//===----------------------------------------------------------------------===//

namespace {

/// What the three accesses have in common in their text.
struct ViewAccess {
  UnresolvedOperand view;
  SmallVector<UnresolvedOperand> index;
  std::optional<UnresolvedOperand> token;
  SMLoc indexLoc;
  Type viewType;
  SmallVector<Type> indexTypes;

  /// `%view[%i, …]`
  ParseResult parseAddress(OpAsmParser &parser) {
    if (parser.parseOperand(view))
      return failure();
    indexLoc = parser.getCurrentLocation();
    return parser.parseOperandList(index, AsmParser::Delimiter::Square);
  }

  /// `token = %t`, if it is there.
  ParseResult parseOptionalToken(OpAsmParser &parser) {
    if (failed(parser.parseOptionalKeyword("token")))
      return success();
    return failure(parser.parseEqual() || parser.parseOperand(token.emplace()));
  }

  /// `VT, IT…`
  ParseResult parseTypes(OpAsmParser &parser);

  ParseResult resolveIndex(OpAsmParser &parser, OperationState &result) {
    return parser.resolveOperands(index, indexTypes, indexLoc, result.operands);
  }

  ParseResult resolveToken(OpAsmParser &parser, OperationState &result) {
    if (!token)
      return success();
    return parser.resolveOperand(*token, TokenType::get(parser.getContext()),
                                 result.operands);
  }
};

} // namespace

ParseResult ViewAccess::parseTypes(OpAsmParser &parser) {
  if (parseShortType(parser, viewType))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc typeLoc = parser.getCurrentLocation();
    if (failed(parseShortType(parser, indexTypes.emplace_back())))
      return parser.emitError(typeLoc, "expected index type after comma");
  }
  if (indexTypes.empty() && !index.empty())
    return parser.emitError(
        loc, "index types must be specified when indices are present");
  // One type stands for all of them.
  if (indexTypes.size() == 1 && index.size() > 1)
    indexTypes.assign(index.size(), Type(indexTypes.front()));
  if (indexTypes.size() != index.size())
    return parser.emitError(loc, "expected ")
           << index.size() << " index types, got " << indexTypes.size();
  return success();
}

/// `ORDER [SCOPE]` of a load or a store.
template <typename Properties>
static ParseResult parseOrdering(OpAsmParser &parser, Properties &properties) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MemoryOrderingSemantics> ordering =
      symbolizeMemoryOrderingSemantics(keyword);
  if (!ordering)
    return parser.emitError(loc, "invalid memory_ordering_semantics attribute "
                                 "specification. Got \"")
           << keyword
           << "\" but expect one of: weak, relaxed, acquire, release, acq_rel";
  MLIRContext *context = parser.getContext();
  properties.setMemoryOrderingSemantics(
      MemoryOrderingSemanticsAttr::get(context, *ordering));
  SMLoc scopeLoc = parser.getCurrentLocation();
  StringRef scopeKeyword;
  if (failed(parser.parseOptionalKeyword(&scopeKeyword)))
    return success();
  if (*ordering == MemoryOrderingSemantics::WEAK)
    return parser.emitError(scopeLoc,
                            "operation specifies weak memory ordering "
                            "semantics, but then provides \"")
           << scopeKeyword << "\" scope, expected no memory scope.";
  std::optional<MemoryScope> scope = symbolizeMemoryScope(scopeKeyword);
  if (!scope)
    return parser.emitError(
               scopeLoc, "invalid memory_scope attribute specification. Got \"")
           << scopeKeyword << "\" but expect one of: tl_blk, device, sys";
  properties.setMemoryScope(MemoryScopeAttr::get(context, *scope));
  return success();
}

/// `optimization_hints = <…>`, if it is there.
template <typename Properties>
static ParseResult parseOptionalHints(OpAsmParser &parser,
                                      Properties &properties) {
  if (failed(parser.parseOptionalKeyword("optimization_hints")))
    return success();
  if (parser.parseEqual())
    return failure();
  Attribute hints = OptimizationHintsAttr::parse(parser, Type());
  if (!hints)
    return failure();
  properties.setOptimizationHints(cast<OptimizationHintsAttr>(hints));
  return success();
}

static ParseResult parseOptionalAttributes(OpAsmParser &parser,
                                           OperationState &result) {
  return parser.parseOptionalAttrDictWithKeyword(result.attributes);
}

static void printAttributes(OpAsmPrinter &printer, Operation *op) {
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(), {"memory_ordering_semantics", "memory_scope", "mode",
                       "operandSegmentSizes", "optimization_hints"});
}

template <typename OpTy>
static void printOrdering(OpTy op, OpAsmPrinter &printer) {
  printer << ' '
          << stringifyMemoryOrderingSemantics(op.getMemoryOrderingSemantics());
}

static void printScope(OpAsmPrinter &printer,
                       std::optional<MemoryScope> scope) {
  if (scope)
    printer << ' ' << stringifyMemoryScope(*scope);
}

template <typename OpTy>
static void printAddress(OpTy op, OpAsmPrinter &printer) {
  printer << op.getView() << '[' << op.getIndex() << ']';
}

template <typename OpTy>
static void printToken(OpTy op, OpAsmPrinter &printer) {
  if (op.getToken())
    printer << " token = " << op.getToken();
}

static void printHints(OpAsmPrinter &printer, OptimizationHintsAttr hints) {
  if (!hints)
    return;
  printer << " optimization_hints = ";
  hints.print(printer);
}

/// `VT, IT…`: one type if all are equal.
template <typename OpTy>
static void printAccessTypes(OpTy op, OpAsmPrinter &printer) {
  printShortType(printer, op, op.getView().getType());
  OperandRange index = op.getIndex();
  if (index.empty())
    return;
  printer << ", ";
  if (llvm::all_equal(index.getTypes()))
    printShortType(printer, op, index.front().getType());
  else
    printShortTypes(printer, index.getTypes());
}

//===----------------------------------------------------------------------===//
// LoadViewTkoOp, StoreViewTkoOp
//===----------------------------------------------------------------------===//

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  if (::parseOrdering(parser, properties) || access.parseAddress(parser) ||
      access.parseOptionalToken(parser) ||
      parseOptionalHints(parser, properties) ||
      parseOptionalAttributes(parser, result) || parser.parseColon() ||
      access.parseTypes(parser) || parser.parseArrow() ||
      parseShortTypes(parser, result.types) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      access.resolveIndex(parser, result) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {
      1, static_cast<int32_t>(access.index.size()), access.token.has_value()};
  return success();
}

void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(*this, printer);
  printScope(printer, getMemoryScope());
  printer << ' ';
  printAddress(*this, printer);
  printToken(*this, printer);
  printHints(printer, getOptimizationHintsAttr());
  printAttributes(printer, *this);
  printer << " : ";
  printAccessTypes(*this, printer);
  printer << " -> ";
  printShortTypes(printer, (*this)->getResultTypes());
}

void LoadViewTkoOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTile(), "tile");
  setName(getResultToken(), "result_token");
}

/// C1 to C3: what the view says about the index and the tile.
template <typename OpTy> static LogicalResult verifyAgainstView(OpTy op) {
  auto view = cast<TileView>(op.getView().getType());
  int64_t rank = view.getViewIndexRank();
  OperandRange index = op.getIndex();
  if (static_cast<int64_t>(index.size()) != rank)
    return op.emitOpError("expected ")
           << rank << " index operands (based on view type), got "
           << index.size();
  TileType tile = view.getViewTileType();
  if (op.getTile().getType() != tile)
    return op.emitOpError("expected tile type to be ")
           << tile << " (based on view type), got " << op.getTile().getType();
  return view.verifyIndices([&] { return op.emitOpError(); }, index.getTypes());
}

template <typename OpTy> static LogicalResult verifyViewHints(OpTy op) {
  OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
  return hints ? hints.verifyWithOp(op, {"latency", "allow_tma"}) : success();
}

LogicalResult LoadViewTkoOp::verify() {
  if (failed(verifyAgainstView(*this)) || failed(verifyViewHints(*this)))
    return failure();
  return verifyLoadOrdering(*this, getMemoryOrderingSemantics(), // C4
                            getMemoryScope());
}

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  UnresolvedOperand tile;
  Type tileType;
  if (::parseOrdering(parser, properties) || parser.parseOperand(tile) ||
      parser.parseComma() || access.parseAddress(parser) ||
      access.parseOptionalToken(parser) ||
      parseOptionalHints(parser, properties) ||
      parseOptionalAttributes(parser, result) || parser.parseColon() ||
      parseShortType(parser, tileType) || parser.parseComma() ||
      access.parseTypes(parser) || parser.parseArrow() ||
      parseShortTypes(parser, result.types) ||
      parser.resolveOperand(tile, tileType, result.operands) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      access.resolveIndex(parser, result) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {1, 1,
                                    static_cast<int32_t>(access.index.size()),
                                    access.token.has_value()};
  return success();
}

void StoreViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(*this, printer);
  printScope(printer, getMemoryScope());
  printer << ' ' << getTile() << ", ";
  printAddress(*this, printer);
  printToken(*this, printer);
  printHints(printer, getOptimizationHintsAttr());
  printAttributes(printer, *this);
  printer << " : ";
  printShortType(printer, *this, getTile().getType());
  printer << ", ";
  printAccessTypes(*this, printer);
  printer << " -> ";
  printShortTypes(printer, (*this)->getResultTypes());
}

LogicalResult StoreViewTkoOp::verify() {
  if (failed(verifyAgainstView(*this)) || failed(verifyViewHints(*this)))
    return failure();
  return verifyStoreOrdering(*this, getMemoryOrderingSemantics(), // C4
                             getMemoryScope());
}

//===----------------------------------------------------------------------===//
// AtomicRedViewTkoOp
//===----------------------------------------------------------------------===//

/// `ORDER [SCOPE]`, with the texts of this operation.
static ParseResult
parseAtomicOrdering(OpAsmParser &parser,
                    AtomicRedViewTkoOp::Properties &properties) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MemoryOrderingSemantics> ordering =
      symbolizeMemoryOrderingSemantics(keyword);
  if (!ordering)
    return parser.emitError(loc, "invalid memory_ordering_semantics: '")
           << keyword
           << "'; expected one of: weak, relaxed, acquire, release, acq_rel";
  MLIRContext *context = parser.getContext();
  properties.setMemoryOrderingSemantics(
      MemoryOrderingSemanticsAttr::get(context, *ordering));
  SMLoc scopeLoc = parser.getCurrentLocation();
  StringRef scopeKeyword;
  if (failed(parser.parseOptionalKeyword(&scopeKeyword)))
    return success();
  std::optional<MemoryScope> scope = symbolizeMemoryScope(scopeKeyword);
  if (!scope)
    return parser.emitError(scopeLoc, "invalid memory_scope: '")
           << scopeKeyword << "'; expected one of: tl_blk, device, sys";
  properties.setMemoryScope(MemoryScopeAttr::get(context, *scope));
  return success();
}

static ParseResult parseAtomicMode(OpAsmParser &parser,
                                   AtomicRedViewTkoOp::Properties &properties) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<AtomicRMWMode> mode = symbolizeAtomicRMWMode(keyword);
  if (!mode)
    return parser.emitError(loc, "unknown atomic RMW mode: '")
           << keyword
           << "'; expected one of: and, or, xor, add, addf, max, min, umax, "
              "umin";
  properties.setMode(AtomicRMWModeAttr::get(parser.getContext(), *mode));
  return success();
}

ParseResult AtomicRedViewTkoOp::parse(OpAsmParser &parser,
                                      OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  UnresolvedOperand value;
  Type valueType;
  if (parseAtomicOrdering(parser, properties) || access.parseAddress(parser) ||
      parser.parseComma() || parseAtomicMode(parser, properties) ||
      parser.parseComma() || parser.parseOperand(value) ||
      access.parseOptionalToken(parser) ||
      parseOptionalAttributes(parser, result) || parser.parseColon() ||
      parseShortType(parser, valueType) || parser.parseComma() ||
      access.parseTypes(parser) || parser.parseArrow() ||
      parseShortTypes(parser, result.types) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      access.resolveIndex(parser, result) ||
      parser.resolveOperand(value, valueType, result.operands) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {1,
                                    static_cast<int32_t>(access.index.size()),
                                    1, access.token.has_value()};
  return success();
}

void AtomicRedViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(*this, printer);
  printScope(printer, getMemoryScope());
  printer << ' ';
  printAddress(*this, printer);
  printer << ", " << stringifyAtomicRMWMode(getMode()) << ", " << getValue();
  printToken(*this, printer);
  printAttributes(printer, *this);
  printer << " : ";
  printShortType(printer, *this, getValue().getType());
  printer << ", ";
  printAccessTypes(*this, printer);
  printer << " -> ";
  printShortTypes(printer, (*this)->getResultTypes());
}

LogicalResult AtomicRedViewTkoOp::verify() {
  auto view = dyn_cast<TileView>(getView().getType());
  // C1
  if (!view)
    return emitOpError("view operand must be a TileView type");
  if (isa<GatherScatterViewType>(getView().getType()))
    return emitOpError("gather_scatter_view is not supported; use "
                       "partition_view instead");
  if (view.getViewPadding())
    return emitOpError("views with padding_value are not supported for atomic "
                       "reductions");
  // C2
  TileType tile = view.getViewTileType();
  auto value = cast<TileType>(getValue().getType());
  if (tile.getElementType() != value.getElementType())
    return emitOpError("view element type (")
           << tile.getElementType() << ") must match value element type ("
           << value.getElementType() << ")";
  if (tile.getShape() != value.getShape())
    return emitOpError("view tile shape ")
           << tile.getShape() << " must match value shape " << value.getShape()
           << " for element-wise atomic operations";
  // C3
  if (getMode() == AtomicRMWMode::XCHG)
    return emitOpError("atomic_red_view_tko op cannot use xchg operation");
  if (failed(verifyAtomicMode(*this, getMode(), value.getElementType())))
    return failure();
  // C4
  if (getMemoryOrderingSemantics() != MemoryOrderingSemantics::RELAXED)
    return emitOpError("only 'relaxed' memory ordering is supported for "
                       "view-based atomic reductions");
  if (getMemoryScope() == MemoryScope::SYS)
    return emitOpError("memory scope 'sys' is not supported for view-based "
                       "atomic reductions; use 'tl_blk' or 'device' for TMA "
                       "compatibility");
  // C5
  int64_t rank = view.getViewIndexRank();
  if (static_cast<int64_t>(getIndex().size()) != rank)
    return emitOpError("expected ")
           << rank << " index operand(s) for view with tile rank " << rank
           << ", got " << getIndex().size();
  for (auto [position, index] : llvm::enumerate(getIndex())) {
    auto indexType = cast<TileType>(index.getType());
    if (indexType.getRank() != 0)
      return emitOpError("index operand ")
             << position << " must be a scalar tile (rank 0), got shape "
             << indexType.getShape();
    if (!isa<IntegerType>(indexType.getElementType()))
      return emitOpError("index operand ")
             << position << " must be a scalar integer tile, got element type "
             << indexType.getElementType();
  }
  return success();
}

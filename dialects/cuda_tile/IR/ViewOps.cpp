// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that make views and read their extents.

#include "dialects/cuda_tile/IR/Directives.h"

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

namespace {

/// `[1, %n, …]` in the text: numbers, and kDynamic for operands.
struct MixedList {
  SMLoc loc;
  SmallVector<int64_t> values;
  SmallVector<SMLoc> valueLocs;
  SmallVector<UnresolvedOperand> operands;

  ParseResult parse(OpAsmParser &parser, StringRef name);
  /// Checks the list against the type, which has `expected`.
  ParseResult check(OpAsmParser &parser, StringRef name,
                    ArrayRef<int64_t> expected) const;
};

} // namespace

ParseResult MixedList::parse(OpAsmParser &parser, StringRef name) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  loc = parser.getCurrentLocation();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        valueLocs.push_back(parser.getCurrentLocation());
        UnresolvedOperand operand;
        OptionalParseResult isOperand = parser.parseOptionalOperand(operand);
        if (isOperand.has_value()) {
          values.push_back(ShapedType::kDynamic);
          operands.push_back(operand);
          return *isOperand;
        }
        int64_t value = 0;
        OptionalParseResult isInteger = parser.parseOptionalInteger(value);
        if (!isInteger.has_value())
          return parser.emitError(valueLocs.back(),
                                  "expected either integer or SSA value");
        values.push_back(value);
        return *isInteger;
      });
}

ParseResult MixedList::check(OpAsmParser &parser, StringRef name,
                             ArrayRef<int64_t> expected) const {
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
      return parser.emitError(valueLocs[index], "input ")
             << name << " dimension " << index
             << " does not match tensor_view type (expected "
             << describe(wanted) << ", got " << describe(value) << ")";
  return success();
}

/// The type of the base that the text omits.
static TileType getImpliedBaseType(TensorViewType view) {
  return TileType::get(
      {}, PointerType::get(view.getElementType(), PointerKindAttr()));
}

/// Returns the pointee type of a tile of pointers.
static Type getPointee(Type tile) {
  return cast<PointerType>(cast<TileType>(tile).getElementType())
      .getPointeeType();
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  UnresolvedOperand base;
  MixedList shape, strides;
  if (parser.parseOperand(base) || parser.parseComma() ||
      shape.parse(parser, "shape") || parser.parseComma() ||
      strides.parse(parser, "strides") ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  // The text has the type of the base if the view does not imply it.
  bool hasDynamic = !shape.operands.empty() || !strides.operands.empty();
  Type baseType, dynamicType, viewType;
  if (parseShortType(parser, viewType))
    return failure();
  SMLoc firstEnd = parser.getCurrentLocation();
  if (auto tile = dyn_cast<TileType>(viewType);
      tile && isa<PointerType>(tile.getElementType())) {
    // A single type before the arrow is that of the extents, even where it is
    // wrong.
    bool isBase = !hasDynamic || succeeded(parser.parseOptionalComma());
    if (isBase)
      baseType = tile;
    if ((isBase && !hasDynamic && parser.parseArrow()) ||
        (isBase && parseShortType(parser, viewType)))
      return failure();
  }
  if (hasDynamic) {
    dynamicType = viewType;
    if (parser.parseArrow() || parseShortType(parser, viewType))
      return failure();
  }
  auto view = dyn_cast<TensorViewType>(viewType);
  if (!view)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected 'tensor_view' type, but got ")
           << viewType;
  if (!baseType) {
    baseType = getImpliedBaseType(view);
  } else if (!hasDynamic && getPointee(baseType) != view.getElementType()) {
    return parser.emitError(firstEnd, "expected 'tensor_view' type, but got ")
           << baseType;
  }
  if (parser.resolveOperand(base, baseType, result.operands) ||
      shape.check(parser, "shape", view.getShape()) ||
      strides.check(parser, "stride", view.getStrides()) ||
      parser.resolveOperands(shape.operands, dynamicType, result.operands) ||
      parser.resolveOperands(strides.operands, dynamicType, result.operands))
    return failure();
  result.addTypes(view);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, static_cast<int32_t>(shape.operands.size()),
      static_cast<int32_t>(strides.operands.size())};
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
  SmallVector<Type, 2> types;
  if (getBase().getType() != getImpliedBaseType(view))
    types.push_back(getBase().getType());
  OperandRange dynamic =
      getDynamicShape().empty() ? getDynamicStrides() : getDynamicShape();
  if (!dynamic.empty())
    types.push_back(dynamic.front().getType());
  if (!types.empty()) {
    printShortTypes(printer, types);
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
  PointerKindAttr baseKind =
      cast<PointerType>(elementTypeOf(getBase())).getPtrAttr();
  PointerKindAttr viewKind = view.getPtrAttr();
  if (!baseKind && viewKind)
    return emitOpError("pointer base without ptr_attr cannot produce "
                       "tensor_view with ptr_attr");
  if (baseKind && !viewKind)
    return emitOpError("tensor_view must preserve ptr_attr from base pointer (")
           << Attribute(baseKind) << ")";
  if (baseKind != viewKind)
    return emitOpError("ptr_attr mismatch between base pointer (")
           << Attribute(baseKind) << ") and result tensor_view ("
           << Attribute(viewKind) << ")";
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

/// Parses `%src : VT -> T`; `getRank` gives the number of results, or nothing
/// after a diagnostic.
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
  // Without a result any type is legal.
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

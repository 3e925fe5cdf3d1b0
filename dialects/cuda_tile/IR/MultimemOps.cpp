// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to all copies of a tile at a multicast address.

#include "dialects/cuda_tile/IR/MemoryModel.h"
#include "dialects/cuda_tile/IR/ViewAccess.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Prints `token = %t` and `inbounds = […]`; an omitted `inbounds` leaves its
/// blank.
template <typename OpTy>
static void printTokenAndInbounds(OpTy op, OpAsmPrinter &printer) {
  printToken(op, printer);
  std::optional<ArrayRef<bool>> inbounds = op.getInbounds();
  if (inbounds && llvm::is_contained(*inbounds, true))
    printInbounds(printer, inbounds);
  else
    printer << ' ';
}

/// Prints the other attributes, without a default reduction.
static void printMultimemAttributes(
    OpAsmPrinter &printer, Operation *op,
    MultimemReductionKind reduction = MultimemReductionKind::ADD) {
  SmallVector<StringRef> elided = {"memory_ordering_semantics", "memory_scope",
                                   "operandSegmentSizes", "inbounds"};
  if (reduction == MultimemReductionKind::ADD)
    elided.push_back("reduction");
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
}

/// Parses `IT…[, token] -> T…`, after the types before those of the indices.
template <typename OpTy>
static void printIndexAndResultTypes(OpTy op, OpAsmPrinter &printer) {
  OperandRange index = op.getIndex();
  SmallVector<Type> types;
  if (!index.empty() && llvm::all_equal(index.getTypes()))
    types.push_back(index.front().getType());
  else
    llvm::append_range(types, index.getTypes());
  if (op.getToken())
    types.push_back(op.getToken().getType());
  for (Type type : types) {
    printer << ", ";
    printShortType(printer, op, type);
  }
  printer << " -> ";
  printShortTypes(printer, op->getResultTypes());
}

ParseResult MultimemLoadReduceViewTkoOp::parse(OpAsmParser &parser,
                                               OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  if (parseAccessOrdering(parser, properties) || access.parseAddress(parser) ||
      access.parseOptionalToken(parser) ||
      access.parseOptionalInbounds(parser, properties) ||
      parseAccessAttributes(parser, result) || parser.parseColon() ||
      access.parseTypesWithToken(parser, /*tileType=*/nullptr) ||
      parser.parseArrow() || parseShortTypes(parser, result.types) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      access.resolveIndex(parser, result) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {
      1, static_cast<int32_t>(access.index.size()), access.token.has_value()};
  return success();
}

void MultimemLoadReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printAccessOrdering(*this, printer);
  printAccessScope(printer, getMemoryScope());
  printer << ' ';
  printAddress(*this, printer);
  printTokenAndInbounds(*this, printer);
  printMultimemAttributes(printer, *this, getReduction());
  printer << " : ";
  printShortType(printer, *this, getView().getType());
  printIndexAndResultTypes(*this, printer);
}

void MultimemLoadReduceViewTkoOp::getAsmResultNames(
    OpAsmSetValueNameFn setName) {
  setName(getReducedValues(), "reduced_values");
  setName(getResultToken(), "result_token");
}

/// Parses `ORDER [SCOPE] %view, %tile[%i, …] …`.
template <typename OpTy>
static ParseResult parseMultimemUpdate(OpAsmParser &parser,
                                       OperationState &result) {
  auto &properties = result.getOrAddProperties<typename OpTy::Properties>();
  ViewAccess access;
  OpAsmParser::UnresolvedOperand tile;
  Type tileType;
  if (parseAccessOrdering(parser, properties) ||
      parser.parseOperand(access.view) || parser.parseComma() ||
      parser.parseOperand(tile) ||
      parser.getCurrentLocation(&access.indexLoc) ||
      parser.parseOperandList(access.index, AsmParser::Delimiter::Square) ||
      access.parseOptionalToken(parser) ||
      access.parseOptionalInbounds(parser, properties) ||
      parseAccessAttributes(parser, result) || parser.parseColon() ||
      access.parseTypesWithToken(parser, &tileType) || parser.parseArrow() ||
      parseShortTypes(parser, result.types) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      parser.resolveOperand(tile, tileType, result.operands) ||
      access.resolveIndex(parser, result) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {1, 1,
                                    static_cast<int32_t>(access.index.size()),
                                    access.token.has_value()};
  return success();
}

template <typename OpTy>
static void printMultimemUpdate(OpTy op, OpAsmPrinter &printer,
                                std::optional<MemoryScope> scope,
                                MultimemReductionKind reduction) {
  printAccessOrdering(op, printer);
  printAccessScope(printer, scope);
  printer << ' ' << op.getView() << ", " << op.getTile() << '[' << op.getIndex()
          << ']';
  printTokenAndInbounds(op, printer);
  printMultimemAttributes(printer, op, reduction);
  printer << " : ";
  printShortTypes(printer,
                  TypeRange({op.getView().getType(), op.getTile().getType()}));
  printIndexAndResultTypes(op, printer);
}

ParseResult MultimemReduceViewTkoOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  return parseMultimemUpdate<MultimemReduceViewTkoOp>(parser, result);
}

void MultimemReduceViewTkoOp::print(OpAsmPrinter &printer) {
  printMultimemUpdate(*this, printer, getMemoryScope(), getReduction());
}

ParseResult MultimemStoreViewTkoOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  return parseMultimemUpdate<MultimemStoreViewTkoOp>(parser, result);
}

void MultimemStoreViewTkoOp::print(OpAsmPrinter &printer) {
  printMultimemUpdate(*this, printer, getMemoryScope(),
                      MultimemReductionKind::ADD);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// C1
static LogicalResult verifyMultimemElement(Operation *op, Type element) {
  if (isa<FloatType>(element)) {
    if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
      return op->emitOpError("multimem supports only f16, bf16, f32, and f64 "
                             "floating-point element types");
    return success();
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (width != 32 && width != 64)
    return op->emitOpError("multimem requires 32- or 64-bit integer/index "
                           "element types; got ")
           << width << " bits";
  return success();
}

/// C2, the part that both kinds of reductions share.
static LogicalResult verifyIntegerReduction(Operation *op, Type element,
                                            MultimemReductionKind reduction) {
  bool isForBoth = reduction == MultimemReductionKind::ADD ||
                   reduction == MultimemReductionKind::MIN ||
                   reduction == MultimemReductionKind::MAX;
  if (!isForBoth && !isa<IntegerType>(element))
    return op->emitOpError(
        "and/or/xor/umin/umax reductions require integer element types");
  return success();
}

/// C3, and the part of C4 beyond the rules of every access.
template <typename OpTy> static LogicalResult verifyMultimemView(OpTy op) {
  auto view = dyn_cast<PartitionViewType>(op.getView().getType());
  if (!view)
    return op.emitOpError(
               "multimem view operations support only partition_view; got ")
           << op.getView().getType();
  PointerKindAttr kind = view.getTensorView().getPtrAttr();
  if (!kind || kind.getValue() != PointerKind::Multicast)
    return op.emitOpError("expected a multicast pointer, but got ")
           << stringifyPointerKind(kind ? kind.getValue() : PointerKind::None);
  return verifyInbounds(op); // C4
}

static Type elementTypeOf(TileView view) {
  return view.getViewTileType().getElementType();
}

LogicalResult MultimemLoadReduceViewTkoOp::verify() {
  Type element = elementTypeOf(cast<TileView>(getView().getType()));
  MultimemReductionKind reduction = getReduction();
  if (failed(verifyAgainstView(*this, getReducedValues().getType())) || // C4
      failed(verifyMultimemElement(*this, element)) ||
      failed(verifyIntegerReduction(*this, element, reduction)))
    return failure();
  if (reduction != MultimemReductionKind::ADD && isa<FloatType>(element) &&
      !isa<Float16Type, BFloat16Type>(element)) // C2
    return emitOpError("min/max supports f16 and bf16 float types only; got ")
           << element;
  if (failed(verifyMultimemView(*this)))
    return failure();
  return verifyLoadOrdering(*this, getMemoryOrderingSemantics(), // C5
                            getMemoryScope());
}

LogicalResult MultimemReduceViewTkoOp::verify() {
  Type element = elementTypeOf(cast<TileView>(getView().getType()));
  if (failed(verifyAgainstView(*this, getTile().getType())) || // C4
      failed(verifyMultimemElement(*this, element)) ||
      failed(verifyIntegerReduction(*this, element, getReduction())))
    return failure();
  if (getReduction() != MultimemReductionKind::ADD &&
      isa<FloatType>(element)) // C2
    return emitOpError("supports only add for floating-point element types");
  if (failed(verifyMultimemView(*this)))
    return failure();
  if (getMemoryOrderingSemantics() != MemoryOrderingSemantics::RELAXED &&
      getMemoryOrderingSemantics() != MemoryOrderingSemantics::RELEASE) // C5
    return emitOpError("memory ordering semantics must be one of: relaxed, "
                       "release");
  return success();
}

LogicalResult MultimemStoreViewTkoOp::verify() {
  Type element = elementTypeOf(cast<TileView>(getView().getType()));
  if (failed(verifyAgainstView(*this, getTile().getType())) || // C4
      failed(verifyMultimemElement(*this, element)) ||
      failed(verifyMultimemView(*this)))
    return failure();
  return verifyStoreOrdering(*this, getMemoryOrderingSemantics(), // C5
                             getMemoryScope());
}

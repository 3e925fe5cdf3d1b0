// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers, printers and verifiers of accesses through views.

#include "dialects/cuda_tile/IR/ViewAccess.h"
#include "dialects/cuda_tile/IR/MemoryModel.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Parses a list of types, each after a comma.
static ParseResult parseTypesAfterCommas(OpAsmParser &parser,
                                         SmallVectorImpl<Type> &types,
                                         SMLoc &loc) {
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc typeLoc = parser.getCurrentLocation();
    if (types.empty())
      loc = typeLoc;
    if (succeeded(parseShortType(parser, types.emplace_back())))
      continue;
    // The published dialect adds an own message about the first one.
    if (types.size() == 1)
      return parser.emitError(typeLoc, "expected index type after comma");
    return failure();
  }
  return success();
}

ParseResult ViewAccess::distributeIndexTypes(OpAsmParser &parser) {
  // Without an index, the types have no meaning.
  if (index.empty())
    indexTypes.clear();
  else if (indexTypes.empty())
    return parser.emitError(
        parser.getCurrentLocation(),
        "index types must be specified when indices are present");
  // One type holds for all indices.
  if (indexTypes.size() == 1 && index.size() > 1)
    indexTypes.assign(index.size(), Type(indexTypes.front()));
  if (indexTypes.size() != index.size())
    return parser.emitError(indexTypesLoc, "expected ")
           << index.size() << " index types, got " << indexTypes.size();
  return success();
}

ParseResult ViewAccess::parseTypes(OpAsmParser &parser, unsigned numResults,
                                   SmallVectorImpl<Type> &results) {
  if (parseShortType(parser, viewType) ||
      parseTypesAfterCommas(parser, indexTypes, indexTypesLoc) ||
      parser.parseArrow())
    return failure();
  for (unsigned i = 0; i < numResults; ++i)
    if ((i > 0 && parser.parseComma()) ||
        parseShortType(parser, results.emplace_back()))
      return failure();
  return distributeIndexTypes(parser);
}

ParseResult ViewAccess::parseTypesWithToken(OpAsmParser &parser,
                                            Type *tileType) {
  if (parseShortType(parser, viewType) ||
      (tileType && (parser.parseComma() || parseShortType(parser, *tileType))))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseTypesAfterCommas(parser, indexTypes, indexTypesLoc))
    return failure();
  if (token) {
    if (indexTypes.empty() || !isa<TokenType>(indexTypes.back()))
      return parser.emitError(
          loc, "expected the type of the token after those of the indices");
    indexTypes.pop_back();
  }
  return distributeIndexTypes(parser);
}

//===----------------------------------------------------------------------===//
// LoadViewTkoOp, StoreViewTkoOp
//===----------------------------------------------------------------------===//

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  if (parseAccessOrdering(parser, properties) || access.parseAddress(parser) ||
      access.parseOptionalToken(parser) ||
      parseOptionalHints(parser, properties) ||
      access.parseOptionalInbounds(parser, properties) ||
      parseAccessAttributes(parser, result) || parser.parseColon() ||
      access.parseTypes(parser, /*numResults=*/2, result.types) ||
      parser.resolveOperand(access.view, access.viewType, result.operands) ||
      access.resolveIndex(parser, result) ||
      access.resolveToken(parser, result))
    return failure();
  properties.operandSegmentSizes = {
      1, static_cast<int32_t>(access.index.size()), access.token.has_value()};
  return success();
}

void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printAccessOrdering(*this, printer);
  printAccessScope(printer, getMemoryScope());
  printer << ' ';
  printAddress(*this, printer);
  printToken(*this, printer);
  printHints(printer, getOptimizationHintsAttr());
  printInbounds(printer, getInbounds());
  printAccessAttributes(printer, *this);
  printer << " : ";
  printAccessTypes(*this, printer);
  printer << " -> ";
  printShortTypes(printer, (*this)->getResultTypes());
}

void LoadViewTkoOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTile(), "tile");
  setName(getResultToken(), "result_token");
}

template <typename OpTy> static LogicalResult verifyViewHints(OpTy op) {
  OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
  return hints ? hints.verifyWithOp(op, {"latency", "allow_tma"}) : success();
}

LogicalResult LoadViewTkoOp::verify() {
  if (failed(verifyAgainstView(*this, getTile().getType())) || // C1 to C3
      failed(verifyInbounds(*this)) ||                         // C5
      failed(verifyViewHints(*this)))
    return failure();
  return verifyLoadOrdering(*this, getMemoryOrderingSemantics(), // C4
                            getMemoryScope());
}

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  ViewAccess access;
  UnresolvedOperand tile;
  Type tileType;
  if (parseAccessOrdering(parser, properties) || parser.parseOperand(tile) ||
      parser.parseComma() || access.parseAddress(parser) ||
      access.parseOptionalToken(parser) ||
      parseOptionalHints(parser, properties) ||
      access.parseOptionalInbounds(parser, properties) ||
      parseAccessAttributes(parser, result) || parser.parseColon() ||
      parseShortType(parser, tileType) || parser.parseComma() ||
      access.parseTypes(parser, /*numResults=*/1, result.types) ||
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
  printAccessOrdering(*this, printer);
  printAccessScope(printer, getMemoryScope());
  printer << ' ' << getTile() << ", ";
  printAddress(*this, printer);
  printToken(*this, printer);
  printHints(printer, getOptimizationHintsAttr());
  printInbounds(printer, getInbounds());
  printAccessAttributes(printer, *this);
  printer << " : ";
  printShortType(printer, *this, getTile().getType());
  printer << ", ";
  printAccessTypes(*this, printer);
  printer << " -> ";
  printShortTypes(printer, (*this)->getResultTypes());
}

LogicalResult StoreViewTkoOp::verify() {
  if (failed(verifyAgainstView(*this, getTile().getType())) || // C1 to C3
      failed(verifyInbounds(*this)) ||                         // C5
      failed(verifyViewHints(*this)))
    return failure();
  return verifyStoreOrdering(*this, getMemoryOrderingSemantics(), // C4
                             getMemoryScope());
}

//===----------------------------------------------------------------------===//
// AtomicRedViewTkoOp
//===----------------------------------------------------------------------===//

/// Parses `ORDER [SCOPE]`, with the messages of this operation.
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
  if (parser.parseComma() || parser.parseKeyword(&keyword))
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
      parseAtomicMode(parser, properties) || parser.parseComma() ||
      parser.parseOperand(value) || access.parseOptionalToken(parser) ||
      access.parseOptionalInbounds(parser, properties) ||
      parseAccessAttributes(parser, result) || parser.parseColon() ||
      parseShortType(parser, valueType) || parser.parseComma() ||
      access.parseTypes(parser, /*numResults=*/1, result.types) ||
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
  printAccessOrdering(*this, printer);
  printAccessScope(printer, getMemoryScope());
  printer << ' ';
  printAddress(*this, printer);
  printer << ", " << stringifyAtomicRMWMode(getMode()) << ", " << getValue();
  printToken(*this, printer);
  printInbounds(printer, getInbounds());
  printAccessAttributes(printer, *this);
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
  // The newest release ignores the padding.
  if (view.getViewPadding() && !followsNewestRelease(getContext()))
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
  if (failed(verifyAtomicMode(*this, getMode(), value.getElementType())) ||
      failed(verifyInbounds(*this))) // C6
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

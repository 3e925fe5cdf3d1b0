// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common syntax and rules of accesses through views.

#ifndef DIALECTS_CUDA_TILE_IR_VIEWACCESS_H
#define DIALECTS_CUDA_TILE_IR_VIEWACCESS_H

#include "dialects/cuda_tile/IR/Directives.h"

#include "mlir/IR/Builders.h"

namespace mlir::cuda_tile {

//===----------------------------------------------------------------------===//
// Syntax of the accesses
//===----------------------------------------------------------------------===//

/// Parsed parts that all accesses share.
struct ViewAccess {
  OpAsmParser::UnresolvedOperand view;
  SmallVector<OpAsmParser::UnresolvedOperand> index;
  std::optional<OpAsmParser::UnresolvedOperand> token;
  SMLoc indexLoc;
  Type viewType;
  SmallVector<Type> indexTypes;
  SMLoc indexTypesLoc;

  /// Parses `%view[%i, …]`.
  ParseResult parseAddress(OpAsmParser &parser) {
    return failure(parser.parseOperand(view) || parser.parseLSquare() ||
                   parser.getCurrentLocation(&indexLoc) ||
                   parser.parseOperandList(index) || parser.parseRSquare());
  }

  /// Parses an optional `token = %t`.
  ParseResult parseOptionalToken(OpAsmParser &parser) {
    if (failed(parser.parseOptionalKeyword("token")))
      return success();
    return failure(parser.parseEqual() || parser.parseOperand(token.emplace()));
  }

  /// Parses an optional `inbounds = [true, false]`.
  template <typename Properties>
  ParseResult parseOptionalInbounds(OpAsmParser &parser,
                                    Properties &properties) {
    if (failed(parser.parseOptionalKeyword("inbounds")))
      return success();
    Attribute flags;
    if (parser.parseEqual() ||
        !(flags = DenseBoolArrayAttr::parse(parser, Type())))
      return failure();
    properties.setInbounds(cast<DenseBoolArrayAttr>(flags));
    return success();
  }

  /// Parses `VT, IT… -> RT…` with `numResults` results.
  ParseResult parseTypes(OpAsmParser &parser, unsigned numResults,
                         SmallVectorImpl<Type> &results);

  /// Parses `VT[, T], IT…[, token]`: the types of the multimem operations, with
  /// the type of a tile if `tileType` is given.
  ParseResult parseTypesWithToken(OpAsmParser &parser, Type *tileType);

  /// Expands the types in the text to one for each index.
  ParseResult distributeIndexTypes(OpAsmParser &parser);

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

/// Parses `ORDER [SCOPE]` of a load or a store.
template <typename Properties>
ParseResult parseAccessOrdering(OpAsmParser &parser, Properties &properties) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  // Without any keyword, both errors are reported.
  (void)parser.parseKeyword(&keyword);
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

/// Parses an optional `optimization_hints = <…>`.
template <typename Properties>
ParseResult parseOptionalHints(OpAsmParser &parser, Properties &properties) {
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

inline ParseResult parseAccessAttributes(OpAsmParser &parser,
                                         OperationState &result) {
  return parser.parseOptionalAttrDictWithKeyword(result.attributes);
}

inline void printAccessAttributes(OpAsmPrinter &printer, Operation *op) {
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(),
      {"memory_ordering_semantics", "memory_scope", "mode",
       "operandSegmentSizes", "optimization_hints", "inbounds"});
}

template <typename OpTy>
void printAccessOrdering(OpTy op, OpAsmPrinter &printer) {
  printer << ' '
          << stringifyMemoryOrderingSemantics(op.getMemoryOrderingSemantics());
}

inline void printAccessScope(OpAsmPrinter &printer,
                             std::optional<MemoryScope> scope) {
  if (scope)
    printer << ' ' << stringifyMemoryScope(*scope);
}

template <typename OpTy> void printAddress(OpTy op, OpAsmPrinter &printer) {
  printer << op.getView() << '[' << op.getIndex() << ']';
}

template <typename OpTy> void printToken(OpTy op, OpAsmPrinter &printer) {
  if (op.getToken())
    printer << " token = " << op.getToken();
}

/// Prints `inbounds = […]` if any flag is set.
inline void printInbounds(OpAsmPrinter &printer,
                          std::optional<ArrayRef<bool>> inbounds) {
  if (!inbounds || !llvm::is_contained(*inbounds, true))
    return;
  printer << " inbounds = [";
  llvm::interleaveComma(*inbounds, printer, [&](bool flag) {
    printer << (flag ? "true" : "false");
  });
  printer << ']';
}

inline void printHints(OpAsmPrinter &printer, OptimizationHintsAttr hints) {
  if (!hints)
    return;
  printer << " optimization_hints = ";
  hints.print(printer);
}

/// Prints `VT, IT…`: one type if all are equal.
template <typename OpTy> void printAccessTypes(OpTy op, OpAsmPrinter &printer) {
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
// Verification
//===----------------------------------------------------------------------===//

/// Verifies the index and the tile for the view.
template <typename OpTy>
LogicalResult verifyAgainstView(OpTy op, Type tileType) {
  auto view = cast<TileView>(op.getView().getType());
  int64_t rank = view.getViewIndexRank();
  OperandRange index = op.getIndex();
  if (static_cast<int64_t>(index.size()) != rank)
    return op.emitOpError("expected ")
           << rank << " index operands (based on view type), got "
           << index.size();
  TileType tile = view.getViewTileType();
  if (tileType != tile)
    return op.emitOpError("expected tile type to be ")
           << tile << " (based on view type), got " << tileType;
  return view.verifyIndices([&] { return op.emitOpError(); }, index.getTypes());
}

template <typename OpTy> LogicalResult verifyInbounds(OpTy op) {
  std::optional<ArrayRef<bool>> inbounds = op.getInbounds();
  if (!inbounds || inbounds->size() == op.getIndex().size())
    return success();
  return op.emitOpError("inbounds size (")
         << inbounds->size() << ") must match the number of index dimensions ("
         << op.getIndex().size() << ")";
}

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_VIEWACCESS_H

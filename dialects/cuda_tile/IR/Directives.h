// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom directives of the assembly formats, for TableGen and for the custom
// parsers.

#ifndef DIALECTS_CUDA_TILE_IR_DIRECTIVES_H
#define DIALECTS_CUDA_TILE_IR_DIRECTIVES_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void printShortType(OpAsmPrinter &printer, Operation *op, Type type);

ParseResult parseShortTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types);
void printShortTypes(OpAsmPrinter &printer, TypeRange types);
void printShortTypes(OpAsmPrinter &printer, Operation *op, TypeRange types);

//===----------------------------------------------------------------------===//
// Keywords
//===----------------------------------------------------------------------===//

ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attr);
void printSignedness(OpAsmPrinter &printer, Operation *op, SignednessAttr attr);

ParseResult parsePredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr);
void printPredicate(OpAsmPrinter &printer, Operation *op,
                    ComparisonPredicateAttr attr);

ParseResult parseOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr);
void printOrdering(OpAsmPrinter &printer, Operation *op,
                   ComparisonOrderingAttr attr);

/// Parses `public`, `private`, or nothing for the default.
ParseResult parseGlobalVisibility(OpAsmParser &parser,
                                  SymbolVisibilityAttr &attr);
void printGlobalVisibility(OpAsmPrinter &printer, Operation *op,
                           SymbolVisibilityAttr attr);

ParseResult parseAssumePredicate(OpAsmParser &parser,
                                 AssumePredicateAttrInterface &attr);
void printAssumePredicate(OpAsmPrinter &printer, Operation *op,
                          AssumePredicateAttrInterface attr);

//===----------------------------------------------------------------------===//
// Rounding: `rounding<MODE>`, or nothing for the default
//===----------------------------------------------------------------------===//

#define DECLARE_ROUNDING(Name)                                                 \
  ParseResult parse##Name(OpAsmParser &parser, RoundingModeAttr &attr);        \
  void print##Name(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);

DECLARE_ROUNDING(IEEERounding)
DECLARE_ROUNDING(ConversionRounding)
DECLARE_ROUNDING(DivRounding)
DECLARE_ROUNDING(SqrtRounding)
DECLARE_ROUNDING(FullRounding)
DECLARE_ROUNDING(IntRounding)

#undef DECLARE_ROUNDING

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// Parses `<T: literal> : tile<…>`.
ParseResult parseDenseLiteral(OpAsmParser &parser,
                              DenseIntOrFPElementsAttr &attr);
void printDenseLiteral(OpAsmPrinter &printer, Operation *op,
                       DenseIntOrFPElementsAttr attr);

//===----------------------------------------------------------------------===//
// Regions and functions
//===----------------------------------------------------------------------===//

/// Parses `(%a: tile<f32>, …)`; unnamed arguments are bare types.
ParseResult parseArguments(OpAsmParser &parser,
                           SmallVectorImpl<OpAsmParser::Argument> &arguments);
void printArguments(OpAsmPrinter &printer, Region &region, ArrayAttr argAttrs);

/// Parses the body of `reduce` and `scan`, with its arguments.
ParseResult parseArgumentRegion(OpAsmParser &parser, Region &region);
void printArgumentRegion(OpAsmPrinter &printer, Operation *op, Region &region);

/// Parses a branch of `if`; a `yield` without operands is omitted.
ParseResult parseBranchRegion(OpAsmParser &parser, Region &region);
void printBranchRegion(OpAsmPrinter &printer, Operation *op, Region &region);

/// Parses the name, the signature and the rest of `entry` and `testing$func`.
ParseResult parseFunction(OpAsmParser &parser, OperationState &result,
                          bool hasHints);
void printFunction(OpAsmPrinter &printer, FunctionOpInterface op,
                   OptimizationHintsAttr hints);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_DIRECTIVES_H

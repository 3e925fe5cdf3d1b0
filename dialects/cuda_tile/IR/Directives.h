// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of the assembly formats that TableGen and the custom parsers share.

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
// Literals
//===----------------------------------------------------------------------===//

/// `<T: literal> : tile<…>`
ParseResult parseDenseLiteral(OpAsmParser &parser,
                              DenseIntOrFPElementsAttr &attr);
void printDenseLiteral(OpAsmPrinter &printer, Operation *op,
                       DenseIntOrFPElementsAttr attr);

//===----------------------------------------------------------------------===//
// Regions and functions
//===----------------------------------------------------------------------===//

/// `(%a: tile<f32>, …)`; unnamed arguments are bare types.
ParseResult parseArguments(OpAsmParser &parser,
                           SmallVectorImpl<OpAsmParser::Argument> &arguments);
void printArguments(OpAsmPrinter &printer, Region &region, ArrayAttr argAttrs);

/// The name, signature and what follows of `entry` and `testing$func`.
ParseResult parseFunction(OpAsmParser &parser, OperationState &result,
                          bool hasHints);
void printFunction(OpAsmPrinter &printer, FunctionOpInterface op,
                   OptimizationHintsAttr hints);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_DIRECTIVES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom directives of the assembly formats.

#ifndef DIALECTS_NV_TILEAA_IR_DIRECTIVES_H
#define DIALECTS_NV_TILEAA_IR_DIRECTIVES_H

#include "dialects/nv_tileaa/NVTileAA.h"

namespace mlir::nv_tileaa {

/// Parses the bare keyword of an enumeration.
template <typename EnumAttrT>
ParseResult parseKeyword(OpAsmParser &parser, EnumAttrT &attr) {
  using Enum = decltype(attr.getValue());
  FailureOr<Enum> value = FieldParser<Enum>::parse(parser);
  if (failed(value))
    return failure();
  attr = EnumAttrT::get(parser.getContext(), *value);
  return success();
}

template <typename EnumAttrT>
void printKeyword(OpAsmPrinter &printer, Operation *, EnumAttrT attr) {
  printer << stringifyEnum(attr.getValue());
}

/// Parses `weak`, or a memory ordering and a scope.
ParseResult parseMemOrder(OpAsmParser &parser, MemSemanticAttr &semantic,
                          MemScopeAttr &scope);
void printMemOrder(OpAsmPrinter &printer, Operation *op,
                   MemSemanticAttr semantic, MemScopeAttr scope);

/// Parses operands, or `()`: an empty list would consume the next line.
ParseResult
parseTokens(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tokens);
void printTokens(OpAsmPrinter &printer, Operation *op, OperandRange tokens);

} // namespace mlir::nv_tileaa

#endif // DIALECTS_NV_TILEAA_IR_DIRECTIVES_H

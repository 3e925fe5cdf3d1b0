// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/IR/Directives.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

ParseResult nv_tileaa::parseMemOrder(OpAsmParser &parser,
                                     MemSemanticAttr &semantic,
                                     MemScopeAttr &scope) {
  if (parseKeyword(parser, semantic))
    return failure();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword,
                                         {"tl_blk", "cluster", "gpu", "sys"})))
    return success();
  scope = MemScopeAttr::get(parser.getContext(), *symbolizeMemScope(keyword));
  return success();
}

void nv_tileaa::printMemOrder(OpAsmPrinter &printer, Operation *,
                              MemSemanticAttr semantic, MemScopeAttr scope) {
  printer << stringifyEnum(semantic.getValue());
  if (scope)
    printer << " " << stringifyEnum(scope.getValue());
}

ParseResult nv_tileaa::parseTokens(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &tokens) {
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  return parser.parseOperandList(tokens);
}

void nv_tileaa::printTokens(OpAsmPrinter &printer, Operation *,
                            OperandRange tokens) {
  if (tokens.empty())
    printer << "()";
  else
    printer << tokens;
}

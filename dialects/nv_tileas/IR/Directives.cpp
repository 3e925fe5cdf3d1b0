// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/IR/Directives.h"

using namespace mlir;
using namespace mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Assembly of enums as keywords
//===----------------------------------------------------------------------===//

#define TILEAS_ENUM_DIRECTIVE(Directive, Namespace, Enum, What)                \
  ParseResult nv_tileas::parse##Directive(OpAsmParser &parser,                 \
                                          Namespace::Enum##Attr &attr) {       \
    return parseEnumKeyword<Namespace::Enum##Attr, Namespace::Enum>(           \
        parser, attr, What, Namespace::symbolize##Enum);                       \
  }                                                                            \
  void nv_tileas::print##Directive(OpAsmPrinter &printer, Operation *,         \
                                   Namespace::Enum##Attr attr) {               \
    printer << Namespace::stringify##Enum(attr.getValue());                    \
  }

TILEAS_ENUM_DIRECTIVE(RmwMode, nv_tileaa, RmwMode, "rmw_mode")
TILEAS_ENUM_DIRECTIVE(GridDim, nv_tileaa, Dim, "grid dimension")
TILEAS_ENUM_DIRECTIVE(GridDependency, nv_tileaa, GridDependency,
                      "grid dependency")
TILEAS_ENUM_DIRECTIVE(ElementwiseKind, nv_tileas, ElementwiseKind,
                      "elementwise kind")
TILEAS_ENUM_DIRECTIVE(ArrivalKind, nv_tileas, ArrivalKind, "arrival kind")
TILEAS_ENUM_DIRECTIVE(BarrierScope, nv_tileas, BarrierScope, "barrier scope")
TILEAS_ENUM_DIRECTIVE(FenceKind, nv_tileas, FenceKind, "fence kind")

#undef TILEAS_ENUM_DIRECTIVE

ParseResult nv_tileas::parseMemOrder(OpAsmParser &parser,
                                     nv_tileaa::MemSemanticAttr &semantic,
                                     nv_tileaa::MemScopeAttr &scope) {
  if (parseEnumKeyword<nv_tileaa::MemSemanticAttr, nv_tileaa::MemSemantic>(
          parser, semantic, "mem_semantic", nv_tileaa::symbolizeMemSemantic))
    return failure();
  if (semantic.getValue() == nv_tileaa::MemSemantic::Weak)
    return success();
  return parseEnumKeyword<nv_tileaa::MemScopeAttr, nv_tileaa::MemScope>(
      parser, scope, "mem_scope", nv_tileaa::symbolizeMemScope);
}

void nv_tileas::printMemOrder(OpAsmPrinter &printer, Operation *,
                              nv_tileaa::MemSemanticAttr semantic,
                              nv_tileaa::MemScopeAttr scope) {
  printer << nv_tileaa::stringifyMemSemantic(semantic.getValue());
  if (scope)
    printer << ' ' << nv_tileaa::stringifyMemScope(scope.getValue());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom directives of the assembly formats.

#ifndef DIALECTS_NV_TILEAS_IR_DIRECTIVES_H
#define DIALECTS_NV_TILEAS_IR_DIRECTIVES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::nv_tileas {

/// Parses the bare keyword of an enumeration into an attribute `AttrTy`; the
/// error calls the enumeration `what`.
template <typename AttrTy, typename EnumTy, typename ResultT>
ParseResult parseEnumKeyword(OpAsmParser &parser, ResultT &attr, StringRef what,
                             std::optional<EnumTy> (*symbolize)(StringRef)) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<EnumTy> value = symbolize(word);
  if (!value)
    return parser.emitError(loc) << "unknown " << what << " '" << word << "'";
  attr = AttrTy::get(parser.getContext(), *value);
  return success();
}

#define TILEAS_ENUM_DIRECTIVE(Directive, Namespace, Enum)                      \
  ParseResult parse##Directive(OpAsmParser &parser,                            \
                               Namespace::Enum##Attr &attr);                   \
  void print##Directive(OpAsmPrinter &printer, Operation *op,                  \
                        Namespace::Enum##Attr attr);

TILEAS_ENUM_DIRECTIVE(RmwMode, nv_tileaa, RmwMode)
TILEAS_ENUM_DIRECTIVE(GridDim, nv_tileaa, Dim)
TILEAS_ENUM_DIRECTIVE(GridDependency, nv_tileaa, GridDependency)
TILEAS_ENUM_DIRECTIVE(ElementwiseKind, nv_tileas, ElementwiseKind)
TILEAS_ENUM_DIRECTIVE(ArrivalKind, nv_tileas, ArrivalKind)
TILEAS_ENUM_DIRECTIVE(BarrierScope, nv_tileas, BarrierScope)
TILEAS_ENUM_DIRECTIVE(FenceKind, nv_tileas, FenceKind)

#undef TILEAS_ENUM_DIRECTIVE

/// Parses `weak`, or a memory ordering and a scope.
ParseResult parseMemOrder(OpAsmParser &parser,
                          nv_tileaa::MemSemanticAttr &semantic,
                          nv_tileaa::MemScopeAttr &scope);
void printMemOrder(OpAsmPrinter &printer, Operation *op,
                   nv_tileaa::MemSemanticAttr semantic,
                   nv_tileaa::MemScopeAttr scope);

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_IR_DIRECTIVES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/cuda_tile/SymbolNames.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/AttrTypeSubElements.h"

namespace tileir {

using namespace mlir;

LogicalResult updateSymbolName(StringAttr newName, SymbolOpInterface symbol,
                               Operation *scope, SymbolTable *table) {
  if (symbol->getParentOp() && !scope->isAncestor(symbol)) {
    InFlightDiagnostic diag =
        symbol->emitError("attempted to update symbol names in a scope that "
                          "did not enclose the symbol itself");
    diag.attachNote(scope->getLoc()) << "scope defined here";
    return diag;
  }
  if (table) {
    if (failed(table->rename(symbol, newName)))
      return symbol->emitError("cannot rename the uses of symbol '")
             << symbol.getName() << "'";
  } else {
    symbol.setName(newName);
  }
  auto scoped = dyn_cast<cuda_tile::DILocAttr>(LocationAttr(symbol.getLoc()));
  auto subprogram =
      scoped ? dyn_cast<cuda_tile::DISubprogramAttr>(scoped.getScope())
             : cuda_tile::DISubprogramAttr();
  if (!subprogram)
    return success();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](cuda_tile::DISubprogramAttr attr) -> std::optional<Attribute> {
        if (attr != subprogram)
          return std::nullopt;
        return attr.cloneWithNewLinkageName(newName);
      });
  replacer.recursivelyReplaceElementsIn(scope, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true);
  return success();
}

} // namespace tileir

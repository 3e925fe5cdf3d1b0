// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Verification.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

static bool holdsBefore(Operation *op) {
  return succeeded(op->getName().verifyInvariants(op));
}

static bool holdsAfter(Operation *op) {
  return succeeded(op->getName().verifyRegionInvariants(op));
}

static bool holds(Check check) {
  Operation *op = check.getPointer();
  switch (check.getInt()) {
  case CheckStage::Whole:
    return holdsBefore(op) && holdsAfter(op);
  case CheckStage::BeforeRegions:
    return holdsBefore(op);
  case CheckStage::AfterRegions:
    return holdsAfter(op);
  }
  llvm_unreachable("every stage has a case");
}

/// Whether the body of a function ends as a block must.
static bool endsProperly(Operation &function) {
  Block &body = function.getRegion(0).front();
  return !body.empty() && body.back().hasTrait<OpTrait::IsTerminator>();
}

/// Whether no two symbols share a name, and their users find them. What the
/// module's own verifier does, which goes through all operations for it.
static bool symbolsAreRight(cuda_tile::ModuleOp module,
                            ArrayRef<Check> checks) {
  llvm::SmallDenseSet<StringAttr, 16> names;
  for (Operation &op : module.getBody().front())
    if (auto name = op.getAttrOfType<StringAttr>(
            mlir::SymbolTable::getSymbolAttrName()))
      if (!names.insert(name).second)
        return false;
  SymbolTableCollection symbolTables;
  for (Check check : checks)
    if (auto user = dyn_cast<SymbolUserOpInterface>(check.getPointer()))
      if (failed(user.verifySymbolUses(symbolTables)))
        return false;
  return true;
}

bool verifiesSilently(cuda_tile::ModuleOp module, ArrayRef<Check> checks) {
  bool silent = true;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &) {
    silent = false;
    return success();
  });
  if (!holdsBefore(module))
    return false;
  for (Operation &op : module.getBody().front())
    if (!holdsBefore(&op) ||
        !(op.getNumRegions() ? endsProperly(op) : holdsAfter(&op)))
      return false;
  if (!llvm::all_of(checks, holds))
    return false;
  for (Operation &op : module.getBody().front())
    if (op.getNumRegions() && !holdsAfter(&op))
      return false;
  return symbolsAreRight(module, checks) && silent;
}

} // namespace tileir::bytecode

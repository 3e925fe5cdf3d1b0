// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Verification.h"

#include "mlir/IR/Diagnostics.h"
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

/// Returns whether the region of `function` is valid. A kernel's own verifier
/// only checks locations.
static bool regionHolds(Operation *function, bool hasLocations) {
  auto entry = dyn_cast<EntryOp>(function);
  if (!entry)
    return holdsAfter(function);
  return !hasLocations || succeeded(entry.verifyRegions());
}

/// Returns whether no two symbols share a name, and every used symbol exists.
/// The module's own verifier checks the same, but walks all operations.
static bool symbolsAreRight(cuda_tile::ModuleOp module,
                            ArrayRef<SymbolUserOpInterface> users) {
  llvm::SmallDenseSet<StringAttr, 16> names;
  for (Operation &op : module.getBody().front())
    if (auto name = op.getAttrOfType<StringAttr>(
            mlir::SymbolTable::getSymbolAttrName()))
      if (!names.insert(name).second)
        return false;
  SymbolTableCollection symbolTables;
  return llvm::all_of(users, [&](SymbolUserOpInterface user) {
    return succeeded(user.verifySymbolUses(symbolTables));
  });
}

/// Returns whether `verify` succeeds without diagnostics.
static bool isSilent(MLIRContext *context, llvm::function_ref<bool()> verify) {
  bool silent = true;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &) {
    silent = false;
    return success();
  });
  return verify() && silent;
}

bool verifiesSilently(Operation *function, bool hasLocations,
                      ArrayRef<Check> checks) {
  return isSilent(function->getContext(), [&] {
    Block &body = function->getRegion(0).front();
    return holdsBefore(function) && !body.empty() &&
           isa<ReturnOp>(body.back()) && llvm::all_of(checks, holds) &&
           regionHolds(function, hasLocations);
  });
}

bool verifiesSilently(cuda_tile::ModuleOp module,
                      ArrayRef<SymbolUserOpInterface> symbolUsers) {
  return isSilent(module.getContext(), [&] {
    if (!holdsBefore(module))
      return false;
    for (Operation &op : module.getBody().front())
      if (!op.getNumRegions() && !(holdsBefore(&op) && holdsAfter(&op)))
        return false;
    return symbolsAreRight(module, symbolUsers);
  });
}

} // namespace tileir::bytecode

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/cuda_tile/SymbolNames.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"

namespace tileir {

#define GEN_PASS_DECL_TESTDEBUGINFOUPDATESYMBOLNAME
#define GEN_PASS_DEF_TESTDEBUGINFOUPDATESYMBOLNAME
#include "passes/cuda_tile/TestDebugInfoUpdateSymbolName.h.inc"

namespace {

using namespace mlir;

struct TestDebugInfoUpdateSymbolName final
    : impl::TestDebugInfoUpdateSymbolNameBase<TestDebugInfoUpdateSymbolName> {
  using TestDebugInfoUpdateSymbolNameBase::TestDebugInfoUpdateSymbolNameBase;

  void runOnOperation() override;

private:
  /// The operation with the path `path`, written `outer::inner`, below the
  /// root; null after a diagnostic.
  Operation *lookup(StringRef path);
};

} // namespace

Operation *TestDebugInfoUpdateSymbolName::lookup(StringRef path) {
  Operation *at = getOperation();
  SmallVector<StringRef> names;
  path.split(names, "::");
  for (StringRef name : names) {
    Operation *inner = at->hasTrait<OpTrait::SymbolTable>()
                           ? SymbolTable::lookupSymbolIn(at, name)
                           : nullptr;
    if (!inner) {
      at->emitError("there is no symbol '") << name << "' here";
      return nullptr;
    }
    at = inner;
  }
  return at;
}

void TestDebugInfoUpdateSymbolName::runOnOperation() {
  auto symbol = dyn_cast_if_present<SymbolOpInterface>(lookup(symbolToRename));
  Operation *root = scope.empty() ? getOperation() : lookup(scope);
  if (!symbol || !root)
    return signalPassFailure();
  auto name = StringAttr::get(&getContext(), newName);
  Operation *owner = symbol->getParentOp();
  if (newName.empty() || SymbolTable::lookupSymbolIn(owner, name)) {
    symbol.emitError("cannot be renamed to '") << newName << "'";
    return signalPassFailure();
  }
  LogicalResult result = failure();
  if (updateUses) {
    SymbolTable table(owner);
    result = updateSymbolName(name, symbol, root, &table);
  } else {
    result = updateSymbolName(name, symbol, root);
  }
  if (failed(result))
    signalPassFailure();
}

} // namespace tileir

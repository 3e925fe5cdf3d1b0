// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRSCOPE
#define GEN_PASS_DEF_TILEIRSCOPE
#include "passes/tileaa/TileIRScope.h.inc"

/// Makes a marker visible to action handlers, as with --log-actions-to.
class ScopeAction final : public mlir::tracing::ActionImpl<ScopeAction> {
public:
  using Base = mlir::tracing::ActionImpl<ScopeAction>;
  ScopeAction(mlir::ArrayRef<mlir::IRUnit> units, llvm::StringRef phase,
              llvm::StringRef name)
      : Base(units), phase(phase), name(name) {}

  static constexpr llvm::StringLiteral tag = "tileir-scope";
  void print(llvm::raw_ostream &os) const override {
    os << "`" << tag << "` " << phase << " '" << name << "'";
  }

private:
  std::string phase;
  std::string name;
};

namespace {

using namespace mlir;

struct TileIRScope final : impl::TileIRScopeBase<TileIRScope> {
  using TileIRScopeBase::TileIRScopeBase;

  void runOnOperation() override;
};

} // namespace

void TileIRScope::runOnOperation() {
  markAllAnalysesPreserved();
  if (phase != "begin" && phase != "end") {
    getOperation().emitError("phase is '")
        << phase << "'; expected 'begin' or 'end'";
    return signalPassFailure();
  }
  nv_tileaa::ScopeState &scopes =
      getContext().getLoadedDialect<nv_tileaa::TileAADialect>()->getScopes();
  auto mark = [&] {
    if (phase == "begin")
      scopes.open(name, getOperation());
    else
      scopes.close(name, /*completed=*/true);
  };
  IRUnit unit = getOperation().getOperation();
  getContext().executeAction<ScopeAction>(mark, {unit}, StringRef(phase),
                                          StringRef(name));
}

} // namespace tileir

MLIR_DECLARE_EXPLICIT_TYPE_ID(tileir::ScopeAction)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tileir::ScopeAction)

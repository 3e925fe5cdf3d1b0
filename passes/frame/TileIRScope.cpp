// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/frame/Instrumentation.h"

#include "passes/frame/Scopes.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRSCOPE
#define GEN_PASS_DEF_TILEIRSCOPE
#include "passes/frame/TileIRScope.h.inc"

/// Action that shows a marker to action handlers, as with --log-actions-to.
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

/// Name of the scope around those that a pass manager opens itself.
static constexpr llvm::StringLiteral managerScope = "PassManager";

/// Opens or closes `name`, and reports it to action handlers.
static void mark(mlir::Operation *op, llvm::StringRef phase,
                 llvm::function_ref<void()> change, llvm::StringRef name) {
  mlir::IRUnit unit = op;
  op->getContext()->executeAction<ScopeAction>(change, {unit}, phase, name);
}

namespace {

using namespace mlir;

struct TileIRScope final : impl::TileIRScopeBase<TileIRScope> {
  using TileIRScopeBase::TileIRScopeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerScopes(registry);
  }
  void runOnOperation() override;
};

/// Scope of the whole run of one pass manager. A pass manager has no callback
/// for its start and end: the first pass on the root opens the scope, and the
/// last pass, or a failing one, closes it.
struct ManagerInstrumentation final : PassInstrumentation {
  explicit ManagerInstrumentation(PassManager &manager) : manager(manager) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!root && contains(pass))
      begin(op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (op == root && pass == &*std::prev(manager.end()))
      end(/*completed=*/true);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (op == root && contains(pass))
      end(/*completed=*/false);
  }

private:
  static constexpr StringLiteral name = "CompileNVVM";

  bool contains(Pass *pass) const {
    return llvm::any_of(manager.getPasses(),
                        [&](Pass &other) { return &other == pass; });
  }
  ScopeState &scopes() const { return getScopes(*root->getContext()); }
  void begin(Operation *op) {
    root = op;
    mark(
        root, "begin",
        [&] {
          scopes().open(managerScope, root);
          scopes().open(name, root);
        },
        name);
  }
  void end(bool completed) {
    mark(
        root, "end",
        [&] {
          scopes().close(name, completed);
          scopes().close(managerScope, completed);
        },
        name);
    root = nullptr;
  }

  PassManager &manager;
  /// The root operation of the running manager; null when it does not run.
  Operation *root = nullptr;
};

} // namespace

void addTileIRInstrumentation(PassManager &manager) {
  // Registration here, since no pass thread may do it later.
  DialectRegistry registry;
  registerScopes(registry);
  manager.getContext()->appendDialectRegistry(registry);
  manager.addInstrumentation(std::make_unique<ManagerInstrumentation>(manager));
}

void TileIRScope::runOnOperation() {
  markAllAnalysesPreserved();
  if (phase != "begin" && phase != "end") {
    getOperation().emitError("phase is '")
        << phase << "'; expected 'begin' or 'end'";
    return signalPassFailure();
  }
  ScopeState &scopes = getScopes(getContext());
  // The manager has opened the scope already.
  if (scopes.isOpen(managerScope) && scopes.isOpen(name))
    return;
  mark(
      getOperation(), phase,
      [&] {
        if (phase == "begin")
          scopes.open(name, getOperation());
        else
          scopes.close(name, /*completed=*/true);
      },
      name);
}

} // namespace tileir

MLIR_DECLARE_EXPLICIT_TYPE_ID(tileir::ScopeAction)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tileir::ScopeAction)

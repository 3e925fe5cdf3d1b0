// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/frame/Scopes.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/STLExtras.h"

namespace tileir {

using namespace mlir;

namespace {

/// Attaches the scopes to a dialect of the context, so they end with the
/// context.
struct ScopeInterface final : DialectInterface::Base<ScopeInterface> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScopeInterface)
  explicit ScopeInterface(Dialect *dialect) : Base(dialect) {}

  std::unique_ptr<ScopeState> scopes = std::make_unique<ScopeState>();
};

} // namespace

ScopeHandler::~ScopeHandler() = default;

ScopeState::~ScopeState() {
  while (!openScopes.empty())
    closeLocked(std::string(openScopes.back()), /*completed=*/false);
}

void ScopeState::addHandler(std::unique_ptr<ScopeHandler> handler) {
  std::lock_guard<std::mutex> lock(mutex);
  handlers.push_back(std::move(handler));
}

void ScopeState::open(StringRef name, Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  closeLocked(name, /*completed=*/false);
  openScopes.push_back(name.str());
  for (std::unique_ptr<ScopeHandler> &handler : handlers)
    handler->enter(name, op);
}

bool ScopeState::close(StringRef name, bool completed) {
  std::lock_guard<std::mutex> lock(mutex);
  return closeLocked(name, completed);
}

bool ScopeState::isOpen(StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::is_contained(openScopes, name);
}

bool ScopeState::closeLocked(StringRef name, bool completed) {
  if (!llvm::is_contained(openScopes, name))
    return false;
  while (true) {
    std::string last = openScopes.pop_back_val();
    bool found = last == name;
    for (std::unique_ptr<ScopeHandler> &handler : llvm::reverse(handlers))
      handler->exit(last, found && completed);
    if (found)
      return true;
  }
}

void registerScopes(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, BuiltinDialect *dialect) {
    if (!dialect->getRegisteredInterface<ScopeInterface>())
      dialect->addInterfaces<ScopeInterface>();
  });
}

ScopeState &getScopes(MLIRContext &context) {
  auto *dialect = context.getLoadedDialect<BuiltinDialect>();
  return *dialect->getRegisteredInterface<ScopeInterface>()->scopes;
}

} // namespace tileir

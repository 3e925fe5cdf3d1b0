// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_FRAME_SCOPES_H
#define PASSES_FRAME_SCOPES_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <mutex>
#include <string>

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace tileir {

/// Callbacks for the named scopes of a compilation. Scopes nest.
class ScopeHandler {
public:
  virtual ~ScopeHandler();
  virtual void enter(llvm::StringRef name, mlir::Operation *op) = 0;
  /// `completed` is false when the code in the scope failed.
  virtual void exit(llvm::StringRef name, bool completed) = 0;
};

/// The open scopes of one context. A scope that is still open when the context
/// ends, or when it is opened again, is closed as not completed.
class ScopeState {
public:
  ~ScopeState();
  void addHandler(std::unique_ptr<ScopeHandler> handler);
  void open(llvm::StringRef name, mlir::Operation *op);
  /// Closes `name` and the scopes opened in it. Returns false when it is not
  /// open.
  bool close(llvm::StringRef name, bool completed);
  bool isOpen(llvm::StringRef name);

private:
  bool closeLocked(llvm::StringRef name, bool completed);

  std::mutex mutex;
  llvm::SmallVector<std::unique_ptr<ScopeHandler>> handlers;
  llvm::SmallVector<std::string> openScopes;
};

/// Adds scopes to every context that `registry` is applied to. They are
/// attached to the builtin dialect, which each context has.
void registerScopes(mlir::DialectRegistry &registry);

/// The scopes of `context`, to which `registerScopes` was applied; the passes
/// of this family apply it.
ScopeState &getScopes(mlir::MLIRContext &context);

} // namespace tileir

#endif // PASSES_FRAME_SCOPES_H

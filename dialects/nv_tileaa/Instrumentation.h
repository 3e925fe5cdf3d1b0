// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_NV_TILEAA_INSTRUMENTATION_H
#define DIALECTS_NV_TILEAA_INSTRUMENTATION_H

#include "mlir/Support/LLVM.h"

#include <memory>
#include <mutex>
#include <string>

namespace mlir::nv_tileaa {

/// Told about the named scopes of a compilation. Scopes nest.
class ScopeHandler {
public:
  virtual ~ScopeHandler();
  virtual void enter(StringRef name, Operation *op) = 0;
  /// `completed` is false when what ran in the scope failed.
  virtual void exit(StringRef name, bool completed) = 0;
};

/// The open scopes of one context; lives in the dialect. A scope that is still
/// open when the context ends, or is opened again, is closed as not completed.
class ScopeState {
public:
  ~ScopeState();
  void addHandler(std::unique_ptr<ScopeHandler> handler);
  void open(StringRef name, Operation *op);
  /// Closes `name` and what was opened in it. False when it is not open.
  bool close(StringRef name, bool completed);
  bool isOpen(StringRef name);

private:
  bool closeLocked(StringRef name, bool completed);

  std::mutex mutex;
  SmallVector<std::unique_ptr<ScopeHandler>> handlers;
  SmallVector<std::string> openScopes;
};

/// Keeps a scope open; closes it as not completed unless told otherwise.
class InstrumentationScope {
public:
  InstrumentationScope(ScopeState &state, StringRef name, Operation *op)
      : state(state), name(name) {
    state.open(name, op);
  }
  ~InstrumentationScope() { state.close(name, completed); }
  void setCompleted() { completed = true; }

private:
  ScopeState &state;
  std::string name;
  bool completed = false;
};

} // namespace mlir::nv_tileaa

#endif // DIALECTS_NV_TILEAA_INSTRUMENTATION_H

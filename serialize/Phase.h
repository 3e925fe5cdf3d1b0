// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PHASE_H
#define SERIALIZE_PHASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/TimeProfiler.h"

#include <functional>

namespace tileir {

/// Callback with the name of a phase, at its begin (`true`) and at its end. The
/// names `CompileNVVM` and `SerializeGPUModule` are public; inner ones may
/// change.
using PhaseCallback = std::function<void(llvm::StringRef name, bool begin)>;

/// One phase, also an entry of `--time-trace`.
class PhaseScope {
public:
  PhaseScope(const PhaseCallback &callback, llvm::StringRef name)
      : callback(callback), name(name), trace(name) {
    if (callback)
      callback(name, true);
  }
  PhaseScope(const PhaseScope &) = delete;
  PhaseScope &operator=(const PhaseScope &) = delete;
  ~PhaseScope() {
    if (callback)
      callback(name, false);
  }

private:
  const PhaseCallback &callback;
  llvm::StringRef name;
  llvm::TimeTraceScope trace;
};

} // namespace tileir

#endif // SERIALIZE_PHASE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_MEMORY_H
#define TOOLS_DRIVER_MEMORY_H

namespace tileir::driver {

/// Sets what ends the process when memory runs out; until then there is one
/// line and exit code 1. Much of LLVM and MLIR writes to what `malloc` returns
/// without a look, so that a null pointer must never get there.
void setMemoryExhausted(void (*handler)());

} // namespace tileir::driver

#endif // TOOLS_DRIVER_MEMORY_H

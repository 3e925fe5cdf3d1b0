// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_MEMORY_H
#define TOOLS_DRIVER_MEMORY_H

namespace tileir::driver {

/// Sets the handler that ends the process when memory is exhausted; by default
/// it prints one line and exits with code 1. Much of LLVM and MLIR uses the
/// result of `malloc` unchecked, so it must never be null.
void setMemoryExhausted(void (*handler)());

} // namespace tileir::driver

#endif // TOOLS_DRIVER_MEMORY_H

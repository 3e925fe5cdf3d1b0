// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_DEVICECALLS_H
#define SERIALIZE_PTX_DEVICECALLS_H

#include "serialize/Report.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Replaces calls of `printf` by calls of the runtime's `vprintf`. The
/// arguments go into a buffer with the layout of a C structure, floats as
/// doubles, small integers as 32 bits.
Status lowerPrintf(llvm::Module &module, const Reporter &reporter);

/// Keeps the kernels in `list` (names) or `range` (`a-b`, counted from 0 in
/// module order); all when both are empty.
Status selectKernels(llvm::Module &module, llvm::StringRef list,
                     llvm::StringRef range, const Reporter &reporter);

/// Drops each CTA barrier that follows one of the same kind in its block
/// without a memory access between them.
void removeRepeatedBarriers(llvm::Module &module);

} // namespace tileir

#endif // SERIALIZE_PTX_DEVICECALLS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_MEMORYSPACES_H
#define SERIALIZE_PTX_MEMORYSPACES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Clones functions for the memory spaces of the pointers that they are called
/// with, at most `limit` times (negative: without a limit). Returns how many
/// clones it made.
///
/// A call that passes the generic form of a pointer into, for example, shared
/// memory calls a clone that knows the space; address-space inference then
/// makes accesses of that space in the clone. The callee computes the same: its
/// parameter has the value that it had, and converting a generic pointer back
/// to the space that it came from gives the same address.
unsigned cloneForMemorySpaces(llvm::Module &module, int limit);

/// Hides generic pointers that kernels get, so that the back end no longer
/// takes them for pointers to global memory: `parameters` those that are
/// parameters, `loaded` those that are loaded from parameters passed by value.
void hidePointers(llvm::Module &module, bool parameters, bool loaded);

} // namespace tileir

#endif // SERIALIZE_PTX_MEMORYSPACES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_MEMORYSPACES_H
#define SERIALIZE_PTX_MEMORYSPACES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Clones functions for the memory spaces of their pointer arguments, at most
/// `limit` times (negative: without a limit). Returns the number of clones.
///
/// A call with a generic pointer cast from, for example, shared memory then
/// calls a clone for this space; address-space inference makes its accesses
/// shared ones. The callee computes the same: its parameter has the same value,
/// and a cast back to the original space gives the same address.
unsigned cloneForMemorySpaces(llvm::Module &module, int limit);

/// Hides generic pointers from the back end, which would take them for pointers
/// to global memory: `parameters` hides parameters, `loaded` hides pointers
/// loaded from parameters passed by value.
void hidePointers(llvm::Module &module, bool parameters, bool loaded);

} // namespace tileir

#endif // SERIALIZE_PTX_MEMORYSPACES_H

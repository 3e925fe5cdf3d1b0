// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_DEBUGVALUES_H
#define SERIALIZE_PTX_DEBUGVALUES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Inserts an opaque copy between every value and the debug record that names
/// it, so that the value stays in a register of its own; aggregates leaf by
/// leaf, each leaf a fragment of the variable. For full debug information.
void pinDebugValues(llvm::Module &module);

} // namespace tileir

#endif // SERIALIZE_PTX_DEBUGVALUES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_PERCTAMEMORY_H
#define SERIALIZE_PTX_PERCTAMEMORY_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// True when kernels of `module` ask for the CTA's own memory: they build
/// tensor maps.
bool usesPerCtaMemory(const llvm::Module &module);

/// Replaces what they ask for: the register that newer assemblers have, or
/// zero, which makes them take the workspace.
void resolvePerCtaMemory(llvm::Module &module, bool available);

} // namespace tileir

#endif // SERIALIZE_PTX_PERCTAMEMORY_H

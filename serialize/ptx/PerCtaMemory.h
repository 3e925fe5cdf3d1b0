// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_PERCTAMEMORY_H
#define SERIALIZE_PTX_PERCTAMEMORY_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Returns whether kernels of `module` use per-CTA memory: they build tensor
/// maps.
bool usesPerCtaMemory(const llvm::Module &module);

/// Replaces the calls for per-CTA memory: by its register, which newer ptxas
/// releases have, or by zero, which selects the workspace.
void resolvePerCtaMemory(llvm::Module &module, bool available);

} // namespace tileir

#endif // SERIALIZE_PTX_PERCTAMEMORY_H

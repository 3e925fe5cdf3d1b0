// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_LIBDEVICE_H
#define SERIALIZE_PTX_LIBDEVICE_H

#include "serialize/Report.h"

#include "llvm/ADT/StringMap.h"

#include <memory>

namespace llvm {
class MemoryBuffer;
class Module;
} // namespace llvm

namespace tileir {

/// Returns whether the module calls an undefined libdevice function.
bool needsLibdevice(const llvm::Module &module);

/// Links the functions that `module` calls from the bitcode file and makes them
/// internal.
Status linkBitcode(llvm::Module &module, llvm::StringRef path,
                   const Reporter &reporter);

/// Links in the same way from bitcode in memory; `name` is for messages.
Status linkBitcode(llvm::Module &module,
                   std::unique_ptr<llvm::MemoryBuffer> bitcode,
                   const Reporter &reporter);

/// Replaces every reflection call by the value of its key; a key without value
/// is 0. Named metadata `nvvm.reflection` and the flag `nvvm-reflect-ftz` of
/// the module override `values`, and `overrides` overrides both.
Status resolveReflection(llvm::Module &module,
                         const llvm::StringMap<int> &values,
                         const llvm::StringMap<int> &overrides,
                         const Reporter &reporter);

} // namespace tileir

#endif // SERIALIZE_PTX_LIBDEVICE_H

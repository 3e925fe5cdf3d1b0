// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_LLVMOPTIONS_H
#define SERIALIZE_PTX_LLVMOPTIONS_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// Records the options that LLVM has registered. A tool calls this before it
/// removes them to show only its own.
void rememberLLVMOptions();

/// Sets an option of LLVM for the whole process, also one that was removed from
/// the parser of the command line.
void setLLVMOption(llvm::StringRef name, llvm::StringRef value);

/// Sets the LLVM options that kernels need, once.
void setKernelOptions();

} // namespace tileir

#endif // SERIALIZE_PTX_LLVMOPTIONS_H

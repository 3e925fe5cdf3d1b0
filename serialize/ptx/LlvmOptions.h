// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_LLVMOPTIONS_H
#define SERIALIZE_PTX_LLVMOPTIONS_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// Notes the options that LLVM has registered. A tool that forgets them, to
/// have its own only, calls this before.
void rememberLLVMOptions();

/// Sets an option of LLVM, for the whole process; also one that the parser of
/// the command line has forgotten.
void setLLVMOption(llvm::StringRef name, llvm::StringRef value);

/// Sets what kernels need of LLVM, once.
void setKernelOptions();

} // namespace tileir

#endif // SERIALIZE_PTX_LLVMOPTIONS_H

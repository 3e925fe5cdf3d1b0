// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/LlvmOptions.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

namespace tileir {

using namespace llvm;

static StringMap<cl::Option *> &knownOptions() {
  static StringMap<cl::Option *> options;
  return options;
}

void rememberLLVMOptions() {
  for (auto &entry : cl::getRegisteredOptions())
    knownOptions()[entry.first] = entry.second;
}

void setLLVMOption(StringRef name, StringRef value) {
  if (knownOptions().empty())
    rememberLLVMOptions();
  if (cl::Option *option = knownOptions().lookup(name))
    option->addOccurrence(0, name, value);
}

void setKernelOptions() {
  static bool set = [] {
    // A loop with an unroll pragma is unrolled at any size: the threshold for
    // Tile IR kernels is part of their target's flags.
    setLLVMOption("pragma-unroll-threshold", "9900000");
    // Common tails of blocks must not be sunk into one block. Such a block
    // joins threads from before a loop with threads from its end; when the
    // loop's first iteration is then peeled, the threads of a warp diverge.
    setLLVMOption("sink-common-insts", "false");
    return true;
  }();
  (void)set;
}

} // namespace tileir

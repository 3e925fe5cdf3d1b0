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
    // Loops that ask for unrolling are unrolled, however large they become: the
    // threshold of Tile IR kernels is part of their target's flags.
    setLLVMOption("pragma-unroll-threshold", "9900000");
    // Common ends of blocks stay where they are. Sunk into one block they join
    // threads from before a loop with others from its end; when the loop then
    // loses its first iteration to a copy, threads of a warp go different ways.
    setLLVMOption("sink-common-insts", "false");
    return true;
  }();
  (void)set;
}

} // namespace tileir

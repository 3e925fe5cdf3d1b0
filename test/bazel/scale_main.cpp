// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernel that nvcc and tileiras compiled.

#include "scale.h"

#include <cstdio>
#include <cstring>

int main() {
  bool elf = std::memcmp(tileir_scale_cubin, "\177ELF", 4) == 0;
  std::printf("scale: cubin of %lu bytes: %s\n", tileir_scale_cubin_bytes(),
              elf ? "ELF" : "broken");
  return elf ? 0 : 1;
}

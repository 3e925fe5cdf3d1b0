// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program that finds its one kernel module.
#include <string.h>

extern const char tileir_kernels_cubin[];

int main(void) { return memcmp(tileir_kernels_cubin, "\177ELF", 4) != 0; }

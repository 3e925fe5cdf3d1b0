// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program with a kernel linked in: compares what it sees with files.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const char tileir_kernels_cubin[], tileir_kernels_cubin_end[], tileir_kernels_fatbin[];
#ifndef __PIE__
extern const char tileir_kernels_cubin_size[];
#endif
struct wrapper {
  uint32_t magic, version;
  const void *fatbin;
  const void *name;
};
extern const struct wrapper tileir_kernels_fatbin_wrapper;
#ifdef __cplusplus
}
#endif

/* Returns the number of bytes. */
static uintptr_t compare(const char *path, const char *memory) {
  FILE *file = fopen(path, "rb");
  uintptr_t bytes = 0;
  int c;
  if (!file)
    exit(2);
  while ((c = fgetc(file)) != EOF)
    if ((char)c != memory[bytes++])
      exit(3);
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3 || memcmp(tileir_kernels_cubin, "\177ELF", 4))
    return 1;
  if (compare(argv[1], tileir_kernels_cubin) != (uintptr_t)tileir_kernels_cubin_end - (uintptr_t)tileir_kernels_cubin)
    return 5;
#ifndef __PIE__
  if ((uintptr_t)tileir_kernels_cubin_size != (uintptr_t)tileir_kernels_cubin_end - (uintptr_t)tileir_kernels_cubin)
    return 6;
#endif
  compare(argv[2], tileir_kernels_fatbin);
  if (tileir_kernels_fatbin_wrapper.magic != 0x466243b1u ||
      tileir_kernels_fatbin_wrapper.version != 1 ||
      tileir_kernels_fatbin_wrapper.fatbin != tileir_kernels_fatbin ||
      tileir_kernels_fatbin_wrapper.name)
    return 4;
  return 0;
}

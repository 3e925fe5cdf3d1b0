// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program with a kernel linked in: compares what it sees with files.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char tileir_kernels_cubin[], tileir_kernels_fatbin[];
extern const char tileir_kernels_cubin_size[];
extern const struct {
  uint32_t magic, version;
  const void *fatbin;
  const void *name;
} tileir_kernels_fatbin_wrapper;

static void compare(const char *path, const char *memory) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit(2);
  int c;
  while ((c = fgetc(file)) != EOF)
    if ((char)c != *memory++)
      exit(3);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 3 || memcmp(tileir_kernels_cubin, "\177ELF", 4))
    return 1;
  compare(argv[1], tileir_kernels_cubin);
  compare(argv[2], tileir_kernels_fatbin);
  if (tileir_kernels_fatbin_wrapper.magic != 0x466243b1u ||
      tileir_kernels_fatbin_wrapper.version != 1 ||
      tileir_kernels_fatbin_wrapper.fatbin != tileir_kernels_fatbin ||
      tileir_kernels_fatbin_wrapper.name)
    return 4;
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills a plain parameter block with the host module of a kernel, built as a shared library. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int32_t (*Change)(void *, const uint64_t *, void *, char *);

int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return printf("%s\n", dlerror()), 1;
  const uint64_t *table = dlsym(library, "__CUDA_TILEIR_CALLBACKS");
  if (!table || !dlsym(library, "__CUDA_TILEIR_ON_PRE_LOAD"))
    return printf("a symbol is missing\n"), 1;
  const uint64_t *entry = (const uint64_t *)table[5];
  /* A pointer, an extent, and on sm_90 the map at byte 48. */
  char block[176] = {0};
  uint64_t address = 0x7f0000001000;
  int32_t extent = 4096;
  memcpy(block, &address, 8);
  memcpy(block + 8, &extent, 4);
  int32_t result = ((Change)entry[5])(NULL, NULL, NULL, block);
  printf("kernel %s, result %d\nblock ", (const char *)entry[0], result);
  for (int i = 12; i < 48; ++i)
    printf("%02x", (unsigned char)block[i]);
  printf("\nmap ");
  for (int i = 48; i < 176; ++i)
    printf("%02x", (unsigned char)block[i]);
  printf("\n");
  return 0;
}

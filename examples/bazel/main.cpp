// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernels that are linked in; with a GPU it also loads them.

#include "add.h"
#include "pair.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

static bool show(const char *name, const char *cubin, unsigned long size) {
  bool elf = size > 64 && std::memcmp(cubin, "\177ELF", 4) == 0;
  std::printf("%s: cubin of %lu bytes: %s\n", name, size,
              elf ? "ELF" : "broken");
  return elf;
}

int main() {
  bool whole = show("add", tileir_add_cubin, tileir_add_cubin_bytes());
  whole &= show("pair", tileir_pair_cubin, tileir_pair_cubin_bytes());
  if (!whole)
    return 1;
  void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
  if (!cuda) {
    std::printf("no driver here, nothing to launch on\n");
    return 0;
  }
  using Init = int (*)(unsigned);
  using Load = int (*)(void **, const void *, void *, void *, unsigned, void *,
                       void *, unsigned);
  auto init = reinterpret_cast<Init>(dlsym(cuda, "cuInit"));
  auto load = reinterpret_cast<Load>(dlsym(cuda, "cuLibraryLoadData"));
  if (!init || !load || init(0) != 0) {
    std::printf("the driver has no device\n");
    return 0;
  }
  const char *const cubins[] = {tileir_add_cubin, tileir_pair_cubin};
  for (const char *cubin : cubins) {
    void *library = nullptr;
    int result =
        load(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0);
    std::printf("cuLibraryLoadData: %d\n", result);
    if (result != 0)
      return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernel that is linked in; with a GPU it also loads it.

#include "add.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

int main() {
  unsigned long size = tileir_add_cubin_bytes();
  bool elf = size > 64 && std::memcmp(tileir_add_cubin, "\177ELF", 4) == 0;
  std::printf("cubin of %lu bytes: %s\n", size, elf ? "ELF" : "broken");
  if (!elf)
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
  void *library = nullptr;
  int result = load(&library, tileir_add_cubin, nullptr, nullptr, 0, nullptr,
                    nullptr, 0);
  std::printf("cuLibraryLoadData: %d\n", result);
  return result != 0;
}

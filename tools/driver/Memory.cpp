// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Memory.h"

#include <cstdlib>
#include <unistd.h>

extern "C" {
// The C library's functions, under names that are not replaced.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
}

namespace tileir::driver {

static void (*exhausted)() = nullptr;

void setMemoryExhausted(void (*handler)()) { exhausted = handler; }

[[noreturn]] static void die() {
  if (exhausted)
    exhausted();
  constexpr char text[] = "error: failed to allocate memory for program\n";
  (void)!::write(STDERR_FILENO, text, sizeof(text) - 1);
  ::_exit(1);
}

} // namespace tileir::driver

using tileir::driver::die;

// These functions replace the C library's for the whole program, libraries
// included; its `free` accepts their memory.
extern "C" {

void *malloc(size_t size) noexcept {
  void *result = __libc_malloc(size);
  if (!result && size)
    die();
  return result;
}

void *calloc(size_t count, size_t size) noexcept {
  void *result = __libc_calloc(count, size);
  if (!result && count && size)
    die();
  return result;
}

void *realloc(void *old, size_t size) noexcept {
  void *result = __libc_realloc(old, size);
  if (!result && size)
    die();
  return result;
}
}

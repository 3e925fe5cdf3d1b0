// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the blocks of memory that a process asks for, and writes the number to
// the file named by TILEIR_COUNT_FILE when the process ends. For LD_PRELOAD:
// every operation, and every table of an analysis that outgrows its object, is
// a block of its own, so that the count grows as the work does and is the same
// on a slow machine.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

static std::atomic<unsigned long> counted{0};
static pid_t counting = 0;
static char path[4096];

/// What this process starts is not counted: ptxas has its own growth.
__attribute__((constructor)) static void begin() {
  const char *given = getenv("TILEIR_COUNT_FILE");
  snprintf(path, sizeof(path), "%s", given ? given : "");
  counting = getpid();
  unsetenv("LD_PRELOAD");
}

/// A child that was forked and did not call exec is another process, too.
__attribute__((destructor)) static void end() {
  if (!path[0] || getpid() != counting)
    return;
  if (FILE *out = fopen(path, "w")) {
    fprintf(out, "%lu\n", counted.load());
    fclose(out);
  }
}

/// A tool that has no time for destructors ends here.
extern "C" void _exit(int code) {
  end();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

extern "C" {
void *malloc(size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the work of a compiler, for LD_PRELOAD, and writes it to the file
// named by TILEIR_COUNT_FILE when the process ends, as `blocks N` and `visits
// N`:
//
//   blocks  of memory that were asked for. Every operation that is created, and
//           every table of an analysis that outgrows its object, is one.
//   visits  operations that walks came by, and questions which of two
//           operations is first or encloses the other. Seen where MLIR is a
//           shared library of the process; 0 elsewhere.
//
// Both grow as the work does and are the same on a slow machine. A process that
// needs more than TILEIR_COUNT_LIMIT blocks or visits ends with exit status 99.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

static std::atomic<unsigned long> blocks{0}, visits{0};
static unsigned long limit = ~0ul;
static pid_t counting = 0;
static char path[4096];

/// Begins to count. Child processes are not counted: ptxas grows by its own
/// rules.
__attribute__((constructor)) static void begin() {
  const char *given = getenv("TILEIR_COUNT_FILE");
  snprintf(path, sizeof(path), "%s", given ? given : "");
  const char *most = getenv("TILEIR_COUNT_LIMIT");
  limit = most ? strtoul(most, nullptr, 10) : ~0ul;
  counting = getpid();
  unsetenv("LD_PRELOAD");
}

/// A forked child without exec is another process, too.
__attribute__((destructor)) static void end() {
  if (!path[0] || getpid() != counting)
    return;
  char text[128];
  int size = snprintf(text, sizeof(text), "blocks %lu\nvisits %lu\n",
                      blocks.load(), visits.load());
  if (FILE *out = fopen(path, "w")) {
    fwrite(text, 1, size, out);
    fclose(out);
  }
}

/// A tool that skips destructors ends here.
extern "C" void _exit(int code) {
  end();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

static void count(std::atomic<unsigned long> &counter) {
  if (counter.fetch_add(1, std::memory_order_relaxed) < limit || !counting ||
      getpid() != counting)
    return;
  limit = ~0ul;
  _exit(99);
}

extern "C" {
void *malloc(size_t size) {
  count(blocks);
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count(blocks);
  return __libc_calloc(number, size);
}
void *realloc(void *block, size_t size) {
  count(blocks);
  return __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count(blocks);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  count(blocks);
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
}

//===----------------------------------------------------------------------===//
// Functions of MLIR, by their mangled names
//===----------------------------------------------------------------------===//

namespace {
struct Regions {
  void *data;
  size_t size;
};
} // namespace

static void *original(const char *name, std::atomic<void *> &found) {
  if (!found.load(std::memory_order_relaxed))
    found = dlsym(RTLD_NEXT, name);
  return found;
}

#define ITERABLE "_ZN4mlir15ForwardIterator12makeIterableERNS_9OperationE"
#define BEFORE "_ZN4mlir9Operation15isBeforeInBlockEPS0_"
#define ANCESTOR "_ZN4mlir9Operation16isProperAncestorEPS0_"

extern "C" {
Regions visitOperation(void *op) __asm__(ITERABLE);
bool isBeforeInBlock(void *op, void *other) __asm__(BEFORE);
bool isProperAncestor(void *op, void *other) __asm__(ANCESTOR);

/// ForwardIterator::makeIterable: a walk asks it for the regions of each
/// operation.
Regions visitOperation(void *op) {
  static std::atomic<void *> found{nullptr};
  count(visits);
  return reinterpret_cast<Regions (*)(void *)>(original(ITERABLE, found))(op);
}

bool isBeforeInBlock(void *op, void *other) {
  static std::atomic<void *> found{nullptr};
  count(visits);
  return reinterpret_cast<bool (*)(void *, void *)>(original(BEFORE, found))(
      op, other);
}

bool isProperAncestor(void *op, void *other) {
  static std::atomic<void *> found{nullptr};
  count(visits);
  return reinterpret_cast<bool (*)(void *, void *)>(original(ANCESTOR, found))(
      op, other);
}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into a tool: writing below SHIM_PREFIX fails with SHIM_ERROR, as on
// a full disk or in a folder that forbids it, with SHIM_LIMIT only behind so
// many bytes of a file, as what it has stays its own; making a file below
// SHIM_CREATE fails with SHIM_ERROR; with SHIM_RENAME set no file is replaced,
// as when something is mounted on it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rename(const char *from, const char *to) {
  static int (*next)(const char *, const char *);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "rename");
  if (getenv("SHIM_RENAME")) {
    errno = EBUSY;
    return -1;
  }
  return next(from, to);
}

/* Whether SHIM_PREFIX begins the path of `fd`. */
static int watched(int fd) {
  const char *prefix = getenv("SHIM_PREFIX");
  char link[64], path[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  ssize_t n = prefix ? readlink(link, path, sizeof(path) - 1) : -1;
  if (n <= 0)
    return 0;
  path[n] = 0;
  return !strncmp(path, prefix, strlen(prefix));
}

ssize_t write(int fd, const void *data, size_t size) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "write");
  const char *number = getenv("SHIM_ERROR");
  if (number && watched(fd)) {
    errno = atoi(number);
    return -1;
  }
  return next(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
  const char *number = getenv("SHIM_ERROR"), *limit = getenv("SHIM_LIMIT");
  if (number && watched(fd)) {
    off_t room = limit ? atol(limit) - at : 0;
    if (room <= 0) {
      errno = atoi(number);
      return -1;
    }
    if (size > (size_t)room)
      size = room;
  }
  return next(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
  return pwrite(fd, data, size, at);
}

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "open");
  va_list list;
  va_start(list, flags);
  unsigned mode = flags & O_CREAT ? va_arg(list, unsigned) : 0;
  va_end(list);
  const char *prefix = getenv("SHIM_CREATE"), *number = getenv("SHIM_ERROR");
  if ((flags & O_CREAT) && prefix && number &&
      !strncmp(path, prefix, strlen(prefix))) {
    errno = atoi(number);
    return -1;
  }
  return next(path, flags, mode);
}

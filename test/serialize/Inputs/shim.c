// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into a tool: writing below SHIM_PREFIX fails with SHIM_ERROR, as on
// a full disk or in a folder that forbids it; with SHIM_RENAME set no file is
// replaced, as when something is mounted on it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
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

ssize_t write(int fd, const void *data, size_t size) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "write");
  const char *prefix = getenv("SHIM_PREFIX"), *number = getenv("SHIM_ERROR");
  char link[64], path[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof(path) - 1);
  if (prefix && number && n > 0) {
    path[n] = 0;
    if (!strncmp(path, prefix, strlen(prefix))) {
      errno = atoi(number);
      return -1;
    }
  }
  return next(fd, data, size);
}

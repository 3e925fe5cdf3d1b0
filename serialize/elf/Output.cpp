// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/elf/Output.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir {

static int writeAll(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : ENOSPC;
    bytes = bytes.drop_front(size_t(n));
  }
  return 0;
}

static int closeAfter(int fd, int error) {
  if (::close(fd) != 0 && !error)
    error = errno;
  return error;
}

/// Into a special file: a pipe, a terminal, a device.
static int writeDirectly(const std::string &path, llvm::StringRef bytes) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  return closeAfter(fd, writeAll(fd, bytes));
}

/// Into an existing file, which is cut to the new length last.
static int overwrite(const std::string &path, llvm::StringRef bytes) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  int error = writeAll(fd, bytes);
  if (!error && ::ftruncate(fd, off_t(bytes.size())) != 0)
    error = errno;
  return closeAfter(fd, error);
}

/// Follows symbolic links by hand, because the last one may dangle.
static int resolveLinks(std::string &path) {
  for (int hops = 0; hops < 40; ++hops) {
    struct stat st;
    if (::lstat(path.c_str(), &st) != 0)
      return errno == ENOENT ? 0 : errno;
    if (!S_ISLNK(st.st_mode))
      return 0;
    char target[PATH_MAX];
    ssize_t n = ::readlink(path.c_str(), target, sizeof(target));
    if (n < 0)
      return errno;
    std::string next(target, size_t(n));
    if (next.empty() || next[0] != '/') {
      size_t slash = path.rfind('/');
      if (slash != std::string::npos)
        next = path.substr(0, slash + 1) + next;
    }
    path = next;
  }
  return ELOOP;
}

int writeOutput(const OutputRequest &request) {
  if (request.path == "-")
    return writeAll(STDOUT_FILENO, request.bytes);
  if (request.path.empty())
    return ENOENT;
  std::string path = request.path;
  struct stat st;
  // Through a link like /dev/stdout a special file shows only here.
  bool exists = ::stat(path.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode))
    return EISDIR;
  if (exists && !S_ISREG(st.st_mode))
    return writeDirectly(path, request.bytes);
  if (int error = resolveLinks(path))
    return error;
  // A file that may not be written is not replaced, either.
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return errno;

  size_t slash = path.rfind('/');
  std::string folder =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::string name = path.substr(folder.size());
  std::string temporary;
  int fd = -1;
  for (unsigned attempt = 0; attempt < 100 && fd < 0; ++attempt) {
    struct timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    unsigned long random = (unsigned long)now.tv_nsec * 2654435761ul ^
                           (unsigned long)::getpid() << 20 ^ attempt;
    char suffix[16];
    ::snprintf(suffix, sizeof(suffix), "%06lx", random & 0xffffff);
    // A long name leaves no room for the decoration.
    temporary = folder + "." + name.substr(0, 200) + "." + suffix + ".tmp";
    if (request.announce)
      request.announce(temporary);
    fd = ::open(temporary.c_str(),
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      return errno;
  }
  if (fd < 0)
    return EEXIST;
  int error = writeAll(fd, request.bytes);
  // An existing file keeps its mode.
  if (!error && exists && ::fchmod(fd, st.st_mode & 07777) != 0)
    error = errno;
  error = closeAfter(fd, error);
  // All names of an inode see the new bytes only when they are written into it.
  bool inPlace = exists && request.keepHardLinks && st.st_nlink > 1;
  if (!error && !inPlace && ::rename(temporary.c_str(), path.c_str()) != 0) {
    // A file that something is mounted on, as containers do it, has to stay.
    if (errno == EBUSY && exists)
      inPlace = true;
    else
      error = errno;
  }
  // The private copy has proved by now that the disk has room for the bytes.
  if (!error && inPlace)
    error = overwrite(path, request.bytes);
  if (error || inPlace)
    ::unlink(temporary.c_str());
  return error;
}

bool sameFile(const std::string &a, const std::string &b) {
  struct stat sa, sb;
  return ::stat(a.c_str(), &sa) == 0 && ::stat(b.c_str(), &sb) == 0 &&
         sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

} // namespace tileir

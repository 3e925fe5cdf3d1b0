// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir {

static int writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : ENOSPC;
    bytes.remove_prefix(size_t(n));
  }
  return 0;
}

static int closeAfter(int fd, int error) {
  if (::close(fd) != 0 && !error)
    error = errno;
  return error;
}

/// Writes into a special file: a pipe, a terminal, a device.
static int writeDirectly(const std::string &path, std::string_view bytes) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  return closeAfter(fd, writeAll(fd, bytes));
}

static int writeAllAt(int fd, std::string_view bytes, off_t at) {
  while (!bytes.empty()) {
    ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : ENOSPC;
    bytes.remove_prefix(size_t(n));
    at += n;
  }
  return 0;
}

/// Reads the first `size` bytes of a file; fewer when it ends before.
static bool readStart(int fd, size_t size, std::string &bytes) {
  bytes.resize(size);
  size_t done = 0;
  while (done < size) {
    ssize_t n = ::pread(fd, bytes.data() + done, size - done, off_t(done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    if (n == 0)
      break;
    done += size_t(n);
  }
  bytes.resize(done);
  return true;
}

namespace {
/// Blocks all signals that can be blocked: an interruption would leave a
/// half-written file.
class SignalShelter {
public:
  SignalShelter() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  SignalShelter(const SignalShelter &) = delete;
  SignalShelter &operator=(const SignalShelter &) = delete;
  ~SignalShelter() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};
} // namespace

/// Waits a little for another run that writes the same file. A process that
/// holds the lock for longer is no run of ours.
static void lockForWriting(int fd) {
  struct timespec pause = {0, 5000000};
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return;
    ::nanosleep(&pause, nullptr);
  }
}

/// Overwrites an existing file, and truncates it to the new length last. A
/// readable file gets its old content back after a failure.
static int overwrite(const std::string &path, std::string_view bytes) {
  int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY);
  bool readable = fd >= 0;
  if (!readable && errno == EACCES)
    fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return errno;
  lockForWriting(fd);
  struct stat st;
  if (::fstat(fd, &st) != 0)
    return closeAfter(fd, errno);
  std::string old;
  if (readable)
    readable = readStart(fd, std::min(size_t(st.st_size), bytes.size()), old);
  // Reserves room for all bytes, without a change that a reader sees. On file
  // systems without reservation the write fails later, and the old content
  // comes back.
  if (!bytes.empty() &&
      ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, off_t(bytes.size())) != 0 &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    return closeAfter(fd, errno);
  SignalShelter shelter;
  int error = writeAllAt(fd, bytes, 0);
  if (!error && ::ftruncate(fd, off_t(bytes.size())) != 0)
    error = errno;
  if (error && readable) {
    (void)writeAllAt(fd, old, 0);
    (void)!::ftruncate(fd, st.st_size);
  }
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

/// Writes a whole file with a private name, and renames it to `path`; `old`
/// describes the replaced file.
static int replace(const OutputRequest &request, const std::string &path,
                   const struct stat *old) {
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
    // A long name leaves no room for the prefix and suffix.
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
  if (!error && old && ::fchmod(fd, old->st_mode & 07777) != 0)
    error = errno;
  error = closeAfter(fd, error);
  if (!error && ::rename(temporary.c_str(), path.c_str()) == 0)
    return 0;
  if (!error)
    error = errno;
  ::unlink(temporary.c_str());
  // A mount point of a file, as in containers, cannot be replaced.
  return error == EBUSY && old ? overwrite(path, request.bytes) : error;
}

int writeOutput(const OutputRequest &request) {
  if (request.path == "-")
    return writeAll(STDOUT_FILENO, request.bytes);
  if (request.path.empty())
    return ENOENT;
  std::string path = request.path;
  struct stat st;
  if (!request.followLinks)
    return ::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)
               ? EISDIR
               : replace(request, path, /*old=*/nullptr);
  // Through a link like /dev/stdout only this call sees the special file.
  bool exists = ::stat(path.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode))
    return EISDIR;
  if (exists && !S_ISREG(st.st_mode))
    return writeDirectly(path, request.bytes);
  if (exists && request.inPlace) {
    int error = overwrite(path, request.bytes);
    // Another process removed it in the meantime.
    if (error != ENOENT)
      return error;
    exists = false;
  }
  if (int error = resolveLinks(path))
    return error;
  // A write-protected file is not replaced, either.
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return errno;
  return replace(request, path, exists ? &st : nullptr);
}

std::string writeFile(const std::string &path, std::string_view bytes) {
  OutputRequest request;
  request.path = path;
  request.bytes = bytes;
  int error = writeOutput(request);
  return error ? "cannot write '" + path + "': " + ::strerror(error) : "";
}

int finishStandardOutput(int status, int unwritable) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  // An earlier failure left no error number.
  int error = errno ? errno : EIO;
  std::fprintf(stderr, "error: cannot write to standard output: %s\n",
               ::strerror(error));
  return status ? status : unwritable;
}

bool sameFile(const std::string &a, const std::string &b) {
  struct stat sa, sb;
  return ::stat(a.c_str(), &sa) == 0 && ::stat(b.c_str(), &sb) == 0 &&
         sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/process/Process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

namespace tileir {

static double now() {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return double(ts.tv_sec) + double(ts.tv_nsec) * 1e-9;
}

//===----------------------------------------------------------------------===//
// ProcessGuard
//===----------------------------------------------------------------------===//

static bool readFully(int fd, char *data, size_t size) {
  while (size) {
    ssize_t n = ::read(fd, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    size -= size_t(n);
  }
  return true;
}

static void closeAllBut(int keep) {
#ifdef SYS_close_range
  bool below =
      keep == 0 || syscall(SYS_close_range, 0u, unsigned(keep - 1), 0) == 0;
  if (below && syscall(SYS_close_range, unsigned(keep + 1), ~0u, 0) == 0)
    return;
#endif
  for (int fd = 0; fd < 4096; ++fd)
    if (fd != keep)
      ::close(fd);
}

/// Empties the folder `fd`, and closes it.
static void emptyFolder(int fd, unsigned depth) {
  // Layout of an entry that getdents64 returns.
  struct Entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
  };
  alignas(Entry) char buffer[2048];
  for (;;) {
    long n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer));
    if (n <= 0)
      break;
    for (long at = 0; at < n;) {
      auto *entry = reinterpret_cast<Entry *>(buffer + at);
      at += entry->length;
      const char *name = entry->name;
      if (!strcmp(name, ".") || !strcmp(name, ".."))
        continue;
      if (unlinkat(fd, name, 0) == 0 || errno != EISDIR || !depth)
        continue;
      int inner = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (inner >= 0)
        emptyFolder(inner, depth - 1);
      unlinkat(fd, name, AT_REMOVEDIR);
    }
  }
  close(fd);
}

bool removeFolder(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat st;
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid())
    emptyFolder(fd, maxFolderDepth);
  else if (fd >= 0)
    close(fd);
  return rmdir(path) == 0 || errno == ENOENT;
}

/// Runs the guard. The process is a copy of the tool, so only async-signal-safe
/// calls and this frame's memory are used.
[[noreturn]] static void runGuard(int control) {
  constexpr unsigned maxPaths = 64, maxLength = 4096;
  static char paths[maxPaths][maxLength + 1];
  static char kinds[maxPaths];
  unsigned count = 0;
  setpgid(0, 0);
  // The guard has its own name, so that a kill by the tool's name hits the tool
  // only.
  prctl(PR_SET_NAME, "tileir-guard");
  closeAllBut(control);
  // A signal to every process of a job reaches the guard as well, which still
  // has to clean up. The signals are blocked since before the fork and stay
  // blocked; ignored ones do not even become pending.
  for (int s = 1; s < NSIG; ++s)
    if (s != SIGKILL && s != SIGSTOP)
      signal(s, s == SIGCHLD ? SIG_DFL : SIG_IGN);
  for (;;) {
    char header[3];
    if (!readFully(control, header, sizeof(header)))
      break;
    unsigned length = (unsigned char)header[1] | (unsigned char)header[2] << 8;
    static char scratch[65537];
    if (!readFully(control, scratch, length))
      break;
    if (length > maxLength)
      continue;
    scratch[length] = 0;
    if (header[0] == 'X') {
      for (unsigned i = 0; i < count; ++i)
        if (!strcmp(paths[i], scratch))
          kinds[i] = 'X';
    } else if (count < maxPaths) {
      memcpy(paths[count], scratch, length + 1);
      kinds[count++] = header[0];
    }
  }
  // A second process, in a group of its own, cleans up, because it kills the
  // guard together with the children: only then can none of them write a file
  // again.
  pid_t group = getpid();
  pid_t cleaner = fork();
  if (cleaner > 0)
    for (;;)
      pause();
  if (cleaner == 0) {
    setpgid(0, 0);
    kill(-group, SIGKILL);
    kill(-group, SIGCONT);
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    bool clean = true;
    for (unsigned i = 0; i < count; ++i)
      if (kinds[i] == 'F')
        unlink(paths[i]);
    for (unsigned i = 0; i < count; ++i)
      if (kinds[i] == 'D' && !removeFolder(paths[i]))
        clean = false;
    if (clean)
      break;
    struct timespec pause = {0, 10000000};
    nanosleep(&pause, nullptr);
  }
  if (cleaner < 0)
    kill(0, SIGKILL);
  _exit(0);
}

bool ProcessGuard::start() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    return false;
  // Signals must not kill the guard before it blocks them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0)
    runGuard(fds[0]);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) {
    ::close(fds[0]);
    ::close(fds[1]);
    return false;
  }
  ::close(fds[0]);
  // Parent and child both set the group, so that it exists for whichever comes
  // first.
  setpgid(child, child);
  control = fds[1];
  pid = child;
  return true;
}

void ProcessGuard::announce(char kind, std::string_view path) {
  if (!active() || path.size() > 4096)
    return;
  std::string record;
  record += kind;
  record += char(path.size() & 0xff);
  record += char(path.size() >> 8);
  record += path;
  // One write of a record of at most PIPE_BUF bytes for each path; a dead guard
  // causes EPIPE, which only costs the clean-up after a kill.
  const char *data = record.data();
  size_t size = record.size();
  while (size) {
    ssize_t n = ::write(control, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    data += n;
    size -= size_t(n);
  }
}

void ProcessGuard::finish() {
  if (!active())
    return;
  kill(-pid, SIGKILL);
  ::close(control);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
  control = -1;
}

ProcessGuard::~ProcessGuard() { finish(); }

//===----------------------------------------------------------------------===//
// ChildProcess
//===----------------------------------------------------------------------===//

int ChildProcess::spawn(const ChildRequest &req, const ProcessGuard *guard) {
  request = req;
  result = ChildResult();
  started = now();

  int outPipe[2], errPipe[2];
  if (pipe2(outPipe, O_CLOEXEC) != 0)
    return result.code = errno;
  if (pipe2(errPipe, O_CLOEXEC) != 0) {
    int saved = errno;
    ::close(outPipe[0]);
    ::close(outPipe[1]);
    return result.code = saved;
  }

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, outPipe[1], 1);
  posix_spawn_file_actions_adddup2(
      &actions, request.mergesStreams ? outPipe[1] : errPipe[1], 2);
  if (!request.directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, request.directory.c_str());

  posix_spawnattr_t attr;
  posix_spawnattr_init(&attr);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  sigset_t mask, defaults;
  sigemptyset(&mask);
  sigfillset(&defaults);
  sigdelset(&defaults, SIGKILL);
  sigdelset(&defaults, SIGSTOP);
  posix_spawnattr_setsigmask(&attr, &mask);
  posix_spawnattr_setsigdefault(&attr, &defaults);
  if (guard && guard->active()) {
    flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setpgroup(&attr, guard->group());
    group = guard->group();
  }
  posix_spawnattr_setflags(&attr, flags);

  std::vector<char *> argv;
  for (std::string &arg : request.argv)
    argv.push_back(arg.data());
  argv.push_back(nullptr);
  int error;
  do
    error = posix_spawnp(&pid, request.path.c_str(), &actions, &attr,
                         argv.data(), environ);
  while (error == EINTR);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attr);
  ::close(outPipe[1]);
  ::close(errPipe[1]);
  pipes[0] = outPipe[0];
  pipes[1] = errPipe[0];
  // The PTX may be megabytes long and is not needed again.
  request.argv.clear();
  if (error) {
    pid = -1;
    closePipes();
    result.code = error;
    return error;
  }
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  fcntl(pipes[1], F_SETFL, O_NONBLOCK);
  return 0;
}

void ChildProcess::closePipes() {
  for (int &fd : pipes) {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }
}

/// Reads the available output, waiting at most `timeoutMs`. Returns false when
/// a capture limit is reached.
bool ChildProcess::drain(int timeoutMs) {
  struct pollfd fds[2];
  for (int i = 0; i < 2; ++i)
    fds[i] = {pipes[i], POLLIN, 0};
  if (poll(fds, 2, timeoutMs) <= 0)
    return true;
  static thread_local char buffer[1 << 16];
  for (int i = 0; i < 2; ++i) {
    if (pipes[i] < 0 || !fds[i].revents)
      continue;
    std::string &text = i == 0 ? result.out : result.err;
    uint64_t limit = i == 0 ? request.maxStdout : request.maxStderr;
    for (;;) {
      ssize_t n = ::read(pipes[i], buffer, sizeof(buffer));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        break;
      if (n == 0) {
        ::close(pipes[i]);
        pipes[i] = -1;
        break;
      }
      uint64_t kept = std::min(uint64_t(n), limit - text.size());
      text.append(buffer, size_t(kept));
      if (kept < uint64_t(n) && !request.dropsExcess)
        return false;
    }
  }
  return true;
}

bool ChildProcess::reap(double seconds, int &status, struct rusage &usage) {
  double deadline = now() + seconds;
  for (;;) {
    pid_t done = wait4(pid, &status, WNOHANG, &usage);
    if (done == pid)
      return true;
    if (done < 0 && errno != EINTR)
      return true;
    if (now() >= deadline)
      return false;
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, nullptr);
  }
}

ChildResult ChildProcess::wait() {
  if (pid < 0) {
    result.kind = ChildResult::Kind::SpawnFailed;
    return std::move(result);
  }
  int pidfd = -1;
#ifdef SYS_pidfd_open
  pidfd = int(syscall(SYS_pidfd_open, pid, 0));
#endif
  double deadline =
      request.timeoutSeconds > 0 ? started + request.timeoutSeconds : 0;
  int status = 0;
  struct rusage usage = {};
  bool reaped = false, killed = false, lost = false;
  auto kill = [&](ChildResult::Kind kind) {
    // The child first: a kill of the group would take the guard with it, which
    // only the caller may do, at the end of the run.
    ::kill(pid, SIGKILL);
    result.kind = kind;
    killed = true;
  };

  while (!reaped && !killed && !lost) {
    int timeout = -1;
    if (deadline) {
      double left = deadline - now();
      if (left <= 0) {
        kill(ChildResult::Kind::TimedOut);
        break;
      }
      timeout = int(std::min(left * 1000 + 1, 1e9));
    }
    if (pidfd < 0)
      timeout = timeout < 0 ? 10 : std::min(timeout, 10);
    struct pollfd fds[3] = {
        {pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}, {pidfd, POLLIN, 0}};
    int ready = poll(fds, 3, timeout);
    if (ready < 0 && errno != EINTR)
      break;
    if (!drain(0)) {
      kill(ChildResult::Kind::TooMuchOutput);
      break;
    }
    if (pidfd < 0 || (fds[2].revents & POLLIN)) {
      pid_t done = wait4(pid, &status, WNOHANG, &usage);
      reaped = done == pid;
      // A process that ignores SIGCHLD cannot learn a child's exit status.
      lost = done < 0 && errno == ECHILD;
    }
  }
  if (lost) {
    result.kind = ChildResult::Kind::SpawnFailed;
    result.code = ECHILD;
    reaped = killed = true;
  }
  if (!reaped) {
    reaped = reap(killed ? 5 : 3600, status, usage);
    if (!reaped)
      result.kind = ChildResult::Kind::Unkillable;
  }
  if (pidfd >= 0)
    ::close(pidfd);
  if (reaped && !killed) {
    if (WIFSIGNALED(status)) {
      result.kind = ChildResult::Kind::Signaled;
      result.code = WTERMSIG(status);
      result.coreDumped = WCOREDUMP(status);
    } else {
      result.kind = ChildResult::Kind::Exited;
      result.code = WEXITSTATUS(status);
    }
  }
  // A grandchild may hold the pipes open: read output for one second more.
  double drainEnd = now() + (killed ? 0.05 : 1);
  while ((pipes[0] >= 0 || pipes[1] >= 0) && now() < drainEnd) {
    if (!drain(int(std::max(1.0, (drainEnd - now()) * 1000)))) {
      if (!killed)
        result.kind = ChildResult::Kind::TooMuchOutput;
      break;
    }
  }
  closePipes();
  pid = -1;
  result.wallSeconds = now() - started;
  auto seconds = [](struct timeval t) {
    return double(t.tv_sec) + double(t.tv_usec) * 1e-6;
  };
  result.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peakKiB = usage.ru_maxrss;
  return std::move(result);
}

ChildProcess::~ChildProcess() {
  if (pid > 0) {
    ::kill(pid, SIGKILL);
    int status;
    struct rusage usage;
    reap(5, status, usage);
  }
  closePipes();
}

ChildResult runChild(const ChildRequest &request, const ProcessGuard *guard) {
  ChildProcess child;
  child.spawn(request, guard);
  return child.wait();
}

std::string signalText(int signal) {
  switch (signal) {
  case SIGHUP:
    return "Hangup";
  case SIGINT:
    return "Interrupt";
  case SIGQUIT:
    return "Quit";
  case SIGILL:
    return "Illegal instruction";
  case SIGTRAP:
    return "Trace/breakpoint trap";
  case SIGABRT:
    return "Aborted";
  case SIGBUS:
    return "Bus error";
  case SIGFPE:
    return "Floating point exception";
  case SIGKILL:
    return "Killed";
  case SIGSEGV:
    return "Segmentation fault";
  case SIGPIPE:
    return "Broken pipe";
  case SIGALRM:
    return "Alarm clock";
  case SIGTERM:
    return "Terminated";
  case SIGXCPU:
    return "CPU time limit exceeded";
  case SIGXFSZ:
    return "File size limit exceeded";
  case SIGSYS:
    return "Bad system call";
  default:
    return "Signal " + std::to_string(signal);
  }
}

} // namespace tileir

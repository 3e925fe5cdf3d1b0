// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/process/Process.h"

#include "serialize/process/Process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tileir {

using Clock = std::chrono::steady_clock;

static int statusOf(int waited) {
  return WIFEXITED(waited) ? WEXITSTATUS(waited) : 128 + WTERMSIG(waited);
}

/// In a child: enters its own process group, which ends with the parent.
static void enterGroup(pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
}

static bool isProgram(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

bool findProgram(const std::string &name, std::string &path,
                 std::string &error) {
  if (!path.empty()) {
    if (isProgram(path))
      return true;
    error = "'" + path + "' is no program; give the path of " + name;
    return false;
  }
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  std::vector<std::string> folders;
  if (length > 0) {
    std::string folder(self, size_t(length));
    folder.resize(folder.rfind('/'));
    folders = {folder, folder + "/../" + name};
  }
  const char *list = std::getenv("PATH");
  for (std::string rest = list ? list : ""; !rest.empty();) {
    size_t colon = rest.find(':');
    folders.push_back(rest.substr(0, colon));
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  for (const std::string &folder : folders)
    if (isProgram(folder + "/" + name)) {
      path = folder + "/" + name;
      return true;
    }
  error = "no " + name + " beside this program or on the path";
  return false;
}

ProgramResult runProgram(const std::vector<std::string> &argv, double seconds) {
  ChildRequest request;
  request.path = argv[0];
  request.argv = argv;
  request.timeoutSeconds = seconds;
  // Enough to say what went wrong.
  request.maxStdout = 1 << 20;
  request.mergesStreams = request.dropsExcess = true;
  ProcessGuard guard;
  guard.start();
  ChildResult child = runChild(request, &guard);
  ProgramResult result;
  result.output = std::move(child.out);
  result.status = child.code;
  switch (child.kind) {
  case ChildResult::Kind::Exited:
    break;
  case ChildResult::Kind::Signaled:
    result.status += 128;
    break;
  case ChildResult::Kind::SpawnFailed:
    result.output =
        "cannot run '" + argv[0] + "': " + std::strerror(child.code) + "\n";
    result.status = 127;
    break;
  case ChildResult::Kind::TimedOut:
  case ChildResult::Kind::Unkillable:
  case ChildResult::Kind::TooMuchOutput:
    result.timedOut = true;
    result.status = 128 + SIGKILL;
    break;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scratch folder
//===----------------------------------------------------------------------===//

static char scratchFolder[4096];
static volatile sig_atomic_t stopSignal = 0;

static void noteSignal(int number) { stopSignal = number; }

std::string makeFolder(const std::string &parent, const std::string &name) {
  std::string path = parent + "/" + name;
  return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? path : "";
}

std::string quoteWord(const std::string &word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string makeScratchFolder() {
  const char *base = std::getenv("TMPDIR");
  if (!base || !*base)
    base = std::getenv("TEST_TMPDIR");
  if (!base || !*base)
    base = "/tmp";
  snprintf(scratchFolder, sizeof scratchFolder, "%s/tileir-check-XXXXXX", base);
  if (!mkdtemp(scratchFolder)) {
    scratchFolder[0] = 0;
    return "";
  }
  struct sigaction action = {};
  action.sa_handler = noteSignal;
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    sigaction(number, &action, nullptr);
  return scratchFolder;
}

void removeScratchFolder() {
  if (scratchFolder[0])
    removeFolder(scratchFolder);
  scratchFolder[0] = 0;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

namespace {

struct Worker {
  pid_t process = 0;
  int fd = -1;
  Clock::time_point end;
  WorkResult result;
};

} // namespace

static Worker startWorker(unsigned index, double seconds,
                          const std::function<std::string(unsigned)> &work) {
  Worker worker;
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    return worker;
  fflush(nullptr);
  pid_t parent = getpid();
  worker.process = fork();
  if (worker.process == 0) {
    for (int number : {SIGINT, SIGTERM, SIGHUP})
      signal(number, SIG_DFL);
    enterGroup(parent);
    close(fds[0]);
    std::string text = work(index);
    size_t sent = 0;
    while (sent < text.size()) {
      ssize_t count = write(fds[1], text.data() + sent, text.size() - sent);
      if (count < 0 && errno != EINTR)
        _exit(126);
      sent += size_t(std::max<ssize_t>(count, 0));
    }
    // A forked copy must not flush the parent's buffers.
    fflush(nullptr);
    _exit(0);
  }
  close(fds[1]);
  worker.fd = fds[0];
  worker.end =
      Clock::now() + std::chrono::milliseconds(int64_t(seconds * 1000));
  return worker;
}

static void endWorker(Worker &worker) {
  close(worker.fd);
  // The worker's programs have process groups of their own and die with it.
  if (worker.result.timedOut)
    kill(-worker.process, SIGKILL);
  int waited = 0;
  while (waitpid(worker.process, &waited, 0) < 0 && errno == EINTR)
    ;
  worker.result.status = statusOf(waited);
}

void runWorkers(unsigned count, unsigned jobs, double seconds,
                const std::function<std::string(unsigned)> &work,
                const std::function<bool(unsigned, const WorkResult &)> &done) {
  std::map<unsigned, Worker> running;
  std::map<unsigned, WorkResult> finished;
  unsigned next = 0, reported = 0;
  bool goesOn = true;
  while (goesOn && reported < count) {
    // Limits how far workers run ahead of the reports, so that results do not
    // pile up.
    while (next < count && running.size() < jobs &&
           next < reported + 8 * jobs) {
      running[next] = startWorker(next, seconds, work);
      if (running[next].process <= 0) {
        running.erase(next);
        finished[next].status = 127;
      }
      ++next;
    }
    std::vector<pollfd> readable;
    std::vector<unsigned> indices;
    for (auto &[index, worker] : running) {
      readable.push_back({worker.fd, POLLIN, 0});
      indices.push_back(index);
    }
    if (!readable.empty())
      poll(readable.data(), readable.size(), 200);
    if (stopSignal) {
      for (auto &[index, worker] : running) {
        worker.result.timedOut = true;
        endWorker(worker);
      }
      removeScratchFolder();
      signal(stopSignal, SIG_DFL);
      raise(stopSignal);
      _exit(128 + stopSignal);
    }
    char buffer[1 << 16];
    for (size_t i = 0; i < readable.size(); ++i) {
      Worker &worker = running[indices[i]];
      bool isOver = false;
      if (readable[i].revents) {
        ssize_t got = read(worker.fd, buffer, sizeof buffer);
        if (got > 0)
          worker.result.text.append(buffer, size_t(got));
        else
          isOver = got == 0 || errno != EINTR;
      } else if (Clock::now() > worker.end) {
        worker.result.timedOut = true;
        isOver = true;
      }
      if (!isOver)
        continue;
      endWorker(worker);
      finished[indices[i]] = std::move(worker.result);
      running.erase(indices[i]);
    }
    while (goesOn && !finished.empty() && finished.begin()->first == reported) {
      goesOn = done(reported, finished.begin()->second);
      finished.erase(finished.begin());
      ++reported;
    }
  }
  for (auto &[index, worker] : running) {
    worker.result.timedOut = true;
    endWorker(worker);
  }
}

} // namespace tileir

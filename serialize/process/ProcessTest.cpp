// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/process/Process.h"

#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tileir;

static ChildRequest shell(const std::string &script) {
  ChildRequest request;
  request.path = "/bin/sh";
  request.argv = {"sh", "-c", script};
  return request;
}

/// S-055
TEST(Process, CapturesBothStreams) {
  ChildResult r = runChild(shell("echo out; echo err >&2; exit 42"), nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
  EXPECT_EQ(r.code, 42);
  EXPECT_EQ(r.out, "out\n");
  EXPECT_EQ(r.err, "err\n");
}

TEST(Process, EveryExitCodeAndSignal) {
  for (int code = 0; code < 256; code += 5) {
    ChildResult r = runChild(shell("exit " + std::to_string(code)), nullptr);
    EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
    EXPECT_EQ(r.code, code);
  }
  for (int signal : {SIGHUP, SIGINT, SIGABRT, SIGKILL, SIGSEGV, SIGTERM}) {
    ChildResult r =
        runChild(shell("kill -" + std::to_string(signal) + " $$"), nullptr);
    EXPECT_EQ(r.kind, ChildResult::Kind::Signaled);
    EXPECT_EQ(r.code, signal);
  }
  EXPECT_EQ(signalText(SIGSEGV), "Segmentation fault");
  EXPECT_EQ(signalText(63), "Signal 63");
}

/// Where SIGCHLD is ignored, a child's exit status is lost: an error, no
/// endless wait. The tools themselves restore the signal (S-069).
TEST(Process, IgnoredChildSignal) {
  auto before = ::signal(SIGCHLD, SIG_IGN);
  ChildResult r = runChild(shell("exit 3"), nullptr);
  ::signal(SIGCHLD, before);
  EXPECT_EQ(r.kind, ChildResult::Kind::SpawnFailed);
  EXPECT_EQ(r.code, ECHILD);
}

TEST(Process, SpawnErrors) {
  ChildRequest request;
  request.argv = {"x"};
  request.path = "/no/such/program";
  EXPECT_EQ(runChild(request, nullptr).code, ENOENT);
  request.path = "/";
  EXPECT_EQ(runChild(request, nullptr).code, EACCES);
}

/// S-061, S-062: standard input ends at once, the environment is inherited.
TEST(Process, InputAndEnvironment) {
  ::setenv("TILEIR_PROCESS_TEST", "value with blanks", 1);
  ChildResult r =
      runChild(shell("cat; echo \"$TILEIR_PROCESS_TEST\""), nullptr);
  EXPECT_EQ(r.out, "value with blanks\n");
}

/// S-071: both pipes are drained while the child runs.
TEST(Process, FloodsDoNotBlock) {
  ChildResult r = runChild(
      shell("head -c 8388608 /dev/zero >&2; head -c 1000000 /dev/zero"),
      nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
  EXPECT_EQ(r.err.size(), 8388608u);
  EXPECT_EQ(r.out.size(), 1000000u);
}

/// S-072
TEST(Process, OutputIsLimited) {
  ChildRequest request = shell("yes");
  request.maxStdout = 100000;
  ChildResult r = runChild(request, nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::TooMuchOutput);
  EXPECT_EQ(r.out.size(), 100000u);
}

/// S-068, S-069: a grandchild that holds the pipes does not block the tool.
TEST(Process, TimesOut) {
  ChildRequest request = shell("sleep 60 & echo started; sleep 60");
  request.timeoutSeconds = 0.5;
  ProcessGuard guard;
  ASSERT_TRUE(guard.start());
  ChildResult r = runChild(request, &guard);
  EXPECT_EQ(r.kind, ChildResult::Kind::TimedOut);
  EXPECT_EQ(r.out, "started\n");
  EXPECT_LT(r.wallSeconds, 10);
  guard.finish();
}

/// S-069
TEST(Process, GrandchildHoldsThePipes) {
  ProcessGuard guard;
  ASSERT_TRUE(guard.start());
  ChildResult r = runChild(shell("sleep 60 & exit 3"), &guard);
  EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
  EXPECT_EQ(r.code, 3);
  EXPECT_LT(r.wallSeconds, 10);
  guard.finish();
}

/// True when the process is gone or only waits to be reaped by a parent that
/// does not.
static bool gone(pid_t pid) {
  if (::kill(pid, 0) != 0)
    return true;
  std::string path = "/proc/" + std::to_string(pid) + "/stat";
  int fd = ::open(path.c_str(), O_RDONLY);
  if (fd < 0)
    return true;
  char buffer[512];
  ssize_t n = ::read(fd, buffer, sizeof(buffer) - 1);
  ::close(fd);
  buffer[n > 0 ? n : 0] = 0;
  const char *state = strrchr(buffer, ')');
  return state && state[1] && state[2] == 'Z';
}

/// S-065, S-066: when the tool dies, child, grandchild and files are removed.
TEST(Process, GuardCleansUpAfterAKill) {
  for (int signal : {SIGKILL, SIGTERM, SIGINT}) {
    const char *tmp = ::getenv("TEST_TMPDIR");
    std::string folder = std::string(tmp ? tmp : "/tmp") + "/guard-XXXXXX";
    ASSERT_TRUE(::mkdtemp(folder.data()));
    std::string file = folder + "/module.ptx", pids = folder + "-pids";
    pid_t tool = ::fork();
    if (tool == 0) {
      ProcessGuard guard;
      if (!guard.start())
        ::_exit(9);
      guard.announceDirectory(folder);
      guard.announceFile(file);
      ::close(::open(file.c_str(), O_CREAT | O_WRONLY, 0600));
      runChild(shell("trap '' TERM INT HUP; sleep 60 & echo $$ $! > " + pids +
                     ".tmp; mv " + pids + ".tmp " + pids + "; wait; sleep 60"),
               &guard);
      ::_exit(8);
    }
    FILE *stream = nullptr;
    for (int i = 0; i < 500 && !stream; ++i) {
      ::usleep(10000);
      stream = ::fopen(pids.c_str(), "r");
    }
    ASSERT_TRUE(stream);
    int child = 0, grandchild = 0;
    ASSERT_EQ(::fscanf(stream, "%d %d", &child, &grandchild), 2);
    ::fclose(stream);
    ::unlink(pids.c_str());
    ::kill(tool, signal);
    int status;
    ASSERT_EQ(::waitpid(tool, &status, 0), tool);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    bool clean = false;
    for (int i = 0; i < 300 && !clean; ++i) {
      ::usleep(10000);
      clean = gone(child) && gone(grandchild) &&
              ::access(folder.c_str(), F_OK) != 0;
    }
    EXPECT_TRUE(clean) << "after signal " << signal;
  }
}

TEST(Process, GuardEndsQuietly) {
  std::string folder =
      std::string(::getenv("TEST_TMPDIR") ? ::getenv("TEST_TMPDIR") : "/tmp") +
      "/quiet-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  ProcessGuard guard;
  ASSERT_TRUE(guard.start());
  pid_t pid = guard.group();
  guard.announceDirectory(folder);
  guard.finish();
  EXPECT_FALSE(guard.active());
  EXPECT_NE(::kill(pid, 0), 0);
  // A guard that ends in good order leaves the folder to the tool.
  EXPECT_EQ(::rmdir(folder.c_str()), 0);
}

/// S-060: the child starts with default signals, none of them blocked, in the
/// guard's group and in the requested directory.
TEST(Process, ChildStartsClean) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &set, &old);
  ProcessGuard guard;
  ASSERT_TRUE(guard.start());
  ChildRequest request =
      // Signals 32 and 33 belong to the C library.
      shell("grep -E '^Sig(Blk|Ign)' /proc/self/status | "
            "sed 's/0000000[01][08]0000000$/0000000000000000/'; pwd; "
            "cut -d' ' -f5 /proc/self/stat");
  request.directory = "/proc";
  ChildResult r = runChild(request, &guard);
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  EXPECT_EQ(r.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"
                   "/proc\n" +
                       std::to_string(guard.group()) + "\n");
  guard.finish();
}

/// S-073: the resource usage of the child is recorded.
TEST(Process, RecordsUsage) {
  ChildResult r = runChild(
      shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"), nullptr);
  EXPECT_GT(r.cpuSeconds, 0);
  EXPECT_GE(r.wallSeconds, 0);
  EXPECT_GT(r.peakKiB, 100);
}

/// A folder is removed with files of a child in it; targets of links stay.
TEST(Process, RemoveFolder) {
  std::string root =
      std::string(::getenv("TEST_TMPDIR") ? ::getenv("TEST_TMPDIR") : "/tmp") +
      "/remove-XXXXXX";
  ASSERT_TRUE(::mkdtemp(root.data()));
  std::string script = "cd " + root +
                       " && mkdir -p own/a/b keep && : > keep/file && : > "
                       "own/core && : > own/a/b/c && ln -s ../keep own/link "
                       "&& ln -s ../../keep/file own/a/link";
  ASSERT_EQ(runChild(shell(script), nullptr).code, 0);
  EXPECT_TRUE(removeFolder((root + "/own").c_str()));
  EXPECT_NE(::access((root + "/own").c_str(), F_OK), 0);
  EXPECT_EQ(::access((root + "/keep/file").c_str(), F_OK), 0);
  ASSERT_EQ(::symlink("keep", (root + "/link").c_str()), 0);
  EXPECT_FALSE(removeFolder((root + "/link").c_str()));
  EXPECT_EQ(::access((root + "/keep/file").c_str(), F_OK), 0);
  EXPECT_TRUE(removeFolder((root + "/absent").c_str()));
  EXPECT_TRUE(removeFolder(root.c_str()));
}

/// A name that the guard has been told to forget stays.
TEST(Process, GuardForgets) {
  std::string root =
      std::string(::getenv("TEST_TMPDIR") ? ::getenv("TEST_TMPDIR") : "/tmp") +
      "/forget-XXXXXX";
  ASSERT_TRUE(::mkdtemp(root.data()));
  std::string mine = root + "/mine", theirs = root + "/theirs";
  pid_t tool = ::fork();
  if (tool == 0) {
    ProcessGuard guard;
    if (!guard.start())
      ::_exit(9);
    for (const std::string &path : {mine, theirs}) {
      guard.announceDirectory(path);
      ::mkdir(path.c_str(), 0700);
    }
    guard.forget(theirs);
    ::kill(::getpid(), SIGKILL);
  }
  int status;
  ASSERT_EQ(::waitpid(tool, &status, 0), tool);
  for (int i = 0; i < 300 && ::access(mine.c_str(), F_OK) == 0; ++i)
    ::usleep(10000);
  EXPECT_NE(::access(mine.c_str(), F_OK), 0);
  EXPECT_EQ(::access(theirs.c_str(), F_OK), 0);
  EXPECT_TRUE(removeFolder(root.c_str()));
}

TEST(Process, MergesStreamsAndDropsWhatIsTooMuch) {
  ChildRequest request;
  request.path = "sh"; // on the path
  request.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"};
  request.mergesStreams = true;
  ChildResult r = runChild(request, nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
  EXPECT_EQ(r.code, 3);
  EXPECT_EQ(r.out, "out\nerr\n");
  EXPECT_EQ(r.err, "");

  request = shell("for i in 1 2 3 4; do echo 12345678; done");
  request.maxStdout = 20;
  request.dropsExcess = true;
  r = runChild(request, nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::Exited);
  EXPECT_EQ(r.out, "12345678\n12345678\n12");
  request.dropsExcess = false;
  r = runChild(request, nullptr);
  EXPECT_EQ(r.kind, ChildResult::Kind::TooMuchOutput);
}

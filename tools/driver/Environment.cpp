// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Environment.h"

#include "serialize/ptx/LlvmOptions.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/Memory.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tileir::driver {

static void writeLine(const char *text) {
  // A failing standard error cannot be reported.
  (void)!::write(STDERR_FILENO, text, strlen(text));
}

static Status unwritableStatus = Status::Usage;

/// Returns whether standard output accepted all of the text.
static bool finishStandardOutput() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return true;
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  // A reader that closes the pipe early, such as `head`, gets no message.
  if (error != std::errc::broken_pipe) {
    writeLine("error: cannot write to standard output: ");
    writeLine(error.message().c_str());
    writeLine("\n");
  }
  return false;
}

/// Returns the bytes of address space that a limit leaves; SIZE_MAX without
/// one.
static size_t addressSpaceLeft() {
  struct rlimit limit;
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return SIZE_MAX;
  unsigned long pages = 0;
  if (FILE *file = ::fopen("/proc/self/statm", "re")) {
    if (::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    ::fclose(file);
  }
  size_t used = pages * size_t(::sysconf(_SC_PAGESIZE));
  return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

/// Tunes the heap for a short-lived process.
static void prepareHeap() {
  // A separate arena for the worker thread could exceed a memory limit and
  // would grow page by page. The worker is the only active thread and needs
  // none.
  ::mallopt(M_ARENA_MAX, 1);
  // Without a limit the process allocates in large steps and never trims.
  // Setting one of these parameters freezes all of them.
  if (addressSpaceLeft() == SIZE_MAX) {
    ::mallopt(M_TOP_PAD, 16 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  }
}

void prepareProcess(Status unwritable) {
  prepareHeap();
  // A file that is opened later must not get the number of a closed standard
  // descriptor. Writing to a closed standard output stays an error.
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) {
      int opened = ::open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
      if (opened >= 0 && opened != fd) {
        ::dup2(opened, fd);
        ::close(opened);
      }
    }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  // If the parent ignores SIGCHLD, waiting for our children fails.
  ::signal(SIGCHLD, SIG_DFL);
  unwritableStatus = unwritable;
  // Help and version leave by `exit`; this handler runs before the stream's
  // destructor, which treats a failure as fatal.
  llvm::outs();
  ::atexit([] {
    if (!finishStandardOutput())
      ::_exit(int(unwritableStatus));
  });
}

static void dieOnFatalError(void *session, const char *reason, bool) {
  writeLine("error: ");
  writeLine(reason);
  writeLine("\n");
  reportFatalError();
  if (session)
    static_cast<ToolSession *>(session)->abandon();
  ::_exit(int(Status::Compile));
}

static ToolSession *openSession = nullptr;

static void dieOnBadAlloc(void *, const char *, bool) {
  // Once: the cleanup may run out of memory, too.
  static std::atomic<bool> begun{false};
  if (!begun.exchange(true)) {
    writeLine("error: failed to allocate memory for program\n");
    if (openSession)
      openSession->abandon();
  }
  ::_exit(int(Status::Usage));
}

void installFatalErrorHandlers(ToolSession *session) {
  llvm::remove_fatal_error_handler();
  llvm::remove_bad_alloc_error_handler();
  llvm::install_fatal_error_handler(dieOnFatalError, session);
  openSession = session;
  llvm::install_bad_alloc_error_handler(dieOnBadAlloc);
  // `new` calls LLVM's handler, too, as does code that uses the result of
  // `malloc` unchecked.
  llvm::install_out_of_memory_new_handler();
  setMemoryExhausted([] { dieOnBadAlloc(nullptr, nullptr, false); });
}

void leave(Status status) {
  if (!finishStandardOutput() && status == Status::Success)
    status = unwritableStatus;
  llvm::errs().flush();
  ::_exit(int(status));
}

void runOnLargeStack(llvm::function_ref<void()> work) {
  auto run = [](void *work) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(work))();
    return nullptr;
  };
  size_t left = addressSpaceLeft();
  for (size_t megabytes : {256, 64, 16}) {
    // Most of a limit is left for the work itself.
    if ((megabytes << 20) > left / 4)
      continue;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, megabytes << 20);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run, &work);
    pthread_attr_destroy(&attributes);
    if (!error) {
      pthread_join(thread, nullptr);
      return;
    }
  }
  work();
}

void resetCommandLine(llvm::ArrayRef<llvm::StringRef> kept) {
  rememberLLVMOptions();
  forgetLibraryOptions(kept);
}

} // namespace tileir::driver

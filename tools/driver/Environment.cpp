// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Environment.h"

#include "tools/driver/CommandLine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace tileir::driver {

static void writeLine(const char *text) {
  // Nothing can be done about a failing standard error.
  (void)!::write(STDERR_FILENO, text, strlen(text));
}

static Status unwritableStatus = Status::Usage;

/// Whether standard output has taken all of the text.
static bool finishStandardOutput() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return true;
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  // Who reads only the first lines of a help wants no message.
  if (error != std::errc::broken_pipe) {
    writeLine("error: cannot write to standard output: ");
    writeLine(error.message().c_str());
    writeLine("\n");
  }
  return false;
}

void prepareProcess(Status unwritable) {
  // A file that is opened later must not land on a closed standard descriptor.
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) < 0) {
      int opened = ::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
      if (opened >= 0 && opened != fd) {
        ::dup2(opened, fd);
        ::close(opened);
      }
    }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  unwritableStatus = unwritable;
  // Help and version leave by `exit`; this comes before the stream's end, which
  // takes a failure for a fatal one.
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
  if (session)
    static_cast<ToolSession *>(session)->abandon();
  ::_exit(int(Status::Compile));
}

static void dieOnBadAlloc(void *session, const char *, bool) {
  writeLine("error: failed to allocate memory for program\n");
  if (session)
    static_cast<ToolSession *>(session)->abandon();
  ::_exit(int(Status::Usage));
}

void installFatalErrorHandlers(ToolSession *session) {
  llvm::remove_fatal_error_handler();
  llvm::remove_bad_alloc_error_handler();
  llvm::install_fatal_error_handler(dieOnFatalError, session);
  llvm::install_bad_alloc_error_handler(dieOnBadAlloc, session);
  // `new` asks LLVM's handler, too.
  llvm::install_out_of_memory_new_handler();
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
  for (size_t megabytes : {256, 64, 16}) {
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

/// What LLVM registered before its options were hidden.
static llvm::StringMap<llvm::cl::Option *> &llvmOptions() {
  static llvm::StringMap<llvm::cl::Option *> options;
  return options;
}

void setLLVMOption(llvm::StringRef name, llvm::StringRef value) {
  if (llvm::cl::Option *option = llvmOptions().lookup(name))
    option->addOccurrence(0, name, value);
}

void resetCommandLine(llvm::ArrayRef<llvm::StringRef> kept) {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    llvmOptions()[entry.first] = entry.second;
  // Loops that ask for unrolling are unrolled, however large they become: the
  // threshold of Tile IR kernels is part of their target's flags.
  setLLVMOption("pragma-unroll-threshold", "9900000");
  forgetLibraryOptions(kept);
}

} // namespace tileir::driver

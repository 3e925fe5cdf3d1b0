// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Environment.h"

#include "tools/driver/CommandLine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tileir::driver {

void prepareProcess() {
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
}

static void writeLine(const char *text) {
  // Nothing can be done about a failing standard error.
  (void)!::write(STDERR_FILENO, text, strlen(text));
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
  llvm::outs().flush();
  llvm::errs().flush();
  ::_exit(int(status));
}

void runOnLargeStack(llvm::function_ref<void()> work) {
  constexpr unsigned stackBytes = 256u << 20;
  llvm::thread thread(std::optional<unsigned>(stackBytes), [&] { work(); });
  thread.join();
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

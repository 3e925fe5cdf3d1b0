// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/CrashReport.h"

#include "serialize/Report.h"
#include "serialize/ptxas/Command.h"
#include "tools/driver/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir::driver {

/// Signals that indicate a crash.
static constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// The compilation to report on a signal.
static CrashReport *active = nullptr;

/// Returns the command line with the kernel of the report and without a
/// product.
static std::string replay(llvm::ArrayRef<const char *> arguments,
                          llvm::StringRef input, llvm::StringRef kernel) {
  std::string command;
  auto add = [&](llvm::StringRef word) {
    command += (command.empty() ? "" : " ") + quoteForShell(word);
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef word = arguments[i], name = word.ltrim('-');
    bool isOption = i && word.starts_with("-") && word != "-";
    if (isOption &&
        (name == "o" || name == "output-file" || name == "crash-report")) {
      ++i;
      continue;
    }
    if (isOption &&
        (name.starts_with("o=") || name.starts_with("output-file=") ||
         name.starts_with("crash-report=")))
      continue;
    add(i && word == input ? kernel : word);
  }
  add("-o");
  add("/dev/null");
  return command;
}

CrashReport::CrashReport(std::string folderName,
                         llvm::ArrayRef<const char *> arguments,
                         llvm::StringRef input, llvm::StringRef bytes)
    : folder(std::move(folderName)), bytes(bytes) {
  llvm::StringRef kernel = input;
  if (!folder.empty()) {
    reportFile = folder + "/report.txt";
    kernelFile = folder + "/kernel.tileirbc";
    kernel = kernelFile;
  }
  std::string version = describeVersion("tileiras");
  llvm::StringRef build =
      llvm::StringRef(version).rtrim('\n').rsplit('\n').second;
  const char *mark = folder.empty() ? "note: " : "";
  std::string release = "none";
  if (bytes.size() > 9)
    release = std::to_string(unsigned(uint8_t(bytes[8]))) + "." +
              std::to_string(unsigned(uint8_t(bytes[9])));
  before = mark +
           ("compiler: " + build + ", LLVM " LLVM_VERSION_STRING "\n").str() +
           mark + "kernel: '" + escaped(kernel) + "', " +
           std::to_string(bytes.size()) + " bytes, bytecode " + release + "\n" +
           mark + "at work: ";
  after = "\n" + std::string(mark) +
          "replay: " + replay(arguments, input, kernel) + "\n";
  active = this;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  // Afterwards the signal takes its default action.
  action.sa_flags = SA_RESETHAND | SA_ONSTACK;
  for (int signal : kCrashes)
    sigaction(signal, &action, nullptr);
}

CrashReport::~CrashReport() {
  active = nullptr;
  for (int signal : kCrashes)
    std::signal(signal, SIG_DFL);
}

void CrashReport::begin(llvm::StringRef pipeline) {
  after = (folder.empty() ? "\nnote: passes: " : "\npasses: ") +
          pipeline.str() + after;
  // The handler needs its own stack after a stack overflow.
  static char space[1 << 16];
  stack_t stack = {};
  stack.ss_sp = space;
  stack.ss_size = sizeof space;
  sigaltstack(&stack, nullptr);
}

void CrashReport::enter(llvm::StringRef name) {
  size_t length = std::min(name.size(), sizeof pass - 1);
  memcpy(pass, name.data(), length);
  pass[length] = 0;
}

static void writeAll(int fd, const char *text, size_t length) {
  while (length) {
    ssize_t n = ::write(fd, text, length);
    if (n <= 0)
      return;
    text += n;
    length -= size_t(n);
  }
}

void CrashReport::write() const {
  int fd = STDERR_FILENO;
  if (!folder.empty()) {
    ::mkdir(folder.c_str(), 0777);
    int kernel = ::open(kernelFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    writeAll(kernel, bytes.data(), bytes.size());
    ::close(kernel);
    fd = ::open(reportFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  writeAll(fd, before.data(), before.size());
  writeAll(fd, pass, strlen(pass));
  writeAll(fd, after.data(), after.size());
  if (folder.empty())
    return;
  auto tell = [&](const char *text) {
    writeAll(STDERR_FILENO, text, strlen(text));
  };
  tell(fd < 0 ? "error: cannot write '" : "note: wrote '");
  tell(reportFile.c_str());
  tell("'\n");
  ::close(fd);
}

void CrashReport::fail(bool isExplained) {
  if (isDone || (isExplained && folder.empty()))
    return;
  isDone = true;
  write();
}

void CrashReport::onSignal(int signal) {
  if (!active)
    return;
  const char text[] = "error: the compiler has crashed\n";
  writeAll(STDERR_FILENO, text, sizeof text - 1);
  active->fail(/*isExplained=*/false);
}

void reportFatalError() {
  if (active)
    active->fail(/*isExplained=*/false);
}

} // namespace tileir::driver

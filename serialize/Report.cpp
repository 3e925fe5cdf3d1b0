// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/Report.h"

#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <unistd.h>

namespace tileir {

static void writeToStderr(llvm::StringRef, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (n < 0) {
      if (errno == EINTR)
        continue;
      return;
    }
    bytes = bytes.drop_front(n);
  }
}

Reporter::Reporter(Callback cb)
    : callback(cb ? std::move(cb) : Callback(writeToStderr)) {}

Status Reporter::error(Status status, const llvm::Twine &text) const {
  line("error: " + text);
  return status;
}

void Reporter::warning(const llvm::Twine &text) const {
  line("warning: " + text);
}

void Reporter::note(const llvm::Twine &text) const { line("note: " + text); }

void Reporter::line(const llvm::Twine &text) const {
  callback("stderr", (text + "\n").str());
}

void Reporter::forward(llvm::StringRef bytes) const {
  if (bytes.empty())
    return;
  callback("stderr", bytes);
  if (bytes.back() != '\n')
    callback("stderr", "\n");
}

std::string escaped(llvm::StringRef text) {
  std::string result;
  for (unsigned char c : text) {
    if (c < 0x20 || c == 0x7f) {
      result += "\\x";
      result += llvm::hexdigit(c >> 4);
      result += llvm::hexdigit(c & 15);
    } else {
      result += char(c);
    }
  }
  return result;
}

} // namespace tileir

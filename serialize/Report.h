// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_REPORT_H
#define SERIALIZE_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <functional>
#include <string>

namespace tileir {

/// End of a phase. The numbers are the exit codes of `tileir-serialize`;
/// `tileiras` maps `File` to its own codes.
enum class Status : int {
  Success = 0,
  Usage = 1,
  Config = 2,
  BadInput = 3,
  File = 4,
  Compile = 5,
};

/// Where the library's text goes. The library itself never writes to a stream.
class Reporter {
public:
  /// Gets the stream's name ("stderr") and the bytes, uninterpreted.
  using Callback =
      std::function<void(llvm::StringRef stream, llvm::StringRef bytes)>;

  /// Without a callback the text goes to standard error.
  explicit Reporter(Callback callback = {});

  /// Prints `error: <text>` and returns `status`, so that callers can
  /// `return reporter.error(Status::Compile, …)`.
  Status error(Status status, const llvm::Twine &text) const;
  void warning(const llvm::Twine &text) const;
  void note(const llvm::Twine &text) const;
  /// A whole line as it is, without a severity in front.
  void line(const llvm::Twine &text) const;
  /// A child's bytes, verbatim; a newline is added when the last one lacks it.
  void forward(llvm::StringRef bytes) const;

private:
  Callback callback;
};

/// `text` with control bytes and quotes made visible as `\xNN`, for names that
/// come from input.
std::string escaped(llvm::StringRef text);

} // namespace tileir

#endif // SERIALIZE_REPORT_H

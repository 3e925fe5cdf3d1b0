// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_REPORT_H
#define SERIALIZE_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <functional>
#include <string>

namespace tileir {

/// Result of a phase. The numbers are the exit codes of `tileir-serialize`;
/// `tileiras` maps `File` to its own codes.
enum class Status : int {
  Success = 0,
  Usage = 1,
  Config = 2,
  BadInput = 3,
  File = 4,
  Compile = 5,
};

/// Receiver of the library's text. The library itself never writes to a stream.
class Reporter {
public:
  /// Receives the stream's name ("stderr") and the raw bytes.
  using Callback =
      std::function<void(llvm::StringRef stream, llvm::StringRef bytes)>;

  /// Without a callback the text goes to standard error.
  explicit Reporter(Callback callback = {});

  /// Prints `error: <text>` and returns `status`, so that callers can
  /// `return reporter.error(Status::Compile, …)`.
  Status error(Status status, const llvm::Twine &text) const;
  void warning(const llvm::Twine &text) const;
  void note(const llvm::Twine &text) const;
  /// Writes a whole line unchanged, without a severity before it.
  void line(const llvm::Twine &text) const;
  /// Writes a child's bytes verbatim; adds a newline when the last one lacks
  /// it.
  void forward(llvm::StringRef bytes) const;

private:
  Callback callback;
};

/// Returns `text` with control bytes and quotes as `\xNN`, for names from the
/// input.
std::string escaped(llvm::StringRef text);

} // namespace tileir

#endif // SERIALIZE_REPORT_H

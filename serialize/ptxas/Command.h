// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTXAS_COMMAND_H
#define SERIALIZE_PTXAS_COMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// Release in the output of `ptxas --version`. A program without one counts as
/// the oldest supported release.
struct PtxasRelease {
  unsigned major = 13;
  unsigned minor = 0;
  /// True if the output names a release.
  bool named = false;

  bool atLeast(unsigned wantMajor, unsigned wantMinor) const {
    return major != wantMajor ? major > wantMajor : minor >= wantMinor;
  }
  /// Releases before 13.0 lack the option for host code and PTX 9.
  bool tooOld() const { return !atLeast(13, 0); }
  /// `.language`: ptxas 13.2 and later.
  bool hasLanguage() const { return atLeast(13, 2); }
  /// `.minperctamemory`: ptxas 13.4 and later.
  bool hasPerCTAMemory() const { return atLeast(13, 4); }
  /// `.loc_intermediate`: ptxas 13.4 and later.
  bool hasTileText() const { return atLeast(13, 4); }
  /// PTX version of `.loc_intermediate`, times ten.
  static constexpr unsigned tileTextPTX = 94;
};

/// Reads `V<major>.<minor>.<patch>` out of the text of `--version`.
PtxasRelease parsePtxasRelease(llvm::StringRef versionText);

/// The two orders of arguments that exist.
enum class ArgvForm {
  Seed,   ///< `tileir-serialize`, seed mode: PTX inline, cubin on stdout
  Driver, ///< `tileiras`: PTX and cubin in files
};

/// Inputs of the argument vector of ptxas.
struct PtxasCommand {
  ArgvForm form = ArgvForm::Driver;
  /// Resolved program; `argv[0]` in the driver form.
  std::string program;
  std::string arch;
  unsigned optLevel = 3;
  /// The PTX as an argument (seed form).
  std::optional<std::string> inlinePTX;
  /// The PTX file (driver form).
  std::string ptxFile;
  /// Product file (driver form).
  std::string outputFile;
  bool extendedSharedMemory = false;
  std::string nvHost;
  std::optional<std::string> knobsFile;
  std::vector<std::string> leadingOptions;
  std::vector<std::string> trailingOptions;
  bool sanitizeMemcheck = false;
  bool relocatable = false;
};

std::vector<std::string> buildPtxasArgv(const PtxasCommand &command);

/// Longest PTX that fits one token of an argument vector on Linux
/// (MAX_ARG_STRLEN is 131072 with the terminating NUL).
inline constexpr size_t maxInlinePTX = 131071;

/// Splits an options string by the GNU command-line rules: blanks separate,
/// quotes group, backslash escapes.
std::vector<std::string> tokenizeOptions(llvm::StringRef text);

/// The first token that only the serializer may set, if any.
std::optional<std::string> findManagedOption(llvm::ArrayRef<std::string> tokens,
                                             bool tileForm);

/// Quotes `argv` as one line that a shell splits into it again; an inline PTX
/// shows as `<PTX:N bytes>`.
std::string quoteArgv(const PtxasCommand &command);
std::string quoteForShell(llvm::StringRef token);

} // namespace tileir

#endif // SERIALIZE_PTXAS_COMMAND_H

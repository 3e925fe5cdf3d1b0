// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_VERSIONS_H
#define DIALECTS_CUDA_TILE_BYTECODE_VERSIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir {

/// A version of the bytecode. Major and minor decide about support; the tag is
/// a set of flags.
struct BytecodeVersion {
  uint8_t major = 0;
  uint8_t minor = 0;
  uint16_t tag = 0;

  /// Returns `major.minor`, with `.tag` when there is one.
  std::string str() const;

  friend constexpr bool operator<(BytecodeVersion a, BytecodeVersion b) {
    if (a.major != b.major)
      return a.major < b.major;
    return a.minor != b.minor ? a.minor < b.minor : a.tag < b.tag;
  }
  friend constexpr bool operator==(BytecodeVersion a, BytecodeVersion b) {
    return a.major == b.major && a.minor == b.minor && a.tag == b.tag;
  }
  friend constexpr bool operator!=(BytecodeVersion a, BytecodeVersion b) {
    return !(a == b);
  }
  friend constexpr bool operator>=(BytecodeVersion a, BytecodeVersion b) {
    return !(a < b);
  }
};

constexpr BytecodeVersion kVersion13_1 = {13, 1, 0};
constexpr BytecodeVersion kVersion13_2 = {13, 2, 0};
constexpr BytecodeVersion kVersion13_3 = {13, 3, 0};
constexpr BytecodeVersion kVersion13_4 = {13, 4, 0};
constexpr BytecodeVersion kVersion13_5 = {13, 5, 0};
/// For tests of format evolution; see `enableTestingVersions`.
constexpr BytecodeVersion kVersion250_0 = {250, 0, 0};
constexpr BytecodeVersion kVersion250_1 = {250, 1, 0};

/// Default version of command-line tools.
constexpr BytecodeVersion kDefaultBytecodeVersion = kVersion13_3;

/// Features of a supported version as a whole; every item newer than 13.1 has
/// its own version in its description.
struct BytecodeVersionInfo {
  BytecodeVersion version;
  /// The reader rejects opcodes above it before any other check.
  uint32_t maxOpcode;
};

/// The supported versions, oldest first.
llvm::ArrayRef<BytecodeVersionInfo> supportedBytecodeVersions();

/// The newest version that is not for tests.
BytecodeVersion newestBytecodeVersion();

/// Enables 250.0 and 250.1 for this process. They are above every real version
/// and add operations, a type and attributes that only tests use. Must not be
/// called while other threads translate.
void enableTestingVersions();

/// The row of `version`, or null when it is not supported. Ignores the tag.
const BytecodeVersionInfo *findBytecodeVersion(BytecodeVersion version);

/// Returns `[oldest - newest]` without the versions for tests, for messages.
std::string supportedBytecodeRange();

/// Parses `major.minor[.tag]` of a supported version; on failure returns false
/// and sets the message `error`.
bool parseBytecodeVersion(llvm::StringRef text, BytecodeVersion &version,
                          std::string &error);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_VERSIONS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Versions.h"

#include "llvm/ADT/Twine.h"

namespace tileir {

static constexpr BytecodeVersionInfo kVersions[] = {
    {kVersion13_1, 0x6D},    {kVersion13_2, 0x6E}, {kVersion13_3, 0x75},
    {kVersion13_4, 0x7A},    {kVersion13_5, 0x7D}, {kVersion250_0, 0x3002},
    {kVersion250_1, 0x3002},
};

/// Number of rows for tests, the last ones of the table.
static constexpr size_t kNumTestingVersions = 2;

static bool testingVersionsEnabled = false;

std::string BytecodeVersion::str() const {
  std::string text = std::to_string(major) + "." + std::to_string(minor);
  return tag ? text + "." + std::to_string(tag) : text;
}

void enableTestingVersions() { testingVersionsEnabled = true; }

static llvm::ArrayRef<BytecodeVersionInfo> releasedVersions() {
  return llvm::ArrayRef(kVersions).drop_back(kNumTestingVersions);
}

llvm::ArrayRef<BytecodeVersionInfo> supportedBytecodeVersions() {
  return testingVersionsEnabled ? llvm::ArrayRef(kVersions)
                                : releasedVersions();
}

BytecodeVersion newestBytecodeVersion() {
  return releasedVersions().back().version;
}

const BytecodeVersionInfo *findBytecodeVersion(BytecodeVersion version) {
  for (const BytecodeVersionInfo &info : supportedBytecodeVersions())
    if (info.version.major == version.major &&
        info.version.minor == version.minor)
      return &info;
  return nullptr;
}

std::string supportedBytecodeRange() {
  return "[" + releasedVersions().front().version.str() + " - " +
         newestBytecodeVersion().str() + "]";
}

bool parseBytecodeVersion(llvm::StringRef text, BytecodeVersion &version,
                          std::string &error) {
  version = BytecodeVersion();
  error = ("Invalid argument '" + text + "'").str();
  auto [major, rest] = text.split('.');
  auto [minor, tag] = rest.split('.');
  if (major.getAsInteger(10, version.major) ||
      minor.getAsInteger(10, version.minor) ||
      (rest.contains('.') && tag.getAsInteger(10, version.tag)))
    return false;
  if (findBytecodeVersion(version) && !version.tag)
    return true;
  error += ": the supported versions are " + supportedBytecodeRange();
  return false;
}

} // namespace tileir

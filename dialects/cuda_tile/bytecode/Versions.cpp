// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Versions.h"

namespace tileir {

static constexpr BytecodeVersionInfo kVersions[] = {
    {kVersion13_1, 0x6D},
    {kVersion13_2, 0x6E},
    {kVersion13_3, 0x75},
};

std::string BytecodeVersion::str() const {
  std::string text = std::to_string(major) + "." + std::to_string(minor);
  return tag ? text + "." + std::to_string(tag) : text;
}

llvm::ArrayRef<BytecodeVersionInfo> supportedBytecodeVersions() {
  return kVersions;
}

const BytecodeVersionInfo *findBytecodeVersion(BytecodeVersion version) {
  for (const BytecodeVersionInfo &info : kVersions)
    if (info.version.major == version.major &&
        info.version.minor == version.minor)
      return &info;
  return nullptr;
}

std::string supportedBytecodeRange() {
  llvm::ArrayRef<BytecodeVersionInfo> all = supportedBytecodeVersions();
  return "[" + all.front().version.str() + " - " + all.back().version.str() +
         "]";
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

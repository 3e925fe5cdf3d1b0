// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_VERSION_H
#define TOOLS_DRIVER_VERSION_H

#include <string>

namespace tileir {

/// The version of this project, as the file VERSION says.
const char *getOwnVersion();

/// Text of `--version` of every tool: five lines, the first with the tool's
/// name, the fourth with the release that clients look for, the last with our
/// version and the linker's hash of the program.
std::string describeVersion(const std::string &tool);

} // namespace tileir

#endif // TOOLS_DRIVER_VERSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_VERSION_H
#define TOOLS_DRIVER_VERSION_H

#include <string>

namespace tileir {

/// Returns the version of this project, from the file VERSION.
const char *getOwnVersion();

/// Returns the text of `--version` of every tool: five lines, the first with
/// the tool's name, the fourth with the release that clients search for, the
/// last with our version and the linker's build id of the program.
std::string describeVersion(const std::string &tool);

} // namespace tileir

#endif // TOOLS_DRIVER_VERSION_H

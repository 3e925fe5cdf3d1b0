// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_OWNVERSION_H
#define TOOLS_DRIVER_OWNVERSION_H

namespace tileir {

/// The version of this project, as the file VERSION says.
const char *getOwnVersion();

} // namespace tileir

#endif // TOOLS_DRIVER_OWNVERSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_VERSION_H
#define TOOLS_DRIVER_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tileir::driver {

/// Five lines; clients take `V<major>.<minor>.<patch>` out of the fourth and
/// use the whole as a cache key, so the fifth differs between builds.
void printVersion(llvm::raw_ostream &os, llvm::StringRef tool);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_VERSION_H

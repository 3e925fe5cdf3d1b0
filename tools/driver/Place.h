// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_PLACE_H
#define TOOLS_DRIVER_PLACE_H

#include "mlir/IR/Location.h"

#include <string>

namespace tileir::driver {

/// Returns `F:L:C: ` of the innermost file position in `loc`, the form of
/// compilers that editors recognize; empty if there is none. Clients split
/// `loc("F":L:C): ` and then fail to show the text after it.
std::string placePrefix(mlir::Location loc);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_PLACE_H

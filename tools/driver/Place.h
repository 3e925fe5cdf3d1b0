// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_PLACE_H
#define TOOLS_DRIVER_PLACE_H

#include "mlir/IR/Location.h"

#include <string>

namespace tileir::driver {

/// `F:L:C: ` of the innermost file position in `loc`, as compilers print it and
/// editors follow it; empty when there is none. Clients take `loc("F":L:C): `
/// apart and then fail to show what stands behind it.
std::string placePrefix(mlir::Location loc);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_PLACE_H

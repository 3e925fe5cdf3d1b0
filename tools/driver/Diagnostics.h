// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_DIAGNOSTICS_H
#define TOOLS_DRIVER_DIAGNOSTICS_H

#include "serialize/Report.h"

#include "mlir/IR/Diagnostics.h"

namespace tileir::driver {

/// Prints diagnostics of `context` and their notes as `F:L:C: error: text`;
/// without a location as `error: text`. Remarks are not printed.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(mlir::MLIRContext *context, const Reporter &reporter);

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_DIAGNOSTICS_H

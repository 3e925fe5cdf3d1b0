// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Diagnostics.h"

#include "tools/driver/Place.h"

namespace tileir::driver {

using namespace mlir;

static LogicalResult print(const Reporter &reporter, Diagnostic &diagnostic) {
  StringRef severity;
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    severity = "error: ";
    break;
  case DiagnosticSeverity::Warning:
    severity = "warning: ";
    break;
  case DiagnosticSeverity::Note:
    severity = "note: ";
    break;
  case DiagnosticSeverity::Remark:
    return success();
  }
  reporter.line(placePrefix(diagnostic.getLocation()) + severity +
                diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    (void)print(reporter, note);
  return success();
}

DiagnosticPrinter::DiagnosticPrinter(MLIRContext *context,
                                     const Reporter &reporter)
    : handler(context, [&reporter](Diagnostic &diagnostic) {
        return print(reporter, diagnostic);
      }) {}

} // namespace tileir::driver

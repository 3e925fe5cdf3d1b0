// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::driver {

using namespace mlir;

std::string locationPrefix(Location loc) {
  FileLineColRange found;
  loc->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColRange>(LocationAttr(inner))) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!found)
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "loc(\"";
  llvm::printEscapedString(found.getFilename().getValue(), stream);
  stream << "\":" << found.getStartLine() << ':' << found.getStartColumn()
         << "): ";
  return text;
}

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
  reporter.line(locationPrefix(diagnostic.getLocation()) + severity +
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

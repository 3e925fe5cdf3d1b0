// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Place.h"

#include "serialize/Report.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir::driver {

using namespace mlir;

std::string placePrefix(Location loc) {
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
  StringRef file = found.getFilename().getValue();
  // Producers without a source file write this name.
  if (file.empty() || file == "<unknown>")
    return "";
  return escaped(file) + ":" + llvm::utostr(found.getStartLine()) + ":" +
         llvm::utostr(found.getStartColumn()) + ": ";
}

} // namespace tileir::driver

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the pass that makes a kernel wrong or slow.
#ifndef TOOLS_TILEIR_BISECT_BISECT_H
#define TOOLS_TILEIR_BISECT_BISECT_H

#include <string>

namespace tileir::bisect {

struct Options {
  std::string caseFile;
  std::string arch, optLevel = "3", pipeline;
  bool bySpeed = false;
  /// Programs.
  std::string tileiras, tileirCheck, tileirRun, tileirTranslate;
  /// Folder for temporary files.
  std::string scratch;
};

/// Searches and prints. Returns the exit status.
int run(const Options &options);

} // namespace tileir::bisect

#endif // TOOLS_TILEIR_BISECT_BISECT_H

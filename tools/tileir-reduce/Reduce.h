// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shrinks the kernel of a case while the compiler miscompiles it.
#ifndef TOOLS_TILEIR_REDUCE_REDUCE_H
#define TOOLS_TILEIR_REDUCE_REDUCE_H

#include <string>
#include <vector>

namespace tileir::reduce {

struct Options {
  std::string caseFile, output = "-";
  /// tileir-check, and its arguments beside the case and the kernel.
  std::string tileirCheck;
  std::vector<std::string> checkOptions;
  /// Folder for temporary files.
  std::string scratch;
};

/// Reduces and prints. Returns the exit status.
int run(const Options &options);

} // namespace tileir::reduce

#endif // TOOLS_TILEIR_REDUCE_REDUCE_H

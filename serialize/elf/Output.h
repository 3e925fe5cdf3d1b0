// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_OUTPUT_H
#define SERIALIZE_ELF_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tileir {

struct OutputRequest {
  /// `-` is standard output.
  std::string path;
  llvm::StringRef bytes;
  /// An inode with several names is written in place, so that all of them see
  /// the new bytes.
  bool keepHardLinks = false;
  /// Told the temporary name before the file exists.
  llvm::function_ref<void(llvm::StringRef)> announce;
};

/// Writes all bytes or leaves the path as it was: a new file of a private name
/// in the same folder, then a rename. Links are followed, special files are
/// written directly. Returns 0 or an errno.
int writeOutput(const OutputRequest &request);

/// True when both paths name the same inode.
bool sameFile(const std::string &a, const std::string &b);

} // namespace tileir

#endif // SERIALIZE_ELF_OUTPUT_H

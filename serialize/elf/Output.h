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
  /// A file that is there keeps its inode, so that all of its names and whoever
  /// has it open see the new bytes.
  bool inPlace = false;
  /// Off for names that others can foresee: a link there is replaced, whatever
  /// it points to.
  bool followLinks = true;
  /// Told the temporary name before the file exists.
  llvm::function_ref<void(llvm::StringRef)> announce;
};

/// Writes all bytes or leaves the path as it was: a new file of a private name
/// in the same folder, then a rename; or, in place, with room reserved first
/// and the old content put back when the disk does not take the new one. Links
/// are followed, special files are written directly. Returns 0 or an errno.
int writeOutput(const OutputRequest &request);

/// True when both paths name the same inode.
bool sameFile(const std::string &a, const std::string &b);

} // namespace tileir

#endif // SERIALIZE_ELF_OUTPUT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_OUTPUT_H
#define DIALECTS_SUPPORT_OUTPUT_H

#include <functional>
#include <string>
#include <string_view>

namespace tileir {

struct OutputRequest {
  /// Path of the file; `-` is standard output.
  std::string path;
  std::string_view bytes;
  /// Keeps the inode of an existing file, so that all of its names and all open
  /// descriptors see the new bytes.
  bool inPlace = false;
  /// False for names that other users can foresee: an existing link is
  /// replaced, whatever its target.
  bool followLinks = true;
  /// Callback with the temporary name, before the file exists.
  std::function<void(const std::string &)> announce;
};

/// Writes all bytes or leaves the path as it was: writes a new file with a
/// private name in the same folder and renames it; or, in place, reserves room
/// first and restores the old content when the disk does not take the new one.
/// Follows links, and writes special files directly. Returns 0 or an errno.
int writeOutput(const OutputRequest &request);

/// Writes a file in the same way. Returns "cannot write 'PATH': REASON" on
/// failure, else nothing.
std::string writeFile(const std::string &path, std::string_view bytes);

/// Flushes standard output at the end of a tool. Returns the exit status:
/// `status`, or `unwritable` after an error when only the output failed.
int finishStandardOutput(int status, int unwritable);

/// Returns whether both paths name the same inode.
bool sameFile(const std::string &a, const std::string &b);

} // namespace tileir

#endif // DIALECTS_SUPPORT_OUTPUT_H

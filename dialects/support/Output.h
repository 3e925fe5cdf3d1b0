// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_SUPPORT_OUTPUT_H
#define DIALECTS_SUPPORT_OUTPUT_H

#include <functional>
#include <string>
#include <string_view>

namespace tileir {

struct OutputRequest {
  /// `-` is standard output.
  std::string path;
  std::string_view bytes;
  /// A file that is there keeps its inode, so that all of its names and whoever
  /// has it open see the new bytes.
  bool inPlace = false;
  /// Off for names that others can foresee: a link there is replaced, whatever
  /// it points to.
  bool followLinks = true;
  /// Told the temporary name before the file exists.
  std::function<void(const std::string &)> announce;
};

/// Writes all bytes or leaves the path as it was: a new file of a private name
/// in the same folder, then a rename; or, in place, with room reserved first
/// and the old content put back when the disk does not take the new one. Links
/// are followed, special files are written directly. Returns 0 or an errno.
int writeOutput(const OutputRequest &request);

/// The same for a file of its own: "cannot write 'PATH': REASON" when it cannot
/// be written, else nothing.
std::string writeFile(const std::string &path, std::string_view bytes);

/// Prints what is buffered for standard output, at the end of a tool. The
/// status that it ends with: `status`, or `unwritable` after an error when the
/// text did not go out and all else went well.
int finishStandardOutput(int status, int unwritable);

/// True when both paths name the same inode.
bool sameFile(const std::string &a, const std::string &b);

} // namespace tileir

#endif // DIALECTS_SUPPORT_OUTPUT_H

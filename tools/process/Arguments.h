// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of programs that work on cases and problems.

#ifndef TOOLS_PROCESS_ARGUMENTS_H
#define TOOLS_PROCESS_ARGUMENTS_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tileir {

/// A program and its command line: files, options with a value, after '=' or as
/// the next argument, repeatable options, and flags. Options with one letter
/// have one dash, others two.
struct Arguments {
  template <typename T> using Places = std::vector<std::pair<std::string, T *>>;

  const char *program;
  std::string help;
  std::vector<std::string> *files;
  Places<std::string> values;
  Places<bool> flags = {};
  Places<std::vector<std::string>> lists = {};

  /// Reads the command line. Returns the exit status if the program is done: 0
  /// after help or version, 2 for bad use.
  std::optional<int> read(int argc, char **argv) const;

  /// Requires one file, which messages call `what`.
  std::optional<int> read(int argc, char **argv, const std::string &what) const;
};

/// Prints an error; returns 2, the exit status of bad use.
int failUse(const std::string &message);

} // namespace tileir

#endif // TOOLS_PROCESS_ARGUMENTS_H

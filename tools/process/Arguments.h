// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a program that works on one case.

#ifndef TOOLS_PROCESS_ARGUMENTS_H
#define TOOLS_PROCESS_ARGUMENTS_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tileir {

/// A program and what its command line may say: a case file, options with a
/// value, after '=' or as the next argument, and flags.
struct Arguments {
  const char *program;
  const char *help;
  std::string *caseFile;
  std::vector<std::pair<std::string, std::string *>> values;
  std::vector<std::pair<std::string, bool *>> flags = {};

  /// Reads the command line. Returns the exit status of a program that has
  /// nothing more to do: 0 behind its help or version, 2 for bad use.
  std::optional<int> read(int argc, char **argv) const;
};

/// Prints an error; returns 2, the exit status of bad use.
int failUse(const std::string &message);

} // namespace tileir

#endif // TOOLS_PROCESS_ARGUMENTS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TOOLS_TILEIR_CHECK_OPTIONS_H
#define TOOLS_TILEIR_CHECK_OPTIONS_H

#include "tools/tileir-check/Generator.h"
#include "tools/tileir-check/Witness.h"

#include <optional>

namespace tileir::check {

struct Options {
  std::vector<std::string> cases;
  std::vector<std::string> archs;
  std::vector<std::string> optLevels = {"3"};
  std::vector<std::string> async = {"random"};
  std::string pipeline;
  /// Emulator seeds per kernel and asynchrony mode: 1 to this.
  unsigned numSeeds = 1;
  unsigned jobs = 1;
  bool onGpu = false;
  Programs programs;

  /// Number of randomized modules, and the first seed.
  std::optional<unsigned> numRandom;
  uint64_t seed = 1;
  Kind kind = Kind::Mixed;
  /// Modules whose seed is a multiple of this are assembled, too; 0: none.
  unsigned assembleEvery = 1;
  /// Prints one word on the case instead of lines.
  bool onlyVerdict = false;
  /// A file that replaces the case's kernel, for a verdict.
  std::string kernel;
  /// Lists the contents of the randomized modules.
  bool showsCoverage = false;
  /// Prints the randomized modules instead of checking them.
  bool onlyPrints = false;
  /// Failing modules are not shrunk.
  bool keepsWhole = false;
  /// Folder for failing modules and their cases.
  std::string keepFolder;

  std::string scratch;
};

/// Reads the command line. Returns an exit code if there is nothing to do.
std::optional<int> parseCommandLine(int argc, char **argv, Options &options);

/// The modes; exit codes.
int checkCases(const Options &options);
int judgeCase(const Options &options);
int checkRandom(const Options &options);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_OPTIONS_H

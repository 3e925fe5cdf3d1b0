// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_TILEIR_TRANSLATE_OPTIONS_H
#define TOOLS_TILEIR_TRANSLATE_OPTIONS_H

#include "tools/tileir-translate/Translate.h"

namespace tileir {

struct CommandLine {
  std::string input;
  std::string output;
  bool listVersions = false;
  bool listTestingVersions = false;
  /// Between the parts of the input and of the output; empty for one part.
  std::string inputMarker;
  std::string outputMarker;
  TranslateOptions translate;
};

/// False after reporting a fault. Registers the options, so to be called once.
bool parseCommandLine(int argc, char **argv, CommandLine &line);

} // namespace tileir

#endif // TOOLS_TILEIR_TRANSLATE_OPTIONS_H

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
  /// Separator of the sections of input and output; empty for one section.
  std::string inputMarker;
  std::string outputMarker;
  TranslateOptions translate;
};

/// Returns false after reporting a fault. Registers the options, so it must be
/// called only once.
bool parseCommandLine(int argc, char **argv, CommandLine &line);

} // namespace tileir

#endif // TOOLS_TILEIR_TRANSLATE_OPTIONS_H

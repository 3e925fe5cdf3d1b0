// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases given on the command line: a kernel with `--entry`, `--grid` and
// `--arg`.
#ifndef TOOLS_CASES_SPELLED_H
#define TOOLS_CASES_SPELLED_H

#include "tools/cases/Case.h"

namespace tileir::cases {

/// The options as given on the command line.
struct Spelled {
  std::string entry, grid;
  std::vector<std::string> args, sets;
};

/// Help text of these options.
extern const char kSpelledHelp[];

/// Reads `input`: a case file, or a kernel whose case the options describe. A
/// file whose text begins with `{` is a case.
bool loadInput(const std::string &input, const Spelled &spelled, Case &out,
               std::string &error);

} // namespace tileir::cases

#endif // TOOLS_CASES_SPELLED_H

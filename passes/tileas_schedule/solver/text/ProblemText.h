// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text format of problems; README.md has the grammar.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_PROBLEMTEXT_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_PROBLEMTEXT_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

struct ParsedProblem {
  Problem problem;
  /// `<line>:<column>: what`; empty if there is none.
  std::string error;
};

ParsedProblem parseProblem(std::string_view text);
/// Prints text that parses to the same problem.
std::string printProblem(const Problem &problem);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TEXT_PROBLEMTEXT_H

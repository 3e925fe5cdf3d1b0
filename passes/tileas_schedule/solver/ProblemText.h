// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problems as text; README.md has the grammar.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEMTEXT_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEMTEXT_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

struct ParsedProblem {
  Problem problem;
  /// `<line>:<column>: what`; empty: none.
  std::string error;
};

ParsedProblem parseProblem(std::string_view text);
/// Text that parses to the same problem.
std::string printProblem(const Problem &problem);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_PROBLEMTEXT_H

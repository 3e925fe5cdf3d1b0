// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD
#define PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD

include "mlir/Pass/PassBase.td"

def TileASCheckSchedule : Pass<"tileas-check-schedule"> {
  let summary = "Checks that schedule constraints still hold";
  let description = [{
    Between `tileas-generate-schedule-constraints` and
    `tileas-materialize-schedule`: whether the IR still is what the constraints
    were built from. If not, the error that `tileas-materialize-schedule` would
    give, with a note that names the pass of the option `after`. Changes nothing.
  }];
  let options = [
    Option<"after", "after", "std::string", /*default=*/"",
           "The pass that ran before, for the note">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD

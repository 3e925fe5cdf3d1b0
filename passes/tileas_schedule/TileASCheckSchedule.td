// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD
#define PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD

include "mlir/Pass/PassBase.td"

def TileASCheckSchedule : Pass<"tileas-check-schedule"> {
  let summary = "Checks that schedule constraints still hold";
  let description = [{
    Verifies that the IR still matches the constraints that
    `tileas-generate-schedule-constraints` built, and changes nothing. On a
    mismatch the pass emits the error of `tileas-materialize-schedule`, with a
    note that names the pass of the option `after`.
  }];
  let options = [
    Option<"after", "after", "std::string", /*default=*/"",
           "The pass that ran before, for the note">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASCHECKSCHEDULE_TD

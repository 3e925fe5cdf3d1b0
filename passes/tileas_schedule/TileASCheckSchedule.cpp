// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/ScheduleContract.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEASCHECKSCHEDULE
#define GEN_PASS_DEF_TILEASCHECKSCHEDULE
#include "passes/tileas_schedule/TileASCheckSchedule.h.inc"

namespace {

using namespace mlir;

struct TileASCheckSchedule final
    : impl::TileASCheckScheduleBase<TileASCheckSchedule> {
  using TileASCheckScheduleBase::TileASCheckScheduleBase;

  void runOnOperation() override {
    auto analysis = getCachedAnalysis<ScheduleAnalysis>();
    bool holds =
        analysis ? analysis->get().revalidate() : !hasStamps(getOperation());
    if (!holds) {
      InFlightDiagnostic error = reportInvalidated(getOperation());
      if (!after.empty())
        error.attachNote(getOperation()->getLoc())
            << "after pass '" << after << "'";
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace tileir

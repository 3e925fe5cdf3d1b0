// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_CTA_PLANNEDDEMAND_H
#define PASSES_TILEAS_CTA_PLANNEDDEMAND_H

#include "passes/analysis/budgets/RegisterDemand.h"

namespace tileir {

/// Demand of the tiles of `func` for registers when this family will have
/// decided which loads become copies and which dots warpgroups make.
RegisterDemand getPlannedDemand(mlir::FunctionOpInterface func);

} // namespace tileir

#endif // PASSES_TILEAS_CTA_PLANNEDDEMAND_H

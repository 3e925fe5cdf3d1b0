// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRREPORTUNWRITTEN
#define GEN_PASS_DEF_TILEIRREPORTUNWRITTEN
#include "passes/frame/TileIRReportUnwritten.h.inc"

namespace {

using namespace mlir;

struct TileIRReportUnwritten final
    : impl::TileIRReportUnwrittenBase<TileIRReportUnwritten> {
  using TileIRReportUnwrittenBase::TileIRReportUnwrittenBase;

  void runOnOperation() override;
};

} // namespace

void TileIRReportUnwritten::runOnOperation() {
  markAllAnalysesPreserved();
  remark::missed(getOperation()->getLoc(),
                 remark::RemarkOpts::name("FileNotWritten").category(category))
      << remark::add("'{0}' is not written", file.getValue())
      << remark::reason("no pass writes it with {0}", because.getValue());
}

} // namespace tileir

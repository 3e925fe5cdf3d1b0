// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Path.h"

namespace tileir {

#define GEN_PASS_DEF_SYNTHESIZEDEBUGINFOSCOPES
#include "passes/cuda_tile/SynthesizeDebugInfoScopes.h.inc"

namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

struct SynthesizeDebugInfoScopes final
    : impl::SynthesizeDebugInfoScopesBase<SynthesizeDebugInfoScopes> {
  using SynthesizeDebugInfoScopesBase::SynthesizeDebugInfoScopesBase;

  void runOnOperation() override;
};

} // namespace

/// The file position of `loc`, null without one.
static FileLineColLoc findFileLoc(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(LocationAttr(loc)))
    return file;
  if (auto name = dyn_cast<NameLoc>(LocationAttr(loc)))
    return findFileLoc(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(LocationAttr(loc)))
    return findFileLoc(opaque.getFallbackLocation());
  if (auto call = dyn_cast<CallSiteLoc>(LocationAttr(loc)))
    return findFileLoc(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(LocationAttr(loc)))
    for (Location part : fused.getLocations())
      if (auto file = dyn_cast<FileLineColLoc>(LocationAttr(part)))
        return file;
  return {};
}

static DIFileAttr getFile(FileLineColLoc loc) {
  MLIRContext *context = loc.getContext();
  StringRef path = loc.getFilename().getValue();
  return DIFileAttr::get(
      context, StringAttr::get(context, llvm::sys::path::filename(path)),
      StringAttr::get(context, llvm::sys::path::parent_path(path)));
}

/// Puts `func` and its operations into a subprogram of its own.
static void addScope(FunctionOpInterface func, DICompileUnitAttr unit) {
  MLIRContext *context = func.getContext();
  FileLineColLoc loc = findFileLoc(func.getLoc());
  DIFileAttr file = loc ? getFile(loc) : unit.getFile();
  unsigned line = loc ? loc.getLine() : 1;
  if (!loc)
    loc = FileLineColLoc::get(file.getName(), 1, 1);
  auto name = StringAttr::get(context, func.getName());
  auto subprogram = DISubprogramAttr::get(context, file, line, name, name, unit,
                                          /*scopeLine=*/line);
  func->walk([&](Operation *op) {
    FileLineColLoc own = findFileLoc(op->getLoc());
    op->setLoc(DILocAttr::get(context, own ? own : loc, subprogram));
  });
}

void SynthesizeDebugInfoScopes::runOnOperation() {
  MLIRContext *context = &getContext();
  DIFileAttr file;
  if (FileLineColLoc loc = findFileLoc(getOperation().getLoc()))
    file = getFile(loc);
  else
    file = DIFileAttr::get(context, StringAttr::get(context, "<unknown>"),
                           StringAttr::get(context));
  auto unit = DICompileUnitAttr::get(context, file);
  for (auto func : getOperation().getOps<FunctionOpInterface>())
    if (!LocationAttr(func.getLoc()).findInstanceOf<DILocAttr>()) {
      addScope(func, unit);
      ++numScopes;
    }
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRINSERTDEBUGSCOPE
#define GEN_PASS_DEF_TILEIRINSERTDEBUGSCOPE
#include "passes/frame/TileIRInsertDebugScope.h.inc"

namespace {

using namespace mlir;
using LLVM::DILocalScopeAttr;

struct TileIRInsertDebugScope final
    : impl::TileIRInsertDebugScopeBase<TileIRInsertDebugScope> {
  using TileIRInsertDebugScopeBase::TileIRInsertDebugScopeBase;

  void runOnOperation() override;

private:
  LLVM::DISubprogramAttr createSubprogram(FunctionOpInterface func,
                                          FileLineColLoc loc);

  LLVM::DIEmissionKind emission = LLVM::DIEmissionKind::LineTablesOnly;
  LLVM::DICompileUnitAttr unit;
};

} // namespace

/// The first file location in `loc`, null without one.
static FileLineColLoc findFileLoc(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFileLoc(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findFileLoc(call.getCaller());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFileLoc(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc file = findFileLoc(part))
        return file;
  return {};
}

/// The scope of `loc`, null without one.
static DILocalScopeAttr findScope(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return findScope(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findScope(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    if (auto scope = dyn_cast_or_null<DILocalScopeAttr>(fused.getMetadata()))
      return scope;
    for (Location part : fused.getLocations())
      if (DILocalScopeAttr scope = findScope(part))
        return scope;
  }
  return {};
}

static LLVM::DISubprogramAttr getSubprogram(LLVM::DIScopeAttr scope) {
  while (scope) {
    if (auto block = dyn_cast<LLVM::DILexicalBlockAttr>(scope))
      scope = block.getScope();
    else if (auto file = dyn_cast<LLVM::DILexicalBlockFileAttr>(scope))
      scope = file.getScope();
    else
      break;
  }
  return dyn_cast_or_null<LLVM::DISubprogramAttr>(scope);
}

/// `loc` within `scope`. `fallback` replaces a location without file.
static Location addScope(Location loc, DILocalScopeAttr scope,
                         FileLineColLoc fallback) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return CallSiteLoc::get(addScope(call.getCallee(), scope, fallback),
                            addScope(call.getCaller(), scope, fallback));
  if (findScope(loc))
    return loc;
  FileLineColLoc file = findFileLoc(loc);
  if (!file)
    file = fallback;
  return FusedLoc::get(loc.getContext(), {Location(file)}, scope);
}

LLVM::DISubprogramAttr
TileIRInsertDebugScope::createSubprogram(FunctionOpInterface func,
                                         FileLineColLoc loc) {
  MLIRContext *context = &getContext();
  StringRef path = loc.getFilename().getValue();
  auto file = LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path),
                                    llvm::sys::path::parent_path(path));
  if (!unit)
    unit = LLVM::DICompileUnitAttr::get(
        DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
        file, StringAttr::get(context, producer), /*isOptimized=*/true,
        emission);
  auto name = StringAttr::get(context, func.getName());
  return LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file, name,
      name, file, loc.getLine(), loc.getLine(),
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
      LLVM::DISubroutineTypeAttr::get(context, {}), /*retainedNodes=*/{},
      /*annotations=*/{});
}

void TileIRInsertDebugScope::runOnOperation() {
  if (emissionKind == "full") {
    emission = LLVM::DIEmissionKind::Full;
  } else if (emissionKind != "line-tables-only") {
    getOperation()->emitError("emission-kind is '")
        << emissionKind << "'; expected 'line-tables-only' or 'full'";
    return signalPassFailure();
  }
  unit = {};
  // An existing unit takes the new subprograms too.
  getOperation()->walk([&](FunctionOpInterface func) {
    if (DILocalScopeAttr scope = findScope(func.getLoc()))
      if (LLVM::DISubprogramAttr subprogram = getSubprogram(scope)) {
        unit = subprogram.getCompileUnit();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  getOperation()->walk([&](FunctionOpInterface func) {
    if (func.isExternal())
      return;
    FileLineColLoc loc = findFileLoc(func.getLoc());
    if (!loc)
      loc = FileLineColLoc::get(&getContext(), "<unknown>", 1, 0);
    DILocalScopeAttr scope = getSubprogram(findScope(func.getLoc()));
    if (!scope) {
      scope = createSubprogram(func, loc);
      ++numScopes;
      func->setLoc(FusedLoc::get(&getContext(), {Location(loc)}, scope));
    }
    func->walk([&](Operation *op) {
      if (op == func)
        return;
      op->setLoc(addScope(op->getLoc(), scope, loc));
    });
  });
}

} // namespace tileir

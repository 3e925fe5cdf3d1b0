// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "passes/tileaa/CudaTileConversion.h"
#include "passes/tileaa/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"

namespace tileir {
namespace {

using namespace mlir;

/// Translates the debug attributes of `cuda_tile` to LLVM's. Each source
/// compile unit becomes one distinct unit for each converted module.
class DebugTranslator {
public:
  explicit DebugTranslator(MLIRContext *context) : context(context) {}

  Location translate(Location loc) {
    auto [entry, inserted] = locations.try_emplace(loc, nullptr);
    if (!inserted)
      return cast<LocationAttr>(entry->second);
    LocationAttr result = translateUncached(loc);
    locations[loc] = result;
    return result;
  }

private:
  LocationAttr translateUncached(Location loc);
  LLVM::DIFileAttr translate(cuda_tile::DIFileAttr file) {
    return LLVM::DIFileAttr::get(context, file.getName(), file.getDirectory());
  }
  LLVM::DICompileUnitAttr translate(cuda_tile::DICompileUnitAttr unit);
  LLVM::DISubprogramAttr translate(cuda_tile::DISubprogramAttr subprogram);
  LLVM::DIScopeAttr translateScope(cuda_tile::DILocalScopeAttr scope);
  Location addTextLine(Location loc, unsigned line);

  MLIRContext *context;
  DenseMap<Attribute, Attribute> locations;
  DenseMap<Attribute, Attribute> scopes;
};

} // namespace

/// The line of the tile text that a driver has recorded in `loc`.
static std::optional<unsigned> getTextLine(FusedLoc loc) {
  auto notes = dyn_cast_or_null<DictionaryAttr>(loc.getMetadata());
  auto line = notes ? notes.getAs<IntegerAttr>(kTextLineNote) : IntegerAttr();
  if (!line)
    return std::nullopt;
  return line.getValue().getZExtValue();
}

LLVM::DICompileUnitAttr
DebugTranslator::translate(cuda_tile::DICompileUnitAttr unit) {
  Attribute &result = scopes[unit];
  if (!result)
    result = LLVM::DICompileUnitAttr::get(
        DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
        translate(unit.getFile()), StringAttr::get(context, "tileir"),
        /*isOptimized=*/true, LLVM::DIEmissionKind::LineTablesOnly);
  return cast<LLVM::DICompileUnitAttr>(result);
}

LLVM::DISubprogramAttr
DebugTranslator::translate(cuda_tile::DISubprogramAttr subprogram) {
  if (Attribute known = scopes.lookup(subprogram))
    return cast<LLVM::DISubprogramAttr>(known);
  LLVM::DIFileAttr file = translate(subprogram.getFile());
  LLVM::DICompileUnitAttr unit = translate(subprogram.getCompileUnit());
  auto type = LLVM::DISubroutineTypeAttr::get(context, {});
  unsigned scopeLine = subprogram.getScopeLine() ? subprogram.getScopeLine()
                                                 : subprogram.getLine();
  auto result = LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file,
      subprogram.getName(), subprogram.getLinkageName(), file,
      subprogram.getLine(), scopeLine,
      LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
      type, /*retainedNodes=*/{}, /*annotations=*/{});
  scopes[subprogram] = result;
  return result;
}

LLVM::DIScopeAttr
DebugTranslator::translateScope(cuda_tile::DILocalScopeAttr scope) {
  if (auto subprogram = dyn_cast<cuda_tile::DISubprogramAttr>(scope))
    return translate(subprogram);
  auto block = cast<cuda_tile::DILexicalBlockAttr>(scope);
  return LLVM::DILexicalBlockAttr::get(translateScope(block.getScope()),
                                       translate(block.getFile()),
                                       block.getLine(), block.getColumn());
}

/// Translates `loc`, with the line of the tile text, if any, as the
/// discriminator of its scope.
Location DebugTranslator::addTextLine(Location loc, unsigned line) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return CallSiteLoc::get(addTextLine(call.getCallee(), line),
                            call.getCaller());
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return loc;
  auto scope = dyn_cast_or_null<LLVM::DILocalScopeAttr>(fused.getMetadata());
  if (!scope)
    return loc;
  LLVM::DIFileAttr file;
  if (auto subprogram = dyn_cast<LLVM::DISubprogramAttr>(scope))
    file = subprogram.getFile();
  else if (auto block = dyn_cast<LLVM::DILexicalBlockAttr>(scope))
    file = block.getFile();
  return FusedLoc::get(context, fused.getLocations(),
                       LLVM::DILexicalBlockFileAttr::get(scope, file, line));
}

LocationAttr DebugTranslator::translateUncached(Location loc) {
  if (auto scoped = dyn_cast<cuda_tile::DILocAttr>(LocationAttr(loc)))
    return FusedLoc::get(context, {scoped.getSourceLoc()},
                         translateScope(scoped.getScope()));
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return CallSiteLoc::get(translate(call.getCallee()),
                            translate(call.getCaller()));
  if (auto name = dyn_cast<NameLoc>(loc))
    return NameLoc::get(name.getName(), translate(name.getChildLoc()));
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    if (std::optional<unsigned> line = getTextLine(fused))
      return addTextLine(translate(fused.getLocations().front()), *line);
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(translate(part));
    Attribute metadata = fused.getMetadata();
    if (auto scope = dyn_cast_or_null<cuda_tile::DILocalScopeAttr>(metadata))
      metadata = translateScope(scope);
    return FusedLoc::get(context, parts, metadata);
  }
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return translate(opaque.getFallbackLocation());
  return loc;
}

void convertDebugLocations(Operation *root) {
  DebugTranslator translator(root->getContext());
  root->walk([&](Operation *op) {
    op->setLoc(translator.translate(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(translator.translate(argument.getLoc()));
  });
}

} // namespace tileir

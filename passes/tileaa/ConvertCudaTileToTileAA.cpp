// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/ModuleFacts.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTCUDATILETOTILEAA
#define GEN_PASS_DEF_CONVERTCUDATILETOTILEAA
#include "passes/tileaa/ConvertCudaTileToTileAA.h.inc"

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

struct ConvertCudaTileToTileAA final
    : impl::ConvertCudaTileToTileAABase<ConvertCudaTileToTileAA> {
  using ConvertCudaTileToTileAABase::ConvertCudaTileToTileAABase;

  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == ModuleOp::getOperationName() ||
           name.getStringRef() == gpu::GPUModuleOp::getOperationName();
  }
  void runOnOperation() override;

private:
  LogicalResult convert(gpu::GPUModuleOp module);
  std::optional<Target> findTarget(gpu::GPUModuleOp module);
};

} // namespace

void copyDiscardableAttrs(Operation *from, Operation *to) {
  if (!to)
    return;
  for (NamedAttribute attr : from->getDiscardableAttrs())
    if (attr.getNameDialect() != from->getDialect())
      to->setDiscardableAttr(attr.getName(), attr.getValue());
}

void wrapTileModules(Operation *module) {
  SymbolTable symbols(module);
  SmallVector<cuda_tile::ModuleOp> tiles(
      module->getRegion(0).getOps<cuda_tile::ModuleOp>());
  for (cuda_tile::ModuleOp tile : tiles) {
    OpBuilder builder(tile);
    StringRef name = tile.getSymName();
    auto gpuModule = gpu::GPUModuleOp::create(builder, tile.getLoc(),
                                              name.empty() ? "kernels" : name);
    symbols.remove(tile);
    symbols.insert(gpuModule);
    tile->moveBefore(gpuModule.getBody(), gpuModule.getBody()->end());
  }
}

std::optional<Target>
ConvertCudaTileToTileAA::findTarget(gpu::GPUModuleOp module) {
  if (!computeCapability.empty())
    return Target::parse(computeCapability.getValue());
  return getTarget(module);
}

/// Moves the contents of `tile` into `module`, to the place of the nested
/// module.
static void mergeInto(gpu::GPUModuleOp module, cuda_tile::ModuleOp tile) {
  if (StringAttr producer = tile.getProducerAttr())
    module->setAttr(aa::kProducerAttr, producer);
  copyDiscardableAttrs(tile, module);
  Block *body = &tile.getBody().front();
  tile->getBlock()->getOperations().splice(tile->getIterator(),
                                           body->getOperations());
  tile->erase();
}

/// Reports symbols that several modules in `module` define.
static LogicalResult verifyUniqueSymbols(gpu::GPUModuleOp module) {
  llvm::StringMap<Operation *> seen;
  LogicalResult result = success();
  auto add = [&](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!name || isa<cuda_tile::ModuleOp>(op))
      return;
    auto [entry, inserted] = seen.try_emplace(name.getValue(), op);
    if (inserted)
      return;
    InFlightDiagnostic diag = op->emitError("redefinition of symbol named '")
                              << name.getValue()
                              << "' while merging cuda_tile modules";
    diag.attachNote(entry->second->getLoc()) << "first defined here";
    result = failure();
  };
  for (Operation &op : *module.getBody()) {
    add(&op);
    if (auto tile = dyn_cast<cuda_tile::ModuleOp>(op))
      for (Operation &inner : tile.getBody().front())
        add(&inner);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// After the conversion
//===----------------------------------------------------------------------===//

/// Number of the one memory object that `base` points into: 1 + argument, 1024
/// + global of the module, 4096 + alloca of the function; 0 when unknown.
static unsigned getAliasScope(Value base) {
  constexpr unsigned kFirstArgument = 1, kFirstGlobal = 1024,
                     kFirstAlloca = 4096;
  while (Operation *op = base.getDefiningOp()) {
    if (isa<aa::AddPtrOp, aa::BitcastOp, aa::AssumeOp>(op)) {
      base = op->getOperand(0);
      continue;
    }
    unsigned ordinal = 0;
    if (auto get = dyn_cast<aa::GetGlobalOp>(op)) {
      auto module = op->getParentOfType<gpu::GPUModuleOp>();
      for (auto global : module.getOps<aa::GlobalOp>()) {
        if (global.getSymName() == get.getName())
          return kFirstGlobal + ordinal;
        ++ordinal;
      }
    }
    if (isa<aa::AllocaOp>(op)) {
      auto func = op->getParentOfType<aa::FuncOp>();
      WalkResult found = func.walk([&](aa::AllocaOp other) {
        if (other == op)
          return WalkResult::interrupt();
        ++ordinal;
        return WalkResult::advance();
      });
      if (found.wasInterrupted())
        return kFirstAlloca + ordinal;
    }
    return 0;
  }
  auto argument = cast<BlockArgument>(base);
  if (isa<aa::FuncOp>(argument.getOwner()->getParentOp()))
    return kFirstArgument + argument.getArgNumber();
  return 0;
}

/// Gives `value`, and the values derived from it, the memref type with an alias
/// scope.
static void propagateMemRefType(Value value, aa::TAMemRefType type) {
  value.setType(type);
  for (Operation *user : value.getUsers()) {
    if (auto tile = dyn_cast<aa::BlockTileOp>(user))
      tile.getResult().setType(tile.getType().withSource(type));
    else if (auto assume = dyn_cast<aa::AssumeOp>(user))
      propagateMemRefType(assume.getResult(), type);
  }
}

static void assignAliasScopes(gpu::GPUModuleOp module) {
  module.walk([](aa::MakeMemRefOp op) {
    unsigned scope = getAliasScope(op.getBase());
    if (!scope)
      return;
    op.setAliasScope(scope);
    propagateMemRefType(op.getResult(), op.getType().withScope(scope));
  });
}

/// Divisor of `argument` that every execution of the kernel assumes; 1 if none.
static uint64_t getAssumedDivisor(BlockArgument argument,
                                  DominanceInfo &dominance) {
  uint64_t divisor = 1;
  Value value = argument;
  while (true) {
    // The assumption that dominates all other users, if there is one.
    aa::AssumeOp first;
    for (Operation *user : value.getUsers()) {
      auto assume = dyn_cast<aa::AssumeOp>(user);
      if (!assume || assume->getBlock() != argument.getOwner())
        continue;
      if (!first || assume->isBeforeInBlock(first))
        first = assume;
    }
    if (!first || !llvm::all_of(value.getUsers(), [&](Operation *user) {
          return user == first ||
                 dominance.properlyDominates(first.getOperation(), user);
        }))
      return divisor;
    for (Attribute predicate : first.getPredicates()) {
      auto divBy = dyn_cast<aa::DivByAttr>(predicate);
      if (divBy && !divBy.getEvery())
        divisor = std::max(divisor, divBy.getDivisor());
    }
    value = first.getResult();
  }
}

/// Records assumptions about bare arguments as attributes for the host.
static void recordArgumentFacts(gpu::GPUModuleOp module) {
  for (auto func : module.getOps<aa::FuncOp>()) {
    DominanceInfo dominance(func);
    for (BlockArgument argument : func.getArguments()) {
      uint64_t divisor = getAssumedDivisor(argument, dominance);
      if (divisor > 1)
        func.setArgAttr(
            argument.getArgNumber(), aa::kDivByAttr,
            IntegerAttr::get(IntegerType::get(func.getContext(), 64),
                             static_cast<int64_t>(divisor)));
    }
  }
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

LogicalResult ConvertCudaTileToTileAA::convert(gpu::GPUModuleOp module) {
  MLIRContext *context = &getContext();
  uint64_t numTileOps = 0;
  module.walk([&](Operation *op) {
    numTileOps += isa_and_nonnull<cuda_tile::CudaTileDialect>(op->getDialect());
  });
  if (!numTileOps)
    return success();

  std::optional<Target> target = findTarget(module);
  if (!target || !target->supportedForTileLowering())
    return module.emitError("invalid or missing --compute-capability option");
  CudaTileConversion conversion(*target);
  conversion.chip = target->baseName();
  conversion.numWarps = numWarps;
  conversion.numCtas = numCtas;
  conversion.fixedWarps = fixedWarps;
  conversion.fixedCtas = fixedCtas;
  conversion.strictHints = strictHints;
  conversion.keepAssumes = keepAssumes;

  if (failed(verifyUniqueSymbols(module)) ||
      failed(verifyConvertible(module, conversion)))
    return failure();

  module->setAttr(
      aa::kComputeCapabilityAttr,
      IntegerAttr::get(IntegerType::get(context, 32), target->number()));
  module->setAttr(aa::kTargetSpecAttr,
                  StringAttr::get(context, target->name()));
  for (auto tile : llvm::make_early_inc_range(
           module.getBody()->getOps<cuda_tile::ModuleOp>()))
    mergeInto(module, tile);
  normalizeEarlyExits(module, conversion);
  // On these targets an MMA reads such bytes.
  if (conversion.target.hasTcgen05() || conversion.target.hasMmaBlockScale())
    loadNibblesAsBytes(module);
  loadGatheredElements(module);

  CudaTileTypeConverter converter;
  ConversionTarget legality(*context);
  legality
      .addLegalDialect<arith::ArithDialect, BuiltinDialect, gpu::GPUDialect,
                       math::MathDialect, scf::SCFDialect, aa::TileAADialect>();
  legality.addIllegalDialect<cuda_tile::CudaTileDialect>();
  legality.addDynamicallyLegalOp<ub::PoisonOp>(
      [&](ub::PoisonOp op) { return converter.isLegal(op.getType()); });
  RewritePatternSet patterns(context);
  populateCudaTileToTileAAPatterns(converter, patterns, conversion);
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyPartialConversion(module, legality, std::move(patterns),
                                    config)))
    return module.emitError("failed to convert cuda_tile to nv_tileaa");

  SmallVector<UnrealizedConversionCastOp> casts, left;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts, &left);
  for (UnrealizedConversionCastOp cast : left)
    if (isa<cuda_tile::CudaTileDialect>(
            cast.getOperand(0).getType().getDialect()) ||
        isa<cuda_tile::CudaTileDialect>(cast.getType(0).getDialect()))
      return cast.emitError(
          "unresolved type bridge between cuda_tile and nv_tileaa");

  assignAliasScopes(module);
  recordArgumentFacts(module);
  convertDebugLocations(module);

  numOpsConverted += numTileOps;
  module.walk([&](Operation *op) {
    if (op == module)
      return;
    if (isa_and_nonnull<aa::TileAADialect>(op->getDialect()))
      ++numTileAAOps;
    else
      ++numUpstreamOps;
  });
  numLoopsRestructured += conversion.numLoopsRestructured;
  numExitTests += conversion.numExitTests;
  numSingleTrips += conversion.numSingleTrips;
  numHintsApplied += conversion.numHintsApplied;
  numHintsIgnored += conversion.numHintsIgnored;
  numAssumes += conversion.numAssumes;
  return success();
}

void ConvertCudaTileToTileAA::runOnOperation() {
  Operation *root = getOperation();
  if (auto module = dyn_cast<gpu::GPUModuleOp>(root)) {
    if (failed(convert(module)))
      signalPassFailure();
    return;
  }
  wrapTileModules(root);
  for (auto module : cast<ModuleOp>(root).getOps<gpu::GPUModuleOp>())
    if (failed(convert(module)))
      return signalPassFailure();
}

} // namespace tileir

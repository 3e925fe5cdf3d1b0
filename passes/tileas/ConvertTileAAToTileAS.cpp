// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ClusterAttrs.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/OpConversion.h"
#include "passes/tileas/layout/LayoutChoice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "convert-tileaa-to-tileas"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILEAATOTILEAS
#define GEN_PASS_DEF_CONVERTTILEAATOTILEAS
#include "passes/tileas/ConvertTileAAToTileAS.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct ConvertTileAAToTileAS final
    : impl::ConvertTileAAToTileASBase<ConvertTileAAToTileAS> {
  using ConvertTileAAToTileASBase::ConvertTileAAToTileASBase;

  void runOnOperation() override;

private:
  LogicalResult convert(aa::FuncOp func);
};

} // namespace

/// Returns whether there is anything to convert, so that the pass can run
/// twice.
static bool isConverted(aa::FuncOp func) {
  WalkResult result = func->walk([](Operation *op) {
    if (isa_and_present<aa::TileAADialect>(op->getDialect()) &&
        !isa<aa::FuncOp, aa::ReturnOp, aa::CallOp, aa::MarkForReuseOp>(op))
      return WalkResult::interrupt();
    for (Value value : op->getResults())
      if (isTile(value) && !as::getTileLayout(value.getType()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// A tile that crosses a call has no layout that both sides know.
static LogicalResult checkCalls(aa::FuncOp func) {
  auto hasTile = [](TypeRange types) {
    return llvm::any_of(types, llvm::IsaPred<RankedTensorType>);
  };
  if (hasTile(func.getArgumentTypes()) || hasTile(func.getResultTypes()))
    return func.emitError("function with tile arguments or results is not "
                          "supported yet; inline it into its callers");
  WalkResult result = func->walk([&](aa::CallOp call) {
    if (!hasTile(call->getOperandTypes()) && !hasTile(call->getResultTypes()))
      return WalkResult::advance();
    call.emitError("call with tiles is not supported yet; inline the callee");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// Marks the weak loads of a kernel whose memory no thread writes while the
/// kernel runs as `invariant`, so that they take the non-coherent path. Two
/// kinds of memory qualify: constant globals, and the target of an argument
/// that is `readonly` or `noalias` and that no access of the kernel may write.
/// The second kind requires that the kernel never synchronizes with another
/// grid or block: it has no acquire, waits for no grid, and has no fence
/// between names of the same memory.
class InvariantMarker {
public:
  explicit InvariantMarker(aa::FuncOp func) : func(func) {}

  void run();

private:
  /// Returns why the memory of `load`, which goes back to `root`, may change;
  /// empty where it cannot.
  StringRef findChange(Operation *load, Value root);

  aa::FuncOp func;
  SmallVector<Operation *> loads, writes;
  /// Names how the kernel may learn of writes that are not its own; empty when
  /// it learns of none.
  StringRef news;
};

} // namespace

static bool isConstantGlobal(Value root) {
  auto get = root.getDefiningOp<as::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<aa::GlobalOp>(
      get, get->getAttrOfType<FlatSymbolRefAttr>("name"));
  return global && global.getConstant();
}

/// Returns whether the instruction for `load` may read around the coherent
/// path: it exists for weak loads of global memory, and not with the cache
/// operators that read once or again.
static bool canBeInvariant(Operation *load) {
  auto access = cast<as::TileASMemoryOpInterface>(load);
  if (access.getAccessSemantic() != aa::MemSemantic::Weak ||
      access.isVolatileAccess() || load->hasAttr(aa::kMultimemAttr))
    return false;
  auto cache = load->getAttrOfType<aa::CacheModifierAttr>("cache_modifier");
  return !cache || (cache.getValue() != aa::CacheModifier::LU &&
                    cache.getValue() != aa::CacheModifier::CV);
}

StringRef InvariantMarker::findChange(Operation *load, Value root) {
  if (!root)
    return "its pointer is not that of one argument";
  if (isConstantGlobal(root))
    return "";
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || argument.getOwner() != &func.getBody().front() ||
      (!func.getArgAttr(argument.getArgNumber(), aa::kNoAliasAttr) &&
       !func.getArgAttr(argument.getArgNumber(), aa::kReadOnlyAttr)))
    return "nothing says that its memory has no other name";
  if (!news.empty())
    return news;
  for (Operation *write : writes)
    if (!cannotAlias(func, load, write))
      return "the kernel may write there";
  return "";
}

void InvariantMarker::run() {
  func->walk([&](Operation *op) {
    if (isa<aa::CallOp>(op))
      news = "the kernel calls a function";
    else if (isa<as::GridDependencyOp>(op) && !op->hasAttr(kClusterWaitAttr))
      news = "the kernel depends on another grid";
    else if (isa<as::FenceOp>(op))
      news = "the kernel has a fence";
    auto access = dyn_cast<as::TileASMemoryOpInterface>(op);
    if (!access)
      return;
    if (access.getAccessSemantic() == aa::MemSemantic::Acquire ||
        access.getAccessSemantic() == aa::MemSemantic::AcqRel)
      news = "the kernel acquires what others wrote";
    if (access.getMemoryKind() != as::MemoryKind::Load)
      writes.push_back(op);
    else if (isa<as::LoadOp, as::TiledLoadOp, as::GatherLoadOp>(op) &&
             canBeInvariant(op))
      loads.push_back(op);
  });
  DenseMap<Value, StringRef> known;
  for (Operation *load : loads) {
    Value root = getRoot(load);
    auto [entry, isNew] = known.try_emplace(root);
    if (isNew)
      entry->second = findChange(load, root);
    StringRef reason = entry->second;
    TILEIR_LOG() << load->getLoc() << ": "
                 << (reason.empty() ? "nothing writes what is loaded"
                                    : "may change: ")
                 << reason;
    if (!reason.empty())
      continue;
    load->setAttr("invariant", UnitAttr::get(load->getContext()));
    remark::passed(load->getLoc(),
                   remarkAbout(load, "InvariantLoads", "tileas"))
        << StringRef("read through the non-coherent path: nothing writes "
                     "there while the kernel runs");
  }
}

/// Returns whether the tiles of `func` are those of one CTA of a cluster.
static bool readsRank(aa::FuncOp func) {
  return func
      ->walk([](gpu::ClusterBlockIdOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult ConvertTileAAToTileAS::convert(aa::FuncOp func) {
  if (failed(checkCalls(func)))
    return failure();
  if (isConverted(func))
    return success();
  if (aa::KernelSpecAttr spec = func.getKernelSpecAttr();
      spec && spec.getNumCtas() > 1 && !readsRank(func))
    return func.emitError("the tile block of ")
           << spec.getNumCtas()
           << " CTAs is not divided among them; run tileaa-split-clusters "
              "first";
  if (failed(verifyTiles(func)))
    return failure();
  std::optional<Target> target = computeCapability.empty()
                                     ? getTarget(func)
                                     : Target::parse(computeCapability);
  if (!target)
    return func.emitError("failed to get the target spec");
  unsigned warps = getNumWarps(func, numWarps);
  if (!llvm::isPowerOf2_32(warps) ||
      warps > limits::threadsPerBlock / limits::threadsPerWarp)
    return func.emitError("num-warps must be a power of two up to 32, got ")
           << warps;

  attachAccessFacts(func);
  if (failed(convertOperations(func, *target)))
    return failure();
  // The callers of other functions decide about their arguments.
  if (func.getKernel())
    InvariantMarker(func).run();
  splitFreeLeaves(func);
  TileClasses classes(func);
  applyPlan(func, classes, planDefault(func, classes, warps));
  func->walk([&](as::DotOp dot) {
    TILEIR_LOG() << dot.getLoc() << ": dot by " << dot.getAtom();
    if (dot.getAtom().getKind() == as::MmaKind::Fma)
      ++numFma;
    else
      ++numMma;
  });
  func->walk([&](as::ConvertLayoutOp) { ++numConversions; });
  return verifyLayouts(func, warps);
}

void ConvertTileAAToTileAS::runOnOperation() {
  SmallVector<aa::FuncOp> funcs;
  bool isEarlier = false;
  getOperation()->walk([&](Operation *op) {
    isEarlier |= op->getName().getDialectNamespace() == "cuda_tile";
    if (auto func = dyn_cast<aa::FuncOp>(op))
      funcs.push_back(func);
  });
  // Nothing to do is right for an empty module, and a mistake for this one.
  if (funcs.empty() && isEarlier)
    getOperation()->emitWarning(getArgument() +
                                ": found no operation of nv_tileaa; run "
                                "convert-cudatile-to-tileaa first");
  for (aa::FuncOp func : funcs)
    if (failed(convert(func))) {
      getOperation()->emitError("failed to convert nv_tileaa to nv_tileas");
      return signalPassFailure();
    }
}

} // namespace tileir

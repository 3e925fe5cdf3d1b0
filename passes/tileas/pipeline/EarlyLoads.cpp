// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/EarlyLoads.h"

#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/pipeline/LoopSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"

#define DEBUG_TYPE "unspecialized-pipeline"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// The loads of the body that belong to an earlier stage than the rest.
static SmallVector<Operation *> getEarlyLoads(scf::ForOp loop) {
  SmallVector<Operation *> loads;
  auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr);
  if (!stages)
    return loads;
  for (Operation &op : *loop.getBody()) {
    auto stage = op.getAttrOfType<IntegerAttr>(kStageAttr);
    if (stage && stage.getInt() + 1 < stages.getInt() &&
        isa<as::TiledLoadOp, as::LoadOp>(op))
      loads.push_back(&op);
  }
  return loads;
}

namespace {

/// Carries the tiles of one loop's loads around it.
class EarlyLoader : LoopSteps {
public:
  EarlyLoader(scf::ForOp loop, ProducerSlice slice, ArrayRef<Operation *> loads)
      : LoopSteps(loop), slice(std::move(slice)),
        loads(loads.begin(), loads.end()) {}

  scf::ForOp run();

private:
  SmallVector<Value> loadFirst();
  SmallVector<Value> load(ArrayRef<Operation *> some, Value iv, Value runs);
  SmallVector<Value> cloneSlice(ArrayRef<Operation *> some, Value iv,
                                Value runs);
  Operation *getPlace(Operation *load);

  ProducerSlice slice;
  SmallVector<Operation *> loads;
};

} // namespace

/// The dimension of the tile loaded by `op` whose coordinate may be one past
/// the array, so that the load reads nothing: a dimension that is
/// bounds-checked anyway, preferably one that the loop walks along. None if
/// there is none.
static std::optional<unsigned> getCheckedDim(Operation *op, scf::ForOp loop) {
  auto load = dyn_cast<as::TiledLoadOp>(op);
  if (!load || !load.getOffsets().empty())
    return std::nullopt;
  std::optional<ArrayRef<bool>> inBounds = load.getInBounds();
  std::optional<unsigned> found;
  for (auto [dim, coord] : llvm::enumerate(load.getCoords())) {
    if (inBounds && (*inBounds)[dim])
      continue;
    if (!loop.isDefinedOutsideOfLoop(coord))
      return dim;
    found = dim;
  }
  return found;
}

/// Clones the backward slices of the loads `some` for the iteration of `iv`.
/// With `runs`, loads are of tiles outside the array unless it is true.
SmallVector<Value> EarlyLoader::cloneSlice(ArrayRef<Operation *> some, Value iv,
                                           Value runs) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  SmallVector<Value> results;
  // Coordinates without sign.
  DenseMap<Value, Value> checked;
  for (Operation *op : slice.ops) {
    if (llvm::is_contained(loads, op) && !llvm::is_contained(some, op))
      continue;
    // Facts of the iterations of the loop need not hold before them.
    if (auto assume = dyn_cast<as::AssumeOp>(op)) {
      mapping.map(assume.getResult(),
                  mapping.lookupOrDefault(assume.getValue()));
      continue;
    }
    Operation *clone = builder.clone(*op, mapping);
    if (!llvm::is_contained(some, op))
      continue;
    if (runs) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(clone);
      OpOperand &coord = cast<as::TiledLoadOp>(clone)
                             .getCoordsMutable()[*getCheckedDim(op, loop)];
      Value &value = checked[coord.get()];
      if (!value)
        value = arith::SelectOp::create(builder, loc, runs, coord.get(),
                                        constant(coord.get().getType(), -1));
      coord.set(value);
    }
    llvm::append_range(results, clone->getResults());
  }
  return results;
}

/// Returns the results of the loads before the loop. A branch costs more there
/// than a coordinate outside every array.
SmallVector<Value> EarlyLoader::loadFirst() {
  Value iv = loop.getLowerBound(), runs = isLonger(iv, 0);
  return llvm::all_of(
             loads,
             [&](Operation *op) { return getCheckedDim(op, loop).has_value(); })
             ? cloneSlice(loads, iv, runs)
             : load(loads, iv, runs);
}

/// Returns the results of the loads `some` in the iteration of `iv`, if it
/// `runs`. In the loop the branch keeps them after the last use of the previous
/// tiles, whose registers they take.
SmallVector<Value> EarlyLoader::load(ArrayRef<Operation *> some, Value iv,
                                     Value runs) {
  SmallVector<Type> types;
  for (Operation *op : some)
    llvm::append_range(types, op->getResultTypes());
  auto branch = scf::IfOp::create(builder, loc, types, runs, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, cloneSlice(some, iv, /*runs=*/{}));
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> results;
  for (Type type : types) {
    if (isa<aa::MemTokenType>(type))
      results.push_back(as::CreateMemTokenOp::create(builder, loc, type));
    else
      results.push_back(ub::PoisonOp::create(builder, loc, type));
  }
  scf::YieldOp::create(builder, loc, results);
  return SmallVector<Value>(branch.getResults());
}

/// The operation before which the next tile of `load` is loaded.
Operation *EarlyLoader::getPlace(Operation *load) {
  auto order = load->getAttrOfType<IntegerAttr>(kOrderAttr);
  Operation *place = &loop.getBody()->front();
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto other = op.getAttrOfType<IntegerAttr>(kOrderAttr);
    if (order && other && !llvm::is_contained(loads, &op) &&
        other.getInt() < order.getInt())
      place = op.getNextNode();
  }
  return place;
}

scf::ForOp EarlyLoader::run() {
  SmallVector<Value> first = loadFirst();
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  unsigned numBefore = loop.getNumRegionIterArgs();
  auto yieldArgs = [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
    return SmallVector<Value>(args.begin(), args.end());
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, yieldArgs));
  // Loads that follow each other in one place have one branch; the values go
  // around in the order of the loads.
  SmallVector<Value> next;
  for (size_t i = 0; i < loads.size();) {
    Operation *place = getPlace(loads[i]);
    size_t end = i + 1;
    while (end < loads.size() && getPlace(loads[end]) == place)
      ++end;
    builder.setInsertionPoint(place);
    Value iv = loop.getInductionVar();
    Value runs = isLonger(iv, 1);
    SmallVector<Value> results = load(
        ArrayRef<Operation *>(loads).slice(i, end - i), advance(iv, 1), runs);
    results.front().getDefiningOp()->setAttr(kOrderAttr,
                                             loads[i]->getAttr(kOrderAttr));
    llvm::append_range(next, results);
    i = end;
  }
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [i, value] : llvm::enumerate(next))
    yield->setOperand(numBefore + i, value);
  unsigned arg = numBefore;
  for (Operation *op : loads)
    for (Value result : op->getResults())
      result.replaceAllUsesWith(loop.getRegionIterArgs()[arg++]);
  for (Operation *op : llvm::reverse(slice.ops))
    if (op->use_empty())
      op->erase();
  return loop;
}

unsigned buildEarlyLoads(scf::ForOp &loop) {
  SmallVector<Operation *> loads = getEarlyLoads(loop);
  if (loads.empty())
    return 0;
  std::string reason;
  std::optional<ProducerSlice> slice = getProducerSlice(loop, loads, reason);
  if (slice && !slice->carried.empty())
    reason = "its address depends on what the loop carries";
  TILEIR_LOG() << loop.getLoc() << ": " << loads.size()
               << " loads into registers "
               << (reason.empty() ? "run an iteration ahead"
                                  : "stay where they are: ")
               << reason;
  auto about = remarkAbout(loop, "UnspecializedPipeline", "tileas");
  if (!reason.empty()) {
    remark::missed(loop.getLoc(), about)
        << StringRef("loads stay where they are")
        << remark::metric("Reason", StringRef(reason));
    return 0;
  }
  remark::passed(loop.getLoc(), about)
      << StringRef("loads into registers run an iteration ahead")
      << remark::metric("Loads", int64_t(loads.size()));
  loop = EarlyLoader(loop, std::move(*slice), loads).run();
  return loads.size();
}

} // namespace tileir

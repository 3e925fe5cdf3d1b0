// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/OperandSlicer.h"

#include "dialects/support/Heuristics.h"

#include "passes/analysis/Remarks.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/cta/SplitAccesses.h"
#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/tileas/mma/MmaChoice.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "dialects/support/RuntimeGates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tileas-plan-cta"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

static int64_t getBytes(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getNumElements() *
         int64_t(as::getStorageBits(type.getElementType())) / 8;
}

/// Returns whether `op` neither writes memory nor orders accesses.
static bool isLoadOrComputation(Operation *op) {
  auto load = dyn_cast<as::TiledLoadOp>(op);
  return load ? isPlainAccess(load) : isMemoryEffectFree(op);
}

/// Returns whether no operation between `load` and the end of `loop` writes the
/// memory of `load`: a reload in the loop gives the same tile.
static bool staysTheSame(as::TiledLoadOp load, scf::ForOp loop) {
  if (load->getBlock() == loop.getBody())
    return true;
  if (load->getBlock() != loop->getBlock() || !load->isBeforeInBlock(loop))
    return false;
  for (Operation *op = load; op != loop; op = op->getNextNode())
    if (!isLoadOrComputation(op))
      return false;
  return true;
}

/// The dimension of the source of `rename` whose slices are the slices of
/// dimension `d` of its result.
static std::optional<unsigned> getSourceDim(Operation *rename, unsigned d) {
  if (auto permute = dyn_cast<as::PermuteOp>(rename))
    return permute.getPermutation()[d];
  if (!isa<as::ViewOp>(rename))
    return d;
  // Dimensions of one element come and go.
  Layout::Shape from = getShape(rename->getOperand(0)),
                to = getShape(rename->getResult(0));
  unsigned number = 0, at = 0;
  for (unsigned i = 0; i < d; ++i)
    number += to[i] != 1;
  SmallVector<int64_t> sizes, wanted;
  for (auto [i, size] : llvm::enumerate(from)) {
    if (size == 1)
      continue;
    if (sizes.size() == number)
      at = i;
    sizes.push_back(size);
  }
  llvm::copy_if(to, std::back_inserter(wanted),
                [](int64_t size) { return size != 1; });
  if (sizes != wanted || to[d] == 1)
    return std::nullopt;
  return at;
}

namespace {

/// An operand of a dot and the load it comes from, past renaming operations.
struct LoadedOperand {
  as::TiledLoadOp load;
  /// Operations that give its elements other places, the last one first.
  SmallVector<Operation *> renames;
  /// The dimension of the load along which slices of K are cut.
  unsigned dim = 0;
  /// The view of the slices, and the index of the first one.
  Value view, first;
};

/// Cuts the dots of one loop.
class OperandSlicer {
public:
  OperandSlicer(scf::ForOp loop, const Target &target)
      : loop(loop), target(target) {}

  /// Returns whether a dot was cut.
  bool run();

private:
  std::optional<LoadedOperand> findLoad(as::DotOp dot, bool isA);
  bool isSliceable(as::DotOp dot);
  bool areSliceable(Value tile);
  int64_t countParts(as::DotOp dot);
  void cut(as::DotOp dot);
  Value accumulate(OpBuilder &builder, as::DotOp dot);
  Value accumulatorInLoop(OpBuilder &builder, as::DotOp dot,
                          const LoadedOperand &a, const LoadedOperand &b);
  std::optional<LoadedOperand> prepareLoad(OpBuilder &builder, as::DotOp dot,
                                           bool isA);
  Value load(OpBuilder &builder, const LoadedOperand &operand, int64_t parts,
             Value part);
  Value extract(OpBuilder &builder, Value tile, unsigned dim, int64_t parts,
                int64_t part);

  scf::ForOp loop;
  const Target &target;
  llvm::SetVector<as::DotOp> dots;
};

} // namespace

/// The dimension of K of an operand.
static unsigned getDimOfK(bool isA) { return isA ? 1 : 0; }

/// Finds the load in the loop, or before it, that can load slices of the
/// operand instead of the whole.
std::optional<LoadedOperand> OperandSlicer::findLoad(as::DotOp dot, bool isA) {
  LoadedOperand found;
  found.dim = getDimOfK(isA);
  Operation *op = (isA ? dot.getA() : dot.getB()).getDefiningOp();
  for (; op && isRename(op); op = op->getOperand(0).getDefiningOp()) {
    std::optional<unsigned> from = getSourceDim(op, found.dim);
    if (!from)
      return std::nullopt;
    found.dim = *from;
    found.renames.push_back(op);
  }
  found.load = dyn_cast_or_null<as::TiledLoadOp>(op);
  if (!found.load || !isPlainAccess(found.load) ||
      !staysTheSame(found.load, loop) ||
      !canCutView(found.load.getView(), found.dim, countParts(dot)))
    return std::nullopt;
  return found;
}

/// Returns whether single warps multiply from registers, without scales.
bool OperandSlicer::isSliceable(as::DotOp dot) {
  return dot->getBlock() == loop.getBody() && !dot.hasBuffers() &&
         !dot.getScaleA() && !dot.getUseAcc() &&
         dot.getAtom().getKind() == as::MmaKind::MmaSync &&
         countParts(dot) > 1 &&
         chooseMma(dot,
                   {getNumWarps(dot->getParentOfType<aa::FuncOp>()), target})
                 .mma.getKind() == as::MmaKind::MmaSync;
}

/// Parts of `dot` such that the slices of either operand are small, or have a
/// single step of K.
int64_t OperandSlicer::countParts(as::DotOp dot) {
  int64_t bytes = std::max(getBytes(dot.getA()), getBytes(dot.getB()));
  int64_t parts = 1, step = dot.getAtom().getTileK();
  while (bytes > heuristics::maxSliceBytes * parts &&
         dot.getDepth() % (2 * parts * step) == 0)
    parts *= 2;
  return parts;
}

/// Returns whether dots that can read slices are the only readers of `tile`,
/// which the loop loads; adds them to `dots`.
bool OperandSlicer::areSliceable(Value tile) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    if (isRename(user))
      return areSliceable(user->getResult(0));
    auto dot = dyn_cast<as::DotOp>(user);
    if (!dot || !isSliceable(dot) || tile == dot.getC() ||
        !findLoad(dot, tile == dot.getA()) ||
        (dot.getA() == tile && dot.getB() == tile))
      return false;
    dots.insert(dot);
    return true;
  });
}

Value OperandSlicer::extract(OpBuilder &builder, Value tile, unsigned dim,
                             int64_t parts, int64_t part) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= parts;
  SmallVector<Value> offsets;
  for (unsigned i = 0; i < shape.size(); ++i)
    offsets.push_back(arith::ConstantIntOp::create(
        builder, tile.getLoc(), i == dim ? part * shape[i] : 0, 32));
  return as::ExtractSliceOp::create(
      builder, tile.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), tile, offsets);
}

/// Emits the values that the loads of all slices of an operand share; null if
/// the operand is not loaded.
std::optional<LoadedOperand>
OperandSlicer::prepareLoad(OpBuilder &builder, as::DotOp dot, bool isA) {
  std::optional<LoadedOperand> found = findLoad(dot, isA);
  if (!found)
    return found;
  as::TiledLoadOp whole = found->load;
  auto type = cast<aa::TATiledViewType>(whole.getView().getType());
  int64_t parts = countParts(dot);
  found->first =
      cutCoord(builder, whole.getCoords()[found->dim], found->dim, parts, type);
  OpBuilder::InsertionGuard guard(builder);
  auto block = whole.getView().getDefiningOp<as::BlockTileOp>();
  builder.setInsertionPointAfter(block);
  found->view =
      cutView(builder, whole.getView(), found->dim, parts, block.getSource());
  return found;
}

/// Loads part number `part` of the operand.
Value OperandSlicer::load(OpBuilder &builder, const LoadedOperand &operand,
                          int64_t parts, Value part) {
  as::TiledLoadOp whole = operand.load;
  unsigned d = operand.dim;
  auto type = cast<aa::TATiledViewType>(whole.getView().getType());
  Type indexType = operand.first.getType();
  if (part.getType() != indexType)
    part = arith::ExtUIOp::create(builder, whole.getLoc(), indexType, part);
  Value coord =
      arith::AddIOp::create(builder, whole.getLoc(), operand.first, part);
  auto slice = cast<as::TiledLoadOp>(builder.clone(*whole));
  slice.getViewMutable().assign(operand.view);
  slice.getCoordsMutable()[d].set(coord);
  cutFacts(slice, d, parts, type);
  auto cutTile = [&](Value tile, unsigned dim) {
    auto tileType = cast<RankedTensorType>(tile.getType());
    SmallVector<int64_t> shape(tileType.getShape());
    shape[dim] /= parts;
    return RankedTensorType::get(shape, tileType.getElementType());
  };
  Value tile = slice.getValue();
  tile.setType(cutTile(tile, d));
  for (Operation *op : llvm::reverse(operand.renames)) {
    Value result = op->getResult(0);
    unsigned dim = 0;
    while (getSourceDim(op, dim) != d)
      ++dim;
    IRMapping mapping;
    mapping.map(op->getOperand(0), tile);
    tile = builder.clone(*op, mapping)->getResult(0);
    tile.setType(cutTile(result, dim));
    d = dim;
  }
  return tile;
}

/// The accumulator of `dot`, computed by a loop that loads both operands, so
/// that copies can run ahead.
Value OperandSlicer::accumulatorInLoop(OpBuilder &builder, as::DotOp dot,
                                       const LoadedOperand &a,
                                       const LoadedOperand &b) {
  Location loc = dot.getLoc();
  int64_t parts = countParts(dot);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  auto inner = scf::ForOp::create(builder, loc, number(0), number(parts),
                                  number(1), ValueRange(dot.getC()));
  OpBuilder body = OpBuilder::atBlockBegin(inner.getBody());
  Value part = inner.getInductionVar();
  Value x = load(body, a, parts, part), y = load(body, b, parts, part);
  Value accumulate =
      dot.createPart(body, /*k=*/0, x, y, inner.getRegionIterArg(0))
          .getResult();
  scf::YieldOp::create(body, loc, accumulate);
  return inner.getResult(0);
}

/// The accumulator of dots of one slice of K each, in the order of K.
Value OperandSlicer::accumulate(OpBuilder &builder, as::DotOp dot) {
  std::optional<LoadedOperand> loaded[] = {
      prepareLoad(builder, dot, /*isA=*/true),
      prepareLoad(builder, dot, /*isA=*/false)};
  if (loaded[0] && loaded[1])
    return accumulatorInLoop(builder, dot, *loaded[0], *loaded[1]);
  int64_t parts = countParts(dot);
  Value accumulate = dot.getC();
  for (int64_t part = 0; part < parts; ++part) {
    Value number =
        arith::ConstantIntOp::create(builder, dot.getLoc(), part, 32);
    auto slice = [&](bool isA) {
      const std::optional<LoadedOperand> &operand = loaded[isA ? 0 : 1];
      return operand ? load(builder, *operand, parts, number)
                     : extract(builder, isA ? dot.getA() : dot.getB(),
                               getDimOfK(isA), parts, part);
    };
    Value a = slice(/*isA=*/true), b = slice(/*isA=*/false);
    accumulate =
        dot.createPart(builder, part * dot.getDepth() / parts, a, b, accumulate)
            .getResult();
  }
  return accumulate;
}

void OperandSlicer::cut(as::DotOp dot) {
  OpBuilder builder(dot);
  remark::passed(dot.getLoc(), remarkAbout(dot, "SliceOperands", "tileas"))
      << StringRef("an operand is loaded in slices of K: shared memory does "
                   "not hold it")
      << remark::metric("Parts", countParts(dot));
  dot.getResult().replaceAllUsesWith(accumulate(builder, dot));
  dot.erase();
}

bool OperandSlicer::run() {
  Block *body = loop.getBody();
  SmallVector<as::TiledLoadOp> wholes;
  for (auto load : body->getOps<as::TiledLoadOp>())
    if (getBytes(load.getValue()) > gates::sharedMemoryCap(target))
      wholes.push_back(load);
  if (wholes.empty() ||
      !llvm::all_of(body->without_terminator(),
                    [](Operation &op) { return isLoadOrComputation(&op); }))
    return false;
  for (as::TiledLoadOp load : wholes) {
    llvm::SetVector<as::DotOp> before = dots;
    if (!load.getResultToken().use_empty() || !areSliceable(load.getValue()))
      dots = before;
  }
  for (as::DotOp dot : dots) {
    TILEIR_LOG() << dot.getLoc() << ": an operand is cut into "
                 << countParts(dot) << " slices of K";
    cut(dot);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (op.use_empty() && (isRename(&op) || isa<as::TiledLoadOp>(op)))
      op.erase();
  return !dots.empty();
}

bool sliceOperands(aa::FuncOp func, const Target &target) {
  bool isCut = false;
  func->walk(
      [&](scf::ForOp loop) { isCut |= OperandSlicer(loop, target).run(); });
  if (!isCut)
    return false;
  assignDefaultLayouts(func, getNumWarps(func));
  return true;
}

} // namespace tileir

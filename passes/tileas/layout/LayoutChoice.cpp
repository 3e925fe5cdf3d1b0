// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/Conversion.h"
#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/layout/TransposedLayouts.h"
#include "passes/tileas/mma/MmaChoice.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/Scratch.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>
#include <set>

#define DEBUG_TYPE "layout-plan"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static nv_tileaa::TATiledViewType getView(Operation *op) {
  for (Value operand : op->getOperands())
    if (auto view = dyn_cast<nv_tileaa::TATiledViewType>(operand.getType()))
      return view;
  return {};
}

/// Dimensions of the tile, the one with the smallest stride first.
static std::vector<unsigned> getMemoryOrder(Operation *access, unsigned rank) {
  std::vector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = rank - 1 - i;
  if (auto view = getView(access)) {
    auto stride = [&](unsigned d) -> int64_t {
      int64_t value = view.getSource().getStrides()[view.getMemRefDim(d)];
      return ShapedType::isDynamic(value) ? INT64_MAX : value;
    };
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::make_pair(stride(a), b) < std::make_pair(stride(b), a);
    });
    // Rows of a sparse dimension are not neighbours.
    if (view.hasSparseDim()) {
      auto sparse = llvm::find(order, unsigned(view.getSparseDim()));
      std::rotate(sparse, sparse + 1, order.end());
    }
    return order;
  }
  // Pointers: the dimension with the longest runs.
  if (auto runs = access->getAttrOfType<DenseI32ArrayAttr>(
          as::TileASDialect::getContiguousAttrName()))
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::make_pair(runs[a], a) > std::make_pair(runs[b], b);
    });
  return order;
}

/// Most elements that one thread may access at once along `dim`.
static int64_t getMaxVector(Operation *access, unsigned dim, unsigned bits) {
  int64_t limit = std::max<int64_t>(1, 128 / bits);
  auto runs = access->getAttrOfType<DenseI32ArrayAttr>(
      as::TileASDialect::getContiguousAttrName());
  auto align =
      access->getAttrOfType<IntegerAttr>(as::TileASDialect::getAlignAttrName());
  if (!runs || !align || dim >= runs.size())
    return 1;
  limit = std::min<int64_t>(limit, runs[dim]);
  return std::max<int64_t>(1,
                           std::min<int64_t>(limit, align.getInt() * 8 / bits));
}

/// The tile of an access to a view or by pointers.
static Value getAccessTile(Operation *op) {
  if (auto load = dyn_cast<as::LoadOp>(op))
    return load.getValue();
  if (auto store = dyn_cast<as::StoreOp>(op))
    return store.getValue();
  if (isa<as::TiledLoadOp, as::TiledStoreOp, as::TiledAtomicRmwOp,
          as::GatherLoadOp, as::ScatterStoreOp>(op))
    return getPortTile(op);
  return {};
}

/// The tile of positions along the sparse dimension of an access, or null.
static Value getSparseIndices(Operation *op) {
  if (auto load = dyn_cast<as::GatherLoadOp>(op))
    return load.getCoords()[load.getView().getType().getSparseDim()];
  if (auto store = dyn_cast<as::ScatterStoreOp>(op))
    return store.getCoords()[store.getView().getType().getSparseDim()];
  return {};
}

Layout getCoalescedLayout(Operation *access, unsigned numWarps) {
  Value tile = getAccessTile(access);
  Layout::Shape shape = getShape(tile);
  std::vector<unsigned> order = getMemoryOrder(access, shape.size());
  unsigned bits = getElementBits(tile);
  // The width per thread is 128 / bits in `defaultBlocked`.
  int64_t vector = getMaxVector(access, order.front(), bits);
  return Layout::defaultBlocked(shape, 128 / vector, numWarps, order);
}

/// log2 of the elements that one thread accesses at once in `layout`.
static unsigned getVectorRun(Operation *access, const Layout &layout) {
  unsigned dim = getMemoryOrder(access, layout.getRank()).front();
  int64_t limit =
      getMaxVector(access, dim, getElementBits(getAccessTile(access)));
  unsigned run = 0;
  while (run < layout.contiguity(dim) && (int64_t(2) << run) <= limit)
    ++run;
  return run;
}

unsigned getVectorBits(Operation *access) {
  Value tile = getAccessTile(access);
  unsigned bits = getElementBits(tile);
  as::LayoutAttr layout = as::getTileLayout(tile.getType());
  if (!layout)
    return std::max(8u, bits);
  return getVectorBits(access, layout.getLayout());
}

unsigned getVectorBits(Operation *access, const Layout &layout) {
  unsigned bits = getElementBits(getAccessTile(access));
  return std::max(8u, bits << getVectorRun(access, layout));
}

/// Issue slots of an access by `layout`: accesses of a thread, weighted by the
/// 32-byte sectors that a warp touches. A kernel without dots is as fast as
/// memory, which moves a sector while the SM issues several instructions. Each
/// contiguous run costs one sector more: long runs amortize it, and a run that
/// begins inside a sector touches another one.
static int64_t getAccessCost(Operation *access, const Layout &layout,
                             bool byMemory) {
  Value tile = getAccessTile(access);
  unsigned bits = getElementBits(tile);
  unsigned dim = getMemoryOrder(access, layout.getRank()).front();
  unsigned run = getVectorRun(access, layout);
  int64_t count = layout.getNumRegisters() >> run;
  // Lanes that continue the run, wherever they stand, make one segment longer,
  // others add segments.
  int64_t segmentBytes = std::max<int64_t>(1, (int64_t(bits) << run) / 8);
  SmallVector<uint32_t> lanes;
  for (unsigned bit = 0; bit < layout.getNumBases(kLane); ++bit)
    if (uint32_t basis = layout.getFlatBasis(kLane, bit))
      lanes.push_back(basis);
  for (unsigned next = run; next < layout.getLog2Extent(dim); ++next) {
    auto lane = llvm::find(lanes, layout.unit(dim, next));
    if (lane == lanes.end())
      break;
    lanes.erase(lane);
    segmentBytes *= 2;
  }
  int64_t segments = int64_t(1) << lanes.size();
  int64_t sectors = segments * std::max<int64_t>(1, segmentBytes / 32);
  return count * (4 + (byMemory ? heuristics::sectorSlots * (sectors + segments)
                                : sectors));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns whether rows of the accumulator should stay in one warp: they are
/// reduced, or become operand A of another dot.
static bool prefersRows(ArrayRef<Value> members) {
  for (Value member : members)
    for (OpOperand &use : member.getUses()) {
      Operation *user = use.getOwner();
      if (auto reduce = dyn_cast<as::ReduceOp>(user))
        if (reduce.getAxis() == 1)
          return true;
      if (auto dot = dyn_cast<as::DotOp>(user))
        if (dot.getA() == member)
          return true;
    }
  return false;
}

static bool isAccOf(as::DotOp dot, const Layout &layout) {
  int64_t k = dot.getDepth();
  return as::getDotOperandLayout(dot.getAtom(), layout, k, true) &&
         as::getDotOperandLayout(dot.getAtom(), layout, k, false);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {

/// The parts that both plans share.
class Planner {
public:
  Planner(FunctionOpInterface func, const TileClasses &classes,
          unsigned numWarps)
      : func(func), classes(classes), numWarps(numWarps),
        target(getTarget(func)), dots(classes.size()),
        decided(classes.size(), false), byMemory(true) {
    plan.classes.resize(classes.size());
    func->walk([&](as::DotOp dot) {
      dots[classes.of(dot.getResult())].push_back(dot);
      byMemory = false;
    });
  }

protected:
  Layout getBlocked(unsigned id) const {
    Layout::Shape shape = getShape(classes.getLeader(id));
    std::vector<unsigned> order(shape.size());
    for (unsigned i = 0; i < shape.size(); ++i)
      order[i] = shape.size() - 1 - i;
    // The same for all element types: 4 elements a thread at most.
    return Layout::defaultBlocked(shape, 32, numWarps, order);
  }
  Layout getAcc(unsigned id, as::DotOp dot) const {
    return getAcc(dot, prefersRows(classes.getMembers(id)));
  }
  Layout getAcc(as::DotOp dot, bool rowsFirst) const {
    // The MMA is not assigned yet: it asks for these layouts.
    as::MmaKind kind = dot.getAtom().getKind();
    if (as::MmaAttr mma = dot.getMmaAttr())
      kind = mma.getKind();
    else if (target)
      kind = chooseMma(dot, {numWarps, *target}).mma.getKind();
    return getMmaKind(kind).getAccLayout(dot, numWarps, rowsFirst);
  }
  void decide(unsigned id, const Layout &layout) {
    plan.classes[id] = layout;
    decided[id] = true;
  }
  /// Ports that follow from the layout of their class.
  void setPort(Operation *op, const Layout &classLayout) {
    if (auto dot = dyn_cast<as::DotOp>(op)) {
      unsigned id = classes.of(dot.getResult());
      plan.ports[op] =
          isAccOf(dot, classLayout) ? classLayout : getAcc(id, dot);
    } else if (auto scan = dyn_cast<as::ScanOp>(op)) {
      plan.ports[op] = getScanLayout(scan, classLayout);
    } else {
      plan.ports[op] = getCoalescedLayout(op, numWarps);
    }
  }

  FunctionOpInterface func;
  const TileClasses &classes;
  unsigned numWarps;
  std::optional<Target> target;
  LayoutPlan plan;
  SmallVector<SmallVector<as::DotOp, 1>> dots; // by class of the accumulator
  SmallVector<bool> decided;
  /// True if the function has no dot.
  bool byMemory;
};

class DefaultPlanner : Planner {
public:
  using Planner::Planner;

  LayoutPlan run() {
    for (unsigned id = 0; id < classes.size(); ++id)
      decide(id,
             dots[id].empty() ? getBlocked(id) : getAcc(id, dots[id].front()));
    func->walk([&](Operation *op) {
      if (isPort(op))
        setPort(op, plan.classes[classes.of(getPortTile(op))]);
    });
    return std::move(plan);
  }
};

/// Greedy: the classes with the largest cost choose first, the others see the
/// choices of their neighbours.
class CostPlanner : Planner {
public:
  CostPlanner(FunctionOpInterface func, const TileClasses &classes,
              unsigned numWarps, unsigned &numCandidates)
      : Planner(func, classes, numWarps), numCandidates(numCandidates),
        accesses(classes.size()), scans(classes.size()), edges(classes.size()),
        opWeight(classes.size(), 0), bytes(classes.size(), 0) {}

  LayoutPlan run();

private:
  /// An operation that ties this class to another one.
  struct Edge {
    Operation *op;
    unsigned other;
    bool isResult;        // this class is on the result side
    bool isA = false;     // of a product: which operand the edge stands for
    bool isScale = false; // its scales
  };

  int64_t getWeight(Operation *op);
  void collect(Operation *op);
  int64_t convertCost(const Layout &dst, const Layout &src, Value tile) {
    if (dst == src)
      return 0;
    return chooseConversion(dst, src, getElementBits(tile)).cost;
  }
  int64_t edgeCost(const Edge &edge, const Layout &layout);
  /// The layout that an access with a sparse dimension, whose value is in class
  /// `value`, takes its positions in.
  Layout getSparseLayout(Operation *access, unsigned value);
  /// Cost of a reduction in a layout that `isReducible`.
  int64_t reduceCost(as::ReduceOp reduce, const Layout &layout);
  /// Cost of a scan whose class has `layout`, exchanges included.
  int64_t scanCost(as::ScanOp scan, const Layout &layout);
  /// The layout that a dot with the accumulator layout `acc` requires of the
  /// operand at `edge`.
  static Layout getOperandLayout(as::DotOp dot, const Edge &edge,
                                 const Layout &acc);
  int64_t dotEdgeCost(as::DotOp dot, const Edge &edge, const Layout &layout);
  /// Operand registers and instructions of a dot, per thread.
  int64_t dotCost(as::DotOp dot, const Layout &acc);
  /// Cost of an access whose class has `layout`, with its best port.
  int64_t portCost(Operation *op, const Layout &layout, Layout &port);
  /// Returns whether several warps would hold the same elements of a tile of
  /// `bits` an element in more than a quarter of the registers for tiles.
  bool isCrowding(const Layout &layout, unsigned bits);
  int64_t classCost(unsigned id, const Layout &layout);
  std::vector<Layout> getCandidates(unsigned id);
  void choose(unsigned id);
  /// The runs of the accesses of a class, one for each dimension that some
  /// follow; none when an access moves elements of another width.
  SmallVector<AccessRun> getRuns(unsigned id);
  /// Cost of both classes of a permutation when its source has `source`.
  int64_t transposeCost(as::PermuteOp permute, const Layout &source,
                        const Layout &result);
  std::optional<Layout> getPairedRows(as::PermuteOp permute, AccessRun first,
                                      AccessRun second);
  void transpose(as::PermuteOp permute);
  void transpose(unsigned id);

  unsigned &numCandidates;
  SmallVector<SmallVector<Operation *, 2>> accesses;
  SmallVector<SmallVector<as::ScanOp, 1>> scans;
  SmallVector<SmallVector<Edge, 2>> edges;
  SmallVector<int64_t> opWeight; // elementwise operations, by loop weight
  SmallVector<int64_t> bytes;    // bytes moved by accesses, by loop weight
  DenseMap<Operation *, int64_t> weights;
};

} // namespace

int64_t CostPlanner::getWeight(Operation *op) {
  Operation *parent = op->getParentOp();
  if (!parent || parent == func)
    return 1;
  auto it = weights.find(parent);
  if (it != weights.end())
    return it->second;
  int64_t weight = getWeight(parent);
  // Weights are bounded, so their sums stay small.
  if (isa<LoopLikeOpInterface>(parent))
    weight =
        std::min(weight * heuristics::loopTrips, heuristics::maxLoopWeight);
  return weights[parent] = weight;
}

void CostPlanner::collect(Operation *op) {
  int64_t weight = getWeight(op);
  if (Value tile = getAccessTile(op); tile && isTile(tile)) {
    unsigned id = classes.of(tile);
    accesses[id].push_back(op);
    auto type = cast<RankedTensorType>(tile.getType());
    bytes[id] += weight * type.getNumElements() * getElementBits(tile) / 8;
    if (Value indices = getSparseIndices(op))
      edges[classes.of(indices)].push_back({op, id, false});
    return;
  }
  if (auto dot = dyn_cast<as::DotOp>(op)) {
    unsigned acc = classes.of(dot.getResult());
    auto tie = [&](Value tile, bool isA, bool isScale) {
      // Buffers can be read in any layout.
      if (!tile || !isTile(tile))
        return;
      unsigned operand = classes.of(tile);
      edges[operand].push_back({op, acc, false, isA, isScale});
      edges[acc].push_back({op, operand, true, isA, isScale});
    };
    // An MMA that takes the scales reads operands of any layout.
    if (dot.needsDecomposition())
      return;
    for (bool isA : {true, false})
      tie(isA ? dot.getA() : dot.getB(), isA, /*isScale=*/false);
    for (bool isA : {true, false})
      tie(isA ? dot.getScaleA() : dot.getScaleB(), isA, /*isScale=*/true);
    return;
  }
  if (auto scan = dyn_cast<as::ScanOp>(op)) {
    scans[classes.of(getPortTile(scan))].push_back(scan);
    return;
  }
  if (isShapeOp(op)) {
    unsigned from = classes.of(op->getOperand(0)),
             to = classes.of(op->getResult(0));
    edges[from].push_back({op, to, false});
    edges[to].push_back({op, from, true});
    return;
  }
  if (auto reduce = dyn_cast<as::ReduceOp>(op)) {
    unsigned from = classes.of(reduce.getOperands().front());
    Value result = reduce.getResults().front();
    unsigned to = isTile(result) ? classes.of(result) : from;
    edges[from].push_back({op, to, false});
    if (to != from)
      edges[to].push_back({op, from, true});
    return;
  }
  for (Value result : op->getResults())
    if (isTile(result) && op->getNumRegions() == 0) {
      opWeight[classes.of(result)] += weight;
      break;
    }
}

int64_t CostPlanner::reduceCost(as::ReduceOp reduce, const Layout &layout) {
  unsigned axis = reduce.getAxis();
  int64_t lanes = 0, warps = 0;
  for (unsigned bit = 0; bit < layout.getNumBases(kLane); ++bit)
    lanes += (layout.getFlatBasis(kLane, bit) & layout.dimMask(axis)) != 0;
  for (unsigned bit = 0; bit < layout.getNumBases(kWarp); ++bit)
    warps += (layout.getFlatBasis(kWarp, bit) & layout.dimMask(axis)) != 0;
  int64_t results = layout.slice(axis).getNumRegisters();
  // A shuffle and a combination per lane bit; two barriers across warps.
  return reduce.getOperands().size() *
         (layout.getNumRegisters() + results * 2 * lanes +
          (warps ? 60 + results * (1 + (1 << warps)) : 0));
}

int64_t CostPlanner::scanCost(as::ScanOp scan, const Layout &layout) {
  Layout port = getScanLayout(scan, layout);
  unsigned axis = scan.getAxis();
  int64_t lanes = getAxisBits(port, axis, kLane).size();
  int64_t warps = getAxisBits(port, axis, kWarp).size();
  int64_t rows =
      port.getNumRegisters() >> getAxisBits(port, axis, kRegister).size();
  int64_t cost = 0;
  for (Value operand : scan.getOperands()) {
    // One combination for each register, one more with the result of earlier
    // lanes; two barriers across warps.
    cost += port.getNumRegisters() * (lanes ? 2 : 1) + rows * 3 * lanes;
    if (warps)
      cost += 60 + port.getNumRegisters() + rows * (1 << warps);
    cost += 2 * convertCost(port, layout, operand);
  }
  return cost;
}

int64_t CostPlanner::dotCost(as::DotOp dot, const Layout &acc) {
  int64_t k = dot.getDepth(), registers = 0;
  for (bool isA : {true, false}) {
    Layout operand = *as::getDotOperandLayout(dot.getAtom(), acc, k, isA);
    as::MmaAtomAttr atom = dot.getAtom();
    int64_t bits = as::getStorageBits(
        atom.getTileElement(isA ? atom.getAType() : atom.getBType()));
    registers += std::max<int64_t>(1, operand.getNumRegisters() * bits / 32);
  }
  int64_t perAtom = dot.getAtom().getM() * dot.getAtom().getN() / 32;
  return registers + acc.getNumRegisters() / std::max<int64_t>(1, perAtom) * k /
                         dot.getAtom().getTileK();
}

Layout CostPlanner::getOperandLayout(as::DotOp dot, const Edge &edge,
                                     const Layout &acc) {
  if (!edge.isScale)
    return *as::getDotOperandLayout(dot.getAtom(), acc, dot.getDepth(),
                                    edge.isA);
  Value scale = edge.isA ? dot.getScaleA() : dot.getScaleB();
  return *as::getDotScaleLayout(dot.getAtom(), acc,
                                getShape(scale)[edge.isA ? 1 : 0], edge.isA);
}

int64_t CostPlanner::dotEdgeCost(as::DotOp dot, const Edge &edge,
                                 const Layout &layout) {
  if (!decided[edge.other])
    return 0;
  Layout acc = edge.isResult ? layout : plan.classes[edge.other];
  const Layout &given = edge.isResult ? plan.classes[edge.other] : layout;
  if (!isAccOf(dot, acc))
    acc = getAcc(classes.of(dot.getResult()), dot);
  Layout wanted = getOperandLayout(dot, edge, acc);
  Value operand = edge.isScale ? (edge.isA ? dot.getScaleA() : dot.getScaleB())
                  : edge.isA   ? dot.getA()
                               : dot.getB();
  if (wanted == given)
    return 0;
  unsigned bits = getElementBits(operand);
  ConversionChoice choice = chooseConversion(wanted, given, bits);
  if (choice.kind != ConversionKind::Shared || bits != 16)
    return choice.cost;
  // `ldmatrix` reads fragments of 16-bit elements, four registers at a time;
  // stores are as wide as shared memory takes; two barriers.
  return std::max<int64_t>(1, given.getNumRegisters() / 8) +
         std::max<int64_t>(1, wanted.getNumRegisters() / 8) +
         heuristics::sharedExchangeSlots;
}

Layout CostPlanner::getSparseLayout(Operation *access, unsigned value) {
  Layout port;
  portCost(access, plan.classes[value], port);
  return getIndexLayout(port, getView(access).getSparseDim());
}

/// Issue slots of the exchange of a slice whose layout follows from its tile's:
/// a shuffle per register, or a store and a load and two barriers.
static int64_t getSliceCost(Operation *op, const Layout &source,
                            const Layout &result) {
  if (!isa<as::ExtractSliceOp>(op))
    return 0;
  switch (getSliceSource(source, result)) {
  case SliceSource::Registers:
    return 0;
  case SliceSource::Lanes:
    return result.getNumRegisters();
  case SliceSource::Warps:
  case SliceSource::Memory:
    return 2 * result.getNumRegisters() + 60;
  }
  llvm_unreachable("unknown source of a slice");
}

int64_t CostPlanner::edgeCost(const Edge &edge, const Layout &layout) {
  if (Value indices = getSparseIndices(edge.op))
    return decided[edge.other]
               ? convertCost(getSparseLayout(edge.op, edge.other), layout,
                             indices)
               : 0;
  if (auto dot = dyn_cast<as::DotOp>(edge.op))
    return dotEdgeCost(dot, edge, layout);
  if (auto reduce = dyn_cast<as::ReduceOp>(edge.op)) {
    Value result = reduce.getResults().front();
    auto getCombined = [&](const Layout &operand) {
      return getPlannedLayout(reduce, operand);
    };
    int64_t cost = 0;
    if (!edge.isResult) {
      Layout combined = getCombined(layout);
      cost = reduceCost(reduce, combined);
      for (Value operand : reduce.getOperands())
        cost += convertCost(combined, layout, operand);
    }
    if (!isTile(result) || !decided[edge.other])
      return cost;
    const Layout &other = plan.classes[edge.other];
    Layout sliced =
        getCombined(edge.isResult ? other : layout).slice(reduce.getAxis());
    return cost + convertCost(edge.isResult ? layout : other, sliced, result);
  }
  if (!decided[edge.other])
    return 0;
  const Layout &other = plan.classes[edge.other];
  const Layout &source = edge.isResult ? other : layout;
  const Layout &result = edge.isResult ? layout : other;
  if (isConsistent(edge.op, source, result))
    return getSliceCost(edge.op, source, result);
  int64_t best = INT64_MAX;
  if (std::optional<Layout> wanted = backward(edge.op, result))
    best = convertCost(*wanted, source, edge.op->getOperand(0)) +
           getSliceCost(edge.op, *wanted, result);
  if (std::optional<Layout> given = forward(edge.op, source))
    best = std::min(best, convertCost(result, *given, edge.op->getResult(0)) +
                              getSliceCost(edge.op, source, *given));
  return best == INT64_MAX ? 1000 : best;
}

/// Returns `layout` with the registers that hold neighbours along `dim` first,
/// in their order.
static Layout getRunFirst(const Layout &layout, unsigned dim) {
  Layout::FlatBases bases = layout.getFlatBases();
  auto next = bases[kRegister].begin(), end = bases[kRegister].end();
  for (unsigned bit = 0; bit < layout.getLog2Extent(dim); ++bit) {
    auto it = std::find(next, end, layout.unit(dim, bit));
    if (it == end)
      break;
    std::rotate(next, it, it + 1);
    ++next;
  }
  return Layout::getUnchecked(LayoutSpace::Reg, layout.getShape(), bases);
}

int64_t CostPlanner::portCost(Operation *op, const Layout &layout,
                              Layout &port) {
  Value tile = getAccessTile(op);
  port = layout;
  int64_t cost = getAccessCost(op, layout, byMemory);
  if (!isPort(op)) // a pointer access takes what its class has
    return cost;
  bool isLoad = isa<as::TiledLoadOp, as::GatherLoadOp>(op);
  auto tryPort = [&](const Layout &other) {
    int64_t otherCost = getAccessCost(op, other, byMemory) +
                        (isLoad ? convertCost(layout, other, tile)
                                : convertCost(other, layout, tile));
    if (otherCost < cost) {
      port = other;
      cost = otherCost;
    }
  };
  tryPort(getRunFirst(layout, getMemoryOrder(op, layout.getRank()).front()));
  tryPort(getCoalescedLayout(op, numWarps));
  return cost;
}

int64_t CostPlanner::classCost(unsigned id, const Layout &layout) {
  ++numCandidates;
  // Values that a class keeps in more registers cost more to work on.
  int64_t cost = opWeight[id] * layout.getNumRegisters();
  Layout port;
  for (Operation *op : accesses[id])
    cost += getWeight(op) * portCost(op, layout, port);
  for (const Edge &edge : edges[id])
    cost += getWeight(edge.op) * edgeCost(edge, layout);
  for (as::ScanOp scan : scans[id])
    cost += getWeight(scan) * scanCost(scan, layout);
  for (as::DotOp dot : dots[id])
    cost += getWeight(dot) *
            (isAccOf(dot, layout)
                 ? dotCost(dot, layout)
                 : 2 * convertCost(getAcc(id, dot), layout, dot.getC()));
  return cost;
}

bool CostPlanner::isCrowding(const Layout &layout, unsigned bits) {
  // Warps read the same fragments of operands, a few steps of K at a time.
  auto kernel = dyn_cast<nv_tileaa::FuncOp>(func.getOperation());
  if (!byMemory || !kernel || !layout.zeroMask(kWarp))
    return false;
  int64_t registers = layout.getNumRegisters() * int64_t(bits) / 32;
  return 4 * registers > RegisterBudget(kernel, numWarps)
                             .getLeft(heuristics::registersBesideTiles);
}

std::vector<Layout> CostPlanner::getCandidates(unsigned id) {
  // The accumulator of a dot stays in the layout of the instruction.
  if (!dots[id].empty()) {
    as::DotOp dot = dots[id].front();
    return {getAcc(dot, false), getAcc(dot, true)};
  }
  std::vector<Layout> candidates;
  std::set<Layout> seen;
  Layout::Shape shape = getShape(classes.getLeader(id));
  unsigned bits = getElementBits(classes.getLeader(id));
  auto add = [&](const Layout &layout) {
    // Bounded, since every candidate is weighed against every neighbour.
    if (candidates.size() < heuristics::maxLayoutCandidates &&
        layout.getShape() == shape && !isCrowding(layout, bits) &&
        seen.insert(layout).second)
      candidates.push_back(layout);
  };
  for (Operation *op : accesses[id])
    add(getCoalescedLayout(op, numWarps));
  for (as::ScanOp scan : scans[id])
    add(getScanLayout(shape, scan.getAxis(), numWarps,
                      getElementBits(getPortTile(scan))));
  for (const Edge &edge : edges[id]) {
    if (!decided[edge.other] || edge.other == id)
      continue;
    const Layout &other = plan.classes[edge.other];
    if (getSparseIndices(edge.op)) {
      add(getSparseLayout(edge.op, edge.other));
    } else if (auto dot = dyn_cast<as::DotOp>(edge.op)) {
      if (isAccOf(dot, other))
        add(getOperandLayout(dot, edge, other));
    } else if (auto reduce = dyn_cast<as::ReduceOp>(edge.op)) {
      int64_t extent = getShape(reduce.getOperands().front())[reduce.getAxis()];
      add(edge.isResult ? other.slice(reduce.getAxis())
                        : other.unslice(reduce.getAxis(), extent));
    } else if (std::optional<Layout> layout = edge.isResult
                                                  ? forward(edge.op, other)
                                                  : backward(edge.op, other)) {
      add(*layout);
    }
  }
  add(getBlocked(id));
  if (candidates.empty())
    candidates.push_back(getBlocked(id));
  return candidates;
}

void CostPlanner::choose(unsigned id) {
  std::vector<Layout> candidates = getCandidates(id);
  const Layout *best = &candidates.front();
  if (candidates.size() > 1) {
    int64_t bestCost = INT64_MAX;
    for (const Layout &layout : candidates) {
      int64_t cost = classCost(id, layout);
      TILEIR_LOG() << "class " << id << ": " << cost << " slots with "
                   << layout.str();
      if (cost < bestCost) {
        bestCost = cost;
        best = &layout;
      }
    }
  }
  decide(id, *best);
}

SmallVector<AccessRun> CostPlanner::getRuns(unsigned id) {
  SmallVector<AccessRun> runs;
  unsigned bits = getElementBits(classes.getLeader(id));
  for (Operation *op : accesses[id]) {
    Value tile = getAccessTile(op);
    // Elements of other widths have other sectors.
    if (getElementBits(tile) != bits)
      return {};
    unsigned dim = getMemoryOrder(op, getShape(tile).size()).front();
    int64_t vector = getMaxVector(op, dim, bits);
    auto known =
        llvm::find_if(runs, [&](AccessRun run) { return run.dim == dim; });
    if (known == runs.end())
      runs.push_back({dim, vector});
    else
      known->vector = std::min(known->vector, vector);
  }
  return runs;
}

/// Registers that are repacked if narrow elements of `layout` change places
/// inside their thread.
static int64_t countPacks(const Layout &layout, unsigned bits) {
  return bits < 32 ? layout.getNumRegisters() * bits / 32 : 0;
}

int64_t CostPlanner::transposeCost(as::PermuteOp permute, const Layout &source,
                                   const Layout &result) {
  unsigned from = classes.of(permute.getSource()),
           to = classes.of(permute.getResult());
  plan.classes[from] = source;
  plan.classes[to] = result;
  // Both classes count the permutation between them.
  Edge between{permute, from, /*isResult=*/true};
  return classCost(from, source) + classCost(to, result) -
         getWeight(permute) * edgeCost(between, result);
}

/// `layout`, in which a thread moves a vector along one dimension, with the
/// lowest bit along `dim` in the first register after the vector: neighbours of
/// two rows, which a transpose of bytes needs in pairs. The other bits along
/// `dim` keep their order. None if there is no such register.
static std::optional<Layout> pairRows(const Layout &layout, unsigned dim,
                                      unsigned vectorBits) {
  Layout::FlatBases bases = layout.getFlatBases();
  if (bases[kRegister].size() <= vectorBits)
    return std::nullopt;
  SmallVector<uint32_t *> places;
  auto add = [&](uint32_t &basis) {
    for (unsigned bit = 0; bit < layout.getLog2Extent(dim); ++bit)
      if (basis == layout.unit(dim, bit))
        places.push_back(&basis);
  };
  add(bases[kRegister][vectorBits]);
  if (places.empty())
    return std::nullopt;
  for (unsigned space : {kLane, kWarp})
    for (uint32_t &basis : bases[space])
      add(basis);
  for (unsigned at = vectorBits + 1; at < bases[kRegister].size(); ++at)
    add(bases[kRegister][at]);
  SmallVector<uint32_t> order;
  for (uint32_t *place : places)
    order.push_back(*place);
  llvm::sort(order);
  for (auto [place, basis] : llvm::zip(places, order))
    *place = basis;
  return Layout::getUnchecked(LayoutSpace::Reg, layout.getShape(), bases);
}

/// Returns whether registers of `source` hold the elements of the matrices that
/// `ldmatrix` transposes to `wanted`: pairs of rows, and the elements of the
/// upper lanes.
static bool canExchangePairs(const Layout &wanted, const Layout &source) {
  if (wanted.getNumBases(kRegister) < 4)
    return false;
  std::vector<uint32_t> registers = source.getFlatBases(kRegister);
  SmallVector<uint32_t> row = {wanted.getFlatBasis(kRegister, 0)};
  for (unsigned lane : {2, 3, 4})
    row.push_back(wanted.getFlatBasis(kLane, lane));
  return llvm::all_of(row, [&](uint32_t basis) {
    return basis && llvm::is_contained(registers, basis);
  });
}

/// Issue slots of an exchange of bytes in pairs, which `ldmatrix` transposes:
/// registers are repacked, 16 bytes move at once; two barriers.
static int64_t getPairExchangeCost(const Layout &layout) {
  int64_t bytes = layout.getNumRegisters();
  return bytes / 4 + 2 * std::max<int64_t>(1, bytes / 16) + 60;
}

/// The layout of bytes before `permute` that lets them change sides in pairs;
/// none where they cannot.
std::optional<Layout> CostPlanner::getPairedRows(as::PermuteOp permute,
                                                 AccessRun first,
                                                 AccessRun second) {
  ArrayRef<Operation *> reads = accesses[classes.of(permute.getSource())],
                        writes = accesses[classes.of(permute.getResult())];
  if (getElementBits(permute.getSource()) != 8 || reads.size() != 1 ||
      writes.size() != 1)
    return std::nullopt;
  std::optional<Layout> wanted =
      backward(permute, getCoalescedLayout(writes.front(), numWarps));
  std::optional<Layout> source =
      pairRows(getCoalescedLayout(reads.front(), numWarps), second.dim,
               llvm::Log2_64(first.vector));
  if (!source || !wanted || !canExchangePairs(*wanted, *source))
    return std::nullopt;
  return source;
}

/// A class that decides alone keeps to its own accesses, and leaves it to the
/// other side of a permutation to exchange values between threads. Together
/// they may find a layout in which no value leaves its thread.
void CostPlanner::transpose(as::PermuteOp permute) {
  unsigned from = classes.of(permute.getSource()),
           to = classes.of(permute.getResult());
  if (from == to || !dots[from].empty() || !dots[to].empty())
    return;
  SmallVector<AccessRun> first = getRuns(from), second = getRuns(to);
  unsigned bits = getElementBits(permute.getSource());
  if (bits < 8 || first.size() != 1 || second.size() != 1)
    return;
  second[0].dim = permute.getPermutation()[second[0].dim];
  Layout bestFrom = plan.classes[from], bestTo = plan.classes[to];
  int64_t cost = transposeCost(permute, bestFrom, bestTo);
  for (const Layout &source :
       getTransposedLayouts(getShape(permute.getSource()), bits, numWarps,
                            first[0], second[0])) {
    Layout result = *forward(permute, source);
    int64_t transposed = transposeCost(permute, source, result) +
                         countPacks(source, bits) * getWeight(permute);
    TILEIR_LOG() << "classes " << from << " and " << to << ": " << transposed
                 << " slots for " << cost << " with " << source.str();
    if (transposed < cost) {
      cost = transposed;
      bestFrom = source;
      bestTo = result;
    }
  }
  if (std::optional<Layout> source =
          getPairedRows(permute, first[0], second[0])) {
    Layout result = getCoalescedLayout(accesses[to].front(), numWarps);
    int64_t paired = transposeCost(permute, *source, result);
    // The plan has both layouts now.
    Edge between{permute, from, /*isResult=*/true};
    paired += getWeight(permute) *
              (getPairExchangeCost(*source) - edgeCost(between, result));
    TILEIR_LOG() << "classes " << from << " and " << to << ": " << paired
                 << " slots for " << cost << " with pairs of rows in "
                 << source->str();
    if (paired < cost) {
      bestFrom = *source;
      bestTo = result;
    }
  }
  plan.classes[from] = bestFrom;
  plan.classes[to] = bestTo;
}

/// The same where views name the dimensions of a tile in another order.
void CostPlanner::transpose(unsigned id) {
  SmallVector<AccessRun> runs = getRuns(id);
  unsigned bits = getElementBits(classes.getLeader(id));
  if (bits < 8 || runs.size() != 2 || !dots[id].empty())
    return;
  Layout best = plan.classes[id];
  int64_t cost = classCost(id, best);
  for (const Layout &layout : getTransposedLayouts(
           getShape(classes.getLeader(id)), bits, numWarps, runs[0], runs[1])) {
    int64_t transposed = classCost(id, layout) + countPacks(layout, bits);
    TILEIR_LOG() << "class " << id << ": " << transposed << " slots for "
                 << cost << " with " << layout.str();
    if (transposed < cost) {
      cost = transposed;
      best = layout;
    }
  }
  plan.classes[id] = best;
}

LayoutPlan CostPlanner::run() {
  func->walk([&](Operation *op) { collect(op); });
  SmallVector<unsigned> order(classes.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_tuple(!dots[a].empty(), bytes[a], b) >
           std::make_tuple(!dots[b].empty(), bytes[b], a);
  });
  for (unsigned id : order)
    choose(id);
  // Once more with all neighbours known.
  for (unsigned id : order)
    choose(id);
  func->walk([&](as::PermuteOp permute) {
    if (isShapeOp(permute))
      transpose(permute);
  });
  for (unsigned id : order)
    transpose(id);
  func->walk([&](Operation *op) {
    if (!isPort(op))
      return;
    const Layout &layout = plan.classes[classes.of(getPortTile(op))];
    setPort(op, layout);
    if (!isa<as::DotOp, as::ScanOp>(op)) {
      Layout port;
      portCost(op, layout, port);
      plan.ports[op] = port;
    }
  });
  return std::move(plan);
}

static std::string describe(const LayoutPlan &plan, FunctionOpInterface func,
                            const TileClasses &classes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  plan.print(os, func, classes);
  return text;
}

LayoutPlan planDefault(FunctionOpInterface func, const TileClasses &classes,
                       unsigned numWarps) {
  LayoutPlan plan = DefaultPlanner(func, classes, numWarps).run();
  TILEIR_LOG() << func.getName() << ": plan without costs, " << numWarps
               << " warps\n"
               << describe(plan, func, classes);
  return plan;
}

void assignDefaultLayouts(FunctionOpInterface func, unsigned numWarps) {
  stripConversions(func);
  splitFreeLeaves(func);
  TileClasses classes(func);
  applyPlan(func, classes, planDefault(func, classes, numWarps));
}

LayoutPlan planByCost(FunctionOpInterface func, const TileClasses &classes,
                      unsigned numWarps, unsigned &numCandidates) {
  LayoutPlan plan = CostPlanner(func, classes, numWarps, numCandidates).run();
  TILEIR_LOG() << func.getName() << ": plan by costs, " << numWarps
               << " warps\n"
               << describe(plan, func, classes);
  return plan;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/stage/TensorCopies.h"

#include "dialects/support/Heuristics.h"
#include "dialects/support/RuntimeGates.h"
#include "dialects/support/layout/TensorBox.h"
#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Coordinates are signed (PTX ISA, "cp.async.bulk.tensor").
static constexpr int64_t kCoordLimit = int64_t(1) << 31;

//===----------------------------------------------------------------------===//
// The memory object
//===----------------------------------------------------------------------===//

/// Returns whether `value` is a function of the kernel's arguments that the
/// launcher can evaluate.
static bool isKnownToHost(Value value, unsigned depth = 0) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<aa::FuncOp>(arg.getOwner()->getParentOp());
    return func && func.getKernel() && arg.getOwner()->isEntryBlock();
  }
  Operation *op = value.getDefiningOp();
  if (depth > heuristics::maxHostExpression ||
      !isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
           arith::DivUIOp, arith::DivSIOp, arith::ExtUIOp, arith::ExtSIOp,
           arith::TruncIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp,
           arith::MaxUIOp, as::AssumeOp, as::AddPtrOp, as::BitcastOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isKnownToHost(operand, depth + 1);
  });
}

/// Returns whether `size` is known to be no more than a coordinate can be.
static bool isCoordinate(Value size) {
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return number.ult(kCoordLimit);
  Operation *op = size.getDefiningOp();
  if (!isa_and_present<arith::ExtUIOp, arith::ExtSIOp>(op))
    return false;
  Value from = op->getOperand(0);
  unsigned bits = from.getType().getIntOrFloatBitWidth();
  if (bits < 32 || (bits == 32 && isa<arith::ExtSIOp>(op)))
    return true;
  auto assume = from.getDefiningOp<as::AssumeOp>();
  return bits == 32 && assume &&
         llvm::any_of(assume.getPredicates(), [](Attribute predicate) {
           auto bounded = dyn_cast<aa::BoundedAttr>(predicate);
           return bounded && bounded.getLb() && *bounded.getLb() >= 0;
         });
}

/// Returns whether `func` acquires memory that others wrote. The asynchronous
/// proxy would not see their writes.
static bool acquires(aa::FuncOp func) {
  return func
      ->walk([](as::TileASMemoryOpInterface op) {
        return llvm::is_contained(
                   {aa::MemSemantic::Acquire, aa::MemSemantic::AcqRel},
                   op.getAccessSemantic())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `op` runs whenever the kernel does: only agents are between
/// it and the entry.
static bool runsAtEntry(Operation *op, Block &entry) {
  while (op->getBlock() != &entry) {
    op = op->getParentOp();
    if (!isAgent(op))
      return false;
  }
  return true;
}

static std::string checkMemory(const TileAccess &access) {
  as::MakeMemRefOp memref = getMemRef(access.view);
  auto func = access.op->getParentOfType<aa::FuncOp>();
  if (acquires(func))
    return "the kernel acquires memory that others write while it runs";
  if (!memref || !runsAtEntry(memref, func.getBody().front()))
    return kUnknownAtStart.str();
  if (!llvm::all_of(memref->getOperands(),
                    [](Value operand) { return isKnownToHost(operand); }))
    return kUnknownAtStart.str();
  if (llvm::any_of(memref.getType().getShape(), [](int64_t size) {
        return !ShapedType::isDynamic(size) && size >= kCoordLimit;
      }))
    return "a size is not below 2^31";
  return "";
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// Dimensions of the tile from the one that is contiguous in memory outwards.
static std::vector<unsigned> getOrder(aa::TATiledViewType view) {
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  unsigned rank = view.getRank(), first = rank;
  for (unsigned d = rank; d-- > 0;)
    if (strides[view.getMemRefDim(d)] == 1 &&
        (first == rank || view.getTileShape()[first] == 1))
      first = d;
  std::vector<unsigned> order;
  if (first == rank)
    return order;
  order.push_back(first);
  for (unsigned d = rank; d-- > 0;)
    if (d != first)
      order.push_back(d);
  return order;
}

/// Returns the objection of the program, the target or the environment; empty
/// if there is none.
static std::string checkWish(const TileAccess &access, const Target &target) {
  if (!target.hasTma())
    return "the target has no tensor copies";
  if (access.allowTma == false)
    return "the hint 'allow_tma' forbids it";
  auto fact =
      access.op->getAttrOfType<StringAttr>(as::TileASDialect::getTmaAttrName());
  if (!fact)
    return kUnknownAlign.str();
  if (fact.getValue() != "ok")
    return fact.str();
  return checkMemory(access);
}

static std::optional<TileAccess> getTileAccess(Operation *op) {
  if (auto load = dyn_cast<as::TiledLoadOp>(op))
    return TileAccess(load);
  if (auto store = dyn_cast<as::TiledStoreOp>(op))
    return TileAccess(store);
  return std::nullopt;
}

SmallVector<Swizzle> getOperandSwizzles(bool hasWideChunks) {
  SmallVector<Swizzle> swizzles = {Swizzle::B128, Swizzle::B64, Swizzle::B32};
  if (hasWideChunks)
    swizzles.insert(swizzles.begin(), Swizzle::B128Wide);
  return swizzles;
}

std::optional<TensorCopy> findTensorCopy(Operation *op, Type element,
                                         ArrayRef<Swizzle> swizzles,
                                         const Target &target,
                                         std::string &reason,
                                         std::optional<unsigned> halvedDim) {
  std::optional<TileAccess> access = getTileAccess(op);
  reason = access ? checkWish(*access, target) : kByPointers.str();
  if (!reason.empty())
    return std::nullopt;
  aa::TATiledViewType view = access->view.getType();
  if (view.getElementType().isInteger(1)) {
    reason = "its elements are booleans";
    return std::nullopt;
  }
  for (auto [step, extent] : llvm::zip(view.getSteps(), view.getTileShape()))
    if (step < extent) {
      reason = "its tiles overlap";
      return std::nullopt;
    }
  std::vector<unsigned> order = getOrder(view);
  unsigned bits = as::getStorageBits(view.getElementType());
  SmallVector<int64_t> extents(view.getTileShape());
  if (halvedDim)
    extents[*halvedDim] /= 2;
  Layout::Shape shape(extents.begin(), extents.end());
  std::optional<TensorBox> box;
  std::optional<Layout> layout;
  if (!order.empty())
    for (Swizzle swizzle : swizzles)
      if (!box && (layout = swizzledSmem(shape, swizzle, order.front(), bits)))
        box = tensorBox(*layout, order, bits);
  if (!box) {
    reason = "its tile is too small for a swizzle";
    return std::nullopt;
  }
  int64_t bytes = bits / 8;
  for (int64_t extent : box->extents)
    bytes *= extent;
  if (bytes < heuristics::minTmaBoxBytes && access->allowTma != true &&
      gates::preferTmaForLoadStore() != true) {
    reason = "a box has fewer than 2048 bytes";
    return std::nullopt;
  }
  MLIRContext *context = op->getContext();
  SmallVector<int32_t> dims(order.begin(), order.end());
  return TensorCopy{as::TmaDescType::get(context, box->extents, element, dims,
                                         as::TmaSwizzle(box->swizzle)),
                    as::BufferType::get(context, /*stages=*/0, extents, element,
                                        as::getLayoutAttr(context, *layout))};
}

/// Returns whether `coord` times `step` is below 2^31: the iterations of a loop
/// over tiles that begin inside of something with at most so many elements.
static bool isSmall(Value coord, int64_t step) {
  APInt number;
  if (matchPattern(coord, m_ConstantInt(&number)))
    return number.isNonNegative() && number.ult(kCoordLimit / step);
  // PTX ISA, "%nctaid": a grid has at most 65535 blocks along y and z.
  if (auto id = coord.getDefiningOp<as::GetProgramIdOp>())
    return id.getDim() != aa::Dim::X && step <= kCoordLimit / 65536;
  auto arg = dyn_cast<BlockArgument>(coord);
  auto loop =
      arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()) : nullptr;
  if (!loop || arg != loop.getInductionVar() || loop.getUnsignedCmp() ||
      !matchPattern(loop.getLowerBound(), m_ConstantInt(&number)) ||
      number.isNegative())
    return false;
  Value bound = loop.getUpperBound();
  if (auto trunc = bound.getDefiningOp<arith::TruncIOp>())
    bound = trunc.getIn();
  Operation *division = bound.getDefiningOp();
  if (!division ||
      !isa<arith::CeilDivUIOp, arith::DivUIOp, arith::CeilDivSIOp,
           arith::DivSIOp, arith::FloorDivSIOp>(division) ||
      !matchPattern(division->getOperand(1), m_ConstantInt(&number)) ||
      !number.sge(step))
    return false;
  // A signed number has no more than 31 bits, and a negative one no iterations.
  Value size = division->getOperand(0);
  bool isSigned = !isa<arith::CeilDivUIOp, arith::DivUIOp>(division);
  return isCoordinate(size) || (isSigned && size.getType().isInteger(32));
}

/// The sizes of `memref`, the memory object of `access`, that neither are known
/// to be coordinates nor matter, since the tile begins at one.
static SmallVector<Value> getUnknownSizes(const TileAccess &access,
                                          as::MakeMemRefOp memref) {
  aa::TATiledViewType view = access.view.getType();
  ArrayRef<int64_t> shape = memref.getType().getShape();
  SmallVector<Value> sizes;
  for (auto [d, coord] : llvm::enumerate(access.coords)) {
    unsigned dim = view.getMemRefDim(d);
    if (!ShapedType::isDynamic(shape[dim]))
      continue;
    Value size = memref.getSizes()[llvm::count_if(shape.take_front(dim),
                                                  ShapedType::isDynamic)];
    if (!isCoordinate(size) && !isSmall(coord, view.getSteps()[d]))
      sizes.push_back(size);
  }
  return sizes;
}

/// Stops the kernel if `size` exceeds the range of coordinates: TMA cannot
/// reach the elements beyond it, and would return padding instead. Returns
/// false if the kernel stops already.
static bool checkSize(OpBuilder &builder, Location loc, Value size) {
  auto isCheck = [&](Operation *user) {
    auto test = dyn_cast<arith::CmpIOp>(user);
    APInt number;
    return test && test.getPredicate() == arith::CmpIPredicate::ult &&
           test.getLhs() == size &&
           matchPattern(test.getRhs(), m_ConstantInt(&number)) &&
           number == kCoordLimit &&
           test->getBlock() == builder.getInsertionBlock() &&
           llvm::any_of(test->getUsers(), llvm::IsaPred<as::AssertOp>);
  };
  if (llvm::any_of(size.getUsers(), isCheck))
    return false;
  Value limit = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(size.getType(), kCoordLimit));
  Value isReached = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, size, limit);
  as::AssertOp::create(builder, loc, isReached, /*message=*/"");
  return true;
}

/// The operation in the block of `builder` that computes the result of `op`,
/// created if there is none. `op` may be in a later agent, which computes its
/// inputs again.
static Operation *computeAt(OpBuilder &builder, Operation *op) {
  Block *block = builder.getInsertionBlock();
  if (op->getBlock() == block)
    return op;
  IRMapping map;
  for (Value operand : op->getOperands())
    if (auto result = dyn_cast<OpResult>(operand))
      map.map(operand, computeAt(builder, result.getOwner())
                           ->getResult(result.getResultNumber()));
  Operation *made = builder.clone(*op, map);
  for (Operation &known : llvm::make_range(block->begin(), made->getIterator()))
    if (OperationEquivalence::isEquivalentTo(
            &known, made, OperationEquivalence::IgnoreLocations)) {
      made->erase();
      return &known;
    }
  return made;
}

Value makeTensorMap(const TileAccess &access, const TensorCopy &copy) {
  Location loc = access.op->getLoc();
  Block &entry = access.op->getParentOfType<aa::FuncOp>().getBody().front();
  OpBuilder builder(entry.findAncestorOpInBlock(*access.op));
  auto memref =
      cast<as::MakeMemRefOp>(computeAt(builder, getMemRef(access.view)));
  OpBuilder afterMemref(access.op->getContext());
  afterMemref.setInsertionPointAfter(memref);
  for (Value size : getUnknownSizes(access, memref))
    if (checkSize(afterMemref, loc, size))
      remark::analysis(loc,
                       remarkAbout(access.op, "MaterializeAsync", "tileas"))
          << StringRef("the kernel stops where a size of the view is 2^31 or "
                       "more: no tensor map reaches further")
          << remark::metric("Suggestion",
                            "assume that the sizes of the view are bounded");
  Value view = access.view;
  if (view.getParentBlock() != &entry) {
    // Cut into tiles where it is used; the map needs it at the entry.
    while (auto assume = view.getDefiningOp<as::AssumeOp>())
      view = assume->getOperand(0);
    view = computeAt(builder, view.getDefiningOp())->getResult(0);
  }
  builder.setInsertionPointAfterValue(view);
  // A store writes nothing outside, whatever padding loads have.
  auto type = cast<aa::TATiledViewType>(view.getType());
  if (isa<as::TiledStoreOp>(access.op) && type.getPadding() &&
      type.getPadding().getValue() != aa::PaddingValue::Zero)
    view = as::BlockTileOp::create(
        builder, loc,
        aa::TATiledViewType::get(type.getTileShape(), type.getSource(),
                                 type.getDims(), type.getSteps(),
                                 type.getSparseDim()),
        memref);
  for (Operation *user : view.getUsers())
    if (auto made = dyn_cast<as::MakeTiledTmaDescOp>(user);
        made && made.getType() == copy.desc)
      return made;
  return as::MakeTiledTmaDescOp::create(builder, loc, copy.desc, view);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

namespace {

/// Emits the first element of a tile.
class CoordEmitter {
public:
  CoordEmitter(OpBuilder &builder, const TileAccess &access)
      : builder(builder), access(access), loc(access.op->getLoc()),
        view(access.view.getType()), memref(getMemRef(access.view)) {}

  SmallVector<Value> run();

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value scale(Value coord, int64_t step);
  Value isEmpty();

  OpBuilder &builder;
  const TileAccess &access;
  Location loc;
  aa::TATiledViewType view;
  as::MakeMemRefOp memref;
};

} // namespace

/// `coord` times `step`. A result of 2^31 or more, or a negative one, becomes a
/// negative number, which is outside of every tensor.
Value CoordEmitter::scale(Value coord, int64_t step) {
  Type i32 = builder.getI32Type();
  if (!isSmall(coord, step)) {
    int64_t limit = llvm::divideCeil(kCoordLimit, step);
    coord = arith::MinUIOp::create(builder, loc, coord,
                                   constant(coord.getType(), limit));
  }
  if (coord.getType() != i32)
    coord = arith::TruncIOp::create(builder, loc, i32, coord);
  if (step == 1)
    return coord;
  return arith::MulIOp::create(builder, loc, coord, constant(i32, step));
}

/// Returns whether the memory object has no element. A map cannot say so.
Value CoordEmitter::isEmpty() {
  Value empty;
  unsigned next = 0;
  for (int64_t extent : memref.getType().getShape()) {
    if (!ShapedType::isDynamic(extent))
      continue;
    Value size = memref.getSizes()[next++];
    Value isNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         size, constant(size.getType(), 0));
    empty = empty ? arith::OrIOp::create(builder, loc, empty, isNone) : isNone;
  }
  return empty;
}

SmallVector<Value> CoordEmitter::run() {
  SmallVector<Value> coords;
  // The dimension whose coordinate changes least often pays for the test.
  auto loop = access.op->getParentOfType<scf::ForOp>();
  std::optional<unsigned> fixed;
  for (auto [d, coord] : llvm::enumerate(access.coords)) {
    coords.push_back(scale(coord, view.getSteps()[d]));
    if (!fixed || (loop && loop.isDefinedOutsideOfLoop(coord) &&
                   !loop.isDefinedOutsideOfLoop(access.coords[*fixed])))
      fixed = d;
  }
  if (Value empty = isEmpty())
    coords[*fixed] = arith::SelectOp::create(
        builder, loc, empty, constant(builder.getI32Type(), INT32_MIN),
        coords[*fixed]);
  return coords;
}

SmallVector<Value> emitElementCoords(OpBuilder &builder,
                                     const TileAccess &access) {
  return CoordEmitter(builder, access).run();
}

//===----------------------------------------------------------------------===//
// Pipelines of one slot
//===----------------------------------------------------------------------===//

CopyPipeline createCopyPipeline(as::TiledLoadOp load, const TensorCopy &copy,
                                as::PipelineConsumer reader) {
  Location loc = load.getLoc();
  MLIRContext *context = load.getContext();
  OpBuilder builder(load);
  as::BufferType slot = copy.slot;
  Value buffer = as::AllocTensorOp::create(
      builder, loc,
      as::BufferType::get(context, /*stages=*/1, slot.getShape(),
                          slot.getElementType(), slot.getLayout()),
      IntegerAttr(), IntegerAttr());
  auto consumers =
      builder.getArrayAttr(as::PipelineConsumerAttr::get(context, reader));
  Value pipeline = as::PipelineCreateOp::create(
      builder, loc, as::PipelineType::get(context, /*depth=*/1, {slot}),
      ValueRange{buffer}, as::PipelineProducer::Tma, consumers,
      as::PipelineSync::Mbarrier, as::PipelineEmpty::Barrier);
  auto iterate = [&](as::PipelineSide side) -> Value {
    return as::PipelineIteratorOp::create(
        builder, loc, as::PipelineIteratorType::get(context, /*depth=*/1),
        pipeline, side, Value());
  };
  Value producer = iterate(as::PipelineSide::Producer);
  Value consumer = iterate(as::PipelineSide::Consumer);
  auto acquire = as::PipelineAcquireOp::create(builder, loc, {slot}, pipeline,
                                               producer, Value());
  SmallVector<Value> coords = emitElementCoords(builder, load);
  Type token = load.getResultToken().getType();
  Value waited = load.getToken();
  as::AsyncTmaLoadOp::create(builder, loc, token, makeTensorMap(load, copy),
                             coords, acquire.getSlots().front(),
                             /*signal=*/Value(), /*condition=*/Value(), waited);
  as::PipelineCommitOp::create(builder, loc, pipeline, producer, Value());
  if (!waited && !load.getResultToken().use_empty())
    waited = as::CreateMemTokenOp::create(builder, loc, token);
  if (waited)
    load.getResultToken().replaceAllUsesWith(waited);
  return {pipeline, consumer, buffer};
}

} // namespace tileir

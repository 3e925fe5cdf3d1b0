// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/roll/RollMemory.h"

#include "passes/analysis/AccessRoots.h"
#include "passes/tileas/layout/LayoutPlan.h"
#include "passes/tileas/roll/RollSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

namespace {

/// A tile of pointers to adjacent elements: `base`, moved by `first` and by
/// `addends` elements, is the first of them.
struct PointerRun {
  Value base;
  int64_t first = 0;
  SmallVector<Value> addends;
  int64_t count = 0;
};

/// Bounds of memory as f64 numbers, which hold any product of sizes and
/// strides; numbers beyond the address range only lose digits.
struct Bounds {
  Value base, begin, end;
};

} // namespace

static Value getAddress(Operation *access) {
  return cast<as::TileASMemoryOpInterface>(access).getAddressOperands().front();
}

/// Reads `offsets` as a range that scalars move.
static bool readOffsets(Value offsets, PointerRun &run) {
  Operation *op = offsets.getDefiningOp();
  if (!op)
    return false;
  if (auto range = dyn_cast<as::MakeRangeOp>(op)) {
    if (run.count)
      return false;
    run.first = range.getStart();
    run.count = range.getEnd() - range.getStart();
    return true;
  }
  if (auto splat = dyn_cast<as::SplatOp>(op)) {
    run.addends.push_back(splat.getSource());
    return true;
  }
  if (isa<arith::AddIOp>(op))
    return readOffsets(op->getOperand(0), run) &&
           readOffsets(op->getOperand(1), run);
  if (auto assume = dyn_cast<as::AssumeOp>(op))
    return readOffsets(assume.getValue(), run);
  return false;
}

static std::optional<PointerRun> getRun(Value pointers) {
  while (auto assume = pointers.getDefiningOp<as::AssumeOp>())
    pointers = assume.getValue();
  auto moved = pointers.getDefiningOp<as::AddPtrOp>();
  if (!moved)
    return std::nullopt;
  Value base = moved.getBase();
  while (auto assume = base.getDefiningOp<as::AssumeOp>())
    base = assume.getValue();
  auto splat = base.getDefiningOp<as::SplatOp>();
  PointerRun run;
  if (!splat || !readOffsets(moved.getOffset(), run) || !run.count)
    return std::nullopt;
  run.base = splat.getSource();
  return run;
}

bool hasKnownBounds(Operation *access) {
  Value address = getAddress(access);
  if (isa<aa::TATiledViewType>(address.getType()))
    return bool(getMemRef(address));
  return isTile(address) && getRun(address).has_value();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {

class BoundsEmitter {
public:
  BoundsEmitter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  Bounds emit(Operation *access) {
    Value address = getAddress(access);
    return isa<aa::TATiledViewType>(address.getType())
               ? emitView(address)
               : emitRun(*getRun(address));
  }
  Value isLess(Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, a, b);
  }
  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(value));
  }
  Value isEqual(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }

private:
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value toNumber(Value integer, bool isSigned) {
    Type type = builder.getF64Type();
    if (isSigned)
      return arith::SIToFPOp::create(builder, loc, type, integer);
    return arith::UIToFPOp::create(builder, loc, type, integer);
  }
  Value addressOf(Value pointer) {
    return as::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
  }
  static double getBytes(Type element) {
    return std::max(1u, as::getStorageBits(element) / 8);
  }
  Bounds emitView(Value view);
  Bounds emitRun(const PointerRun &run);

  OpBuilder &builder;
  Location loc;
};

} // namespace

Bounds BoundsEmitter::emitView(Value view) {
  as::MakeMemRefOp memref = getMemRef(view);
  auto type = cast<aa::TAMemRefType>(memref.getType());
  auto sizes = memref.getSizes().begin();
  auto strides = memref.getStrides().begin();
  Value last = number(0);
  for (auto [size, stride] : llvm::zip(type.getShape(), type.getStrides())) {
    Value extent =
        ShapedType::isDynamic(size) ? toNumber(*sizes++, false) : number(size);
    Value step = ShapedType::isDynamic(stride) ? toNumber(*strides++, false)
                                               : number(stride);
    // An empty array is taken for one element.
    Value steps = arith::MaximumFOp::create(builder, loc,
                                            add(extent, number(-1)), number(0));
    last = add(last, multiply(steps, step));
  }
  Value base = addressOf(memref.getBase());
  Value begin = toNumber(base, false);
  Value bytes = number(getBytes(type.getElementType()));
  Value end = add(begin, multiply(add(last, number(1)), bytes));
  return {base, begin, end};
}

Bounds BoundsEmitter::emitRun(const PointerRun &run) {
  auto pointer = cast<aa::TAPointerType>(run.base.getType());
  Value base = addressOf(run.base);
  Value bytes = number(getBytes(pointer.getPointee()));
  Value first = number(run.first);
  unsigned bits = 64;
  for (Value addend : run.addends) {
    first = add(first, toNumber(addend, true));
    bits = addend.getType().getIntOrFloatBitWidth();
  }
  Value begin = add(toNumber(base, false), multiply(first, bytes));
  Value end = add(begin, multiply(number(run.count), bytes));
  if (run.addends.empty())
    return {base, begin, end};
  // An address that wraps can be anywhere.
  double limit = std::ldexp(1.0, bits - 1);
  Value fits = both(isLess(number(-limit), first),
                    isLess(add(first, number(run.count)), number(limit)));
  auto unless = [&](Value value, double other) -> Value {
    return arith::SelectOp::create(builder, loc, fits, value, number(other));
  };
  return {base, unless(begin, -1e300), unless(end, 1e300)};
}

/// Returns whether two views reach the same memory with the same elements when
/// they have one base: of equal geometry, at equal coordinates, with one
/// dimension of elements that lie apart. `strides` gets pairs that have to be
/// equal, too.
static bool haveOneGeometry(
    Operation *first, Operation *second,
    SmallVectorImpl<std::pair<OpFoldResult, OpFoldResult>> &strides) {
  auto x = cast<as::TileASMemoryOpInterface>(first).getAddressOperands();
  auto y = cast<as::TileASMemoryOpInterface>(second).getAddressOperands();
  bool isView = isa<aa::TATiledViewType>(x[0].getType());
  if (isView != isa<aa::TATiledViewType>(y[0].getType()))
    return false;
  if (!isView) {
    // Pointers in a row: the same range from two bases.
    PointerRun run = *getRun(x[0]), other = *getRun(y[0]);
    return haveSameThreads(first, second) && run.first == other.first &&
           run.count == other.count && run.addends == other.addends &&
           as::getStorageBits(
               cast<aa::TAPointerType>(run.base.getType()).getPointee()) ==
               as::getStorageBits(
                   cast<aa::TAPointerType>(other.base.getType()).getPointee());
  }
  if (!haveSameTiles(first, second))
    return false;
  as::MakeMemRefOp m = getMemRef(x[0]), n = getMemRef(y[0]);
  auto p = cast<aa::TAMemRefType>(m.getType()).getStrides();
  auto q = cast<aa::TAMemRefType>(n.getType()).getStrides();
  if (p.size() != q.size())
    return false;
  Builder builder(first->getContext());
  auto i = m.getStrides().begin(), j = n.getStrides().begin();
  for (auto [u, v] : llvm::zip(p, q)) {
    auto get = [&](int64_t fixed, auto &dynamic) -> OpFoldResult {
      if (ShapedType::isDynamic(fixed))
        return Value(*dynamic++);
      return builder.getI64IntegerAttr(fixed);
    };
    OpFoldResult s = get(u, i), t = get(v, j);
    if (s != t)
      strides.push_back({s, t});
  }
  return true;
}

Value emitAreSeparate(OpBuilder &builder, Operation *load, Operation *store) {
  Location loc = load->getLoc();
  BoundsEmitter emitter(builder, loc);
  Bounds a = emitter.emit(load), b = emitter.emit(store);
  Value separate =
      arith::OrIOp::create(builder, loc, emitter.isLess(a.end, b.begin),
                           emitter.isLess(b.end, a.begin));
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> strides;
  if (!haveOneGeometry(load, store, strides))
    return separate;
  Value same = emitter.isEqual(a.base, b.base);
  auto toValue = [&](OpFoldResult stride) -> Value {
    if (auto value = dyn_cast<Value>(stride))
      return value;
    return arith::ConstantOp::create(builder, loc,
                                     cast<TypedAttr>(cast<Attribute>(stride)));
  };
  for (auto [s, t] : strides)
    same = emitter.both(same, emitter.isEqual(toValue(s), toValue(t)));
  return arith::OrIOp::create(builder, loc, separate, same);
}

} // namespace tileir

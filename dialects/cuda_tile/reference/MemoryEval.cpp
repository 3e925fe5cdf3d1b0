// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of tokens, pointers, views and atomics.

#include "dialects/cuda_tile/reference/TileBlock.h"

#include <cmath>

namespace tileir::reference {

using namespace mlir;
using ct::AtomicRMWMode;
using ct::MemoryOrderingSemantics;

static bool isWeakOrder(MemoryOrderingSemantics ordering) {
  return ordering == MemoryOrderingSemantics::WEAK;
}

/// Returns the effect of an access on the order of tile blocks. An access in
/// the scope of its own tile block has none on others.
template <typename Op> static TileBlock::Order orderOf(Op op, bool isAtomic) {
  MemoryOrderingSemantics semantics = op.getMemoryOrderingSemantics();
  std::optional<ct::MemoryScope> scope = op.getMemoryScope();
  TileBlock::Order order;
  order.isAtomic = isAtomic;
  order.isWeak = semantics == MemoryOrderingSemantics::WEAK ||
                 scope == ct::MemoryScope::TL_BLK;
  order.isWeakWithin = isWeakOrder(semantics);
  if (order.isWeak)
    return order;
  order.acquires = semantics == MemoryOrderingSemantics::ACQUIRE ||
                   semantics == MemoryOrderingSemantics::ACQ_REL;
  order.releases = semantics == MemoryOrderingSemantics::RELEASE ||
                   semantics == MemoryOrderingSemantics::ACQ_REL;
  return order;
}

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

Allocation *TileBlock::access(Operation *op, uint64_t address, unsigned size,
                              bool isWrite, const Order &order, size_t index) {
  Allocation *allocation = run.memory.find(address, size);
  if (!allocation) {
    stop(op, "bounds",
         Twine(isWrite ? "write" : "read") + " of " + Twine(size) +
             " bytes at 0x" + llvm::utohexstr(address) +
             ", outside of every buffer, at element " + Twine(index));
    return nullptr;
  }
  checkRace(op, *allocation, address - allocation->base, size, isWrite, order);
  return allocation;
}

bool TileBlock::loadElement(Operation *op, Type type, uint64_t address,
                            unsigned nibble, const Order &order, size_t index,
                            Element &value) {
  unsigned storage = storageBits(type);
  unsigned size = std::max(storage / 8, 1u);
  Allocation *allocation =
      access(op, address, size, /*isWrite=*/false, order, index);
  if (!allocation)
    return false;
  uint64_t offset = address - allocation->base;
  if (order.acquires)
    acquire(address);
  value = {};
  for (unsigned i = 0; i < size; ++i) {
    value.bits |= uint64_t(allocation->bytes[offset + i]) << (8 * i);
    value.isMarked |= allocation->state[offset + i] != 1;
    if (!allocation->errors.empty())
      value.error = std::max(value.error, allocation->errors[offset + i]);
  }
  if (storage == 4)
    value.bits = value.bits >> (4 * nibble) & 0xF;
  else if (type.isInteger(1))
    value.bits = value.bits != 0;
  else if (isa<FloatTF32Type>(type))
    value.bits >>= 13;
  return true;
}

bool TileBlock::storeElement(Operation *op, Type type, uint64_t address,
                             unsigned nibble, const Order &order, size_t index,
                             const Element &value) {
  unsigned storage = storageBits(type);
  unsigned size = std::max(storage / 8, 1u);
  Allocation *allocation =
      access(op, address, size, /*isWrite=*/true, order, index);
  if (!allocation)
    return false;
  release(address, order);
  uint64_t offset = address - allocation->base, bits = value.bits;
  if (storage == 4)
    bits = (allocation->bytes[offset] & ~(0xF << (4 * nibble))) |
           bits << (4 * nibble);
  else if (isa<FloatTF32Type>(type))
    bits <<= 13;
  if (value.error != 0 && allocation->errors.empty())
    allocation->errors.reset(allocation->bytes.size());
  for (unsigned i = 0; i < size; ++i) {
    allocation->bytes.at(offset + i) = bits >> (8 * i);
    allocation->state.at(offset + i) = value.isMarked ? 2 : 1;
    if (!allocation->errors.empty())
      allocation->errors.at(offset + i) = value.error;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::MakeTokenOp op) { values[op.getResult()] = {}; }

/// The union of both token orders.
static std::shared_ptr<const TokenOrder>
joinOrders(std::shared_ptr<const TokenOrder> a,
           std::shared_ptr<const TokenOrder> b) {
  if (!a || !b || a == b)
    return a ? a : b;
  TokenOrder joined;
  auto x = a->begin(), y = b->begin();
  while (x != a->end() || y != b->end()) {
    bool hasX = x != a->end() && (y == b->end() || x->first <= y->first);
    bool hasY = y != b->end() && (x == a->end() || y->first <= x->first);
    uint32_t chain = hasX ? x->first : y->first;
    uint32_t count =
        std::max(hasX ? (x++)->second : 0, hasY ? (y++)->second : 0);
    joined.push_back({chain, count});
  }
  return std::make_shared<const TokenOrder>(std::move(joined));
}

void TileBlock::eval(ct::JoinTokensOp op) {
  RuntimeValue joined;
  for (Value token : op.getTokens()) {
    llvm::append_range(joined.after, value(token).after);
    joined.order = joinOrders(joined.order, value(token).order);
  }
  llvm::sort(joined.after);
  joined.after.erase(llvm::unique(joined.after), joined.after.end());
  values[op.getResult()] = joined;
}

void TileBlock::passToken(Value token, Value result) {
  RuntimeValue next;
  if (token) {
    next.after = value(token).after;
    next.order = value(token).order;
  }
  values[result] = std::move(next);
}

// In the oracle no grid waits for another, and memory has one address.
void TileBlock::eval(ct::GdcWaitTkoOp op) {
  passToken(op.getToken(), op.getResultToken());
}
void TileBlock::eval(ct::GdcLaunchDependentsTkoOp op) {
  passToken(op.getToken(), op.getResultToken());
}
void TileBlock::eval(ct::MemoryFenceAliasTkoOp op) {
  passToken(op.getToken(), op.getResultToken());
}

std::pair<TileBlock::Step, std::shared_ptr<const TokenOrder>>
TileBlock::placeStep(Value token) {
  Step next;
  if (token)
    next.before = value(token).order;
  TokenOrder after = next.before ? *next.before : TokenOrder();
  // The operation extends a chain that entirely precedes it, or starts one.
  auto tail = llvm::find_if(
      after, [&](auto &entry) { return chains[entry.first] == entry.second; });
  if (tail == after.end()) {
    tail = after.insert(tail, {uint32_t(chains.size()), 0});
    chains.push_back(0);
  }
  next.chain = tail->first;
  next.position = tail->second = ++chains[next.chain];
  return {std::move(next),
          std::make_shared<const TokenOrder>(std::move(after))};
}

bool TileBlock::defer(Operation *op, Value token, Value resultToken,
                      Value result, bool isWeak) {
  if (current)
    return false;
  std::vector<unsigned> after;
  if (token)
    after = value(token).after;
  auto [place, order] = placeStep(token);
  RuntimeValue next;
  next.order = std::move(order);
  bool isLate = run.options.weakMemory && isWeak && weakGenerator() % 2 == 0;
  if (!isLate) {
    for (unsigned id : after)
      force(id);
    step = std::move(place);
    values[resultToken] = next;
    return false;
  }
  Pending pending;
  pending.op = op;
  pending.step = std::move(place);
  pending.after = std::move(after);
  for (Value operand : op->getOperands())
    pending.operands[operand] = value(operand);
  pendings.push_back(std::move(pending));
  next.after = {static_cast<unsigned>(pendings.size() - 1)};
  values[resultToken] = next;
  if (result) {
    RuntimeValue lateTile;
    lateTile.pending = pendings.size();
    values[result] = lateTile;
  }
  return true;
}

void TileBlock::force(unsigned id) {
  if (pendings[id].isDone)
    return;
  // Marked as done first: its operands lead to other operations, never back to
  // it.
  pendings[id].isDone = true;
  for (unsigned earlier : pendings[id].after)
    force(earlier);
  // Operands that are pending themselves.
  for (auto &[operand, known] : pendings[id].operands)
    if (known.pending)
      force(known.pending - 1);
  Pending *outer = current;
  Pending working = std::move(pendings[id]);
  current = &working;
  std::swap(step, working.step);
  execute(working.op);
  std::swap(step, working.step);
  current = outer;
  pendings[id] = std::move(working);
}

void TileBlock::forceAll() {
  std::vector<unsigned> order(pendings.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), weakGenerator);
  for (unsigned id : order)
    if (!run.isStopped)
      force(id);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::AllocaOp op) {
  Type pointee =
      cast<ct::PointerType>(op.getResult().getType().getElementType())
          .getPointeeType();
  constexpr uint64_t kMax = uint64_t(1) << 30;
  if (op.getNumElem() > kMax)
    return stop(op, "bounds",
                Twine(op.getNumElem()) + " elements cannot be allocated");
  size_t size = (op.getNumElem() * storageBits(pointee) + 7) / 8;
  Allocation &allocation =
      run.memory.allocate("alloca", size, op.getAlignment());
  frames.back().allocations.push_back(allocation.base);
  Tile tile = makeTile(op.getResult());
  tile.bits[0] = allocation.base;
  set(op.getResult(), std::move(tile));
}

void TileBlock::eval(ct::LoadPtrTkoOp op) {
  if (defer(op, op.getToken(), op.getResultToken(), op.getResult(),
            isWeakOrder(op.getMemoryOrderingSemantics())))
    return;
  Order order = orderOf(op, /*isAtomic=*/false);
  const Tile &source = get(op.getSource());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  const Tile *padding =
      op.getPaddingValue() ? &get(op.getPaddingValue()) : nullptr;
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && isOpen(op, *mask, i, "the mask"))
      return;
    if (mask && !mask->bits[i]) {
      if (padding) {
        result.take(i, *padding, i);
      } else {
        result.bits[i] = run.random() & maskOf(bitWidth(result.element()));
        result.mark(i);
      }
      continue;
    }
    if (isOpen(op, source, i, "the address"))
      return;
    Element value;
    if (!loadElement(op, result.element(), source.bits[i], 0, order, i, value))
      return;
    value.giveTo(result, i);
  }
  set(op.getResult(), std::move(result));
}

namespace {

/// Elements that one store has written so far. Where its elements overlap any
/// one may remain.
template <typename Element> class StoredElements {
public:
  explicit StoredElements(Run &run) : run(run) {}

  Element settle(uint64_t address, unsigned nibble, Element element) {
    auto [known, isFirst] = stored.try_emplace({address, nibble}, element);
    if (isFirst || known->second.bits == element.bits)
      return element;
    if (run.random() & 1)
      element = known->second;
    element.isMarked = true;
    known->second = element;
    return element;
  }

private:
  Run &run;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, Element> stored;
};

} // namespace

void TileBlock::eval(ct::StorePtrTkoOp op) {
  if (defer(op, op.getToken(), op.getResultToken(), {},
            isWeakOrder(op.getMemoryOrderingSemantics())))
    return;
  Order order = orderOf(op, /*isAtomic=*/false);
  const Tile &destination = get(op.getDestination()),
             &tile = get(op.getValue());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  StoredElements<Element> stored(run);
  for (size_t i = 0; i < tile.size(); ++i) {
    if (mask && isOpen(op, *mask, i, "the mask"))
      return;
    if (mask && !mask->bits[i])
      continue;
    if (isOpen(op, destination, i, "the address"))
      return;
    uint64_t address = destination.bits[i];
    if (!storeElement(op, tile.element(), address, 0, order, i,
                      stored.settle(address, 0, Element::of(tile, i))))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Computes the new value of one element.
static uint64_t combineBits(AtomicRMWMode mode, Type type, uint64_t old,
                            uint64_t arg) {
  unsigned width = bitWidth(type);
  switch (mode) {
  case AtomicRMWMode::AND:
    return old & arg;
  case AtomicRMWMode::OR:
    return old | arg;
  case AtomicRMWMode::XOR:
    return old ^ arg;
  case AtomicRMWMode::ADD:
    return (old + arg) & maskOf(width);
  case AtomicRMWMode::ADDF: {
    llvm::APFloat sum = toAPFloat(type, old);
    sum.add(toAPFloat(type, arg), llvm::APFloat::rmNearestTiesToEven);
    return fromAPFloat(sum);
  }
  case AtomicRMWMode::MAX:
    return signExtend(old, width) < signExtend(arg, width) ? arg : old;
  case AtomicRMWMode::MIN:
    return signExtend(arg, width) < signExtend(old, width) ? arg : old;
  case AtomicRMWMode::UMAX:
    return std::max(old, arg);
  case AtomicRMWMode::UMIN:
    return std::min(old, arg);
  case AtomicRMWMode::XCHG:
    return arg;
  }
  return old;
}

/// Returns whether a few such numbers add up exactly, in any order.
static bool isSmallInteger(Type type, uint64_t bits) {
  double value = toDouble(type, bits);
  unsigned precision = llvm::APFloat::semanticsPrecision(
      cast<FloatType>(type).getFloatSemantics());
  return value == std::nearbyint(value) &&
         std::abs(value) <= std::ldexp(1.0, precision - 2);
}

TileBlock::Element TileBlock::combine(AtomicRMWMode mode, Type type,
                                      const Element &old, const Element &arg) {
  if (mode == AtomicRMWMode::XCHG)
    return arg;
  Element result;
  result.bits = combineBits(mode, type, old.bits, arg.bits);
  result.isMarked = old.isMarked || arg.isMarked;
  bool isExact =
      old.error == 0 && arg.error == 0 &&
      (mode != AtomicRMWMode::ADDF ||
       (isSmallInteger(type, old.bits) && isSmallInteger(type, arg.bits)));
  result.error = isExact ? 0 : HUGE_VAL;
  return result;
}

void TileBlock::eval(ct::AtomicRMWTkoOp op) {
  defer(op, op.getToken(), op.getResultToken(), {}, /*isWeak=*/false);
  Order order = orderOf(op, /*isAtomic=*/true);
  const Tile &pointers = get(op.getPointers()), &arg = get(op.getArg());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  Type element = arg.element();
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && isOpen(op, *mask, i, "the mask"))
      return;
    if (mask && !mask->bits[i])
      continue;
    if (isOpen(op, pointers, i, "the address"))
      return;
    Element old;
    if (!loadElement(op, element, pointers.bits[i], 0, order, i, old))
      return;
    old.giveTo(result, i);
    if (!storeElement(op, element, pointers.bits[i], 0, order, i,
                      combine(op.getMode(), element, old, Element::of(arg, i))))
      return;
  }
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::AtomicCASTkoOp op) {
  defer(op, op.getToken(), op.getResultToken(), {}, /*isWeak=*/false);
  Order order = orderOf(op, /*isAtomic=*/true);
  const Tile &pointers = get(op.getPointers()), &compare = get(op.getCmp()),
             &replacement = get(op.getVal());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  Type element = compare.element();
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && isOpen(op, *mask, i, "the mask"))
      return;
    if (mask && !mask->bits[i]) {
      result.take(i, compare, i);
      continue;
    }
    if (isOpen(op, pointers, i, "the address"))
      return;
    Element old;
    if (!loadElement(op, element, pointers.bits[i], 0, order, i, old))
      return;
    old.giveTo(result, i);
    if (compare.isMarked(i))
      result.mark(i);
    // An inexact comparison leaves open what memory holds afterwards.
    bool isInexact = old.error != 0 || compare.errorAt(i) != 0;
    if (old.bits != compare.bits[i] && !isInexact)
      continue;
    Element next = Element::of(replacement, i);
    next.isMarked |= old.isMarked;
    if (isInexact)
      next.error = HUGE_VAL;
    if (!storeElement(op, element, pointers.bits[i], 0, order, i, next))
      return;
  }
  set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::MakeTensorViewOp op) {
  View view;
  if (decides(op, op.getBase(), "the base of the tensor"))
    return;
  view.base = scalar(op.getBase());
  auto type = op.getResult().getType();
  auto fill = [&](std::vector<uint64_t> &to, ArrayRef<int64_t> known,
                  OperandRange dynamic, StringRef what) {
    unsigned next = 0;
    for (int64_t number : known) {
      if (!ShapedType::isDynamic(number)) {
        to.push_back(number);
        continue;
      }
      Value operand = dynamic[next++];
      if (decides(op, operand, what))
        return false;
      to.push_back(scalar(operand));
    }
    return true;
  };
  if (fill(view.shape, type.getShape(), op.getDynamicShape(),
           "an extent of the tensor") &&
      fill(view.strides, type.getStrides(), op.getDynamicStrides(),
           "a stride of the tensor")) {
    view.doubts = value(op.getBase()).doubts;
    for (Value extent : op.getDynamicShape())
      llvm::append_range(view.extentDoubts, value(extent).doubts);
    unsigned next = 0;
    for (int64_t stride : type.getStrides())
      view.strideDoubts.push_back(
          ShapedType::isDynamic(stride)
              ? value(op.getDynamicStrides()[next++]).doubts
              : Doubts());
    set(op.getResult(), std::move(view));
  }
}

void TileBlock::eval(ct::MakePartitionViewOp op) {
  copy(op.getResult(), op.getTensorView());
}
void TileBlock::eval(ct::MakeStridedViewOp op) {
  copy(op.getResult(), op.getTensorView());
}
void TileBlock::eval(ct::MakeGatherScatterViewOp op) {
  copy(op.getResult(), op.getTensorView());
}

namespace {

/// Positions of the tiles of a view in its tensor.
struct Geometry {
  ArrayRef<int32_t> tile;
  /// Elements for one step of an index.
  SmallVector<uint64_t> step;
  /// Elements for one step of the index space.
  SmallVector<uint64_t> spacing;
  /// The tensor dimension of each tile dimension.
  SmallVector<unsigned> dimOf;
  std::optional<unsigned> sparseDim;

  explicit Geometry(Type type) {
    auto identity = [&] {
      for (unsigned i = 0; i < tile.size(); ++i)
        dimOf.push_back(i);
    };
    if (auto partition = dyn_cast<ct::PartitionViewType>(type)) {
      tile = partition.getTileShape();
      step.assign(tile.begin(), tile.end());
      spacing = step;
      dimOf.assign(partition.getDimMap().begin(), partition.getDimMap().end());
    } else if (auto strided = dyn_cast<ct::StridedViewType>(type)) {
      tile = strided.getTileShape();
      ArrayRef<int32_t> strides = strided.getTraversalStrides();
      step.assign(strides.begin(), strides.end());
      spacing = step;
      dimOf.assign(strided.getDimMap().begin(), strided.getDimMap().end());
    } else {
      auto gather = cast<ct::GatherScatterViewType>(type);
      tile = gather.getTileShape();
      // All indices are coordinates, also the scalar ones.
      step.assign(tile.size(), 1);
      spacing.assign(tile.begin(), tile.end());
      identity();
      sparseDim = gather.getSparseDim();
      spacing[*sparseDim] = 1;
    }
  }
};

/// Returns why the scalar index `position` of tile dimension `dim`, whose
/// extent in tiles is `count`, is undefined; empty if it is not. `isPacked`
/// where two elements of the dimension share a byte.
std::string findFault(const Geometry &geometry, unsigned dim, uint64_t position,
                      uint64_t count, bool isPacked) {
  if (!geometry.sparseDim)
    return position < count ? ""
                            : (Twine(position) + " of " + Twine(count)).str();
  // Tiles of a gather may be anywhere, also outside of the tensor.
  if (position > INT64_MAX)
    return (Twine(position) + ", which no offset can reach").str();
  if (isPacked && geometry.tile[dim] > 1 && position % 2)
    return (Twine(position) + ", in the middle of a byte").str();
  return "";
}

} // namespace

std::vector<uint64_t> TileBlock::indexSpace(ct::TileView type,
                                            const View &view) {
  Geometry geometry(type);
  std::vector<uint64_t> result;
  for (unsigned i = 0; i < geometry.tile.size(); ++i) {
    uint64_t extent = view.shape[geometry.dimOf[i]];
    uint64_t spacing = geometry.spacing[i];
    result.push_back((extent + spacing - 1) / spacing);
  }
  return result;
}

void TileBlock::forEachElement(
    Operation *op, ct::TileView type, const View &view, ValueRange indices,
    std::optional<ArrayRef<bool>> inbounds,
    llvm::function_ref<bool(size_t, std::optional<uint64_t>)> visit) {
  run.reportDoubts(view.doubts);
  run.reportDoubts(view.extentDoubts);
  Geometry geometry(type);
  std::vector<uint64_t> space = indexSpace(type, view);
  bool isPacked = storageBits(type.getViewTileType().getElementType()) == 4;
  unsigned rank = geometry.tile.size();
  // The tensor coordinate of each position of each tile dimension.
  std::vector<std::vector<uint64_t>> coordinate(rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    const Tile &index = get(indices[dim]);
    for (int32_t i = 0; i < geometry.tile[dim]; ++i) {
      size_t from = geometry.sparseDim == dim ? i : 0;
      if (isOpen(op, index, from, "index " + Twine(dim)))
        return;
      uint64_t position = index.bits[from];
      if (geometry.sparseDim == dim) {
        coordinate[dim].push_back(position);
        continue;
      }
      if (i == 0)
        if (std::string fault =
                findFault(geometry, dim, position, space[dim],
                          isPacked && view.strides[geometry.dimOf[dim]] == 1);
            !fault.empty())
          report(op, "ub", "index " + Twine(dim) + " is " + fault);
      uint64_t start = 0, place = 0;
      bool wraps = __builtin_mul_overflow(position, geometry.step[dim], &start);
      wraps |= __builtin_add_overflow(start, uint64_t(i), &place);
      coordinate[dim].push_back(wraps ? ~uint64_t(0) : place);
    }
    uint64_t extent = view.shape[geometry.dimOf[dim]];
    // A stride matters from the second element of its dimension on.
    if (llvm::any_of(coordinate[dim], [&](uint64_t place) {
          return place > 0 && place < extent;
        }))
      run.reportDoubts(view.strideDoubts[geometry.dimOf[dim]]);
    if (inbounds && (*inbounds)[dim] &&
        llvm::any_of(coordinate[dim],
                     [&](uint64_t place) { return place >= extent; }))
      run.reportOverhang(op, id,
                         "the tile leaves the tensor in dimension " +
                             Twine(dim) + ", which 'inbounds' denies");
  }
  size_t count = type.getViewTileType().getNumElements();
  std::vector<unsigned> position(rank, 0);
  for (size_t element = 0; element < count; ++element) {
    std::optional<uint64_t> linear = 0;
    for (unsigned dim = 0; dim < rank && linear; ++dim) {
      uint64_t at = coordinate[dim][position[dim]];
      unsigned tensorDim = geometry.dimOf[dim];
      if (at >= view.shape[tensorDim])
        linear.reset();
      else
        *linear += at * view.strides[tensorDim];
    }
    if (!visit(element, linear))
      return;
    for (unsigned dim = rank; dim-- > 0;) {
      if (++position[dim] < static_cast<unsigned>(geometry.tile[dim]))
        break;
      position[dim] = 0;
    }
  }
}

/// Location of element `linear` of a tensor: its byte, and its nibble there.
static std::pair<uint64_t, unsigned> locate(Type element, uint64_t base,
                                            uint64_t linear) {
  unsigned storage = storageBits(element);
  if (storage == 4)
    return {base + linear / 2, linear % 2};
  return {base + linear * (storage / 8), 0};
}

/// Sets the results to the extents, if their type can hold them.
template <typename Op, typename Fault>
static void setExtents(Op op, ArrayRef<uint64_t> extents, Fault give) {
  for (auto [result, extent] : llvm::zip_equal(op->getResults(), extents)) {
    Tile tile(cast<ct::TileType>(result.getType()));
    uint64_t mask = maskOf(bitWidth(tile.element()));
    tile.bits[0] = extent & mask;
    give(result, std::move(tile), extent > mask);
  }
}

void TileBlock::eval(ct::GetTensorShapeOp op) {
  const View tensor = view(op.getSrc());
  setExtents(op, tensor.shape, [&](Value result, Tile tile, bool isLost) {
    if (isLost)
      undefined(op, tile, 0, "the type cannot hold the extent");
    set(result, std::move(tile));
    values[result].doubts = tensor.extentDoubts;
  });
}

void TileBlock::eval(ct::GetIndexSpaceShapeOp op) {
  std::vector<uint64_t> space =
      indexSpace(cast<ct::TileView>(op.getSrc().getType()), view(op.getSrc()));
  setExtents(op, space, [&](Value result, Tile tile, bool isLost) {
    if (isLost)
      undefined(op, tile, 0, "the type cannot hold the extent");
    set(result, std::move(tile));
    values[result].doubts = view(op.getSrc()).extentDoubts;
  });
}

template <typename Op>
void TileBlock::loadThroughView(Op op, TypedValue<ct::TileType> value) {
  if (defer(op, op.getToken(), op.getResultToken(), value,
            isWeakOrder(op.getMemoryOrderingSemantics())))
    return;
  Order order = orderOf(op, /*isAtomic=*/false);
  auto type = cast<ct::TileView>(op.getView().getType());
  const View tensor = view(op.getView());
  Tile result = makeTile(value);
  Type element = result.element();
  ct::PaddingValueAttr padding = type.getViewPadding();
  bool isClipped =
      op.getInbounds() && !llvm::is_contained(*op.getInbounds(), false);
  forEachElement(
      op, type, tensor, op.getIndex(), op.getInbounds(),
      [&](size_t i, std::optional<uint64_t> linear) {
        if (!linear && padding) {
          result.bits[i] = paddingBits(element, padding.getValue());
          return true;
        }
        // A tile that is clipped as by a tensor map reads zeros there.
        if (!linear && isClipped) {
          result.bits[i] = 0;
          return true;
        }
        if (!linear) {
          result.bits[i] = run.random() & maskOf(bitWidth(element));
          result.mark(i);
          return true;
        }
        auto [address, nibble] = locate(element, tensor.base, *linear);
        Element found;
        if (!loadElement(op, element, address, nibble, order, i, found))
          return false;
        found.giveTo(result, i);
        return true;
      });
  set(value, std::move(result));
}

template <typename Op>
void TileBlock::storeThroughView(Op op, const Tile &tile) {
  Order order = orderOf(op, /*isAtomic=*/false);
  auto type = cast<ct::TileView>(op.getView().getType());
  const View tensor = view(op.getView());
  StoredElements<Element> stored(run);
  forEachElement(op, type, tensor, op.getIndex(), op.getInbounds(),
                 [&](size_t i, std::optional<uint64_t> linear) {
                   if (!linear)
                     return true;
                   auto [address, nibble] =
                       locate(tile.element(), tensor.base, *linear);
                   return storeElement(
                       op, tile.element(), address, nibble, order, i,
                       stored.settle(address, nibble, Element::of(tile, i)));
                 });
}

template <typename Op>
void TileBlock::reduceIntoView(Op op, AtomicRMWMode mode, const Tile &tile) {
  Order order = orderOf(op, /*isAtomic=*/true);
  auto type = cast<ct::TileView>(op.getView().getType());
  const View tensor = view(op.getView());
  Type element = tile.element();
  forEachElement(
      op, type, tensor, op.getIndex(), op.getInbounds(),
      [&](size_t i, std::optional<uint64_t> linear) {
        if (!linear)
          return true;
        auto [address, nibble] = locate(element, tensor.base, *linear);
        Element old;
        if (!loadElement(op, element, address, nibble, order, i, old))
          return false;
        return storeElement(op, element, address, nibble, order, i,
                            combine(mode, element, old, Element::of(tile, i)));
      });
}

void TileBlock::eval(ct::LoadViewTkoOp op) {
  loadThroughView(op, op.getTile());
}

void TileBlock::eval(ct::StoreViewTkoOp op) {
  if (!defer(op, op.getToken(), op.getResultToken(), {},
             isWeakOrder(op.getMemoryOrderingSemantics())))
    storeThroughView(op, Tile(get(op.getTile())));
}

void TileBlock::eval(ct::AtomicRedViewTkoOp op) {
  defer(op, op.getToken(), op.getResultToken(), {}, /*isWeak=*/false);
  reduceIntoView(op, op.getMode(), Tile(get(op.getValue())));
}

//===----------------------------------------------------------------------===//
// Multicast: one device, whose memory is the only copy
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::MultimemLoadReduceViewTkoOp op) {
  loadThroughView(op, op.getReducedValues());
}

void TileBlock::eval(ct::MultimemStoreViewTkoOp op) {
  if (!defer(op, op.getToken(), op.getResultToken(), {},
             isWeakOrder(op.getMemoryOrderingSemantics())))
    storeThroughView(op, Tile(get(op.getTile())));
}

static AtomicRMWMode toMode(ct::MultimemReductionKind kind, Type element) {
  using Kind = ct::MultimemReductionKind;
  switch (kind) {
  case Kind::ADD:
    return isa<FloatType>(element) ? AtomicRMWMode::ADDF : AtomicRMWMode::ADD;
  case Kind::MIN:
    return AtomicRMWMode::MIN;
  case Kind::MAX:
    return AtomicRMWMode::MAX;
  case Kind::AND:
    return AtomicRMWMode::AND;
  case Kind::OR:
    return AtomicRMWMode::OR;
  case Kind::XOR:
    return AtomicRMWMode::XOR;
  case Kind::UMIN:
    return AtomicRMWMode::UMIN;
  case Kind::UMAX:
    return AtomicRMWMode::UMAX;
  }
  return AtomicRMWMode::ADD;
}

void TileBlock::eval(ct::MultimemReduceViewTkoOp op) {
  defer(op, op.getToken(), op.getResultToken(), {}, /*isWeak=*/false);
  Tile tile = get(op.getTile());
  reduceIntoView(op, toMode(op.getReduction(), tile.element()), tile);
}

} // namespace tileir::reference

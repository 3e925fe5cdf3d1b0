// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tileaa-promote-allocas"

namespace tileir {

#define GEN_PASS_DECL_TILEAAPROMOTEALLOCAS
#define GEN_PASS_DEF_TILEAAPROMOTEALLOCAS
#include "passes/tileaa/TileAAPromoteAllocas.h.inc"

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

/// Folds integers that depend on constants alone.
class Evaluator {
public:
  Attribute evaluate(Value value, unsigned depth = 0);
  std::optional<int64_t> getInteger(Value value);

private:
  // Maximum length of a chain of operations; an index has few.
  static constexpr unsigned kMaxDepth = 64;

  llvm::DenseMap<Value, Attribute> known;
};

/// Bytes [begin, end) of an allocation that an operation accesses.
struct Access {
  Operation *op;
  int64_t begin, end;
  /// Type of the accessed value; null for a constant that fits any places in
  /// these bytes.
  Type type;
  DenseElementsAttr constant;
};

/// Address of element i: the allocation plus `offset` plus i * `stride` bytes.
struct Address {
  std::optional<int64_t> offset;
  int64_t stride = 0;
};

/// All uses of one allocation in a function.
class AllocaUses {
public:
  AllocaUses(aa::AllocaOp root, Evaluator &evaluator);

  aa::AllocaOp root;
  /// True if the address reaches accesses only, at places that can be tracked.
  bool isClosed = true;
  bool hasLoads = false;
  SmallVector<Access> accesses;
  /// Values that must be constant for the places to be known.
  SmallVector<Value> indices;

private:
  void follow(Value pointer, Address address);
  void followOffset(aa::AddPtrOp op, Address address);
  void followView(aa::BlockTileOp view, std::optional<int64_t> offset);
  void addPointerAccess(Operation *op, Address address);
  void addAccess(Operation *op, std::optional<int64_t> begin, Type type,
                 DenseElementsAttr constant = {}, int64_t numElements = 0);

  Evaluator &evaluator;
  int64_t bytes;
};

/// A range of an allocation that becomes a value.
struct Place {
  aa::AllocaOp root;
  int64_t begin, end;
  Type type;
};

/// Rewrites accesses to SSA values, which branches and loops then carry.
class Promoter {
public:
  explicit Promoter(aa::FuncOp func) : func(func) {}

  /// Adds the allocation `uses` if its accesses agree about places.
  bool add(const AllocaUses &uses, int64_t maxPlaces);
  /// Adds an allocation without readers.
  void addUnread(const AllocaUses &uses);
  void run();

private:
  using Values = llvm::DenseMap<unsigned, Value>;

  void promoteBlock(Block *block);
  void promoteAccess(Operation *op, ArrayRef<unsigned> places);
  void promoteIf(scf::IfOp op, ArrayRef<unsigned> written);
  void promoteFor(scf::ForOp op, ArrayRef<unsigned> written);
  void promoteWhile(scf::WhileOp op, ArrayRef<unsigned> written);
  Value getCurrent(unsigned place, Operation *user);
  SmallVector<Value> getCurrent(ArrayRef<unsigned> places, Operation *user) {
    return llvm::map_to_vector(places,
                               [&](unsigned p) { return getCurrent(p, user); });
  }
  void setCurrent(ArrayRef<unsigned> places, ValueRange values) {
    for (auto [place, value] : llvm::zip_equal(places, values))
      current[place] = value;
  }
  void replaceToken(Operation *op);

  aa::FuncOp func;
  SmallVector<Place> places;
  SmallVector<aa::AllocaOp> allocas;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> accessed;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<unsigned, 4>> written;
  llvm::DenseMap<Operation *, DenseElementsAttr> constants;
  llvm::DenseMap<Operation *, int64_t> constantBegins;
  /// The value of each place at the current point of the walk.
  Values current;
};

struct TileAAPromoteAllocas final
    : impl::TileAAPromoteAllocasBase<TileAAPromoteAllocas> {
  using TileAAPromoteAllocasBase::TileAAPromoteAllocasBase;

  void runOnOperation() override;

private:
  using Loops = llvm::SetVector<scf::ForOp>;

  bool collectLoops(Value index, Evaluator &evaluator, Loops &loops);
  bool isCheap(const Loops &loops);
  void unrollFor(ArrayRef<aa::AllocaOp> allocas);
};

} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Attribute Evaluator::evaluate(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() ||
      depth > kMaxDepth)
    return {};
  auto [entry, inserted] = known.try_emplace(value);
  if (!inserted)
    return entry->second;
  Attribute result;
  if (!matchPattern(value, m_Constant(&result)) && isPure(op)) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      Attribute constant = evaluate(operand, depth + 1);
      if (!constant)
        return {};
      operands.push_back(constant);
    }
    SmallVector<OpFoldResult> results;
    // `fold` may change an operation in place, which gives no constant.
    if (!operands.empty() && succeeded(op->fold(operands, results)) &&
        results.size() == 1) {
      result = dyn_cast<Attribute>(results.front());
      if (auto folded = dyn_cast<Value>(results.front()))
        result = evaluate(folded, depth + 1);
    }
  }
  if (result)
    known[value] = result;
  return result;
}

std::optional<int64_t> Evaluator::getInteger(Value value) {
  auto integer = dyn_cast_if_present<IntegerAttr>(evaluate(value));
  if (!integer || integer.getValue().getSignificantBits() > 63)
    return std::nullopt;
  return integer.getValue().getSExtValue();
}

/// Bytes of an element in memory; none if it takes less than one.
static std::optional<int64_t> getBytes(Type element) {
  unsigned bits = aa::getStorageBits(element);
  if (bits == 0 || bits % 8)
    return std::nullopt;
  return bits / 8;
}

//===----------------------------------------------------------------------===//
// Uses of an allocation
//===----------------------------------------------------------------------===//

AllocaUses::AllocaUses(aa::AllocaOp root, Evaluator &evaluator)
    : root(root), evaluator(evaluator) {
  std::optional<int64_t> element = getBytes(root.getType().getPointee());
  // Other tile blocks may access a shareable allocation at any time.
  if (!element || root.getShareable()) {
    isClosed = false;
    return;
  }
  bytes = root.getNumElem() * *element;
  follow(root.getResult(), {0, 0});
}

/// Adds an access from byte `begin` on, to a tile of `type`, or to
/// `numElements` bytes of a constant.
void AllocaUses::addAccess(Operation *op, std::optional<int64_t> begin,
                           Type type, DenseElementsAttr constant,
                           int64_t numElements) {
  // Constructs around an access must be able to carry values.
  for (Operation *parent = op->getParentOp(); !isa<aa::FuncOp>(parent);
       parent = parent->getParentOp())
    isClosed &= isa<scf::IfOp, scf::ForOp, scf::WhileOp>(parent);
  if (!begin) {
    accesses.push_back({op, 0, 0, type, constant});
    return;
  }
  int64_t size = numElements;
  if (!constant) {
    std::optional<int64_t> element = getBytes(getElementTypeOrSelf(type));
    if (!element) {
      isClosed = false;
      return;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    size = *element * (tensor ? tensor.getNumElements() : 1);
  }
  if (*begin < 0 || *begin + size > bytes)
    isClosed = false;
  accesses.push_back({op, *begin, *begin + size, type, constant});
}

/// Number of leading true elements of a mask; none if a later one is true, too.
static std::optional<int64_t> getPrefix(Attribute mask) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(mask);
  if (!dense || !dense.getElementType().isInteger(1))
    return std::nullopt;
  int64_t count = 0;
  bool ended = false;
  for (bool set : dense.getValues<bool>()) {
    if (set && ended)
      return std::nullopt;
    ended |= !set;
    count += set;
  }
  return count;
}

void AllocaUses::addPointerAccess(Operation *op, Address address) {
  auto access = cast<aa::TileAAMemoryOpInterface>(op);
  auto load = dyn_cast<aa::LoadOp>(op);
  auto store = dyn_cast<aa::StoreOp>(op);
  if (!access.isWeak() || access.isVolatileAccess()) {
    isClosed = false;
    return;
  }
  hasLoads |= bool(load);
  Type type = load ? load.getValue().getType() : store.getValue().getType();
  std::optional<int64_t> element = getBytes(getElementTypeOrSelf(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t count = tensor ? tensor.getNumElements() : 1;
  if (!element ||
      (count > 1 && (tensor.getRank() != 1 || address.stride != *element))) {
    isClosed = false;
    return;
  }
  Value mask = access.getMaskOrNull();
  if (!mask) {
    addAccess(op, address.offset, type);
    return;
  }
  // The bytes of an initializer, with the padding to a power of two masked off.
  auto constant = store ? dyn_cast_if_present<DenseElementsAttr>(
                              evaluator.evaluate(store.getValue()))
                        : DenseElementsAttr();
  std::optional<int64_t> prefix = getPrefix(evaluator.evaluate(mask));
  if (!constant || !prefix || !constant.getElementType().isInteger(8)) {
    isClosed = false;
    return;
  }
  addAccess(op, address.offset, {}, constant, *prefix);
}

/// First element and stride of the elements of an offset tensor.
static std::optional<std::pair<int64_t, int64_t>>
getProgression(Value offsets, Evaluator &evaluator) {
  if (auto range = offsets.getDefiningOp<aa::MakeRangeOp>())
    return std::pair<int64_t, int64_t>(range.getStart(), 1);
  auto dense =
      dyn_cast_if_present<DenseIntElementsAttr>(evaluator.evaluate(offsets));
  if (!dense || !dense.isSplat())
    return std::nullopt;
  return std::pair(dense.getSplatValue<APInt>().getSExtValue(), int64_t(0));
}

void AllocaUses::followOffset(aa::AddPtrOp op, Address address) {
  auto pointer = cast<aa::TAPointerType>(getElementTypeOrSelf(op.getType()));
  std::optional<int64_t> element = getBytes(pointer.getPointee());
  if (!element) {
    isClosed = false;
    return;
  }
  if (isa<RankedTensorType>(op.getType())) {
    auto progression = getProgression(op.getOffset(), evaluator);
    if (!progression) {
      isClosed = false;
      return;
    }
    if (address.offset)
      *address.offset += progression->first * *element;
    address.stride += progression->second * *element;
    return follow(op.getResult(), address);
  }
  std::optional<int64_t> offset = evaluator.getInteger(op.getOffset());
  if (!offset)
    indices.push_back(op.getOffset());
  if (offset && address.offset)
    *address.offset += *offset * *element;
  else
    address.offset.reset();
  follow(op.getResult(), address);
}

void AllocaUses::followView(aa::BlockTileOp view,
                            std::optional<int64_t> offset) {
  aa::TATiledViewType type = view.getType();
  aa::TAMemRefType source = type.getSource();
  ArrayRef<int64_t> shape = source.getShape(), tile = type.getTileShape();
  std::optional<int64_t> element = getBytes(source.getElementType());
  // A tile covers whole rows, so its bytes are contiguous.
  int64_t stride = 1;
  bool isDense = element && shape.size() == tile.size() && !shape.empty() &&
                 type.getGroupSizes().empty() && !type.hasSparseDim();
  for (int64_t d = isDense ? shape.size() - 1 : -1; d >= 0; --d) {
    isDense &= type.getDims()[d] == d && source.getStrides()[d] == stride &&
               !ShapedType::isDynamic(shape[d]) &&
               (d == 0 || tile[d] == shape[d]);
    stride *= shape[d];
  }
  for (Operation *user : view->getUsers()) {
    auto load = dyn_cast<aa::TiledLoadOp>(user);
    auto store = dyn_cast<aa::TiledStoreOp>(user);
    auto access = dyn_cast<aa::TileAAMemoryOpInterface>(user);
    if (!isDense || (!load && !store) || !access.isWeak() ||
        access.isVolatileAccess() ||
        !(load ? load.getOffsets() : store.getOffsets()).empty()) {
      isClosed = false;
      return;
    }
    hasLoads |= bool(load);
    OperandRange coords = load ? load.getCoords() : store.getCoords();
    std::optional<int64_t> begin = offset;
    for (auto [d, coord] : llvm::enumerate(coords)) {
      std::optional<int64_t> index = evaluator.getInteger(coord);
      if (!index) {
        indices.push_back(coord);
        begin.reset();
      } else if (d == 0 && begin) {
        int64_t first = *index * type.getSteps()[0];
        // A tile beyond the end reads padding, or writes only a part.
        isClosed &= first >= 0 && first + tile[0] <= shape[0];
        *begin += first * source.getStrides()[0] * *element;
      } else {
        isClosed &= *index == 0;
      }
    }
    addAccess(user, begin,
              load ? load.getValue().getType() : store.getValue().getType());
  }
}

void AllocaUses::follow(Value pointer, Address address) {
  for (OpOperand &use : pointer.getUses()) {
    if (!isClosed)
      return;
    Operation *op = use.getOwner();
    if (auto add = dyn_cast<aa::AddPtrOp>(op)) {
      followOffset(add, address);
    } else if (isa<aa::BitcastOp, aa::AssumeOp>(op)) {
      follow(op->getResult(0), address);
    } else if (isa<aa::SplatOp, aa::BroadcastOp, aa::ExpandDimsOp, aa::ViewOp>(
                   op) &&
               address.stride == 0) {
      follow(op->getResult(0), address);
    } else if (isa<aa::LoadOp, aa::StoreOp>(op)) {
      addPointerAccess(op, address);
    } else if (auto memref = dyn_cast<aa::MakeMemRefOp>(op)) {
      for (Operation *user : memref->getUsers()) {
        auto view = dyn_cast<aa::BlockTileOp>(user);
        if (!view) {
          isClosed = false;
          return;
        }
        followView(view, address.offset);
      }
    } else {
      isClosed = false;
    }
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Returns whether the elements of `tile` have the same width in memory.
static bool hasPlainBits(Type tile) {
  Type type = getElementTypeOrSelf(tile);
  return type.isIntOrFloat() &&
         aa::getStorageBits(type) == type.getIntOrFloatBitWidth();
}

/// Returns whether a value of one type can be bitcast to the other.
static bool haveSameBits(Type a, Type b) {
  return a == b || (isa<RankedTensorType>(a) == isa<RankedTensorType>(b) &&
                    aa::getTileShape(a) == aa::getTileShape(b) &&
                    hasPlainBits(a) && hasPlainBits(b) &&
                    getElementTypeOrSelf(a).getIntOrFloatBitWidth() ==
                        getElementTypeOrSelf(b).getIntOrFloatBitWidth());
}

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : arith::BitcastOp::create(builder, loc, type, value);
}

bool Promoter::add(const AllocaUses &uses, int64_t maxPlaces) {
  SmallVector<Place> found;
  for (const Access &access : uses.accesses)
    if (!access.constant)
      found.push_back({uses.root, access.begin, access.end, access.type});
  llvm::sort(found, [](const Place &a, const Place &b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  SmallVector<Place> unique;
  for (const Place &place : found) {
    if (unique.empty() || place.begin >= unique.back().end) {
      unique.push_back(place);
      continue;
    }
    Place &last = unique.back();
    if (place.begin != last.begin || place.end != last.end ||
        !haveSameBits(place.type, last.type))
      return false;
  }
  for (const Access &access : uses.accesses)
    for (const Place &place : unique) {
      bool isIn = access.begin <= place.begin && place.end <= access.end;
      bool isOut = place.end <= access.begin || access.end <= place.begin;
      if (!isIn && !isOut)
        return false;
      if (access.constant && isIn && !hasPlainBits(place.type))
        return false;
    }
  if (int64_t(unique.size()) > maxPlaces)
    return false;
  Operation *home = uses.root->getParentOp();
  unsigned first = places.size();
  llvm::append_range(places, unique);
  for (const Access &access : uses.accesses) {
    SmallVector<unsigned> &touched = accessed[access.op];
    for (auto [index, place] : llvm::enumerate(unique))
      if (access.begin <= place.begin && place.end <= access.end)
        touched.push_back(first + index);
    if (access.constant) {
      constants[access.op] = access.constant;
      constantBegins[access.op] = access.begin;
    }
    if (isa<aa::StoreOp, aa::TiledStoreOp>(access.op))
      for (Operation *parent = access.op->getParentOp(); parent != home;
           parent = parent->getParentOp())
        written[parent].insert_range(touched);
  }
  allocas.push_back(uses.root);
  return true;
}

void Promoter::addUnread(const AllocaUses &uses) {
  for (const Access &access : uses.accesses)
    accessed[access.op];
  allocas.push_back(uses.root);
}

//===----------------------------------------------------------------------===//
// Promotion
//===----------------------------------------------------------------------===//

Value Promoter::getCurrent(unsigned place, Operation *user) {
  Value &value = current[place];
  if (!value) {
    // No path has written the place yet.
    OpBuilder builder(places[place].root);
    value = ub::PoisonOp::create(builder, places[place].root.getLoc(),
                                 places[place].type);
  }
  return value;
}

/// Replaces the token of an access by the token that it waits for: no memory
/// access remains between the two.
void Promoter::replaceToken(Operation *op) {
  auto access = cast<aa::TileAAMemoryOpInterface>(op);
  if (access.getOutputToken().use_empty())
    return;
  Value token = access.getInputToken();
  if (!token) {
    OpBuilder builder(op);
    token = aa::CreateMemTokenOp::create(builder, op->getLoc(),
                                         access.getOutputToken().getType());
  }
  access.getOutputToken().replaceAllUsesWith(token);
}

/// Tile of `type` from the bytes [begin, …) of `bytes`.
static Value createFromBytes(OpBuilder &builder, Location loc, Type type,
                             DenseElementsAttr bytes, int64_t begin,
                             int64_t size) {
  SmallVector<char> raw;
  if (bytes.isSplat())
    raw.assign(size, char(bytes.getSplatValue<APInt>().getZExtValue()));
  else
    raw.assign(bytes.getRawData().begin() + begin,
               bytes.getRawData().begin() + begin + size);
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto shaped = tensor ? tensor : RankedTensorType::get({1}, type);
  auto dense = DenseElementsAttr::getFromRawBuffer(shaped, raw);
  if (tensor)
    return arith::ConstantOp::create(builder, loc, dense);
  return arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(*dense.getValues<Attribute>().begin()));
}

void Promoter::promoteAccess(Operation *op, ArrayRef<unsigned> touched) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (DenseElementsAttr constant = constants.lookup(op)) {
    for (unsigned index : touched) {
      const Place &place = places[index];
      current[index] = createFromBytes(builder, loc, place.type, constant,
                                       place.begin - constantBegins[op],
                                       place.end - place.begin);
    }
  } else if (isa<aa::LoadOp, aa::TiledLoadOp>(op)) {
    Value result = op->getResult(0);
    result.replaceAllUsesWith(castTo(
        builder, loc, getCurrent(touched.front(), op), result.getType()));
  } else if (!touched.empty()) {
    Value value = isa<aa::StoreOp>(op) ? cast<aa::StoreOp>(op).getValue()
                                       : cast<aa::TiledStoreOp>(op).getValue();
    current[touched.front()] =
        castTo(builder, loc, value, places[touched.front()].type);
  }
  replaceToken(op);
  op->erase();
}

void Promoter::promoteIf(scf::IfOp op, ArrayRef<unsigned> stored) {
  SmallVector<Value> before = getCurrent(stored, op);
  promoteBlock(op.thenBlock());
  SmallVector<Value> onTrue = getCurrent(stored, op);
  setCurrent(stored, before);
  SmallVector<Value> onFalse = before;
  if (op.elseBlock()) {
    promoteBlock(op.elseBlock());
    onFalse = getCurrent(stored, op);
  }
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(onTrue).getTypes());
  auto wide = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wide.getThenRegion().takeBody(op.getThenRegion());
  wide.getElseRegion().takeBody(op.getElseRegion());
  if (!wide.elseBlock()) {
    builder.createBlock(&wide.getElseRegion());
    scf::YieldOp::create(builder, op.getLoc());
  }
  wide.thenYield().getResultsMutable().append(onTrue);
  wide.elseYield().getResultsMutable().append(onFalse);
  unsigned numOld = op.getNumResults();
  op->replaceAllUsesWith(wide.getResults().take_front(numOld));
  setCurrent(stored, wide.getResults().drop_front(numOld));
  op->erase();
}

void Promoter::promoteFor(scf::ForOp op, ArrayRef<unsigned> stored) {
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, getCurrent(stored, op));
  auto wide = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits,
                                 /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wide.getRegion().takeBody(op.getRegion());
  Block *body = wide.getBody();
  for (unsigned place : stored)
    current[place] = body->addArgument(places[place].type, op.getLoc());
  promoteBlock(body);
  cast<scf::YieldOp>(body->getTerminator())
      .getResultsMutable()
      .append(getCurrent(stored, wide));
  unsigned numOld = op.getNumResults();
  op->replaceAllUsesWith(wide.getResults().take_front(numOld));
  setCurrent(stored, wide.getResults().drop_front(numOld));
  op->erase();
}

void Promoter::promoteWhile(scf::WhileOp op, ArrayRef<unsigned> stored) {
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, getCurrent(stored, op));
  SmallVector<Type> types(op.getResultTypes());
  for (unsigned place : stored)
    types.push_back(places[place].type);
  auto wide = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wide.getBefore().takeBody(op.getBefore());
  wide.getAfter().takeBody(op.getAfter());
  for (unsigned place : stored)
    current[place] =
        wide.getBeforeBody()->addArgument(places[place].type, op.getLoc());
  promoteBlock(wide.getBeforeBody());
  wide.getConditionOp().getArgsMutable().append(getCurrent(stored, wide));
  for (unsigned place : stored)
    current[place] =
        wide.getAfterBody()->addArgument(places[place].type, op.getLoc());
  promoteBlock(wide.getAfterBody());
  wide.getYieldOp().getResultsMutable().append(getCurrent(stored, wide));
  unsigned numOld = op.getNumResults();
  op->replaceAllUsesWith(wide.getResults().take_front(numOld));
  setCurrent(stored, wide.getResults().drop_front(numOld));
  op->erase();
}

void Promoter::promoteBlock(Block *block) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto found = accessed.find(&op); found != accessed.end()) {
      SmallVector<unsigned> touched = found->second;
      promoteAccess(&op, touched);
      continue;
    }
    if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      continue;
    auto stored = llvm::to_vector(written.lookup(&op));
    if (auto branch = dyn_cast<scf::IfOp>(op))
      promoteIf(branch, stored);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      promoteFor(loop, stored);
    else
      promoteWhile(cast<scf::WhileOp>(op), stored);
  }
}

void Promoter::run() {
  if (allocas.empty())
    return;
  for (Block &block : func.getBody())
    promoteBlock(&block);
  // The addresses have no users left.
  for (aa::AllocaOp root : allocas) {
    SetVector<Operation *> addresses;
    addresses.insert(root);
    for (size_t i = 0; i < addresses.size(); ++i)
      for (Operation *user : addresses[i]->getUsers())
        addresses.insert(user);
    for (Operation *op : llvm::reverse(addresses.getArrayRef())) {
      op->dropAllUses();
      op->erase();
    }
  }
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

/// Trip count of a loop with constant bounds that are not negative.
static std::optional<int64_t> getTripCount(scf::ForOp loop,
                                           Evaluator &evaluator) {
  std::optional<int64_t> lower = evaluator.getInteger(loop.getLowerBound());
  std::optional<int64_t> upper = evaluator.getInteger(loop.getUpperBound());
  std::optional<int64_t> step = evaluator.getInteger(loop.getStep());
  if (!lower || !upper || !step || *lower < 0 || *upper <= *lower || *step <= 0)
    return std::nullopt;
  return llvm::divideCeil(*upper - *lower, *step);
}

/// Collects the loops whose induction variables determine `index`. Returns
/// whether nothing else does.
bool TileAAPromoteAllocas::collectLoops(Value index, Evaluator &evaluator,
                                        Loops &loops) {
  llvm::SetVector<Value> values;
  values.insert(index);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument != loop.getInductionVar())
        return false;
      std::optional<int64_t> tripCount = getTripCount(loop, evaluator);
      if (!tripCount || *tripCount > maxTrips)
        return false;
      loops.insert(loop);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!isPure(op) || op->getNumRegions())
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

/// Returns whether unrolling all of `loops` leaves each of them short enough.
bool TileAAPromoteAllocas::isCheap(const Loops &loops) {
  Evaluator evaluator;
  return llvm::all_of(loops, [&](scf::ForOp loop) {
    int64_t count = 0;
    loop->walk([&](Operation *op) {
      int64_t copies = 1;
      for (Operation *parent = op->getParentOp();
           parent != loop->getParentOp() && copies <= maxUnrolledOps;
           parent = parent->getParentOp())
        if (auto outer = dyn_cast<scf::ForOp>(parent))
          if (loops.contains(outer))
            copies *= getTripCount(outer, evaluator).value_or(1);
      count += copies;
      return count > maxUnrolledOps ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    return count <= maxUnrolledOps;
  });
}

/// Unrolls the loops whose induction variables alone keep places of `allocas`
/// unknown.
void TileAAPromoteAllocas::unrollFor(ArrayRef<aa::AllocaOp> allocas) {
  Evaluator evaluator;
  Loops chosen;
  for (aa::AllocaOp root : allocas) {
    AllocaUses uses(root, evaluator);
    if (!uses.isClosed || !uses.hasLoads || uses.indices.empty())
      continue;
    Loops loops;
    if (!llvm::all_of(uses.indices, [&](Value index) {
          return collectLoops(index, evaluator, loops);
        })) {
      TILEIR_LOG() << root.getLoc() << ": an index is no constant";
      continue;
    }
    Loops both = chosen;
    both.insert_range(loops);
    if (!isCheap(both)) {
      TILEIR_LOG() << root.getLoc() << ": unrolled loops are too long";
      continue;
    }
    chosen = std::move(both);
  }
  if (chosen.empty())
    return;
  SmallVector<scf::ForOp> order;
  getOperation().walk([&](scf::ForOp loop) {
    if (chosen.contains(loop))
      order.push_back(loop);
  });
  for (scf::ForOp loop : order)
    numUnrolled += succeeded(loopUnrollFull(loop));
}

void TileAAPromoteAllocas::runOnOperation() {
  SmallVector<aa::AllocaOp> allocas;
  getOperation().walk([&](aa::AllocaOp op) { allocas.push_back(op); });
  if (allocas.empty())
    return markAllAnalysesPreserved();
  unrollFor(allocas);
  allocas.clear();
  getOperation().walk([&](aa::AllocaOp op) { allocas.push_back(op); });

  Evaluator evaluator;
  Promoter promoter(getOperation());
  for (aa::AllocaOp root : allocas) {
    AllocaUses uses(root, evaluator);
    if (!uses.isClosed)
      continue;
    if (!uses.hasLoads) {
      promoter.addUnread(uses);
      ++numPromoted;
    } else if (uses.indices.empty() && promoter.add(uses, maxPlaces)) {
      ++numPromoted;
    }
  }
  promoter.run();
}

} // namespace tileir

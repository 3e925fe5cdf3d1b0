// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/Access.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileir::lowering {

static StringRef getSemanticName(nv_tileaa::MemSemantic semantic) {
  switch (semantic) {
  case nv_tileaa::MemSemantic::Weak:
  case nv_tileaa::MemSemantic::Relaxed:
    return "relaxed";
  case nv_tileaa::MemSemantic::Acquire:
    return "acquire";
  case nv_tileaa::MemSemantic::Release:
    return "release";
  case nv_tileaa::MemSemantic::AcqRel:
    return "acq_rel";
  }
  return "acq_rel";
}

namespace {

/// One atomic operation of a tile.
struct AtomicKind {
  nv_tileaa::RmwMode mode;
  Type element;
  nv_tileaa::MemSemantic semantic;
  nv_tileaa::MemScope scope;
};

/// Emits the accesses of one operation; `values` are per register. For several
/// ordered accesses of a thread, one fence before and one after order all of
/// them, and the accesses are relaxed.
class AtomicEmitter {
public:
  AtomicEmitter(Emitter &emitter, const AtomicKind &asked,
                const AccessList &list)
      : emitter(emitter), builder(emitter.builder), loc(emitter.loc),
        kind(asked), space(list.space) {
    using nv_tileaa::MemSemantic;
    acquires = kind.semantic == MemSemantic::Acquire ||
               kind.semantic == MemSemantic::AcqRel;
    if (list.accesses.size() == 1)
      return;
    fencesAfter = acquires;
    if (kind.semantic == MemSemantic::Release ||
        kind.semantic == MemSemantic::AcqRel)
      fence();
    kind.semantic = MemSemantic::Relaxed;
  }

  /// Emits the closing fence; call it after the last access.
  void finish() {
    if (fencesAfter)
      fence();
  }

  /// Returns the old value; undefined if the predicate is false.
  Value rmw(Value pointer, Value predicate, Value value, bool needsOld);
  /// Adds `values` to adjacent elements without returning the old values,
  /// `getReductionBytes` of them per instruction, under one predicate.
  void reduce(Value pointer, Value predicate, ArrayRef<Value> values);
  Value cas(Value ptr, Value predicate, Value compare, Value value);

private:
  void fence() {
    emitter.ptx(PtxEffects::Memory)
        .emit("fence.acq_rel." +
              getScopeName(kind.scope, emitter.state.target) + ";");
  }
  /// Returns `add.noftz.f16` and the like; empty if only a loop can do it.
  std::string getInstruction() const;
  Value loop(Value ptr, Value predicate, Value value);
  Value compareAndSwap(Value pointer, Value predicate, Value compare,
                       Value value);
  std::string getPrefix() const {
    return ("." + getSemanticName(kind.semantic) + "." +
            getScopeName(kind.scope, emitter.state.target) +
            getSpaceName(space) + ".")
        .str();
  }

  Emitter &emitter;
  OpBuilder &builder;
  Location loc;
  AtomicKind kind;
  unsigned space;
  bool acquires = false, fencesAfter = false;
};

} // namespace

std::string AtomicEmitter::getInstruction() const {
  using nv_tileaa::RmwMode;
  std::string bits = std::to_string(getMemoryBits(kind.element));
  if (isa<FloatType>(kind.element)) {
    if (kind.mode == RmwMode::Xchg && bits != "16")
      return "exch.b" + bits;
    if (kind.mode != RmwMode::Add && kind.mode != RmwMode::AddF)
      return "";
    if (kind.element.isF32() || kind.element.isF64())
      return "add.f" + bits;
    if (kind.element.isF16())
      return "add.noftz.f16";
    if (kind.element.isBF16() && emitter.state.target.has(Feature::AtomicsBf16))
      return "add.noftz.bf16";
    return "";
  }
  if (bits != "32" && bits != "64")
    return "";
  switch (kind.mode) {
  case RmwMode::And:
    return "and.b" + bits;
  case RmwMode::Or:
    return "or.b" + bits;
  case RmwMode::Xor:
    return "xor.b" + bits;
  case RmwMode::Add:
  case RmwMode::AddF:
    return "add.u" + bits;
  case RmwMode::Max:
    return "max.s" + bits;
  case RmwMode::Min:
    return "min.s" + bits;
  case RmwMode::UMax:
    return "max.u" + bits;
  case RmwMode::UMin:
    return "min.u" + bits;
  case RmwMode::Xchg:
    return "exch.b" + bits;
  }
  return "";
}

/// Computes the new value of an access of this `mode` from `old` and the
/// operand `value`.
static Value combine(Emitter &emitter, nv_tileaa::RmwMode mode, Value old,
                     Value value) {
  using nv_tileaa::RmwMode;
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType();
  bool isFloat = isa<FloatType>(type);
  switch (mode) {
  case RmwMode::And:
    return LLVM::AndOp::create(builder, loc, old, value);
  case RmwMode::Or:
    return LLVM::OrOp::create(builder, loc, old, value);
  case RmwMode::Xor:
    return LLVM::XOrOp::create(builder, loc, old, value);
  case RmwMode::Add:
  case RmwMode::AddF:
    return isFloat ? Value(LLVM::FAddOp::create(builder, loc, old, value))
                   : Value(LLVM::AddOp::create(builder, loc, old, value));
  case RmwMode::Max:
    return isFloat ? Value(LLVM::MaxNumOp::create(builder, loc, old, value))
                   : Value(LLVM::SMaxOp::create(builder, loc, old, value));
  case RmwMode::Min:
    return isFloat ? Value(LLVM::MinNumOp::create(builder, loc, old, value))
                   : Value(LLVM::SMinOp::create(builder, loc, old, value));
  case RmwMode::UMax:
    return LLVM::UMaxOp::create(builder, loc, old, value);
  case RmwMode::UMin:
    return LLVM::UMinOp::create(builder, loc, old, value);
  case RmwMode::Xchg:
    return value;
  }
  return value;
}

/// Emits `atom.cas` on the bits; returns the old bits, or `compare` if masked
/// off.
Value AtomicEmitter::compareAndSwap(Value pointer, Value predicate,
                                    Value compare, Value value) {
  unsigned bits = compare.getType().getIntOrFloatBitWidth();
  std::string type = ".b" + std::to_string(bits);
  PtxBuilder ptx = emitter.ptx();
  std::string old = ptx.out(compare.getType(), /*early=*/true),
              place = ptx.address(pointer), expected = ptx.in(compare),
              next = ptx.in(value), guard = ptx.guard(predicate);
  return ptx
      .emit("mov" + type + " " + old + ", " + expected + ";\n\t" + guard +
            "atom" + getPrefix() + "cas" + type + " " + old + ", [" + place +
            "], " + expected + ", " + next + ";")
      .front();
}

Value AtomicEmitter::cas(Value ptr, Value predicate, Value compare,
                         Value value) {
  Type type = value.getType();
  Value old = compareAndSwap(ptr, predicate, emitter.toBits(compare),
                             emitter.toBits(value));
  return emitter.fromBits(old, type);
}

/// Reads, computes, and swaps until no other thread has written in between.
Value AtomicEmitter::loop(Value ptr, Value predicate, Value value) {
  Type type = value.getType();
  unsigned bits = getMemoryBits(kind.element);
  Type raw = emitter.intType(bits);
  // A masked-off thread reads 0 and leaves the loop at once.
  AccessList list;
  list.align = bits / 8;
  list.space = space;
  list.accesses.push_back({0, ptr, predicate});
  AccessModifiers modifiers;
  modifiers.isVolatile = true;
  Value first =
      emitter.toBits(emitLoads(emitter, list, raw, modifiers, [&](int64_t) {
        return emitter.constant(bits, 0);
      })[0]);
  OpBuilder::InsertionGuard guard(builder);
  auto retry = scf::WhileOp::create(builder, loc, TypeRange(raw), first);
  builder.createBlock(&retry.getBefore(), {}, TypeRange(raw), {loc});
  Value expected = retry.getBefore().getArgument(0);
  Value next =
      combine(emitter, kind.mode, emitter.fromBits(expected, type), value);
  Value found = compareAndSwap(ptr, predicate, expected, emitter.toBits(next));
  Value failed = emitter.icmp(LLVM::ICmpPredicate::ne, found, expected);
  scf::ConditionOp::create(builder, loc, failed, found);
  builder.createBlock(&retry.getAfter(), {}, TypeRange(raw), {loc});
  scf::YieldOp::create(builder, loc, retry.getAfter().getArgument(0));
  builder.setInsertionPointAfter(retry);
  return emitter.fromBits(retry.getResult(0), type);
}

Value AtomicEmitter::rmw(Value pointer, Value predicate, Value value,
                         bool needsOld) {
  std::string instruction = getInstruction();
  if (instruction.empty()) {
    Value old = loop(pointer, predicate, value);
    builder.setInsertionPointAfterValue(old);
    return old;
  }
  Type type = value.getType();
  Value bits = emitter.toBits(value);
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  // `red` supports neither exchange nor acquire (PTX ISA, red).
  bool isReduction =
      !needsOld && !acquires && instruction.find("exch") == std::string::npos;
  PtxBuilder ptx = emitter.ptx();
  std::string old, start;
  if (!isReduction) {
    old = ptx.out(bits.getType(), /*early=*/true);
    if (predicate)
      start = "mov.b" + std::to_string(width) + " " + old + ", 0;\n\t";
    old += ", ";
  }
  std::string place = ptx.address(pointer), operand = ptx.in(bits),
              guard = ptx.guard(predicate);
  SmallVector<Value> results =
      ptx.emit(start + guard + (isReduction ? "red" : "atom") + getPrefix() +
               instruction + " " + old + "[" + place + "], " + operand + ";");
  return isReduction ? emitter.poison(type)
                     : emitter.fromBits(results.front(), type);
}

void AtomicEmitter::reduce(Value pointer, Value predicate,
                           ArrayRef<Value> values) {
  // 32-bit registers of two halves each.
  Value image = emitter.toMemory(values, kind.element);
  PtxBuilder ptx = emitter.ptx();
  std::string place = ptx.address(pointer);
  SmallVector<std::string> words;
  if (auto vector = dyn_cast<VectorType>(image.getType()))
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      words.push_back(ptx.in(emitter.extract(image, i)));
  else
    words.push_back(ptx.in(image));
  std::string text = ptx.guard(predicate) + "red" + getPrefix() + "add.";
  if (!kind.element.isF32())
    text += "noftz.";
  if (words.size() > 1)
    text += "v" + std::to_string(words.size()) + ".";
  text += kind.element.isF32()   ? "f32"
          : kind.element.isF16() ? "f16x2"
                                 : "bf16x2";
  ptx.emit(text + " [" + place + "], " + PtxBuilder::list(words) + ";");
}

/// Returns the bytes of adjacent elements that one instruction of `kind` can
/// update without returning the old values; 1 means a single element. Each
/// element is atomic by itself, with or without a vector, and rounds alike. An
/// acquire needs the old value in any case (PTX ISA, red).
static int64_t getReductionBytes(const AtomicKind &kind, bool needsOld,
                                 unsigned space, const Target &target) {
  using nv_tileaa::MemSemantic;
  using nv_tileaa::RmwMode;
  if (needsOld || kind.semantic == MemSemantic::Acquire ||
      kind.semantic == MemSemantic::AcqRel ||
      (kind.mode != RmwMode::Add && kind.mode != RmwMode::AddF))
    return 1;
  bool isHalf = kind.element.isF16() ||
                (kind.element.isBF16() && target.has(Feature::AtomicsBf16));
  // Vectors are for global memory alone.
  constexpr unsigned kGlobal = 1;
  if ((isHalf || kind.element.isF32()) && space == kGlobal &&
      target.has(Feature::AtomicsVector))
    return 16;
  return isHalf ? 4 : 1;
}

/// Broadcasts the old values from the owning thread of each element to all
/// threads that hold a copy.
static SmallVector<Value> spreadOld(Emitter &emitter, Operation *op,
                                    RankedTensorType tile, Value owns,
                                    SmallVector<Value> old) {
  Layout layout = getLayout(tile);
  Type element = tile.getElementType();
  int64_t bytes = getMemoryBits(element) / 8;
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  Value thread = emitter.rowMajorOfThread(layout);
  SmallVector<Value> ptrs;
  for (int64_t reg = 0; reg < int64_t(old.size()); ++reg)
    ptrs.push_back(emitter.gep(
        base, emitter.mulConst(emitter.xorConst(thread, layout.applyFlat(reg)),
                               bytes)));
  storeShared(emitter, owns, ptrs, old, element);
  emitter.barrier();
  for (auto [ptr, value] : llvm::zip(ptrs, old)) {
    Value image = emitter.load(emitter.memoryType(1, element), ptr, bytes);
    value = emitter.fromMemory(image, 1, element)[0];
  }
  return old;
}

/// The first thread executes a scalar operation and broadcasts the result.
static Value spreadScalar(Emitter &emitter, Operation *op, Type element,
                          Value first, Value old) {
  int64_t bytes = getMemoryBits(element) / 8;
  Value slot = emitter.smemPtr(emitter.enterScratch(op));
  storeShared(emitter, first, slot, old, element);
  emitter.barrier();
  Value image = emitter.load(emitter.memoryType(1, element), slot, bytes);
  return emitter.fromMemory(image, 1, element)[0];
}

static nv_tileaa::MemScope getScope(std::optional<nv_tileaa::MemScope> scope) {
  return scope.value_or(nv_tileaa::MemScope::Gpu);
}

/// Returns the accesses of a tile of pointers or of one pointer, restricted to
/// one thread per element.
template <typename OpTy, typename Adaptor>
static AccessList getAccesses(Emitter &emitter, OpTy op, Adaptor adaptor,
                              Value &owns, int64_t maxBytes = 1) {
  Type element = getElementTypeOrSelf(op.getValue().getType());
  SmallVector<Value> mask =
      op.getMask() ? llvm::to_vector(adaptor.getMask()) : SmallVector<Value>();
  AccessList list;
  if (auto tile = dyn_cast<RankedTensorType>(op.getPtr().getType())) {
    list = accessPointers(emitter, op, emitter.unpack(adaptor.getPtr(), tile),
                          mask, tile, element, maxBytes);
    owns = emitter.ownsElements(getLayout(tile));
  } else {
    list.space =
        cast<nv_tileaa::TAPointerType>(op.getPtr().getType()).getSpace();
    owns = emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1);
    list.accesses.push_back(
        {0, adaptor.getPtr().front(), mask.empty() ? Value() : mask[0]});
  }
  for (Access &access : list.accesses)
    access.predicate = emitter.andBits(owns, access.predicate);
  return list;
}

template <typename OpTy, typename Adaptor>
static SmallVector<Value> unpackOperand(Emitter &emitter, Value operand,
                                        ValueRange words) {
  if (auto tile = dyn_cast<RankedTensorType>(operand.getType()))
    return emitter.unpack(words, tile);
  return llvm::to_vector(words);
}

/// Returns the converted `old` result from one value per register.
static SmallVector<Value> finishOld(Emitter &emitter, Operation *op, Value old,
                                    Value owns, SmallVector<Value> values) {
  auto tile = dyn_cast<RankedTensorType>(old.getType());
  if (cast<nv_tileas::ScratchOpInterface>(op).getScratchBytes()) {
    if (!tile)
      return {spreadScalar(emitter, op, old.getType(), owns, values[0])};
    values = spreadOld(emitter, op, tile, owns, values);
  }
  return tile ? emitter.pack(values, tile) : values;
}

/// Returns the memory space of a pointer or of a tile of pointers.
static unsigned getPointerSpace(Value pointer) {
  return cast<nv_tileaa::TAPointerType>(getElementTypeOrSelf(pointer.getType()))
      .getSpace();
}

/// Executes the accesses of `list`. Returns the old values, poison if
/// `needsOld` is false.
static SmallVector<Value> modifyAll(Emitter &emitter, AtomicEmitter &atomic,
                                    const AccessList &list,
                                    ArrayRef<Value> values, bool needsOld) {
  SmallVector<Value> old;
  for (const Access &access : list.accesses) {
    if (list.width == 1) {
      old.push_back(atomic.rmw(access.ptr, access.predicate, values[access.reg],
                               needsOld));
      continue;
    }
    atomic.reduce(access.ptr, access.predicate,
                  values.slice(access.reg, list.width));
    old.append(list.width, emitter.poison(values[access.reg].getType()));
  }
  return old;
}

//===----------------------------------------------------------------------===//
// One address for a warp
//===----------------------------------------------------------------------===//

namespace {

/// The same operation for a warp and for two registers of a thread.
struct Combination {
  NVVM::ReduxKind kind;
  /// The identity operand.
  int32_t neutral;
};

/// The access of one lane for its warp, and its operand.
struct WarpAccess {
  Access access;
  Value value;
};

} // namespace

static std::optional<Combination> getCombination(nv_tileaa::RmwMode mode) {
  using nv_tileaa::RmwMode;
  switch (mode) {
  case RmwMode::Add:
    return Combination{NVVM::ReduxKind::ADD, 0};
  case RmwMode::And:
    return Combination{NVVM::ReduxKind::AND, -1};
  case RmwMode::Or:
    return Combination{NVVM::ReduxKind::OR, 0};
  case RmwMode::Xor:
    return Combination{NVVM::ReduxKind::XOR, 0};
  case RmwMode::Max:
    return Combination{NVVM::ReduxKind::MAX, INT32_MIN};
  case RmwMode::Min:
    return Combination{NVVM::ReduxKind::MIN, INT32_MAX};
  case RmwMode::UMax:
    return Combination{NVVM::ReduxKind::UMAX, 0};
  case RmwMode::UMin:
    return Combination{NVVM::ReduxKind::UMIN, -1};
  case RmwMode::AddF:
  case RmwMode::Xchg:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Returns whether all threads have the same `value`: an argument, the block
/// id, a constant, or a value computed from such.
static bool isUniform(Value value, unsigned depth = 0) {
  constexpr unsigned kMaxSteps = 32;
  if (depth == kMaxSteps)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op) {
    Block *block = cast<BlockArgument>(value).getOwner();
    return block->isEntryBlock() &&
           isa<FunctionOpInterface>(block->getParentOp());
  }
  if (isa<LLVM::ConstantOp, LLVM::AddressOfOp, NVVM::BlockIdXOp,
          NVVM::BlockIdYOp, NVVM::BlockIdZOp, NVVM::GridDimXOp,
          NVVM::GridDimYOp, NVVM::GridDimZOp>(op))
    return true;
  if (!isa<UnrealizedConversionCastOp, LLVM::GEPOp, LLVM::AddOp, LLVM::SubOp,
           LLVM::MulOp, LLVM::ShlOp, LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp,
           LLVM::BitcastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp>(op) &&
      !(isa_and_present<arith::ArithDialect>(op->getDialect()) &&
        op->getNumRegions() == 0))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isUniform(operand, depth + 1);
  });
}

/// Combines the operations of the lanes of a warp on one address, so that one
/// lane executes them. Returns nothing if the pointers of `op` are not known to
/// be equal, if an old value is used, or if the order of the elements is
/// observable: 32-bit integers give the same result in any order, and a relaxed
/// access guarantees no order.
static std::optional<WarpAccess> combineWarp(Emitter &emitter,
                                             nv_tileas::AtomicRmwOp op,
                                             const AccessList &list,
                                             ArrayRef<Value> values) {
  auto tile = dyn_cast<RankedTensorType>(op.getValue().getType());
  std::optional<Combination> how = getCombination(op.getRmwMode());
  if (!tile || !how || !tile.getElementType().isInteger(32) ||
      tile.getNumElements() == 1 || !op.getOld().use_empty() ||
      op.getMemSemantic() != nv_tileaa::MemSemantic::Relaxed)
    return std::nullopt;
  // A broadcast pointer is one value in all registers.
  Value pointer = list.accesses.front().ptr;
  if (!llvm::all_of(
          list.accesses,
          [&](const Access &access) { return access.ptr == pointer; }) ||
      !isUniform(pointer))
    return std::nullopt;
  Value total, any;
  bool isMasked = false;
  for (const Access &access : list.accesses) {
    Value value = values[access.reg];
    if (access.predicate) {
      isMasked = true;
      value =
          emitter.select(access.predicate, value, emitter.i32(how->neutral));
      any = any ? Value(LLVM::OrOp::create(emitter.builder, emitter.loc, any,
                                           access.predicate))
                : access.predicate;
    }
    total = total ? combine(emitter, op.getRmwMode(), total, value) : value;
  }
  total = NVVM::ReduxOp::create(emitter.builder, emitter.loc, total.getType(),
                                total, how->kind, emitter.i32(-1));
  Value first =
      emitter.icmp(LLVM::ICmpPredicate::eq, emitter.lane(), emitter.i32(0));
  // A pointer that no lane accesses must not be dereferenced.
  if (isMasked)
    first = emitter.andBits(first, emitter.anyLane(any));
  return WarpAccess{{0, pointer, first}, total};
}

//===----------------------------------------------------------------------===//
// The patterns
//===----------------------------------------------------------------------===//

namespace {

struct AtomicRmwLowering final : TilePattern<nv_tileas::AtomicRmwOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AtomicRmwOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    AtomicKind kind{op.getRmwMode(),
                    getElementTypeOrSelf(op.getValue().getType()),
                    op.getMemSemantic(), getScope(op.getMemScope())};
    bool needsOld = !op.getOld().use_empty();
    Value owns;
    AccessList list = getAccesses(
        emitter, op, adaptor, owns,
        getReductionBytes(kind, needsOld, getPointerSpace(op.getPtr()),
                          state.target));
    SmallVector<Value> values =
        unpackOperand<nv_tileas::AtomicRmwOp, OneToNOpAdaptor>(
            emitter, op.getValue(), adaptor.getValue());
    if (std::optional<WarpAccess> warp =
            combineWarp(emitter, op, list, values)) {
      values.assign(values.size(), warp->value);
      list.accesses.assign(1, warp->access);
    }
    AtomicEmitter atomic(emitter, kind, list);
    SmallVector<Value> old = modifyAll(emitter, atomic, list, values, needsOld);
    old.resize(values.size(), old.front());
    atomic.finish();
    rewriter.replaceOpWithMultiple(
        op,
        {finishOld(emitter, op, op.getOld(), owns, old), SmallVector<Value>()});
    return success();
  }
};

struct AtomicCasLowering final : TilePattern<nv_tileas::AtomicCasOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AtomicCasOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value owns;
    AccessList list = getAccesses(emitter, op, adaptor, owns);
    auto unpack = [&](Value operand, ValueRange words) {
      return unpackOperand<nv_tileas::AtomicCasOp, OneToNOpAdaptor>(
          emitter, operand, words);
    };
    SmallVector<Value> values = unpack(op.getValue(), adaptor.getValue());
    SmallVector<Value> compares = unpack(op.getCmp(), adaptor.getCmp());
    AtomicKind kind{nv_tileaa::RmwMode::Xchg,
                    getElementTypeOrSelf(op.getValue().getType()),
                    op.getMemSemantic(), getScope(op.getMemScope())};
    AtomicEmitter atomic(emitter, kind, list);
    SmallVector<Value> old;
    for (const Access &access : list.accesses)
      old.push_back(atomic.cas(access.ptr, access.predicate,
                               compares[access.reg], values[access.reg]));
    atomic.finish();
    rewriter.replaceOpWithMultiple(
        op,
        {finishOld(emitter, op, op.getOld(), owns, old), SmallVector<Value>()});
    return success();
  }
};

struct TiledAtomicRmwLowering final : TilePattern<nv_tileas::TiledAtomicRmwOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TiledAtomicRmwOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    SmallVector<Value> offsets;
    for (ValueRange offset : adaptor.getOffsets())
      offsets.push_back(offset.front());
    std::optional<ArrayRef<bool>> inBounds;
    if (auto attr = op.getInBoundsAttr())
      inBounds = attr.asArrayRef();
    nv_tileaa::TATiledViewType view = op.getView().getType();
    AtomicKind kind{op.getRmwMode(), tile.getElementType(), op.getMemSemantic(),
                    getScope(op.getMemScope())};
    bool needsOld = op.getOld() && !op.getOld().use_empty();
    AccessList list = accessView(
        emitter, op, view, adaptor.getView(), adaptor.getCoords(), offsets,
        tile, inBounds,
        isMultimem(op)
            ? getMaxBytes(op, tile.getElementType())
            : getReductionBytes(kind, needsOld, view.getSource().getSpace(),
                                state.target));
    Value owns = emitter.ownsElements(getLayout(tile));
    for (Access &access : list.accesses)
      access.predicate = emitter.andBits(owns, access.predicate);
    SmallVector<Value> values = emitter.unpack(adaptor.getValue(), tile);
    if (isMultimem(op)) {
      AccessModifiers modifiers;
      modifiers.semantic = op.getMemSemantic();
      modifiers.scope = op.getMemScope();
      emitMultimemStores(emitter, list, tile.getElementType(), modifiers,
                         op.getRmwMode(), values);
      rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
      return success();
    }
    AtomicEmitter atomic(emitter, kind, list);
    SmallVector<Value> old = modifyAll(emitter, atomic, list, values, needsOld);
    atomic.finish();
    SmallVector<SmallVector<Value>> results;
    if (op.getOld())
      results.push_back(finishOld(emitter, op, op.getOld(), owns, old));
    results.emplace_back();
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

} // namespace

void populateAtomicPatterns(RewritePatternSet &patterns,
                            const TileTypeConverter &converter,
                            const LoweringState &state) {
  patterns.add<AtomicRmwLowering, AtomicCasLowering, TiledAtomicRmwLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

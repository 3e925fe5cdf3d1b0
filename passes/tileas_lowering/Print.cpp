// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints: one thread calls `vprintf`. Tile elements reach it through scratch
// memory, in chunks of one call.

#include "passes/tileas_lowering/Print.h"
#include "passes/tileas_lowering/Lowering.h"

#include "dialects/nv_tileas/Printing.h"
#include "passes/tileas_lowering/memory/Access.h"

using namespace mlir;

namespace tileir::lowering {

/// On prints that share a lock.
static constexpr StringLiteral kLockedAttr = "tileir.locked";

void markLockedPrints(Operation *root) {
  SmallVector<nv_tileas::PrintOp> prints;
  root->walk([&](nv_tileas::PrintOp print) { prints.push_back(print); });
  if (llvm::all_of(prints, [](nv_tileas::PrintOp print) {
        return getNumPrintedValues(print) <= kPrintValues;
      }))
    return;
  for (nv_tileas::PrintOp print : prints)
    print->setDiscardableAttr(kLockedAttr, UnitAttr::get(print.getContext()));
}

namespace {

/// A conversion specifier of a format, such as `%-8.3f`.
class Conversion {
public:
  /// Takes `text` without its length modifiers: the argument's type determines
  /// the length.
  explicit Conversion(StringRef text) : kind(text.back()) {
    for (char c : text.drop_front().drop_back())
      if (!StringRef("hlLqjzt*").contains(c))
        flags += c;
  }

  /// True for `%n`, which prints nothing.
  bool isSilent() const { return kind == 'n'; }
  /// Returns the specifier for arguments of type `type`.
  std::string spell(Type type) const;
  /// Returns the arguments for `values` of type `element`.
  SmallVector<Value> apply(Emitter &emitter, ArrayRef<Value> values,
                           Type element) const;

private:
  bool isOneOf(StringRef kinds) const { return kinds.contains(kind); }
  bool isFloat() const { return isOneOf("eEfFgGaA"); }
  bool isSigned() const { return isOneOf("di") || isFloat(); }

  std::string flags;
  char kind;
};

/// Builds the calls of one print: text and scalars in order, tile elements in
/// row-major order in nested brackets.
class Printer {
public:
  Printer(Emitter &emitter, nv_tileas::PrintOp op)
      : emitter(emitter), builder(emitter.builder), loc(emitter.loc), op(op) {}

  void addText(StringRef literal) { text += literal; }
  void addScalar(const Conversion &conversion, Value value, Type type);
  void addTile(const Conversion &conversion, ValueRange words,
               RankedTensorType type);
  /// Prints the buffered text.
  void flush();
  /// Waits until no other block of the module prints; releases the lock.
  void lock();
  void unlock();

private:
  /// An argument: a scalar, or an element in a slot of the scratch memory.
  struct Argument {
    Value scalar;
    Type type;
    int64_t slot = 0;
  };
  /// A tile whose elements have slots from `slot` on.
  struct StagedTile {
    RankedTensorType type;
    SmallVector<Value> values;
    int64_t slot;
  };

  Value leader() {
    return emitter.threadBitsClear(
        limits::threadsPerWarp * uint64_t(emitter.numWarps()) - 1);
  }
  Value slotPtr(Value slot) {
    return emitter.gep(emitter.smemPtr(emitter.enterScratch(op)),
                       emitter.mulConst(slot, kPrintValueBytes));
  }
  Value lockPtr();
  /// Allocates thread-local memory at the start of the function.
  Value allocate(Type type);
  void call(StringRef format, ArrayRef<Argument> arguments);
  /// Emits the call by the elected thread.
  void callOnce(StringRef format, ArrayRef<Argument> arguments);
  /// Stores the elements of `tile`; if it takes several calls, those of
  /// `chunk`.
  void stage(const StagedTile &tile, Value chunk = {});
  /// Returns the text before a chunk of a tile: nothing, a comma, or the
  /// closing and opening brackets of rows.
  Value getSeparator(Value chunk, ArrayRef<int64_t> shape);
  void printChunks(StringRef conversion, const StagedTile &tile);

  Emitter &emitter;
  OpBuilder &builder;
  Location loc;
  nv_tileas::PrintOp op;
  std::string text;
  SmallVector<Argument> arguments;
  SmallVector<StagedTile> tiles;
  /// Number of slots that `tiles` take.
  int64_t slots = 0;
  /// True if the elected thread may still read the scratch memory.
  bool isRead = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

std::string Conversion::spell(Type type) const {
  if (isOneOf("sS") && !isa<LLVM::LLVMPointerType>(type))
    return "0x%llx";
  bool isLong = isOneOf("diouxX") && type.isInteger(64);
  return "%" + flags + (isLong ? "ll" : "") + kind;
}

SmallVector<Value> Conversion::apply(Emitter &emitter, ArrayRef<Value> values,
                                     Type element) const {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (isFloat() && isa<FloatType>(element))
    return widenToF64(emitter, values, element);
  bool isPointer = isa<nv_tileaa::TAPointerType>(element);
  if (isOneOf("sS") && isPointer)
    return llvm::map_to_vector(values, [&](Value value) -> Value {
      return LLVM::AddrSpaceCastOp::create(builder, loc, emitter.ptrType(0),
                                           value);
    });
  unsigned bits = isPointer ? 64 : element.getIntOrFloatBitWidth();
  unsigned wide = bits > 32 || isOneOf("psS") ? 64 : 32;
  return llvm::map_to_vector(values, [&](Value value) -> Value {
    if (isPointer)
      value =
          LLVM::PtrToIntOp::create(builder, loc, emitter.intType(64), value);
    else if (isa<FloatType>(element))
      value = emitter.toBits(value);
    else
      value = emitter.resize(value, bits);
    value = emitter.resize(value, wide,
                           isSigned() && isa<IntegerType>(element) && bits > 1);
    if (!isFloat())
      return value;
    return LLVM::SIToFPOp::create(builder, loc, builder.getF64Type(), value);
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Printer::allocate(Type type) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto func = dyn_cast<LLVM::LLVMFuncOp>(parent);
  if (!func)
    func = parent->getParentOfType<LLVM::LLVMFuncOp>();
  builder.setInsertionPointToStart(&func.getBody().front());
  Value one = LLVM::ConstantOp::create(builder, loc, emitter.intType(32),
                                       builder.getI32IntegerAttr(1));
  return LLVM::AllocaOp::create(builder, loc, emitter.ptrType(0), type, one, 8);
}

void Printer::call(StringRef format, ArrayRef<Argument> arguments) {
  auto callee = getRuntimeFunction(emitter, "vprintf", emitter.intType(32),
                                   {emitter.ptrType(0), emitter.ptrType(0)});
  Value buffer;
  if (arguments.empty()) {
    buffer = LLVM::ZeroOp::create(builder, loc, emitter.ptrType(0));
  } else {
    // Like a C struct: each argument at its alignment.
    Type record = LLVM::LLVMStructType::getLiteral(
        emitter.context(),
        llvm::map_to_vector(arguments,
                            [](const Argument &of) { return of.type; }));
    buffer = allocate(record);
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      Value value =
          argument.scalar
              ? argument.scalar
              : emitter.load(argument.type, slotPtr(emitter.i32(argument.slot)),
                             kPrintValueBytes);
      Value field =
          LLVM::GEPOp::create(builder, loc, emitter.ptrType(0), record, buffer,
                              ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(builder, loc, value, field);
    }
  }
  LLVM::CallOp::create(builder, loc, callee,
                       ValueRange{getString(emitter, format), buffer});
}

void Printer::callOnce(StringRef format, ArrayRef<Argument> arguments) {
  emitter.onlyIf(leader(), [&] { call(format, arguments); });
}

void Printer::flush() {
  if (text.empty())
    return;
  if (!tiles.empty()) {
    if (isRead)
      emitter.barrier();
    for (const StagedTile &tile : tiles)
      stage(tile);
    emitter.barrier();
    isRead = true;
  }
  callOnce(text, arguments);
  text.clear();
  arguments.clear();
  tiles.clear();
  slots = 0;
}

//===----------------------------------------------------------------------===//
// Lock
//===----------------------------------------------------------------------===//

Value Printer::lockPtr() {
  constexpr StringLiteral kName = "tile_print_lock";
  Operation *module = op->getParentWithTrait<OpTrait::SymbolTable>();
  Type type = emitter.intType(32);
  if (!SymbolTable::lookupSymbolIn(module, kName)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false,
                           LLVM::Linkage::Internal, kName,
                           builder.getI32IntegerAttr(0), /*alignment=*/4,
                           unsigned(nv_tileaa::GlobalSpace));
  }
  return LLVM::AddressOfOp::create(
      builder, loc, emitter.ptrType(nv_tileaa::GlobalSpace), kName);
}

void Printer::lock() {
  Value ptr = lockPtr();
  emitter.onlyIf(leader(), [&] {
    auto isTaken = [&](OpBuilder &, Location, ValueRange) {
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
      std::string old = ptx.out(emitter.intType(32));
      std::string address = ptx.address(ptr);
      Value before = ptx.emit("atom.acquire.gpu.global.exch.b32 " + old +
                              ", [" + address + "], 1;")
                         .front();
      Value taken =
          emitter.icmp(LLVM::ICmpPredicate::ne, before, emitter.i32(0));
      scf::ConditionOp::create(builder, loc, taken, ValueRange());
    };
    auto goOn = [&](OpBuilder &, Location, ValueRange) {
      scf::YieldOp::create(builder, loc);
    };
    scf::WhileOp::create(builder, loc, TypeRange(), ValueRange(), isTaken,
                         goOn);
  });
}

void Printer::unlock() {
  Value ptr = lockPtr(), isLeader = leader();
  PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
  std::string guard = ptx.guard(isLeader), address = ptx.address(ptr);
  ptx.emit(guard + "st.release.gpu.global.b32 [" + address + "], 0;");
}

//===----------------------------------------------------------------------===//
// Scalars and tiles
//===----------------------------------------------------------------------===//

void Printer::addScalar(const Conversion &conversion, Value value, Type type) {
  if (int64_t(arguments.size()) == kPrintValues)
    flush();
  Value argument = conversion.apply(emitter, value, type).front();
  text += conversion.spell(argument.getType());
  arguments.push_back({argument, argument.getType()});
}

/// Appends `conversion` for every element of a tile of `shape`, in brackets.
static void appendNested(std::string &text, StringRef conversion,
                         ArrayRef<int64_t> shape) {
  if (shape.empty()) {
    text += conversion;
    return;
  }
  text += '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      text += ", ";
    appendNested(text, conversion, shape.drop_front());
  }
  text += ']';
}

void Printer::addTile(const Conversion &conversion, ValueRange words,
                      RankedTensorType type) {
  int64_t count = type.getNumElements(), used = arguments.size();
  if (used && used + count > kPrintValues)
    flush();
  StagedTile tile{type,
                  conversion.apply(emitter, emitter.unpack(words, type),
                                   type.getElementType()),
                  slots};
  Type argument = tile.values.front().getType();
  std::string spelled = conversion.spell(argument);
  if (count > kPrintValues) {
    printChunks(spelled, tile);
    return;
  }
  appendNested(text, spelled, type.getShape());
  for (int64_t i = 0; i < count; ++i)
    arguments.push_back({Value(), argument, slots + i});
  slots += count;
  tiles.push_back(std::move(tile));
}

void Printer::stage(const StagedTile &tile, Value chunk) {
  const Layout &layout = getLayout(tile.type);
  Value thread = emitter.rowMajorOfThread(layout);
  Value owns = emitter.ownsElements(layout);
  // Registers whose elements are in the same chunk.
  constexpr int64_t kInside = kPrintValues - 1;
  llvm::MapVector<int64_t, SmallVector<std::pair<int64_t, Value>>> chunks;
  DenseSet<int64_t> seen;
  for (auto [reg, value] : llvm::enumerate(tile.values)) {
    int64_t flat = layout.applyFlat(reg);
    if (seen.insert(flat).second)
      chunks[chunk ? flat & ~kInside : 0].push_back({flat, value});
  }
  for (auto &[first, registers] : chunks) {
    Value condition = owns;
    if (chunk)
      condition = emitter.andBits(
          condition,
          emitter.icmp(LLVM::ICmpPredicate::eq,
                       emitter.shrConst(emitter.xorConst(thread, first),
                                        llvm::Log2_64(kPrintValues)),
                       chunk));
    for (auto [flat, value] : registers) {
      Value slot = emitter.xorConst(thread, flat);
      if (chunk)
        slot = emitter.andConst(slot, kInside);
      slot = emitter.add(slot, emitter.i32(tile.slot));
      if (isa<LLVM::LLVMPointerType>(value.getType()))
        value =
            LLVM::PtrToIntOp::create(builder, loc, emitter.intType(64), value);
      storeShared(emitter, condition, slotPtr(slot), value, value.getType());
    }
  }
}

Value Printer::getSeparator(Value chunk, ArrayRef<int64_t> shape) {
  Value first = emitter.mulConst(chunk, kPrintValues);
  auto select = [&](int64_t multiple, StringRef literal, Value otherwise) {
    Value isMultiple =
        emitter.icmp(LLVM::ICmpPredicate::eq,
                     emitter.andConst(first, multiple - 1), emitter.i32(0));
    return emitter.select(isMultiple, getString(emitter, literal), otherwise);
  };
  Value separator = getString(emitter, ", ");
  int64_t rows = 1;
  for (size_t depth = 1; depth < shape.size(); ++depth) {
    rows *= shape[shape.size() - depth];
    separator =
        select(rows, std::string(depth, ']') + ", " + std::string(depth, '['),
               separator);
  }
  return select(rows * shape.front(), "", separator);
}

void Printer::printChunks(StringRef conversion, const StagedTile &tile) {
  ArrayRef<int64_t> shape = tile.type.getShape();
  text += std::string(shape.size(), '[');
  flush();
  // The inside of all chunks is alike: extents are powers of two.
  SmallVector<int64_t> inside;
  int64_t left = kPrintValues;
  for (int64_t extent : llvm::reverse(shape)) {
    inside.insert(inside.begin(), std::min(left, extent));
    left /= inside.front();
  }
  while (inside.size() > 1 && inside.front() == 1)
    inside.erase(inside.begin());
  std::string format;
  appendNested(format, conversion, inside);
  StringRef values = StringRef(format).drop_front(inside.size());
  values = values.drop_back(inside.size());
  SmallVector<Argument> elements;
  for (int64_t i = 0; i < kPrintValues; ++i)
    elements.push_back({Value(), tile.values.front().getType(), i});

  auto loop = scf::ForOp::create(
      builder, loc, emitter.i32(0),
      emitter.i32(tile.type.getNumElements() / kPrintValues), emitter.i32(1));
  builder.setInsertionPointToStart(loop.getBody());
  Value chunk = loop.getInductionVar();
  emitter.barrier();
  stage(tile, chunk);
  emitter.barrier();
  emitter.onlyIf(leader(), [&] {
    Value separator = getSeparator(chunk, shape);
    call("%s", Argument{separator, separator.getType()});
    call(values, elements);
  });
  builder.setInsertionPointAfter(loop);
  isRead = true;
  text += std::string(shape.size(), ']');
}

namespace {

struct PrintLowering final : TilePattern<nv_tileas::PrintOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Printer printer(emitter, op);
    bool isLocked = op->hasAttr(kLockedAttr);
    if (isLocked)
      printer.lock();
    StringRef format = op.getFormat();
    unsigned next = 0;
    while (!format.empty()) {
      size_t percent = format.find('%');
      printer.addText(format.take_front(percent));
      format = format.drop_front(std::min(percent, format.size()));
      if (format.empty())
        break;
      size_t end = format.find_first_of("diuoxXeEfFgGaAcsSpn%", 1);
      StringRef text = format.take_front(end + 1);
      format = format.drop_front(text.size());
      if (text.ends_with("%") || next == op.getArgs().size()) {
        printer.addText(text);
        continue;
      }
      Type type = op.getArgs()[next].getType();
      ValueRange words = adaptor.getArgs()[next++];
      Conversion conversion(text);
      if (conversion.isSilent())
        continue;
      if (auto tile = dyn_cast<RankedTensorType>(type))
        printer.addTile(conversion, words, tile);
      else
        printer.addScalar(conversion, words.front(), type);
    }
    printer.flush();
    if (isLocked)
      printer.unlock();
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

} // namespace

void populatePrintPatterns(RewritePatternSet &patterns,
                           const TileTypeConverter &converter,
                           const LoweringState &state) {
  patterns.add<PrintLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

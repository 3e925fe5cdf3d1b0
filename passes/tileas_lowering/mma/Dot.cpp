// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/SharedAccess.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/Fragments.h"

#include <map>

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Registers of the three tiles of a dot, by position in the tile.
struct DotRegisters {
  DotRegisters(const Layout &a, const Layout &b, const Layout &acc)
      : a(a), b(b), acc(acc),
        fromA(a.map(kRegister).rightInverse(a.getTileBits())),
        fromB(b.map(kRegister).rightInverse(b.getTileBits())) {}

  /// Returns the register of A that is multiplied for register `reg` of the
  /// accumulator at depth `k`.
  int64_t registerOfA(int64_t reg, int64_t k) const {
    int64_t m = acc.unflatten(acc.applyFlat(reg))[0];
    return fromA(a.flatten({m, k}));
  }
  int64_t registerOfB(int64_t reg, int64_t k) const {
    int64_t n = acc.unflatten(acc.applyFlat(reg))[1];
    return fromB(b.flatten({k, n}));
  }

  Layout a, b, acc;
  LinearMap fromA, fromB;
};

struct DotLowering final : TilePattern<nv_tileas::DotOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::DotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.needsDecomposition())
      return op.emitOpError("has scales that its atom does not take; run "
                            "tileas-decompose-dot-scaled first");
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> acc = llvm::to_vector(adaptor.getC());
    if (op.getUseAcc())
      for (Value &word : acc)
        word = emitter.select(
            adaptor.getUseAcc().front(), word,
            LLVM::ZeroOp::create(rewriter, op.getLoc(), word.getType()));
    bool isFma = op.getAtom().getKind() == nv_tileas::MmaKind::Fma;
    SmallVector<Value> words;
    if (op.hasBuffers())
      words = isFma ? multiplyAddShared(emitter, op, adaptor, acc)
                    : mmaSyncShared(emitter, op, adaptor, acc);
    else
      words = isFma ? multiplyAdd(emitter, op, adaptor, acc)
                    : mmaSync(emitter, op, adaptor, acc);
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }

private:
  SmallVector<Value> multiplyAdd(Emitter &emitter, nv_tileas::DotOp op,
                                 OneToNOpAdaptor adaptor, ValueRange acc) const;
  SmallVector<Value> multiplyAddShared(Emitter &emitter, nv_tileas::DotOp op,
                                       OneToNOpAdaptor adaptor,
                                       ValueRange acc) const;
  SmallVector<Value> mmaSync(Emitter &emitter, nv_tileas::DotOp op,
                             OneToNOpAdaptor adaptor, ValueRange acc) const;
  SmallVector<Value> mmaSyncShared(Emitter &emitter, nv_tileas::DotOp op,
                                   OneToNOpAdaptor adaptor,
                                   ValueRange acc) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

/// Converts operands to the type of the accumulator, which may be wider.
static void widenOperands(Emitter &emitter, nv_tileas::DotOp op,
                          MutableArrayRef<Value> a, MutableArrayRef<Value> b) {
  Type cElement = op.getC().getType().getElementType();
  Type element = getRegisterType(cElement);
  unsigned bits = getRegisterBits(cElement);
  auto widen = [&](Value value, std::optional<nv_tileaa::Signedness> sign) {
    if (!isa<FloatType>(element))
      return emitter.resize(value, bits,
                            sign != nv_tileaa::Signedness::Unsigned);
    if (value.getType() == element)
      return value;
    return Value(
        LLVM::FPExtOp::create(emitter.builder, emitter.loc, element, value));
  };
  for (Value &value : a)
    value = widen(value, op.getSignednessA());
  for (Value &value : b)
    value = widen(value, op.getSignednessB());
}

/// Multiplies `depth` steps of K and accumulates into the elements `c`.
static void accumulate(Emitter &emitter, const DotRegisters &registers,
                       ArrayRef<Value> a, ArrayRef<Value> b,
                       MutableArrayRef<Value> c, int64_t depth) {
  for (int64_t reg = 0; reg < int64_t(c.size()); ++reg)
    for (int64_t k = 0; k < depth; ++k) {
      Value x = a[registers.registerOfA(reg, k)];
      Value y = b[registers.registerOfB(reg, k)];
      if (isa<FloatType>(x.getType()))
        c[reg] =
            LLVM::FMAOp::create(emitter.builder, emitter.loc, x, y, c[reg]);
      else
        c[reg] = LLVM::AddOp::create(
            emitter.builder, emitter.loc,
            LLVM::MulOp::create(emitter.builder, emitter.loc, x, y), c[reg]);
    }
}

SmallVector<Value> DotLowering::multiplyAdd(Emitter &emitter,
                                            nv_tileas::DotOp op,
                                            OneToNOpAdaptor adaptor,
                                            ValueRange acc) const {
  auto aType = cast<RankedTensorType>(op.getA().getType()),
       bType = cast<RankedTensorType>(op.getB().getType());
  RankedTensorType cType = op.getC().getType();
  SmallVector<Value> a = emitter.unpack(adaptor.getA(), aType);
  SmallVector<Value> b = emitter.unpack(adaptor.getB(), bType);
  SmallVector<Value> c = emitter.unpack(acc, cType);
  widenOperands(emitter, op, a, b);
  DotRegisters registers(getLayout(aType), getLayout(bType), getLayout(cType));
  accumulate(emitter, registers, a, b, c, op.getDepth());
  return emitter.pack(c, cType);
}

/// Returns the layout of an operand for `steps` steps of K, with the register
/// order, K first or last, that gives wider accesses to `buffer`.
static Layout getFmaOperand(nv_tileas::DotOp op, nv_tileas::BufferType buffer,
                            int64_t steps, bool isA) {
  Layout first = *nv_tileas::getDotOperandLayout(
      op.getAtom(), getLayout(op.getC().getType()), steps, isA);
  Layout::FlatBases bases = first.getFlatBases();
  auto &registers = bases[kRegister];
  std::rotate(registers.begin(), registers.begin() + llvm::Log2_64(steps),
              registers.end());
  Layout last = Layout::getUnchecked(LayoutSpace::Reg, first.getShape(), bases);
  const Layout &smem = buffer.getLayout().getLayout();
  auto width = [&](const Layout &layout) {
    return smemAccess(embed(layout, smem.getShape()), smem,
                      getMemoryBits(buffer.getElementType()))
        .vectorBits;
  };
  return width(last) > width(first) ? last : first;
}

SmallVector<Value> DotLowering::multiplyAddShared(Emitter &emitter,
                                                  nv_tileas::DotOp op,
                                                  OneToNOpAdaptor adaptor,
                                                  ValueRange acc) const {
  auto aType = cast<nv_tileas::BufferType>(op.getA().getType()),
       bType = cast<nv_tileas::BufferType>(op.getB().getType());
  RankedTensorType cType = op.getC().getType();
  int64_t steps = std::min(heuristics::fmaSteps, op.getDepth());
  Layout a = getFmaOperand(op, aType, steps, true),
         b = getFmaOperand(op, bType, steps, false);
  DotRegisters registers(a, b, getLayout(cType));
  OpBuilder &builder = emitter.builder;
  auto loop =
      scf::ForOp::create(builder, emitter.loc, emitter.i32(0),
                         emitter.i32(op.getDepth()), emitter.i32(steps), acc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto read = [&](ValueRange values, nv_tileas::BufferType type,
                  const Layout &operand, unsigned kDim) {
    SharedBuffer buffer(values, type);
    SharedAccess access(emitter, buffer, operand, type.getElementType());
    SmallVector<uint64_t> columns;
    LinearMap offsets = smemOffsets(buffer.layout);
    uint64_t mask = 0;
    unsigned bytes = getMemoryBits(type.getElementType()) / 8;
    for (unsigned bit = 0; bit < llvm::Log2_64(op.getDepth()); ++bit) {
      bool moves = bit >= llvm::Log2_64(steps);
      columns.push_back(moves ? offsets(buffer.layout.unit(kDim, bit)) * bytes
                              : 0);
      mask |= columns.back();
    }
    access.moveBy(emitter.linearOf(loop.getInductionVar(), columns), mask);
    return access.readElements();
  };
  SmallVector<Value> x = read(adaptor.getA(), aType, a, 1),
                     y = read(adaptor.getB(), bType, b, 0);
  widenOperands(emitter, op, x, y);
  SmallVector<Value> c = emitter.unpack(loop.getRegionIterArgs(), cType);
  accumulate(emitter, registers, x, y, c, steps);
  scf::YieldOp::create(builder, emitter.loc, emitter.pack(c, cType));
  return llvm::to_vector(ValueRange(loop.getResults()));
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {

/// Block scales of one operand of a dot.
class BlockScales {
public:
  /// Location of the first scale of a fragment: a word of the first lane that
  /// provides scales, the byte in the word, and the providing lane.
  struct Place {
    Value word;
    int64_t byte = 0, thread = 0;
  };

  /// `words` are the packed registers of `tile`; empty without scales.
  BlockScales(Emitter &emitter, Value tile, ValueRange words, bool isA);

  /// Returns the location of scale `index` along K for the row (column) `line`
  /// of the tile, the first of a fragment.
  Place find(int64_t line, int64_t index) const {
    int64_t row = isA ? line : index, column = isA ? index : line;
    return places.at(layout->flatten({row, column}));
  }

private:
  bool isA;
  std::optional<Layout> layout;
  std::map<uint32_t, Place> places;
};

/// Emits the `mma.sync` instructions of one dot.
class MmaSync {
public:
  MmaSync(Emitter &emitter, nv_tileas::DotOp op, const Layout &a,
          const Layout &b, ValueRange scaleA, ValueRange scaleB)
      : emitter(emitter), op(op), atom(op.getAtom()),
        acc(getLayout(op.getC().getType())), registers(a, b, acc),
        aPacking(packingOf(atom.getTileElement(atom.getAType()), a)),
        bPacking(packingOf(atom.getTileElement(atom.getBType()), b)),
        cPacking(getTilePacking(op.getC().getType())),
        aScales(emitter, op.getScaleA(), scaleA, /*isA=*/true),
        bScales(emitter, op.getScaleB(), scaleB, /*isA=*/false) {}

  /// Accumulates the MMAs of the fragments at depth `k` of the registers `a`
  /// and `b` into the registers `c`; `at` is the depth in the whole dot.
  /// Columns alternate direction so that consecutive MMAs share an operand.
  void step(ArrayRef<Value> a, ArrayRef<Value> b, MutableArrayRef<Value> c,
            int64_t k, int64_t at) {
    int64_t count = elements(atom.getM(), atom.getN());
    int64_t columns = 1;
    for (unsigned i = llvm::Log2_64(count); i < acc.getNumBases(kRegister); ++i)
      columns *= acc.getBasis(kRegister, i)[1] ? 2 : 1;
    int64_t total = acc.getNumRegisters() / count;
    for (int64_t i = 0; i < total; ++i) {
      int64_t row = i / columns, column = i % columns;
      if (row % 2)
        column = columns - 1 - column;
      multiply(a, b, c, (row * columns + column) * count, k, at);
    }
  }

private:
  static Packing packingOf(Type element, const Layout &layout) {
    return getPacking(getRegisterBits(element), layout.getNumRegisters());
  }
  /// Returns the elements of a fragment that a thread holds.
  static int64_t elements(int64_t rows, int64_t columns) {
    return rows * columns / 32;
  }
  void multiply(ArrayRef<Value> a, ArrayRef<Value> b, MutableArrayRef<Value> c,
                int64_t reg, int64_t k, int64_t at);
  void emitScaled(ValueRange x, ValueRange y, MutableArrayRef<Value> z,
                  int64_t reg, int64_t at);
  void emit(nv_tileas::MmaAtomAttr atom, ValueRange x, ValueRange y,
            MutableArrayRef<Value> z);
  void multiplyWide(ArrayRef<Value> x, ArrayRef<Value> y,
                    MutableArrayRef<Value> z);
  std::pair<Value, Value> widen(Value word, Type element);

  Emitter &emitter;
  nv_tileas::DotOp op;
  nv_tileas::MmaAtomAttr atom;
  /// Registers of four 8-bit floats, converted to pairs of f16x2 registers.
  llvm::DenseMap<Value, std::pair<Value, Value>> wide;
  Layout acc;
  DotRegisters registers;
  Packing aPacking, bPacking, cPacking;
  BlockScales aScales, bScales;
};

} // namespace

BlockScales::BlockScales(Emitter &emitter, Value tile, ValueRange words,
                         bool isA)
    : isA(isA) {
  if (!tile)
    return;
  auto type = cast<RankedTensorType>(tile.getType());
  layout = getLayout(type);
  Packing packing = getTilePacking(type);
  SmallVector<Value> wide;
  for (Value word : words) {
    unsigned bits = packing.perWord * getRegisterBits(type.getElementType());
    wide.push_back(
        emitter.resize(emitter.bitcast(word, emitter.intType(bits)), 32));
  }
  // Lanes of a quad that provide scales: a pair for A, a single lane for B.
  int64_t threads = isA ? 2 : 4, step = isA ? 2 : 1;
  for (int64_t thread = 0; thread < threads; ++thread)
    for (int64_t reg = 0; reg < layout->getNumRegisters(); ++reg) {
      uint64_t lane = uint64_t(thread * step) << layout->getNumBases(kRegister);
      places.try_emplace(
          layout->applyFlat(uint64_t(reg) | lane),
          Place{wide[reg / packing.perWord], reg % packing.perWord, thread});
    }
}

void MmaSync::multiply(ArrayRef<Value> a, ArrayRef<Value> b,
                       MutableArrayRef<Value> c, int64_t reg, int64_t k,
                       int64_t at) {
  ArrayRef<Value> x =
      a.slice(registers.registerOfA(reg, k) / aPacking.perWord,
              elements(atom.getM(), atom.getTileK()) / aPacking.perWord);
  ArrayRef<Value> y =
      b.slice(registers.registerOfB(reg, k) / bPacking.perWord,
              elements(atom.getTileK(), atom.getN()) / bPacking.perWord);
  MutableArrayRef<Value> z =
      c.slice(reg / cPacking.perWord,
              elements(atom.getM(), atom.getN()) / cPacking.perWord);
  if (atom.getScaleType())
    return emitScaled(x, y, z, reg, at);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(atom.getAType()) &&
      emulatesMmaFp8(emitter.state.target))
    return multiplyWide(x, y, z);
  emit(atom, x, y, z);
}

void MmaSync::emitScaled(ValueRange x, ValueRange y, MutableArrayRef<Value> z,
                         int64_t reg, int64_t at) {
  Layout::Coord place = acc.unflatten(acc.applyFlat(reg));
  int64_t index = op.getFirstScale() + at / atom.getTileBlock();
  BlockScales::Place rows = aScales.find(place[0], index),
                     columns = bScales.find(place[1], index);
  auto getWords = [&](ValueRange words) {
    SmallVector<Value> result;
    for (Value word : words)
      result.push_back(emitter.bitcast(word, emitter.intType(32)));
    return result;
  };
  SmallVector<Type> types(z.size(), z[0].getType());
  auto mma = nv_tileas::AtomMmaBsOp::create(
      emitter.builder, emitter.loc, types, getWords(x), getWords(y), z,
      rows.word, columns.word, atom, rows.byte, rows.thread, columns.byte,
      columns.thread);
  llvm::copy(mma.getResults(), z.begin());
}

void MmaSync::emit(nv_tileas::MmaAtomAttr instruction, ValueRange x,
                   ValueRange y, MutableArrayRef<Value> z) {
  SmallVector<Type> types(z.size(), z[0].getType());
  auto mma = nv_tileas::AtomMmaSyncOp::create(
      emitter.builder, emitter.loc, types, x, y, z, instruction,
      op.getSignednessA() == nv_tileaa::Signedness::Signed,
      op.getSignednessB() == nv_tileaa::Signedness::Signed);
  llvm::copy(mma.getResults(), z.begin());
}

/// Converts the lower and the upper two of four 8-bit floats.
std::pair<Value, Value> MmaSync::widen(Value word, Type element) {
  auto [it, isNew] = wide.try_emplace(word);
  if (isNew) {
    OpBuilder &builder = emitter.builder;
    Type bytes = VectorType::get({2}, emitter.intType(8)),
         pair = VectorType::get({2}, builder.getF16Type());
    Value bits = emitter.bitcast(word, emitter.intType(32));
    auto convert = [&](unsigned shift) -> Value {
      Value half = emitter.resize(emitter.shrConst(bits, shift), 16);
      return NVVM::ConvertF8x2ToF16x2Op::create(builder, emitter.loc, pair,
                                                emitter.bitcast(half, bytes),
                                                /*relu=*/false, element);
    };
    Value low = convert(0);
    it->second = {low, convert(16)};
  }
  return it->second;
}

/// Multiplies in f16, which represents every 8-bit float. A thread holds the
/// same four adjacent K indices of both operands, so they may stand for two
/// pairs that are 8 apart.
void MmaSync::multiplyWide(ArrayRef<Value> x, ArrayRef<Value> y,
                           MutableArrayRef<Value> z) {
  Type half = emitter.builder.getF16Type();
  auto instruction = nv_tileas::MmaAtomAttr::get(
      emitter.context(), nv_tileas::MmaKind::MmaSync, atom.getM(), atom.getN(),
      /*k=*/16, half, half, atom.getCType());
  for (size_t i = 0; i < y.size(); ++i) {
    auto [top, topAfter] = widen(x[2 * i], atom.getAType());
    auto [bottom, bottomAfter] = widen(x[2 * i + 1], atom.getAType());
    auto [left, leftAfter] = widen(y[i], atom.getBType());
    emit(instruction, {top, bottom, topAfter, bottomAfter}, {left, leftAfter},
         z);
  }
}

SmallVector<Value> DotLowering::mmaSync(Emitter &emitter, nv_tileas::DotOp op,
                                        OneToNOpAdaptor adaptor,
                                        ValueRange acc) const {
  MmaSync mma(emitter, op, getLayout(op.getA().getType()),
              getLayout(op.getB().getType()), adaptor.getScaleA(),
              adaptor.getScaleB());
  SmallVector<Value> a = llvm::to_vector(adaptor.getA()),
                     b = llvm::to_vector(adaptor.getB()),
                     c = llvm::to_vector(acc);
  for (int64_t k = 0; k < op.getDepth(); k += op.getAtom().getTileK())
    mma.step(a, b, c, k, k);
  return c;
}

/// Reads the fragments of a step while the MMAs of the previous step run; the
/// registers of two steps are live.
SmallVector<Value> DotLowering::mmaSyncShared(Emitter &emitter,
                                              nv_tileas::DotOp op,
                                              OneToNOpAdaptor adaptor,
                                              ValueRange acc) const {
  auto aType = cast<nv_tileas::BufferType>(op.getA().getType()),
       bType = cast<nv_tileas::BufferType>(op.getB().getType());
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  const Layout &layout = getLayout(op.getC().getType());
  // Fragments of one step.
  int64_t step = atom.getTileK();
  Layout a = *nv_tileas::getDotOperandLayout(atom, layout, step, true),
         b = *nv_tileas::getDotOperandLayout(atom, layout, step, false);
  SharedBuffer aBuffer(adaptor.getA(), aType), bBuffer(adaptor.getB(), bType);
  SharedAccess aAccess(emitter, aBuffer, a, aType.getElementType()),
      bAccess(emitter, bBuffer, b, bType.getElementType());
  MmaSync mma(emitter, op, a, b, adaptor.getScaleA(), adaptor.getScaleB());
  struct Fragments {
    SmallVector<Value> a, b;
  };
  auto read = [&](int64_t k) {
    return Fragments{aAccess.readWords(aBuffer.layout.flatten({0, k})),
                     bAccess.readWords(bBuffer.layout.flatten({k, 0}))};
  };
  SmallVector<Value> c = llvm::to_vector(acc);
  Fragments next = read(0);
  for (int64_t k = 0; k < op.getDepth(); k += step) {
    Fragments now = std::move(next);
    if (k + step < op.getDepth())
      next = read(k + step);
    mma.step(now.a, now.b, c, /*k=*/0, k);
  }
  return c;
}

void populateDotPatterns(RewritePatternSet &patterns,
                         const TileTypeConverter &converter,
                         const LoweringState &state) {
  patterns.add<DotLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

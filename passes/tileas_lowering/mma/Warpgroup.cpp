// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warpgroup MMAs by `wgmma` (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Instructions").

#include "passes/tileas_lowering/async/Elected.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/mma/OperandParts.h"
#include "passes/tileas_lowering/mma/Rescale.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Inline PTX that takes registers and returns them, possibly changed, so that
/// no operation that reads or writes them moves across it.
class WordsInPtx {
public:
  WordsInPtx(Emitter &emitter, ValueRange words)
      : ptx(emitter.ptx(PtxEffects::Memory, Feature::Wgmma)), emitter(emitter),
        words(words) {
    for (Value word : words) {
      integers.push_back(asRegister(word));
      names.push_back(ptx.out(integers.back().getType()));
    }
  }

  /// Adds a register that is only read.
  std::string in(Value word) { return ptx.in(word); }
  ArrayRef<std::string> getNames() const { return names; }
  /// Emits `text`; returns the registers after it.
  SmallVector<Value> emit(const Twine &text);

private:
  /// Pairs of narrow elements are passed as integers.
  Value asRegister(Value word) {
    if (!isa<VectorType>(word.getType()))
      return word;
    return LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                   emitter.intType(32), word);
  }

  PtxBuilder ptx;
  Emitter &emitter;
  ValueRange words;
  SmallVector<Value> integers;
  SmallVector<std::string> names;
};

} // namespace

SmallVector<Value> WordsInPtx::emit(const Twine &text) {
  for (auto [i, word] : llvm::enumerate(integers))
    ptx.tie(word, i);
  SmallVector<Value> values = ptx.emit(text);
  for (auto [value, word] : llvm::zip(values, words))
    if (value.getType() != word.getType())
      value = LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                      word.getType(), value);
  return values;
}

namespace {

/// Granularity of addresses in descriptors, in bytes.
static constexpr int64_t kDescriptorUnit = 16;

/// An operand in shared memory as `wgmma` addresses it.
class OperandDescriptor {
public:
  /// `kDim` is the dimension of K. Warpgroups begin `rowsPerGroup` rows apart;
  /// 0 if all read the same rows.
  OperandDescriptor(Emitter &emitter, ValueRange values,
                    nv_tileas::BufferType type, unsigned kDim,
                    int64_t rowsPerGroup)
      : emitter(emitter), parts(type, kDim) {
    uint64_t bits = parts.getForm().wgmmaBits();
    Value low = emitter.add(getUnits(values[0]),
                            emitter.i32(int32_t(bits & 0xffffffff)));
    // A subview begins at whole rows of whole swizzle spans, or at a step
    // inside of one: its offset shares no bit with the positions in it.
    if (!type.isWhole())
      low = emitter.add(low, divide(values[1]));
    if (rowsPerGroup) {
      // The rows of whole blocks of 8 are at multiples of the block distance.
      Value group = emitter.shrConst(getUniformWarp(emitter), 2);
      low = emitter.add(
          low, emitter.mulConst(group, parts.offsetOf(rowsPerGroup, 0) /
                                           kDescriptorUnit));
    }
    Value wide = LLVM::ZExtOp::create(emitter.builder, emitter.loc,
                                      emitter.intType(64), low);
    first = LLVM::OrOp::create(emitter.builder, emitter.loc, wide,
                               emitter.i64(int64_t(bits & 0xffffffff00000000)));
  }

  /// Returns the descriptor of the subtile that begins at `row` and `k`.
  Value at(int64_t row, int64_t k) {
    return LLVM::AddOp::create(
        emitter.builder, emitter.loc, first,
        emitter.i64(parts.offsetOf(row, k) / kDescriptorUnit));
  }
  bool isTransposed() const { return parts.isTransposed(); }

private:
  Value divide(Value distance);
  Value getUnits(Value pointer);

  Emitter &emitter;
  OperandParts parts;
  Value first;
};

} // namespace

/// Returns a distance, a multiple of the granularity, in units of it.
Value OperandDescriptor::divide(Value distance) {
  APInt constant;
  if (matchPattern(distance, m_ConstantInt(&constant)))
    return emitter.i32(constant.getSExtValue() / kDescriptorUnit);
  auto mul = distance.getDefiningOp<LLVM::MulOp>();
  if (mul && matchPattern(mul.getRhs(), m_ConstantInt(&constant)) &&
      constant.urem(kDescriptorUnit) == 0)
    return emitter.mulConst(mul.getLhs(),
                            constant.getSExtValue() / kDescriptorUnit);
  constexpr unsigned kUnitBits = llvm::ConstantLog2<kDescriptorUnit>();
  auto shift = distance.getDefiningOp<LLVM::ShlOp>();
  if (shift && matchPattern(shift.getRhs(), m_ConstantInt(&constant)) &&
      constant.uge(kUnitBits))
    return emitter.shlConst(shift.getLhs(),
                            constant.getZExtValue() - kUnitBits);
  return emitter.shrConst(distance, kUnitBits);
}

/// Returns the descriptor units before `pointer` in shared memory, whose
/// addresses have 18 bits. The base of a circular buffer is converted once, and
/// the slot's distance is added: most loops then need one operation per slot.
Value OperandDescriptor::getUnits(Value pointer) {
  if (auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
      gep && gep.getElemType().isInteger(8) &&
      gep.getDynamicIndices().size() == 1 && gep.getIndices().size() == 1)
    return emitter.add(getUnits(gep.getBase()),
                       divide(gep.getDynamicIndices().front()));
  Value address = LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                           emitter.intType(32), pointer);
  return emitter.shrConst(emitter.andConst(address, 0x3ffff),
                          llvm::Log2_64(kDescriptorUnit));
}

namespace {

/// Emits the `wgmma` instructions of one dot.
class WarpgroupDot {
public:
  WarpgroupDot(Emitter &emitter, nv_tileas::AsyncDotOp op, ValueRange a,
               ValueRange b);

  /// Returns the accumulator registers that the MMAs will have written.
  SmallVector<Value> run(ValueRange acc);

private:
  SmallVector<Value> multiply(ValueRange block, int64_t row, int64_t k,
                              bool adds);
  std::string getTypeText();

  Emitter &emitter;
  nv_tileas::AsyncDotOp op;
  nv_tileas::MmaAtomAttr atom;
  int64_t rowsPerStep;
  /// Registers of A; empty if A is in shared memory.
  SmallVector<Value> aWords;
  std::optional<OperandDescriptor> a, b;
};

} // namespace

WarpgroupDot::WarpgroupDot(Emitter &emitter, nv_tileas::AsyncDotOp op,
                           ValueRange aValues, ValueRange bValues)
    : emitter(emitter), op(op), atom(op.getAtom()) {
  int64_t groups = int64_t(1)
                   << (getLayout(op.getAccType()).getNumBases(kWarp) - 2);
  rowsPerStep = atom.getM() * groups;
  if (auto buffer = dyn_cast<nv_tileas::BufferType>(op.getA().getType()))
    a.emplace(emitter, aValues, buffer, /*kDim=*/1,
              groups > 1 ? atom.getM() : 0);
  else
    aWords = llvm::to_vector(aValues);
  b.emplace(emitter, bValues, op.getB().getType(), /*kDim=*/0,
            /*rowsPerGroup=*/0);
}

std::string WarpgroupDot::getTypeText() {
  auto name = [](Type type, bool isSigned) -> std::string {
    if (isa<Float8E4M3FNType>(type))
      return ".e4m3";
    if (isa<Float8E5M2Type>(type))
      return ".e5m2";
    if (type.isTF32())
      return ".tf32";
    if (type.isBF16())
      return ".bf16";
    if (type.isF16())
      return ".f16";
    if (type.isF32())
      return ".f32";
    return (isSigned ? ".s" : ".u") +
           std::to_string(type.getIntOrFloatBitWidth());
  };
  auto isSigned = [](std::optional<nv_tileaa::Signedness> sign) {
    return sign != nv_tileaa::Signedness::Unsigned;
  };
  return name(atom.getCType(), true) +
         name(atom.getAType(), isSigned(op.getSignednessA())) +
         name(atom.getBType(), isSigned(op.getSignednessB()));
}

/// Emits one instruction: 64 rows from `row` on of every warpgroup's share, one
/// step of K. It reads `block` only if it `adds`.
SmallVector<Value> WarpgroupDot::multiply(ValueRange block, int64_t row,
                                          int64_t k, bool adds) {
  WordsInPtx ptx(emitter, block);
  std::string operandA;
  if (a) {
    operandA = ptx.in(a->at(row, k));
  } else {
    // Four registers of a fragment; K varies faster than rows.
    int64_t steps = op.getDepth() / atom.getK();
    int64_t first = (row / rowsPerStep * steps + k / atom.getK()) * 4;
    SmallVector<std::string> names;
    for (int64_t i = 0; i < 4; ++i)
      names.push_back(ptx.in(
          LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                  emitter.intType(32), aWords[first + i])));
    operandA = PtxBuilder::list(names, ",");
  }
  std::string second = ptx.in(b->at(0, k));
  std::string modifiers;
  if (isa<FloatType>(atom.getAType())) {
    modifiers = ", 1, 1";
    if (nv_tileas::getStorageBits(atom.getAType()) == 16) {
      if (a)
        modifiers += a->isTransposed() ? ", 1" : ", 0";
      modifiers += b->isTransposed() ? ", 1" : ", 0";
    }
  }
  std::string text =
      "{\n.reg .pred p;\nsetp." + std::string(adds ? "eq" : "ne") +
      ".u32 p, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n" +
      std::to_string(atom.getN()) + "k" + std::to_string(atom.getK()) +
      getTypeText() + " {" + llvm::join(ptx.getNames(), ",") + "}, " +
      operandA + ", " + second + ", p" + modifiers + ";\n}";
  return ptx.emit(text);
}

SmallVector<Value> WarpgroupDot::run(ValueRange acc) {
  // All registers of the MMAs are ready before the first instruction.
  SmallVector<Value> words = llvm::to_vector(acc);
  bool isZero = llvm::all_of(acc, [](Value word) {
    return matchPattern(word, m_PosZeroFloat()) || matchPattern(word, m_Zero());
  });
  // Registers that the first step overwrites need no value.
  if (isZero)
    for (Value &word : words)
      word = emitter.poison(word.getType());
  // An operand that is defined in another block is never written here: it needs
  // no copy in registers after the fence.
  bool isFresh = op.getA().getParentBlock() == op->getBlock();
  if (isFresh)
    llvm::append_range(words, aWords);
  WordsInPtx fence(emitter, words);
  if (!isFresh)
    for (Value word : aWords)
      fence.in(LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                       emitter.intType(32), word));
  words = fence.emit("wgmma.fence.sync.aligned;");
  if (isFresh) {
    aWords.assign(words.begin() + acc.size(), words.end());
    words.truncate(acc.size());
  }
  int64_t rows = op.getAccType().getDimSize(0);
  size_t perBlock = words.size() * rowsPerStep / rows;
  for (int64_t k = 0; k < op.getDepth(); k += atom.getK())
    for (int64_t row = 0; row < rows; row += rowsPerStep) {
      auto block = MutableArrayRef<Value>(words).slice(
          row / rowsPerStep * perBlock, perBlock);
      llvm::copy(multiply(ValueRange(block), row, k, !isZero || k > 0),
                 block.begin());
    }
  NVVM::WgmmaGroupSyncAlignedOp::create(emitter.builder, emitter.loc);
  return words;
}

namespace {

struct AsyncDotLowering final : TilePattern<nv_tileas::AsyncDotOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncDotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    WarpgroupDot dot(emitter, op, adaptor.getA(), adaptor.getB());
    rewriter.replaceOpWithMultiple(op, {dot.run(adaptor.getC())});
    return success();
  }
};

/// After the wait the registers belong to the threads again.
struct DotWaitLowering final : TilePattern<nv_tileas::DotWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::DotWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    std::string text = "wgmma.wait_group.sync.aligned " +
                       std::to_string(op.getPending()) + ";";
    rewriter.replaceOpWithMultiple(
        op, {WordsInPtx(emitter, adaptor.getFuture()).emit(text)});
    return success();
  }
};

struct ToAsyncLowering final : TilePattern<nv_tileas::AsyncToAsyncOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncToAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // If a loop may run zero times, copies of constants would be placed between
    // the loop and the wait after it. ptxas treats them as writes to registers
    // of an MMA in flight and serializes all MMAs.
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOpWithMultiple(
        op, {WordsInPtx(emitter, adaptor.getTile()).emit("")});
    return success();
  }
};

} // namespace

Value askForOthers(Emitter &emitter, ArrayRef<Value> rescaleFactors,
                   Operation *op) {
  OpBuilder &builder = emitter.builder;
  OpBuilder::InsertionGuard guard(builder);
  Operation *last = nullptr;
  for (Value rescaleFactor : rescaleFactors) {
    Operation *producer = rescaleFactor.getDefiningOp();
    if (!producer || producer->getBlock() != op->getBlock()) {
      last = nullptr;
      break;
    }
    if (!last || last->isBeforeInBlock(producer))
      last = producer;
  }
  for (unsigned i = 0; last && i < heuristics::lateQuestion; ++i)
    if (Operation *next = last->getNextNode(); next && next != op)
      last = next;
  if (last)
    builder.setInsertionPointAfter(last);
  Value one = LLVM::ConstantOp::create(builder, emitter.loc,
                                       builder.getF32FloatAttr(1));
  Value isOther;
  for (Value rescaleFactor : rescaleFactors) {
    Value differs = LLVM::FCmpOp::create(
        builder, emitter.loc, LLVM::FCmpPredicate::une, rescaleFactor, one);
    isOther = isOther
                  ? LLVM::OrOp::create(builder, emitter.loc, isOther, differs)
                  : differs;
  }
  return emitter.anyLane(isOther);
}

namespace {

/// Most row maxima do not change, so most accumulators are not touched while
/// MMAs are in flight. ptxas keeps these MMAs asynchronous if threads read an
/// accumulator only after a wait for all of them (else C7514).
struct AsyncRescaleLowering final : TilePattern<nv_tileas::AsyncRescaleOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncRescaleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Location loc = op.getLoc();
    llvm::SmallSetVector<Value, 8> rescaleFactors(adaptor.getFactor().begin(),
                                                  adaptor.getFactor().end());
    Value any = askForOthers(emitter, rescaleFactors.getArrayRef(), op);
    ValueRange words = adaptor.getFuture();
    auto branch =
        scf::IfOp::create(rewriter, loc, TypeRange(words), any,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    rewriter.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, words);
    rewriter.setInsertionPointToEnd(branch.thenBlock());
    SmallVector<Value> scaled =
        WordsInPtx(emitter, words).emit("wgmma.wait_group.sync.aligned 0;");
    for (auto [word, rescaleFactor] : llvm::zip(scaled, adaptor.getFactor()))
      word = LLVM::FMulOp::create(rewriter, loc, word, rescaleFactor);
    scf::YieldOp::create(rewriter, loc, scaled);
    rewriter.setInsertionPointAfter(branch);
    rewriter.replaceOpWithMultiple(op, {branch.getResults()});
    return success();
  }
};

} // namespace

void populateWarpgroupPatterns(RewritePatternSet &patterns,
                               const TileTypeConverter &converter,
                               const LoweringState &state) {
  patterns.add<AsyncDotLowering, AsyncRescaleLowering, DotWaitLowering,
               ToAsyncLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

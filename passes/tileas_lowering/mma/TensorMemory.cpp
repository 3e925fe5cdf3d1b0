// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory, and the MMAs that one thread issues (PTX ISA, "tcgen05").

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"
#include "passes/tileas_lowering/math/FloatPairs.h"
#include "passes/tileas_lowering/mma/OperandParts.h"
#include "passes/tileas_lowering/mma/Rescale.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/ScaledBlocks.h"
#include "dialects/support/layout/TensorMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

namespace {

struct SubgroupIdLowering final : TilePattern<gpu::SubgroupIdOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(gpu::SubgroupIdOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), getUniformWarp(emitter));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

static std::string getGroup(int64_t ctaGroup) {
  return ".cta_group::" + std::to_string(ctaGroup);
}

/// An address in tensor memory has the row in its upper half.
static constexpr unsigned kRowShift = 16;

namespace {

struct TmemAllocLowering final : TilePattern<nv_tileas::TmemAllocOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TmemAllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!state.target.hasTcgen05())
      return op.emitOpError("needs tensor memory, target is '")
             << state.target.name()
             << "'; compile for one that has it, or keep accumulators in "
                "registers";
    Emitter emitter(rewriter, op, state);
    Value slot = emitter.smemPtr(emitter.enterScratch(op));
    std::string group = getGroup(op.getCtaGroup());
    emitter.onlyIf(isFirstWarp(emitter), [&] {
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
      std::string place = ptx.in(getSharedAddress(emitter, slot));
      ptx.emit("tcgen05.alloc" + group + ".sync.aligned.shared::cta.b32 [" +
               place + "], " + std::to_string(op.getColumns()) + ";");
      emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
          .emit("tcgen05.relinquish_alloc_permit" + group + ".sync.aligned;");
    });
    emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
        .emit("tcgen05.fence::before_thread_sync;");
    // MMAs of a pair write the columns of both CTAs.
    if (op.getCtaGroup() > 1)
      emitter.clusterBarrier();
    else
      emitter.barrier();
    emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
        .emit("tcgen05.fence::after_thread_sync;");
    Value first = emitter.load(emitter.intType(32), slot, /*align=*/4);
    // ptxas keeps known uniform values in the uniform registers that MMAs read.
    setTensorMemory(
        emitter.shuffle(NVVM::ShflKind::idx, first, emitter.i32(0)));
    rewriter.eraseOp(op);
    return success();
  }
};

struct TmemDeallocLowering final : TilePattern<nv_tileas::TmemDeallocOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TmemDeallocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value first = getTensorMemory(emitter);
    if (!first)
      return op.emitOpError("frees what was not allocated");
    emitter.onlyIf(isFirstWarp(emitter), [&] {
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
      std::string place = ptx.in(first);
      ptx.emit("tcgen05.dealloc" + getGroup(op.getCtaGroup()) +
               ".sync.aligned.b32 " + place + ", " +
               std::to_string(op.getColumns()) + ";");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// A buffer is a range of columns.
struct TensorAllocLowering final : TilePattern<nv_tileas::AllocTensorOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AllocTensorOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto buffer = dyn_cast<nv_tileas::BufferType>(op.getType());
    if (!buffer || buffer.getSpace() != LayoutSpace::Tmem)
      return rewriter.notifyMatchFailure(op, "not in tensor memory");
    Emitter emitter(rewriter, op, state);
    Value first = getTensorMemory(emitter);
    if (!first || !op.getTmemCol())
      return op.emitOpError("has no columns; run tileas-assign-buffers");
    rewriter.replaceOp(op, emitter.add(first, emitter.i32(*op.getTmemCol())));
    return success();
  }
};

struct TensorViewLowering final : TilePattern<nv_tileas::ViewOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto buffer = dyn_cast<nv_tileas::BufferType>(op.getSource().getType());
    if (!buffer || buffer.getSpace() != LayoutSpace::Tmem)
      return rewriter.notifyMatchFailure(op, "not in tensor memory");
    Emitter emitter(rewriter, op, state);
    Value address = adaptor.getSource().front();
    if (op.getStage() && buffer.getStages() > 1)
      address = emitter.add(
          address,
          emitter.mulConst(adaptor.getStage().front(),
                           tensorColumns(buffer.getLayout().getLayout())));
    rewriter.replaceOp(op, address);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Loads and stores of one tile. Each piece of inline PTX ends with a wait,
/// after which loads have arrived and stores are complete.
class TensorMove {
public:
  TensorMove(Emitter &emitter, Value address, const TensorTransfer &transfer)
      : emitter(emitter), transfer(transfer) {
    Value warp = getUniformWarp(emitter);
    SmallVector<uint64_t> columns;
    for (auto [row, column] : transfer.warps)
      columns.push_back(uint64_t(row) << kRowShift | uint64_t(column));
    // Adds the rows and columns at which the warp begins.
    base = emitter.add(address, emitter.linearOf(warp, columns));
  }

  /// Returns the registers as i32.
  SmallVector<Value> load(size_t words);
  /// Stores the registers `below` rows below the position of the tile.
  void store(ArrayRef<Value> words, int64_t below = 0);
  /// Multiplies the tile by `rescaleFactors`, one per register, in chunks that
  /// leave registers for other values.
  void multiply(ArrayRef<Value> rescaleFactors);

private:
  SmallVector<Value> load(const TensorAccess &access);
  std::string shape(const TensorAccess &access) {
    return ".sync.aligned.16x256b.x" + std::to_string(access.repeats) + ".b32 ";
  }
  /// Returns the register list of `access`.
  static std::string list(const TensorAccess &access,
                          ArrayRef<std::string> names) {
    return PtxBuilder::list(names.slice(access.first, 4 * access.repeats));
  }
  static std::string place(const TensorAccess &access,
                           const std::string &address) {
    int64_t offset = access.row << kRowShift | access.column;
    return "[" + address + (offset ? " + " + std::to_string(offset) : "") + "]";
  }

  Emitter &emitter;
  const TensorTransfer &transfer;
  Value base;
};

} // namespace

/// Emits one access and a wait for it. The registers of one access can then be
/// narrowed before the next access.
SmallVector<Value> TensorMove::load(const TensorAccess &access) {
  PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
  SmallVector<std::string> names;
  for (int64_t i = 0; i < 4 * access.repeats; ++i)
    names.push_back(ptx.out(emitter.intType(32)));
  std::string address = ptx.in(base);
  return ptx.emit("tcgen05.ld" + shape(access) + PtxBuilder::list(names) +
                  ", " + place(access, address) +
                  ";\ntcgen05.wait::ld.sync.aligned;");
}

SmallVector<Value> TensorMove::load(size_t words) {
  SmallVector<Value> values(words);
  for (const TensorAccess &access : transfer.accesses)
    llvm::copy(load(access), values.begin() + access.first);
  return values;
}

void TensorMove::store(ArrayRef<Value> words, int64_t below) {
  PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
  SmallVector<std::string> names;
  for (Value word : words)
    names.push_back(ptx.in(word));
  std::string address = ptx.in(base), text;
  for (TensorAccess access : transfer.accesses) {
    access.row += below;
    text += "tcgen05.st" + shape(access) + place(access, address) + ", " +
            list(access, names) + ";\n";
  }
  ptx.emit(text + "tcgen05.wait::st.sync.aligned;");
}

void TensorMove::multiply(ArrayRef<Value> rescaleFactors) {
  constexpr int64_t kRepeats = 16, kColumns = 8;
  for (const TensorAccess &whole : transfer.accesses)
    for (int64_t i = 0; i < whole.repeats; i += kRepeats) {
      TensorAccess part = whole;
      part.repeats = std::min(whole.repeats, kRepeats);
      part.column += kColumns * i;
      part.first += 4 * i;
      SmallVector<Value> words = load(part);
      for (Value &word : words)
        word = emitter.bitcast(word, emitter.builder.getF32Type());
      words = mapPairs(emitter,
                       {words, SmallVector<Value>(rescaleFactors.slice(
                                   part.first, words.size()))},
                       [&](ArrayRef<Value> of) -> Value {
                         return LLVM::FMulOp::create(emitter.builder,
                                                     emitter.loc, of[0], of[1]);
                       });
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
      SmallVector<std::string> names;
      for (Value word : words)
        names.push_back(ptx.in(emitter.bitcast(word, emitter.intType(32))));
      std::string address = ptx.in(base);
      ptx.emit("tcgen05.st" + shape(part) + place(part, address) + ", " +
               PtxBuilder::list(names) + ";");
    }
  emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
      .emit("tcgen05.wait::st.sync.aligned;");
}

namespace {

/// Most row maxima do not change, so most accumulators need no rescaling.
struct TensorRescaleLowering final : TilePattern<nv_tileas::TensorRescaleOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TensorRescaleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto buffer = op.getBuffer().getType();
    auto tile = cast<RankedTensorType>(op.getFactor().getType());
    std::optional<TensorTransfer> transfer =
        tensorTransfer(getLayout(tile), buffer.getLayout().getLayout());
    if (!transfer)
      return op.emitOpError("no tcgen05.ld or .st moves ")
             << tile << " from or to " << buffer
             << "; convert the factors to a layout of tensor memory first";
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> rescaleFactors =
        emitter.unpack(adaptor.getFactor(), tile);
    llvm::SmallSetVector<Value, 8> different(rescaleFactors.begin(),
                                             rescaleFactors.end());
    Value any = askForOthers(emitter, different.getArrayRef(), op);
    TensorMove move(emitter, adaptor.getBuffer().front(), *transfer);
    emitter.onlyIf(any, [&] { move.multiply(rescaleFactors); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorCopyLowering final : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isStore = bool(op.getDst());
    auto buffer = cast<nv_tileas::BufferType>(isStore ? op.getDst().getType()
                                                      : op.getSrc().getType());
    if (buffer.getSpace() != LayoutSpace::Tmem)
      return rewriter.notifyMatchFailure(op, "not in tensor memory");
    auto tile = cast<RankedTensorType>(isStore ? op.getSrc().getType()
                                               : op.getResult().getType());
    std::optional<TensorTransfer> transfer =
        tensorTransfer(getLayout(tile), buffer.getLayout().getLayout());
    if (!transfer || getRegisterBits(tile.getElementType()) != 32)
      return op.emitOpError("no tcgen05.ld or .st moves ")
             << tile << " from or to " << buffer
             << "; convert the tile to a layout of tensor memory first";
    Emitter emitter(rewriter, op, state);
    Type i32 = emitter.intType(32);
    if (isStore) {
      TensorMove move(emitter, adaptor.getDst().front(), *transfer);
      SmallVector<Value> words;
      for (Value word : adaptor.getSrc())
        words.push_back(emitter.bitcast(word, i32));
      move.store(words);
      if (op->hasAttr(nv_tileas::kTwiceAttr))
        move.store(words, /*below=*/16);
      rewriter.eraseOp(op);
      return success();
    }
    TensorMove move(emitter, adaptor.getSrc().front(), *transfer);
    SmallVector<Value> words = move.load(getLayout(tile).getNumRegisters());
    Type element = getRegisterType(tile.getElementType());
    for (Value &word : words)
      word = emitter.bitcast(word, element);
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

/// Strips the constant offsets from `pointer`; returns their sum.
static int64_t stripOffset(Value &pointer) {
  int64_t bytes = 0;
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
    ArrayRef<int32_t> indices = gep.getRawConstantIndices();
    if (indices.size() != 1 || !gep.getDynamicIndices().empty() ||
        !gep.getElemType().isInteger(8))
      break;
    bytes += indices.front();
    pointer = gep.getBase();
  }
  return bytes;
}

/// Returns the start address field of a descriptor for `pointer`, without a
/// constant that is added to `bytes`: all slots and buffers at constant offsets
/// share one start. Cluster addresses have more bits.
static Value getDescriptorStart(Emitter &emitter, Value pointer,
                                int64_t &bytes) {
  bytes = stripOffset(pointer);
  return emitter.shrConst(
      emitter.andConst(getSharedAddress(emitter, pointer), 0x3ffff), 4);
}

/// Returns the descriptor `bytes` after `start`, with the fields `bits`: two
/// registers, of which one is the same for all descriptors.
static Value getDescriptor(Emitter &emitter, Value start, uint64_t bits,
                           int64_t bytes) {
  int32_t low = int32_t(bits & 0xffffffff) + int32_t(bytes >> 4);
  Value words[] = {emitter.add(start, emitter.i32(low)),
                   emitter.i32(int32_t(bits >> 32))};
  return LLVM::BitcastOp::create(emitter.builder, emitter.loc,
                                 emitter.intType(64),
                                 emitter.packVector(words));
}

namespace {

/// An operand in shared memory as `tcgen05.mma` addresses it.
class TensorOperand {
public:
  TensorOperand(Emitter &emitter, Value pointer, nv_tileas::BufferType type,
                unsigned kDim)
      : emitter(emitter), parts(type, kDim),
        start(getDescriptorStart(emitter, pointer, first)) {}

  /// Returns the descriptor of the subtile that begins at `row` and `k`.
  Value at(int64_t row, int64_t k) {
    return getDescriptor(emitter, start, parts.getForm().tcgen05Bits(),
                         first + parts.offsetOf(row, k));
  }
  bool isTransposed() const { return parts.isTransposed(); }

private:
  Emitter &emitter;
  OperandParts parts;
  /// Bytes from the start to the operand.
  int64_t first = 0;
  Value start;
};

} // namespace

/// Returns the kind of `tcgen05.mma` for operands of type `type`.
static StringRef getKind(Type type) {
  if (type.isF16() || type.isBF16())
    return "f16";
  if (type.isTF32())
    return "tf32";
  return type.isInteger(8) ? "i8" : "f8f6f4";
}

/// Returns the kind of block-scaled MMAs.
static std::string getScaledKind(Type type, int64_t block) {
  StringRef kind = !isa<Float4E2M1FNType>(type) ? "mxf8f6f4"
                   : block == 32                ? "mxf4"
                                                : "mxf4nvf4";
  return kind.str() + ".block_scale.block" + std::to_string(block);
}

/// Returns the code of an operand type in the instruction descriptor.
static uint32_t getTypeCode(Type type,
                            std::optional<nv_tileaa::Signedness> sign) {
  if (type.isInteger(8))
    return sign == nv_tileaa::Signedness::Unsigned ? 0 : 1;
  if (type.isTF32())
    return 2;
  return type.isBF16() || isa<Float8E5M2Type, Float4E2M1FNType>(type) ? 1 : 0;
}

namespace {

/// The MMA instructions of one dot.
class TensorMma {
public:
  TensorMma(Emitter &emitter, nv_tileas::AsyncDotIntoOp op)
      : emitter(emitter), op(op), atom(op.getAtom()),
        layout(op.getD().getType().getLayout().getLayout()) {}

  void emit(Value a, Value b, Value d, Value scaleA, Value scaleB, Value adds);

private:
  /// Returns column and byte of the scale of `row` for the MMAs from `k` on.
  std::pair<int64_t, uint32_t> getScale(nv_tileas::BufferType scales,
                                        unsigned kDim, int64_t row, int64_t k);
  /// Returns the elements of K that share a scale.
  int64_t getBlock() {
    return nv_tileas::getUnitBlock(atom.getAType(), op.getDepth(),
                                   op.getScaleA().getType().getShape()[1]);
  }
  uint32_t getDescriptor(bool transposesA, bool transposesB);
  uint32_t getScaledDescriptor(bool transposesA, bool transposesB,
                               uint32_t byteA, uint32_t byteB);
  Value offset(Value address, int64_t columns) {
    return emitter.add(address, emitter.i32(columns));
  }

  Emitter &emitter;
  nv_tileas::AsyncDotIntoOp op;
  nv_tileas::MmaAtomAttr atom;
  /// Layout of D.
  Layout layout;
};

} // namespace

/// Returns types, majorness and extents of one instruction (PTX ISA,
/// "instruction descriptor").
uint32_t TensorMma::getDescriptor(bool transposesA, bool transposesB) {
  uint32_t result = atom.getCType().isInteger(32) ? 2 : 1;
  return result << 4 | getTypeCode(atom.getAType(), op.getSignednessA()) << 7 |
         getTypeCode(atom.getBType(), op.getSignednessB()) << 10 |
         uint32_t(transposesA) << 15 | uint32_t(transposesB) << 16 |
         uint32_t(atom.getN() >> 3) << 17 | uint32_t(atom.getM() >> 4) << 24;
}

/// Returns the instruction descriptor of block-scaled MMAs.
uint32_t TensorMma::getScaledDescriptor(bool transposesA, bool transposesB,
                                        uint32_t byteA, uint32_t byteB) {
  bool arePowersOfTwo =
      isa<Float8E8M0FNUType>(op.getScaleA().getType().getElementType());
  return byteB << 4 | getTypeCode(atom.getAType(), std::nullopt) << 7 |
         getTypeCode(atom.getBType(), std::nullopt) << 10 |
         uint32_t(transposesA) << 15 | uint32_t(transposesB) << 16 |
         uint32_t(atom.getN() >> 3) << 17 | uint32_t(arePowersOfTwo) << 23 |
         uint32_t(atom.getM() >> 7) << 27 | byteA << 29;
}

std::pair<int64_t, uint32_t> TensorMma::getScale(nv_tileas::BufferType scales,
                                                 unsigned kDim, int64_t row,
                                                 int64_t k) {
  const Layout &of = scales.getLayout().getLayout();
  Layout::Coord coord(2);
  coord[kDim] = k / getBlock();
  coord[1 - kDim] = row;
  uint64_t cell = of.leftInverse()(of.flatten(coord));
  auto part = [&](unsigned dim) {
    return cell >> of.getFirstBit(dim) &
           ((uint64_t(1) << of.getNumBases(dim)) - 1);
  };
  return {int64_t(part(kCol)), uint32_t(part(kSub))};
}

void TensorMma::emit(Value a, Value b, Value d, Value scaleA, Value scaleB,
                     Value adds) {
  TensorOperand x(emitter, a, op.getA().getType(), /*kDim=*/1),
      y(emitter, b, op.getB().getType(), /*kDim=*/0);
  // The first CTA of a pair issues for both.
  Value elected = atom.getCtaGroup() > 1 ? getElectedLeader(emitter)
                                         : getElectedThread(emitter);
  LinearMap cells = layout.leftInverse();
  for (int64_t k = 0; k < op.getDepth(); k += atom.getK())
    for (int64_t row = 0; row < layout.getExtent(0);
         row += atom.getRowsPerCta())
      for (int64_t column = 0; column < layout.getExtent(1);
           column += atom.getN()) {
        int64_t first =
            cells(layout.flatten({row, column})) >> layout.getFirstBit(kCol);
        PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
        std::string target = ptx.in(offset(d, first)),
                    from = ptx.in(x.at(row, k / op.getPacking())),
                    with = ptx.in(y.at(column, k / op.getPacking())),
                    kind = getKind(atom.getAType()).str(), scales;
        uint32_t types = getDescriptor(x.isTransposed(), y.isTransposed());
        if (scaleA) {
          auto [columnA, byteA] =
              getScale(op.getScaleA().getType(), /*kDim=*/1, row, k);
          auto [columnB, byteB] =
              getScale(op.getScaleB().getType(), /*kDim=*/0, column, k);
          types = getScaledDescriptor(x.isTransposed(), y.isTransposed(), byteA,
                                      byteB);
          kind = getScaledKind(atom.getAType(), getBlock());
          scales = "[" + ptx.in(offset(scaleA, columnA)) + "], [";
          scales += ptx.in(offset(scaleB, columnB)) + "], ";
        }
        std::string descriptor = ptx.in(emitter.i32(int32_t(types))),
                    adding = ptx.in(k ? emitter.constant(1, 1) : adds),
                    guard = ptx.guard(elected);
        ptx.emit(guard + "tcgen05.mma" + getGroup(atom.getCtaGroup()) +
                 ".kind::" + kind + " [" + target + "], " + from + ", " + with +
                 ", " + descriptor + ", " + scales + adding + ";");
      }
}

namespace {

struct AsyncDotIntoLowering final : TilePattern<nv_tileas::AsyncDotIntoOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncDotIntoOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto get = [](ValueRange values) {
      return values.empty() ? Value() : values.front();
    };
    TensorMma(emitter, op)
        .emit(adaptor.getA().front(), adaptor.getB().front(),
              adaptor.getD().front(), get(adaptor.getScaleA()),
              get(adaptor.getScaleB()), adaptor.getUseAcc().front());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Scales of 128 rows, 4 of each, are 32 lines of 16 bytes, and 4 columns.
struct TmemCopyLowering final : TilePattern<nv_tileas::AsyncTmemCopyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncTmemCopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t kLines = 32, kLineBytes = 16, kColumns = 4;
    Emitter emitter(rewriter, op, state);
    MatrixDescriptor form;
    form.panelStride = kLineBytes;
    form.groupStride = 8 * kLineBytes;
    int64_t first;
    Value start = getDescriptorStart(emitter, adaptor.getSrc().front(), first);
    Value elected = getElectedThread(emitter);
    int64_t columns =
        tensorColumns(op.getDst().getType().getLayout().getLayout());
    for (int64_t column = 0; column < columns; column += kColumns) {
      int64_t bytes = first + column / kColumns * kLines * kLineBytes;
      Value source = getDescriptor(emitter, start, form.tcgen05Bits(), bytes);
      Value target = emitter.add(adaptor.getDst().front(), emitter.i32(column));
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
      std::string to = ptx.in(target), from = ptx.in(source),
                  guard = ptx.guard(elected);
      ptx.emit(guard + "tcgen05.cp.cta_group::1.32x128b.warpx4 [" + to + "], " +
               from + ";");
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct UmmaCommitLowering final : TilePattern<nv_tileas::UmmaCommitOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::UmmaCommitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    bool isOfPair = op.getCtaGroup() > 1;
    Value condition = emitter.andBits(
        op.getCondition() ? adaptor.getCondition().front() : Value(),
        isOfPair ? getElectedLeader(emitter) : getElectedThread(emitter));
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory, Feature::Tcgen05);
    std::string object = ptx.in(
                    getSharedAddress(emitter, adaptor.getBarrier().front())),
                mask = isOfPair ? ", " + ptx.in(getPairMask(emitter)) : "",
                guard = ptx.guard(condition);
    ptx.emit(guard + "tcgen05.commit" + getGroup(op.getCtaGroup()) +
             ".mbarrier::arrive::one.shared::cluster" +
             (isOfPair ? ".multicast::cluster" : "") + ".b64 [" + object + "]" +
             mask + ";");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTensorMemoryPatterns(RewritePatternSet &patterns,
                                  const TileTypeConverter &converter,
                                  const LoweringState &state) {
  patterns.add<SubgroupIdLowering, TmemAllocLowering, TmemDeallocLowering,
               TensorAllocLowering, TensorViewLowering, TensorCopyLowering,
               TensorRescaleLowering, AsyncDotIntoLowering, TmemCopyLowering,
               UmmaCommitLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

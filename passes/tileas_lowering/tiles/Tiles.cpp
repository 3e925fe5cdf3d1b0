// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Converts one element of a constant to its register type.
static TypedAttr convertScalar(Attribute value, Type type) {
  if (auto floating = dyn_cast<FloatAttr>(value)) {
    APFloat number = floating.getValue();
    if (isa<IntegerType>(type))
      return IntegerAttr::get(type, number.bitcastToAPInt().zextOrTrunc(
                                        type.getIntOrFloatBitWidth()));
    if (isa<FloatTF32Type>(floating.getType())) {
      bool lossy;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &lossy);
    }
    return FloatAttr::get(type, number);
  }
  return IntegerAttr::get(type, cast<IntegerAttr>(value).getValue().zextOrTrunc(
                                    type.getIntOrFloatBitWidth()));
}

/// Returns a constant word: a scalar, or a vector of `perWord` elements.
static Value constantWord(Emitter &emitter, ArrayRef<Attribute> elements,
                          Type elementType) {
  SmallVector<Attribute> converted;
  for (Attribute element : elements)
    converted.push_back(convertScalar(element, elementType));
  if (converted.size() == 1)
    return LLVM::ConstantOp::create(emitter.builder, emitter.loc, elementType,
                                    cast<TypedAttr>(converted[0]));
  auto type = VectorType::get({int64_t(converted.size())}, elementType);
  return LLVM::ConstantOp::create(emitter.builder, emitter.loc, type,
                                  DenseElementsAttr::get(type, converted));
}

namespace {

struct ConstantLowering final : TilePattern<arith::ConstantOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type) {
      Type converted = getRegisterType(op.getType());
      rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
          op, converted, convertScalar(op.getValue(), converted));
      return success();
    }
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!value)
      return op.emitOpError("needs a dense value");
    const Layout &layout = getLayout(type);
    Packing packing = getTilePacking(type);
    Type element = getRegisterType(type.getElementType());
    SmallVector<Value> words;
    if (value.isSplat()) {
      SmallVector<Attribute> splat(packing.perWord,
                                   value.getSplatValue<Attribute>());
      Value word = constantWord(emitter, splat, element);
      words.assign(packing.numWords, word);
    } else if (layout.redundantMask() ==
               ((uint64_t(1) << layout.getNumLocationBits()) -
                (uint64_t(1) << layout.getNumBases(kRegister)))) {
      // Every thread holds the whole tile.
      auto all = llvm::to_vector(value.getValues<Attribute>());
      SmallVector<Attribute> mine;
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
        mine.push_back(all[layout.applyFlat(reg)]);
      for (int64_t word = 0; word < packing.numWords; ++word)
        words.push_back(
            constantWord(emitter,
                         ArrayRef<Attribute>(mine).slice(word * packing.perWord,
                                                         packing.perWord),
                         element));
    } else {
      words = emitter.pack(lookUp(emitter, value, type, element), type);
    }
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }

private:
  /// Reads the elements of a constant that differ between threads from a
  /// global constant array.
  SmallVector<Value> lookUp(Emitter &emitter, DenseElementsAttr value,
                            RankedTensorType type, Type element) const;
};

struct PoisonLowering final : TilePattern<ub::PoisonOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> words;
    if (failed(types().convertTypes(op.getType(), words)))
      return rewriter.notifyMatchFailure(op, "the type has none in LLVM");
    SmallVector<Value> values;
    for (Type word : words)
      values.push_back(LLVM::PoisonOp::create(rewriter, op.getLoc(), word));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct SplatLowering final : TilePattern<nv_tileas::SplatOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Packing packing = getTilePacking(op.getType());
    SmallVector<Value> copies(packing.perWord, adaptor.getSource());
    SmallVector<Value> words(packing.numWords, emitter.packVector(copies));
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

struct MakeRangeLowering final : TilePattern<nv_tileas::MakeRangeOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MakeRangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    RankedTensorType type = op.getType();
    const Layout &layout = getLayout(type);
    unsigned bits = type.getElementType().getIntOrFloatBitWidth();
    TileCoords coords(emitter, layout);
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
      Value at = emitter.resize(coords.get(0, reg), bits);
      elements.push_back(
          emitter.add(at, emitter.constant(bits, int64_t(op.getStart()))));
    }
    rewriter.replaceOpWithMultiple(op, {emitter.pack(elements, type)});
    return success();
  }
};

/// Operations whose result has the registers of the operand, in order.
template <typename OpTy> struct RenameLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> words = llvm::to_vector(adaptor.getSource());
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

struct BroadcastLowering final : TilePattern<nv_tileas::BroadcastOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::BroadcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto from = cast<RankedTensorType>(op.getSource().getType());
    RankedTensorType to = op.getType();
    SmallVector<Value> source = emitter.unpack(adaptor.getSource(), from);
    const Layout &result = getLayout(to), &operand = getLayout(from);
    // Maps a result register to the operand register with the same element.
    LinearMap inverse =
        operand.map(kRegister).rightInverse(operand.getTileBits());
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < result.getNumRegisters(); ++reg) {
      Layout::Coord coord = result.unflatten(result.applyFlat(reg));
      for (unsigned d = 0; d < operand.getRank(); ++d)
        if (from.getShape()[d] == 1)
          coord[d] = 0;
      elements.push_back(source[inverse(operand.flatten(coord))]);
    }
    rewriter.replaceOpWithMultiple(op, {emitter.pack(elements, to)});
    return success();
  }
};

struct CatLowering final : TilePattern<nv_tileas::CatOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::CatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto from = cast<RankedTensorType>(op.getLhs().getType());
    RankedTensorType to = op.getType();
    SmallVector<Value> halves[2] = {emitter.unpack(adaptor.getLhs(), from),
                                    emitter.unpack(adaptor.getRhs(), from)};
    const Layout &result = getLayout(to);
    uint32_t top =
        result.unit(op.getAxis(), result.getLog2Extent(op.getAxis()) - 1);
    unsigned bit = 0;
    while (result.getFlatBasis(kRegister, bit) != top)
      ++bit;
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < result.getNumRegisters(); ++reg) {
      int64_t low = reg & ((int64_t(1) << bit) - 1);
      int64_t high = (reg >> (bit + 1)) << bit;
      elements.push_back(halves[(reg >> bit) & 1][high | low]);
    }
    rewriter.replaceOpWithMultiple(op, {emitter.pack(elements, to)});
    return success();
  }
};

} // namespace

SmallVector<Value> ConstantLowering::lookUp(Emitter &emitter,
                                            DenseElementsAttr value,
                                            RankedTensorType type,
                                            Type element) const {
  // A private array in constant memory, in row-major order.
  OpBuilder &builder = emitter.builder;
  Operation *module = builder.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  bool isBool = element.isInteger(1);
  Type storage = isBool ? Type(builder.getI8Type()) : element;
  SmallVector<Attribute> converted;
  for (Attribute entry : value.getValues<Attribute>()) {
    TypedAttr scalar = convertScalar(entry, element);
    if (isBool)
      scalar = builder.getI8IntegerAttr(
          cast<IntegerAttr>(scalar).getValue().getZExtValue());
    converted.push_back(scalar);
  }
  int64_t count = value.getNumElements();
  auto arrayType = LLVM::LLVMArrayType::get(storage, count);
  auto init = DenseElementsAttr::get(RankedTensorType::get({count}, storage),
                                     converted);
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    global = LLVM::GlobalOp::create(
        builder, emitter.loc, arrayType, /*isConstant=*/true,
        LLVM::Linkage::Internal, freeSymbol(module, "tile_constant"), init,
        /*alignment=*/16, unsigned(nv_tileaa::GlobalSpace));
  }
  Value base = LLVM::AddressOfOp::create(
      builder, emitter.loc, emitter.ptrType(nv_tileaa::GlobalSpace),
      global.getSymName());
  const Layout &layout = getLayout(type);
  unsigned bytes = getMemoryBits(type.getElementType()) / 8;
  Value thread = emitter.rowMajorOfThread(layout);
  SmallVector<Value> elements;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    Value index = emitter.xorConst(thread, layout.applyFlat(reg));
    Value ptr = emitter.gep(base, emitter.mulConst(index, bytes));
    Value image = emitter.load(storage, ptr, bytes);
    if (isBool)
      image =
          emitter.icmp(LLVM::ICmpPredicate::ne, image, emitter.constant(8, 0));
    elements.push_back(image);
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Reads the bits of `values`, `fromBits` each, as elements of `toBits` each.
static SmallVector<Value> regroup(Emitter &emitter, ArrayRef<Value> values,
                                  unsigned fromBits, unsigned toBits,
                                  Type element) {
  SmallVector<Value> elements;
  if (fromBits > toBits) {
    unsigned parts = fromBits / toBits;
    for (Value value : values) {
      Value vector = emitter.bitcast(emitter.toBits(value),
                                     VectorType::get({parts}, element));
      for (unsigned i = 0; i < parts; ++i)
        elements.push_back(emitter.extract(vector, i));
    }
    return elements;
  }
  unsigned parts = toBits / fromBits;
  for (unsigned i = 0; i < values.size(); i += parts) {
    Value joined = emitter.packVector(values.slice(i, parts));
    elements.push_back(emitter.fromBits(emitter.toBits(joined), element));
  }
  return elements;
}

namespace {

struct BitcastLowering final : TilePattern<nv_tileas::BitcastOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::BitcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to) {
      Value source = adaptor.getSource().front();
      Type type = getRegisterType(op.getType());
      if (source.getType() != type)
        source = emitter.fromBits(emitter.toBits(source), type);
      rewriter.replaceOp(op, source);
      return success();
    }
    Type element = getRegisterType(to.getElementType());
    SmallVector<Value> source = emitter.unpack(adaptor.getSource(), from);
    unsigned fromBits = getMemoryBits(from.getElementType());
    unsigned toBits = getMemoryBits(to.getElementType());
    bool splitsBytes = isPackedInViews(to.getElementType()),
         joinsBytes = isPackedInViews(from.getElementType());
    SmallVector<Value> elements;
    if (splitsBytes && !joinsBytes)
      elements = emitter.splitNibbles(
          regroup(emitter, source, fromBits, 8, emitter.intType(8)));
    else if (joinsBytes && !splitsBytes)
      elements =
          regroup(emitter, emitter.joinNibbles(source), 8, toBits, element);
    else if (isa<LLVM::LLVMPointerType>(element))
      elements = source;
    else
      elements = regroup(emitter, source, fromBits, toBits, element);
    rewriter.replaceOpWithMultiple(op, {emitter.pack(elements, to)});
    return success();
  }
};

} // namespace

void populateTilePatterns(RewritePatternSet &patterns,
                          const TileTypeConverter &converter,
                          const LoweringState &state) {
  patterns.add<ConstantLowering, PoisonLowering, SplatLowering,
               MakeRangeLowering, RenameLowering<nv_tileas::ExpandDimsOp>,
               RenameLowering<nv_tileas::PermuteOp>, BroadcastLowering,
               CatLowering, BitcastLowering>(converter, patterns.getContext(),
                                             state);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILEASTONVGPU
#define GEN_PASS_DEF_CONVERTTILEASTONVGPU
#include "passes/tileas_lowering/ConvertTileASToNVGPU.h.inc"

namespace {

using namespace mlir;

struct ConvertTileASToNVGPU final
    : impl::ConvertTileASToNVGPUBase<ConvertTileASToNVGPU> {
  using ConvertTileASToNVGPUBase::ConvertTileASToNVGPUBase;

  void runOnOperation() override;
};

} // namespace

[[maybe_unused]] static unsigned getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.getIntOrFloatBitWidth();
}

static Value bitcast(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  assert(getBits(value.getType()) == getBits(type));
  return LLVM::BitcastOp::create(builder, loc, type, value);
}

/// Splits an instruction's result, a struct of registers or a single register,
/// into the types that its users expect.
static SmallVector<Value> splitResult(OpBuilder &builder, Location loc,
                                      Value result, TypeRange types) {
  SmallVector<Value> words;
  bool isStruct = isa<LLVM::LLVMStructType>(result.getType());
  for (auto [i, type] : llvm::enumerate(types)) {
    Value word =
        isStruct ? Value(LLVM::ExtractValueOp::create(builder, loc, result, i))
                 : result;
    words.push_back(bitcast(builder, loc, word, type));
  }
  return words;
}

/// Returns the result type for `count` registers of type `word`.
static Type resultType(MLIRContext *context, Type word, size_t count) {
  if (count == 1)
    return word;
  return LLVM::LLVMStructType::getLiteral(context,
                                          SmallVector<Type>(count, word));
}

static void convertLdmatrix(nv_tileas::AtomLdmatrixOp op, OpBuilder &builder) {
  Type i32 = builder.getI32Type();
  auto shape = NVVM::LdStMatrixShapeAttr::get(op.getContext(), 8, 8);
  auto layout = op.getTrans() ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  Value all = NVVM::LdMatrixOp::create(
      builder, op.getLoc(),
      resultType(op.getContext(), i32, op.getNumResults()), op.getPtr(),
      op.getNum(), layout, shape, NVVM::LdStMatrixEltType::B16);
  op->replaceAllUsesWith(
      splitResult(builder, op.getLoc(), all, op->getResultTypes()));
}

static void convertStmatrix(nv_tileas::AtomStmatrixOp op, OpBuilder &builder) {
  auto shape = NVVM::LdStMatrixShapeAttr::get(op.getContext(), 8, 8);
  auto layout = op.getTrans() ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  NVVM::StMatrixOp::create(builder, op.getLoc(), op.getPtr(), op.getWords(),
                           layout, shape, NVVM::LdStMatrixEltType::B16);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// PTX name of an 8-bit float.
static StringRef getByteFloatName(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3" : "e5m2";
}

static bool isByteFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static std::optional<NVVM::MMATypes> getMmaType(Type type, bool isSigned) {
  if (type.isF16())
    return NVVM::MMATypes::f16;
  if (type.isBF16())
    return NVVM::MMATypes::bf16;
  if (isa<FloatTF32Type>(type))
    return NVVM::MMATypes::tf32;
  if (type.isF64())
    return NVVM::MMATypes::f64;
  if (type.isInteger(8))
    return isSigned ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
  return std::nullopt;
}

/// Returns the type of an instruction operand word with this element type.
static Type getOperandWord(Type element, OpBuilder &builder) {
  if (element.isF16())
    return VectorType::get({2}, builder.getF16Type());
  if (element.isF64())
    return builder.getF64Type();
  return builder.getI32Type();
}

static Type getAccumulatorWord(Type element, OpBuilder &builder) {
  if (element.isF16())
    return VectorType::get({2}, builder.getF16Type());
  return element;
}

static SmallVector<Value> castAll(OpBuilder &builder, Location loc,
                                  ValueRange words, Type type) {
  SmallVector<Value> result;
  for (Value word : words)
    result.push_back(bitcast(builder, loc, word, type));
  return result;
}

/// Gathers registers into the one vector per operand that `nvgpu.mma.sync`
/// takes.
static Value gatherWords(OpBuilder &builder, Location loc, ValueRange words,
                         Type word, int64_t perWord) {
  Type element =
      isa<VectorType>(word) ? cast<VectorType>(word).getElementType() : word;
  auto type = VectorType::get({int64_t(words.size()), perWord}, element);
  Value all = ub::PoisonOp::create(builder, loc, type);
  for (auto [i, value] : llvm::enumerate(words)) {
    if (perWord > 1)
      all = vector::InsertOp::create(builder, loc, value, all, int64_t(i));
    else
      all = vector::InsertOp::create(builder, loc, value, all,
                                     ArrayRef<int64_t>{int64_t(i), 0});
  }
  return all;
}

/// `nvgpu` supports f16, tf32 and f64 with the same meaning.
static bool isNvgpuAtom(nv_tileas::MmaAtomAttr atom) {
  Type a = atom.getAType();
  return atom.getAType() == atom.getBType() &&
         (a.isF16() || isa<FloatTF32Type>(a) ||
          (a.isF64() && atom.getM() == 8));
}

static SmallVector<Value> convertToNvgpu(nv_tileas::AtomMmaSyncOp op,
                                         OpBuilder &builder) {
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  Location loc = op.getLoc();
  bool isTf32 = isa<FloatTF32Type>(atom.getAType());
  Type operandWord = isTf32 ? Type(builder.getF32Type())
                            : getOperandWord(atom.getAType(), builder);
  int64_t perWord = atom.getAType().isF16() ? 2 : 1;
  Value a =
      gatherWords(builder, loc, castAll(builder, loc, op.getA(), operandWord),
                  operandWord, perWord);
  Value b =
      gatherWords(builder, loc, castAll(builder, loc, op.getB(), operandWord),
                  operandWord, perWord);
  // Accumulators have rows of two elements.
  Type accWord = getAccumulatorWord(atom.getCType(), builder);
  SmallVector<Value> words = llvm::to_vector(op.getC());
  Value c;
  Type accElement = atom.getCType();
  auto accType =
      VectorType::get({atom.getM() == 8 ? 1 : int64_t(2), 2}, accElement);
  c = ub::PoisonOp::create(builder, loc, accType);
  bool packed = isa<VectorType>(accWord);
  for (auto [i, value] : llvm::enumerate(words)) {
    if (packed)
      c = vector::InsertOp::create(builder, loc, value, c, int64_t(i));
    else
      c = vector::InsertOp::create(
          builder, loc, value, c,
          ArrayRef<int64_t>{int64_t(i) / 2, int64_t(i) % 2});
  }
  Value d = nvgpu::MmaSyncOp::create(
      builder, loc, accType, a, b, c,
      builder.getI64ArrayAttr({atom.getM(), atom.getN(), atom.getK()}),
      isTf32 ? builder.getUnitAttr() : UnitAttr());
  SmallVector<Value> results;
  for (size_t i = 0; i < words.size(); ++i) {
    if (packed)
      results.push_back(vector::ExtractOp::create(builder, loc, d, int64_t(i)));
    else
      results.push_back(vector::ExtractOp::create(
          builder, loc, d, ArrayRef<int64_t>{int64_t(i) / 2, int64_t(i) % 2}));
  }
  return results;
}

static SmallVector<Value> convertToIntrinsic(nv_tileas::AtomMmaSyncOp op,
                                             OpBuilder &builder) {
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  Location loc = op.getLoc();
  std::string acc = atom.getCType().isF16()   ? "f16"
                    : atom.getCType().isF64() ? "f64"
                                              : "f32";
  std::string name =
      ("llvm.nvvm.mma.m" + Twine(atom.getM()) + "n" + Twine(atom.getN()) + "k" +
       Twine(atom.getK()) + ".row.col.")
          .str();
  if (atom.getAType().isF64())
    name += "f64";
  else
    name += acc + "." + getByteFloatName(atom.getAType()).str() + "." +
            getByteFloatName(atom.getBType()).str() + "." + acc;
  Type operandWord = getOperandWord(atom.getAType(), builder);
  Type accWord = getAccumulatorWord(atom.getCType(), builder);
  SmallVector<Value> operands = castAll(builder, loc, op.getA(), operandWord);
  llvm::append_range(operands, castAll(builder, loc, op.getB(), operandWord));
  llvm::append_range(operands, castAll(builder, loc, op.getC(), accWord));
  Value all = LLVM::CallIntrinsicOp::create(
                  builder, loc,
                  resultType(op.getContext(), accWord, op.getNumResults()),
                  builder.getStringAttr(name), operands)
                  .getResult(0);
  return splitResult(builder, loc, all, op->getResultTypes());
}

static SmallVector<Value> convertToNvvm(nv_tileas::AtomMmaSyncOp op,
                                        OpBuilder &builder) {
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  Location loc = op.getLoc();
  Type aWord = getOperandWord(atom.getAType(), builder);
  Type bWord = getOperandWord(atom.getBType(), builder);
  Type accWord = getAccumulatorWord(atom.getCType(), builder);
  bool isInteger = atom.getAType().isInteger(8);
  std::array<NVVM::MMATypes, 2> types = {
      *getMmaType(atom.getAType(), op.getSignedA()),
      *getMmaType(atom.getBType(), op.getSignedB())};
  std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row,
                                            NVVM::MMALayout::col};
  int64_t shape[] = {atom.getM(), atom.getN(), atom.getK()};
  Value all = NVVM::MmaOp::create(
      builder, loc, resultType(op.getContext(), accWord, op.getNumResults()),
      castAll(builder, loc, op.getA(), aWord),
      castAll(builder, loc, op.getB(), bWord),
      castAll(builder, loc, op.getC(), accWord), ArrayRef<int64_t>(shape),
      std::nullopt,
      // Integer MMAs wrap.
      isInteger ? std::optional(NVVM::MMAIntOverflow::wrapped) : std::nullopt,
      types, layouts);
  return splitResult(builder, loc, all, op->getResultTypes());
}

static SmallVector<Value> convertScaled(nv_tileas::AtomMmaBsOp op,
                                        OpBuilder &builder) {
  nv_tileas::MmaAtomAttr atom = op.getAtom();
  Location loc = op.getLoc();
  auto getType = [](Type type) {
    return isa<Float4E2M1FNType>(type) ? NVVM::MMATypes::e2m1
           : isa<Float8E5M2Type>(type) ? NVVM::MMATypes::e5m2
                                       : NVVM::MMATypes::e4m3;
  };
  std::array<NVVM::MMATypes, 2> types = {getType(atom.getAType()),
                                         getType(atom.getBType())};
  bool isPowerOfTwo = isa<Float8E8M0FNUType>(atom.getScaleType());
  int64_t scales = atom.getTileK() / atom.getTileBlock();
  auto id = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI16IntegerAttr(value));
  };
  int64_t shape[] = {atom.getM(), atom.getN(), atom.getK()};
  Value all = NVVM::MmaBlockScaleOp::create(
      builder, loc,
      resultType(op.getContext(), atom.getCType(), op.getNumResults()),
      op.getA(), op.getB(), op.getC(), op.getScaleA(), id(op.getByteA()),
      id(op.getThreadA()), op.getScaleB(), id(op.getByteB()),
      id(op.getThreadB()), ArrayRef<int64_t>(shape), types,
      scales == 1   ? NVVM::ScaleVecSize::X1
      : scales == 2 ? NVVM::ScaleVecSize::X2
                    : NVVM::ScaleVecSize::X4,
      isPowerOfTwo ? NVVM::BlockScaleFormat::UE8M0
                   : NVVM::BlockScaleFormat::UE4M3,
      !atom.isPacked() ? NVVM::MMABlockScaleKind::MXF8F6F4
      : isPowerOfTwo   ? NVVM::MMABlockScaleKind::MXF4
                       : NVVM::MMABlockScaleKind::MXF4NVF4);
  return splitResult(builder, loc, all, op->getResultTypes());
}

void ConvertTileASToNVGPU::runOnOperation() {
  SmallVector<Operation *> atoms;
  WalkResult result = getOperation()->walk([&](Operation *op) {
    if (!isa_and_present<nv_tileas::TileASDialect>(op->getDialect()))
      return WalkResult::advance();
    auto mma = dyn_cast<nv_tileas::AtomMmaSyncOp>(op);
    bool known =
        isa<nv_tileas::AtomLdmatrixOp, nv_tileas::AtomStmatrixOp,
            nv_tileas::AtomMmaBsOp>(op) ||
        (mma && (isByteFloat(mma.getAtom().getAType()) ||
                 getMmaType(mma.getAtom().getAType(), mma.getSignedA())));
    if (!known) {
      op->emitError("failed to convert nv_tileas atoms: '")
          << op->getName() << "' is not one; run convert-tileas-to-llvm first";
      return WalkResult::interrupt();
    }
    atoms.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return signalPassFailure();
  if (atoms.empty())
    return markAllAnalysesPreserved();
  numAtoms += atoms.size();
  for (Operation *op : atoms) {
    OpBuilder builder(op);
    if (auto load = dyn_cast<nv_tileas::AtomLdmatrixOp>(op)) {
      convertLdmatrix(load, builder);
    } else if (auto store = dyn_cast<nv_tileas::AtomStmatrixOp>(op)) {
      convertStmatrix(store, builder);
    } else if (auto scaled = dyn_cast<nv_tileas::AtomMmaBsOp>(op)) {
      if (std::optional<Target> target = getTarget(scaled))
        noteFeature(scaled, *target, Feature::MmaBlockScale);
      scaled->replaceAllUsesWith(convertScaled(scaled, builder));
    } else {
      auto mma = cast<nv_tileas::AtomMmaSyncOp>(op);
      nv_tileas::MmaAtomAttr atom = mma.getAtom();
      bool viaIntrinsic = isByteFloat(atom.getAType()) ||
                          (atom.getAType().isF64() && atom.getM() != 8);
      mma->replaceAllUsesWith(viaIntrinsic ? convertToIntrinsic(mma, builder)
                              : useNvgpu && isNvgpuAtom(atom)
                                  ? convertToNvgpu(mma, builder)
                                  : convertToNvvm(mma, builder));
    }
    op->erase();
  }
}

} // namespace tileir

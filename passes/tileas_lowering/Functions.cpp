// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Properties of one kernel argument, as LLVM attributes.
struct ArgumentFacts {
  bool noAlias = false, readOnly = false;
  int64_t align = 0;
};

struct FuncLowering final : TilePattern<nv_tileaa::FuncOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileaa::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

struct ReturnLowering final : TilePattern<nv_tileaa::ReturnOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileaa::ReturnOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

struct GlobalLowering final : TilePattern<nv_tileaa::GlobalOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileaa::GlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

} // namespace

static ArgumentFacts getFacts(nv_tileaa::FuncOp op, unsigned index) {
  ArgumentFacts facts;
  facts.noAlias = !!op.getArgAttr(index, nv_tileaa::kNoAliasAttr);
  facts.readOnly = !!op.getArgAttr(index, nv_tileaa::kReadOnlyAttr);
  Attribute divBy = op.getArgAttr(index, nv_tileaa::kDivByAttr);
  if (auto attr = dyn_cast_or_null<IntegerAttr>(divBy))
    facts.align = attr.getInt();
  else if (auto attr = dyn_cast_or_null<nv_tileaa::DivByAttr>(divBy))
    facts.align = attr.getDivisor();
  return facts;
}

/// Sets thread and register limits of a launch.
static void setLaunchAttributes(nv_tileaa::FuncOp op, LLVM::LLVMFuncOp func,
                                unsigned warps, OpBuilder &builder) {
  int64_t threads = int64_t(limits::threadsPerWarp) * warps;
  func->setAttr("nvvm.kernel", builder.getUnitAttr());
  func->setAttr("gpu.kernel", builder.getUnitAttr());
  func->setAttr("nvvm.reqntid",
                builder.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  func->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  if (nv_tileaa::KernelSpecAttr spec = op.getKernelSpecAttr();
      spec && spec.getNumCtas() > 1) {
    SmallVector<int32_t> dims(spec.getClusterDim());
    func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                  builder.getDenseI32ArrayAttr(dims));
  }
  if (std::optional<int64_t> cap = RegisterBudget(op, warps).getHint())
    func->setAttr("nvvm.maxnreg", builder.getI32IntegerAttr(*cap));
}

LogicalResult
FuncLowering::matchAndRewrite(nv_tileaa::FuncOp op, OpAdaptor adaptor,
                              ConversionPatternRewriter &rewriter) const {
  FunctionType type = op.getFunctionType();
  TypeConverter::SignatureConversion signature(type.getNumInputs());
  for (auto [i, input] : llvm::enumerate(type.getInputs())) {
    SmallVector<Type> converted;
    if (failed(types().convertTypes(input, converted)))
      return op.emitError("failed to convert function signature type for: ")
             << input;
    signature.addInputs(i, converted);
  }
  SmallVector<Type> results;
  if (failed(types().convertTypes(type.getResults(), results)))
    return op.emitError("failed to convert function signature type for: ")
           << type;
  Type resultType = LLVM::LLVMVoidType::get(op.getContext());
  if (results.size() == 1)
    resultType = results[0];
  else if (results.size() > 1)
    resultType = LLVM::LLVMStructType::getLiteral(op.getContext(), results);
  auto func = LLVM::LLVMFuncOp::create(
      rewriter, op.getLoc(), op.getName(),
      LLVM::LLVMFunctionType::get(resultType, signature.getConvertedTypes()));
  for (unsigned i = 0; i < type.getNumInputs(); ++i) {
    std::optional<TypeConverter::SignatureConversion::InputMapping> mapping =
        signature.getInputMapping(i);
    if (!mapping || mapping->size != 1 ||
        !isa<nv_tileaa::TAPointerType>(type.getInput(i)))
      continue;
    ArgumentFacts facts = getFacts(op, i);
    unsigned at = mapping->inputNo;
    // LLVM assumes that no call, barriers included, accesses memory behind a
    // `noalias` argument. This is correct for read-only memory, but not for
    // memory through which threads communicate.
    if (facts.noAlias && facts.readOnly)
      func.setArgAttr(at, LLVM::LLVMDialect::getNoAliasAttrName(),
                      rewriter.getUnitAttr());
    if (facts.readOnly)
      func.setArgAttr(at, LLVM::LLVMDialect::getReadonlyAttrName(),
                      rewriter.getUnitAttr());
    if (facts.align && llvm::isPowerOf2_64(facts.align))
      func.setArgAttr(at, LLVM::LLVMDialect::getAlignAttrName(),
                      rewriter.getI64IntegerAttr(facts.align));
  }
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName().strref().starts_with("tileir."))
      func->setAttr(attr.getName(), attr.getValue());
  // Operations of the body read the number of executing warps from the
  // function.
  unsigned warps = getLaunchedWarps(op);
  func->setAttr(nv_tileaa::kNumWarpsAttr, rewriter.getI32IntegerAttr(warps));
  if (op.getKernel())
    setLaunchAttributes(op, func, warps, rewriter);
  if (op.isExternal()) {
    rewriter.eraseOp(op);
    return success();
  }

  rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
  Block *entry = &func.getBody().front();
  entry = rewriter.applySignatureConversion(entry, signature, &types());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(entry);
  createThreadId(rewriter, op.getLoc(), warps);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult
ReturnLowering::matchAndRewrite(nv_tileaa::ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const {
  SmallVector<Value> values;
  for (ValueRange range : adaptor.getOperands())
    llvm::append_range(values, range);
  if (values.size() > 1) {
    SmallVector<Type> types;
    for (Value value : values)
      types.push_back(value.getType());
    Value all = LLVM::PoisonOp::create(
        rewriter, op.getLoc(),
        LLVM::LLVMStructType::getLiteral(op.getContext(), types));
    for (auto [i, value] : llvm::enumerate(values))
      all = LLVM::InsertValueOp::create(rewriter, op.getLoc(), all, value, i);
    values = {all};
  }
  rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, values);
  return success();
}

LogicalResult
GlobalLowering::matchAndRewrite(nv_tileaa::GlobalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const {
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type || type.getRank() != 1)
    return op.emitOpError("needs a dense value of rank 1");
  Type element = type.getElementType();
  unsigned bits = getRegisterBits(element);
  Type storage = getRegisterType(element);
  if (bits == 1)
    storage = rewriter.getI8Type();
  // The bytes as integers or floats that LLVM knows.
  int64_t count = type.getNumElements();
  if (isPackedInViews(element))
    count = llvm::divideCeil(count, 2);
  auto arrayType = LLVM::LLVMArrayType::get(storage, count);
  Attribute init;
  auto initType = RankedTensorType::get({count}, storage);
  if (isPackedInViews(element)) {
    // Two elements per byte, the first one low.
    SmallVector<APInt> bytes(count, APInt(8, 0));
    for (auto [i, number] : llvm::enumerate(value.getValues<Attribute>())) {
      auto floating = dyn_cast<FloatAttr>(number);
      APInt half = floating ? floating.getValue().bitcastToAPInt()
                            : cast<IntegerAttr>(number).getValue();
      bytes[i / 2] |= half.zext(8).shl(i % 2 * 4);
    }
    init = DenseElementsAttr::get(initType, bytes);
  } else if (bits == 1) {
    SmallVector<APInt> values;
    for (APInt bit : value.getValues<APInt>())
      values.push_back(bit.zext(8));
    init = DenseElementsAttr::get(initType, values);
  } else if (isa<FloatType>(element) && isa<IntegerType>(storage)) {
    init = value.bitcast(storage);
  } else if (isa<FloatTF32Type>(element)) {
    SmallVector<APFloat> values;
    bool lossy;
    for (APFloat number : value.getValues<APFloat>()) {
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &lossy);
      values.push_back(number);
    }
    init = DenseElementsAttr::get(initType, values);
  } else {
    init = value;
  }
  LLVM::GlobalOp::create(rewriter, op.getLoc(), arrayType, op.getConstant(),
                         LLVM::Linkage::Internal, op.getSymName(), init,
                         op.getAlignment().value_or(0),
                         unsigned(nv_tileaa::GlobalSpace));
  rewriter.eraseOp(op);
  return success();
}

void populateFunctionPatterns(RewritePatternSet &patterns,
                              const TileTypeConverter &converter,
                              const LoweringState &state) {
  patterns.add<FuncLowering, ReturnLowering, GlobalLowering>(
      converter, patterns.getContext(), state);
}

LLVM::LLVMFuncOp getRuntimeFunction(Emitter &emitter, StringRef name,
                                    Type result, ArrayRef<Type> inputs) {
  OpBuilder &builder = emitter.builder;
  Operation *module = builder.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  if (auto func = dyn_cast_or_null<LLVM::LLVMFuncOp>(
          SymbolTable::lookupSymbolIn(module, name)))
    return func;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&module->getRegion(0).front());
  // A declaration has no location: LLVM rejects the debug scope of a caller on
  // it.
  return LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name,
                                  LLVM::LLVMFunctionType::get(result, inputs));
}

} // namespace tileir::lowering

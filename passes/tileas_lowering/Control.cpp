// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

template <typename OpTy, typename X, typename Y, typename Z>
struct GridLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = rewriter.getI32Type();
    switch (op.getDim()) {
    case nv_tileaa::Dim::X:
      rewriter.replaceOpWithNewOp<X>(op, type);
      break;
    case nv_tileaa::Dim::Y:
      rewriter.replaceOpWithNewOp<Y>(op, type);
      break;
    case nv_tileaa::Dim::Z:
      rewriter.replaceOpWithNewOp<Z>(op, type);
      break;
    }
    return success();
  }
};

using NumProgramsLowering =
    GridLowering<nv_tileas::GetNumProgramsOp, NVVM::GridDimXOp,
                 NVVM::GridDimYOp, NVVM::GridDimZOp>;

struct AssumeLowering final : TilePattern<nv_tileas::AssumeOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AssumeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = llvm::to_vector(adaptor.getValue());
    Type type = op.getValue().getType();
    if (auto scalar = dyn_cast<IntegerType>(type)) {
      Emitter emitter(rewriter, op, state);
      for (Attribute predicate : op.getPredicates())
        stateFact(emitter, values[0], scalar, predicate);
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

private:
  static void stateFact(Emitter &emitter, Value value, IntegerType type,
                        Attribute predicate) {
    auto assume = [&](Value condition) {
      LLVM::AssumeOp::create(emitter.builder, emitter.loc, condition);
    };
    unsigned bits = type.getWidth();
    if (auto bounded = dyn_cast<nv_tileaa::BoundedAttr>(predicate)) {
      if (bounded.getLb())
        assume(emitter.icmp(LLVM::ICmpPredicate::sge, value,
                            emitter.constant(bits, *bounded.getLb())));
      if (bounded.getUb())
        assume(emitter.icmp(LLVM::ICmpPredicate::sle, value,
                            emitter.constant(bits, *bounded.getUb())));
    } else if (auto divBy = dyn_cast<nv_tileaa::DivByAttr>(predicate)) {
      if (!divBy.getEvery() && divBy.getDivisor() > 1 &&
          llvm::isPowerOf2_64(divBy.getDivisor()) &&
          llvm::Log2_64(divBy.getDivisor()) < bits)
        assume(emitter.icmp(LLVM::ICmpPredicate::eq,
                            emitter.andConst(value, divBy.getDivisor() - 1),
                            emitter.constant(bits, 0)));
    }
  }
};

struct OptimizationBarrierLowering final
    : TilePattern<nv_tileas::OptimizationBarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::OptimizationBarrierOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    SmallVector<SmallVector<Value>> results;
    for (ValueRange range : adaptor.getValues()) {
      results.emplace_back();
      for (Value value : range)
        results.back().push_back(hide(emitter, value));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  static Value hide(Emitter &emitter, Value value) {
    if (value.getType().isIndex())
      return value;
    Type type = value.getType();
    Value bits = emitter.toBits(value);
    unsigned width = bits.getType().getIntOrFloatBitWidth();
    unsigned wide = std::max(width, 16u);
    Value passed = emitter.resize(bits, wide);
    PtxBuilder ptx = emitter.ptx();
    ptx.out(passed.getType());
    ptx.tie(passed, 0);
    passed = ptx.emit("").front();
    return emitter.fromBits(emitter.resize(passed, width), type);
  }
};

struct BarrierLowering final : TilePattern<nv_tileas::BarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    if (op.getScope() == nv_tileas::BarrierScope::Cluster) {
      NVVM::ClusterArriveOp::create(rewriter, op.getLoc(),
                                    /*aligned=*/rewriter.getUnitAttr());
      NVVM::ClusterWaitOp::create(rewriter, op.getLoc(),
                                  /*aligned=*/rewriter.getUnitAttr());
    } else if (op.getBarrierId().value_or(0) != 0) {
      NVVM::BarrierOp::create(rewriter, op.getLoc(), TypeRange(),
                              emitter.i32(*op.getBarrierId()),
                              emitter.i32(32 * int64_t(emitter.numWarps())),
                              NVVM::BarrierReductionAttr(), Value());
    } else {
      emitter.barrier();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct GridDependencyLowering final : TilePattern<nv_tileas::GridDependencyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GridDependencyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Older targets complete every grid before the next one starts.
    if (state.target.has(Feature::GridDepControl)) {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory)
          .emit(op.getKind() == nv_tileaa::GridDependency::Wait
                    ? "griddepcontrol.wait;"
                    : "griddepcontrol.launch_dependents;");
    }
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

struct FenceLowering final : TilePattern<nv_tileas::FenceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    switch (op.getKind()) {
    case nv_tileas::FenceKind::ProxyAsyncShared:
      NVVM::FenceProxyOp::create(
          rewriter, op.getLoc(),
          NVVM::ProxyKindAttr::get(op.getContext(),
                                   NVVM::ProxyKind::async_shared),
          NVVM::SharedSpaceAttr::get(op.getContext(),
                                     NVVM::SharedSpace::shared_cta));
      break;
    case nv_tileas::FenceKind::ProxyAsyncGlobal:
      NVVM::FenceProxyOp::create(
          rewriter, op.getLoc(),
          NVVM::ProxyKindAttr::get(op.getContext(),
                                   NVVM::ProxyKind::async_global),
          NVVM::SharedSpaceAttr());
      break;
    case nv_tileas::FenceKind::MbarrierInit:
      NVVM::FenceMbarrierInitOp::create(rewriter, op.getLoc());
      break;
    case nv_tileas::FenceKind::ProxyAlias: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory).emit("fence.proxy.alias;");
      break;
    }
    case nv_tileas::FenceKind::Tcgen05Before: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory)
          .emit("tcgen05.fence::before_thread_sync;");
      break;
    }
    case nv_tileas::FenceKind::Tcgen05After: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory).emit("tcgen05.fence::after_thread_sync;");
      break;
    }
    case nv_tileas::FenceKind::Scope: {
      StringRef scope = "";
      switch (op.getMemScope().value_or(nv_tileaa::MemScope::Gpu)) {
      case nv_tileaa::MemScope::TlBlk:
        scope = "block";
        break;
      case nv_tileaa::MemScope::Cluster:
        scope = state.target.clusterMax() > 1 ? "cluster" : "block";
        break;
      case nv_tileaa::MemScope::Gpu:
        scope = "device";
        break;
      case nv_tileaa::MemScope::Sys:
        break;
      }
      LLVM::FenceOp::create(rewriter, op.getLoc(),
                            LLVM::AtomicOrdering::acq_rel, scope);
      break;
    }
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tokens have no value.
template <typename OpTy> struct TokenLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

/// A string constant of the module, as a generic pointer.
Value getString(Emitter &emitter, StringRef text) {
  OpBuilder &builder = emitter.builder;
  Operation *module = builder.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    global = LLVM::GlobalOp::create(
        builder, emitter.loc, type, /*isConstant=*/true,
        LLVM::Linkage::Internal, freeSymbol(module, "tile_string"),
        builder.getStringAttr(bytes),
        /*alignment=*/1, unsigned(nv_tileaa::GlobalSpace));
  }
  Value ptr = LLVM::AddressOfOp::create(builder, emitter.loc,
                                        emitter.ptrType(nv_tileaa::GlobalSpace),
                                        global.getSymName());
  return LLVM::AddrSpaceCastOp::create(builder, emitter.loc, emitter.ptrType(0),
                                       ptr);
}

struct AssertLowering final : TilePattern<nv_tileas::AssertOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AssertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value all;
    for (Value word : adaptor.getCondition())
      all = emitter.andBits(all, word);
    Value failed =
        LLVM::XOrOp::create(rewriter, op.getLoc(), all, emitter.constant(1, 1));
    std::string file = "<unknown>", function = "<unknown>";
    unsigned line = 0;
    if (auto found = op.getLoc()->findInstanceOf<FileLineColLoc>()) {
      file = found.getFilename().str();
      line = found.getLine();
    }
    if (auto func = op->getParentOfType<LLVM::LLVMFuncOp>())
      function = func.getName().str();
    auto callee = getRuntimeFunction(
        emitter, "__assertfail", LLVM::LLVMVoidType::get(op.getContext()),
        {emitter.ptrType(0), emitter.ptrType(0), emitter.intType(32),
         emitter.ptrType(0), emitter.intType(64)});
    emitter.onlyIf(failed, [&] {
      LLVM::CallOp::create(
          rewriter, op.getLoc(), callee,
          ValueRange{getString(emitter, op.getMessage()),
                     getString(emitter, file), emitter.i32(line),
                     getString(emitter, function), emitter.i64(1)});
      LLVM::Trap::create(rewriter, op.getLoc());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// A print as one string: scalars by one thread, the elements of a tile in
/// row-major order in nested brackets, each by a thread that has it.
class Printer {
public:
  explicit Printer(Emitter &emitter) : emitter(emitter) {}

  void text(StringRef literal) { pending += literal; }
  void scalar(StringRef conversion, Value value) {
    pending += conversion;
    pendingValues.push_back(value);
  }
  void tile(StringRef conversion, RankedTensorType type, ValueRange words);
  /// Prints what has gathered.
  void flush();

private:
  /// Varargs: floats as f64, small integers as i32, each at its alignment.
  Value promote(Value value);
  void call(StringRef format, ArrayRef<Value> values);
  /// Memory of the thread, allocated where the function begins.
  Value allocate(Type type);

  Emitter &emitter;
  std::string pending;
  SmallVector<Value> pendingValues;
};

Value Printer::promote(Value value) {
  Type type = value.getType();
  if (isa<FloatType>(type)) {
    Type wide = emitter.builder.getF64Type();
    return type == wide ? value
                        : Value(LLVM::FPExtOp::create(
                              emitter.builder, emitter.loc, wide, value));
  }
  if (type.isIntOrIndex() && type.getIntOrFloatBitWidth() < 32)
    return emitter.resize(value, 32, !type.isInteger(1));
  return value;
}

Value Printer::allocate(Type type) {
  OpBuilder &builder = emitter.builder;
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto func = dyn_cast<LLVM::LLVMFuncOp>(parent);
  if (!func)
    func = parent->getParentOfType<LLVM::LLVMFuncOp>();
  builder.setInsertionPointToStart(&func.getBody().front());
  Value one = LLVM::ConstantOp::create(
      builder, emitter.loc, emitter.intType(32), builder.getI32IntegerAttr(1));
  return LLVM::AllocaOp::create(builder, emitter.loc, emitter.ptrType(0), type,
                                one, 8);
}

void Printer::call(StringRef format, ArrayRef<Value> values) {
  OpBuilder &builder = emitter.builder;
  auto callee = getRuntimeFunction(emitter, "vprintf", emitter.intType(32),
                                   {emitter.ptrType(0), emitter.ptrType(0)});
  SmallVector<Value> promoted;
  SmallVector<Type> types;
  for (Value value : values) {
    promoted.push_back(promote(value));
    types.push_back(promoted.back().getType());
  }
  Value buffer;
  if (types.empty()) {
    buffer = LLVM::ZeroOp::create(builder, emitter.loc, emitter.ptrType(0));
  } else {
    Type record = LLVM::LLVMStructType::getLiteral(emitter.context(), types);
    buffer = allocate(record);
    for (auto [i, value] : llvm::enumerate(promoted)) {
      Value field =
          LLVM::GEPOp::create(builder, emitter.loc, emitter.ptrType(0), record,
                              buffer, ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(builder, emitter.loc, value, field);
    }
  }
  LLVM::CallOp::create(builder, emitter.loc, callee,
                       ValueRange{getString(emitter, format), buffer});
}

void Printer::flush() {
  if (pending.empty() && pendingValues.empty())
    return;
  Value leader = emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1);
  emitter.onlyIf(leader, [&] { call(pending, pendingValues); });
  pending.clear();
  pendingValues.clear();
}

void Printer::tile(StringRef conversion, RankedTensorType type,
                   ValueRange words) {
  OpBuilder &builder = emitter.builder;
  int64_t rank = type.getRank();
  pending += std::string(rank, '[');
  flush();
  emitter.barrier();

  const Layout &layout = getLayout(type);
  SmallVector<Value> elements = emitter.unpack(words, type);
  Type element = elements.front().getType();
  Value memory = allocate(LLVM::LLVMArrayType::get(element, elements.size()));
  auto place = [&](LLVM::GEPArg reg) {
    return LLVM::GEPOp::create(builder, emitter.loc, emitter.ptrType(0),
                               element, memory, ArrayRef<LLVM::GEPArg>{reg});
  };
  for (auto [reg, value] : llvm::enumerate(elements))
    LLVM::StoreOp::create(builder, emitter.loc, value, place(int32_t(reg)));
  auto loop =
      scf::ForOp::create(builder, emitter.loc, emitter.i32(0),
                         emitter.i32(layout.getNumElements()), emitter.i32(1));
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  // Which thread has the element, and in which register.
  LinearMap inverse = layout.leftInverse();
  Value location = emitter.i32(0);
  for (unsigned bit = 0; bit < layout.getTileBits(); ++bit)
    location = emitter.xorValues(
        location,
        emitter.mulConst(emitter.andConst(emitter.shrConst(index, bit), 1),
                         inverse.column(bit)));
  unsigned regBits = layout.getNumBases(kRegister);
  Value reg = emitter.andConst(location, (int64_t(1) << regBits) - 1);
  Value isOwner = emitter.icmp(LLVM::ICmpPredicate::eq, emitter.tid(),
                               emitter.shrConst(location, regBits));
  emitter.onlyIf(isOwner, [&] {
    // Nothing, a comma, or as many brackets as lines that end here.
    Value separator = getString(emitter, ", ");
    int64_t line = 1;
    for (int64_t depth = 1; depth < rank; ++depth) {
      line *= type.getDimSize(rank - depth);
      std::string brackets =
          std::string(depth, ']') + ", " + std::string(depth, '[');
      Value isEnd =
          emitter.icmp(LLVM::ICmpPredicate::eq,
                       emitter.andConst(index, line - 1), emitter.i32(0));
      separator =
          emitter.select(isEnd, getString(emitter, brackets), separator);
    }
    Value isFirst =
        emitter.icmp(LLVM::ICmpPredicate::eq, index, emitter.i32(0));
    separator = emitter.select(isFirst, getString(emitter, ""), separator);
    Value value = emitter.load(element, place(reg), 1);
    call(("%s" + conversion).str(), {separator, value});
  });
  emitter.barrier();
  builder.setInsertionPointAfter(loop);
  pending += std::string(rank, ']');
}

struct PrintLowering final : TilePattern<nv_tileas::PrintOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Printer printer(emitter);
    StringRef format = op.getFormat();
    unsigned next = 0;
    while (!format.empty()) {
      size_t percent = format.find('%');
      printer.text(format.take_front(percent));
      format = format.drop_front(std::min(percent, format.size()));
      if (format.empty())
        break;
      size_t end = format.find_first_of("diuoxXeEfFgGaAcsSpn%", 1);
      StringRef conversion = format.take_front(end + 1);
      format = format.drop_front(conversion.size());
      if (conversion.ends_with("%") || next == op.getArgs().size()) {
        printer.text(conversion);
        continue;
      }
      Value arg = op.getArgs()[next];
      ValueRange words = adaptor.getArgs()[next++];
      if (auto tile = dyn_cast<RankedTensorType>(arg.getType()))
        printer.tile(conversion, tile, words);
      else
        printer.scalar(conversion, words.front());
    }
    printer.flush();
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

} // namespace

void populateControlPatterns(RewritePatternSet &patterns,
                             const TileTypeConverter &converter,
                             const LoweringState &state) {
  patterns.add<NumProgramsLowering, AssumeLowering, OptimizationBarrierLowering,
               BarrierLowering, FenceLowering, GridDependencyLowering,
               TokenLowering<nv_tileas::CreateMemTokenOp>,
               TokenLowering<nv_tileas::JoinMemTokenOp>, AssertLowering,
               PrintLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

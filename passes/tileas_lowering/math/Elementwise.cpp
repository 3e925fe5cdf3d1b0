// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/math/Division.h"
#include "passes/tileas_lowering/math/FloatFacts.h"
#include "passes/tileas_lowering/math/FloatPairs.h"
#include "passes/tileas_lowering/math/Powers.h"
#include "passes/tileas_lowering/math/RegisterSums.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tileir::lowering {

/// Clones `op` with other operands and result types.
static Operation *cloneWith(OpBuilder &builder, Operation *op,
                            ArrayRef<Value> operands, ArrayRef<Type> results) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttributes(op->getAttrs());
  return builder.create(state);
}

/// Returns the f32 values of registers of two bf16 each: a bf16 is the upper
/// half of an f32, so a shift and a mask suffice.
static SmallVector<Value> extendHalves(Emitter &emitter, ValueRange words) {
  Type f32 = emitter.builder.getF32Type();
  SmallVector<Value> results;
  for (Value word : words) {
    Value bits = emitter.bitcast(word, emitter.intType(32));
    results.push_back(emitter.bitcast(emitter.shlConst(bits, 16), f32));
    results.push_back(emitter.bitcast(emitter.andConst(bits, 0xffff0000), f32));
  }
  return results;
}

bool isOpenDivision(Operation *op) {
  auto division = dyn_cast<arith::DivFOp>(op);
  // LLVM handles the reciprocal of a constant.
  return division && getElementTypeOrSelf(division.getType()).isF32() &&
         division.getFastmath() == arith::FastMathFlags::none &&
         !matchPattern(division.getRhs(), m_Constant()) &&
         !SymbolTable::getNearestSymbolTable(op)->hasAttr(
             nv_tileaa::kApproxAttr);
}

/// Returns whether one operation uses `value`; unused casts stay until the
/// conversion ends.
static bool hasOneUser(Value value) {
  return llvm::count_if(value.getUsers(), [](Operation *user) {
           return !isa<UnrealizedConversionCastOp>(user) || !user->use_empty();
         }) == 1;
}

/// Returns x for each divisor word that is 1 + e^x without another use. Adding
/// 1 absorbs the error where the exponential is subnormal.
static SmallVector<Value> getExponents(Operation *division,
                                       ValueRange divisors) {
  SmallVector<Value> exponents;
  if (!division->getOperand(1).hasOneUse())
    return {};
  for (Value divisor : divisors) {
    math::ExpOp exp = getExponentialBesideOne(divisor);
    if (!exp || !hasOneUser(divisor) || !hasOneUser(exp) ||
        exp.getFastmath() != arith::FastMathFlags::none)
      return {};
    exponents.push_back(exp.getOperand());
  }
  return exponents;
}

/// Replaces x * (1 / (1 + e^-x)), where `division` computes the reciprocal and
/// the multiplication is its only user. Returns placeholder values for the
/// reciprocal.
static SmallVector<Value> replaceGate(Emitter &emitter,
                                      ConversionPatternRewriter &rewriter,
                                      Operation *division,
                                      ValueRange divisors) {
  if (!isOpenDivision(division) || !getDivisionFacts(division).isGate ||
      SymbolTable::getNearestSymbolTable(division)->hasAttr(
          nv_tileaa::kFtzAttr) ||
      divisors.size() < heuristics::minSharedDivisions)
    return {};
  SmallVector<Value> exponents = getExponents(division, divisors);
  if (exponents.empty())
    return {};
  SmallVector<Value> words = gateByExponential(emitter, exponents);
  if (!words.empty())
    rewriter.replaceOpWithMultiple(*division->user_begin(), {words});
  return words;
}

/// Returns quotients of f32 values if many values of a thread share their
/// divisor or are reciprocals, else nothing.
static SmallVector<Value> divideTogether(Emitter &emitter, Operation *op,
                                         ValueRange values,
                                         ValueRange divisors) {
  if (!isOpenDivision(op))
    return {};
  bool flushes =
      SymbolTable::getNearestSymbolTable(op)->hasAttr(nv_tileaa::kFtzAttr);
  DivisionFacts facts = getDivisionFacts(op);
  if (llvm::all_of(values, [](Value value) {
        return matchPattern(value, m_OneFloat());
      })) {
    if (!flushes && divisors.size() >= heuristics::minSharedDivisions)
      if (SmallVector<Value> exponents = getExponents(op, divisors);
          !exponents.empty())
        return invertOnePlusExponential(emitter, exponents);
    return invert(emitter, llvm::to_vector(divisors), flushes, facts);
  }
  llvm::MapVector<Value, SmallVector<size_t>> groups;
  for (auto [i, divisor] : llvm::enumerate(divisors))
    groups[divisor].push_back(i);
  SmallVector<Value> results(values.size());
  for (auto &[divisor, members] : groups) {
    if ((groups.size() > 1 &&
         members.size() < heuristics::minSharedDivisions) ||
        matchPattern(divisor, m_Constant()))
      return {};
    SmallVector<Value> group;
    for (size_t i : members)
      group.push_back(values[i]);
    for (auto [i, quotient] : llvm::zip(
             members, divideByUniform(emitter, group, divisor, flushes, facts)))
      results[i] = quotient;
  }
  return results;
}

/// Returns whether `op` computes f32 to full precision, subnormals included.
static bool isExactF32(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  return math &&
         math.getFastMathFlagsAttr().getValue() == arith::FastMathFlags::none &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32() &&
         !SymbolTable::getNearestSymbolTable(op)->hasAttr(
             nv_tileaa::kFtzAttr) &&
         !SymbolTable::getNearestSymbolTable(op)->hasAttr(
             nv_tileaa::kApproxAttr);
}

/// Returns whether `op` computes f32 exponentials that are used beyond sums.
/// The sum of a row, or the sum with 1, computes its exponentials itself.
static bool isPairedExponential(Operation *op) {
  return isa<math::ExpOp>(op) && isExactF32(op) &&
         !llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<nv_tileas::ReduceOp, arith::AddFOp,
                      UnrealizedConversionCastOp>(user);
         });
}

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

namespace {

/// Applies an `arith` or `math` operation to every packed register of a tile.
struct ElementwiseLowering final : ConversionPattern {
  ElementwiseLowering(const TileTypeConverter &converter, MLIRContext *context,
                      const LoweringState &state)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/0,
                          context),
        state(state) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override;

private:
  const LoweringState &state;
};

} // namespace

/// Returns whether `op` changes the width of an i4, which occupies a byte here.
static bool hasNibbles(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) &&
         (getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(4) ||
          getElementTypeOrSelf(op->getResult(0).getType()).isInteger(4));
}

/// Converts a number to `type`, a scalar or a word; the upper half of the byte
/// of an i4 is zero.
static Value convertNibbles(Emitter &emitter, Operation *op, Value value,
                            Type type) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  auto splat = [&](int64_t number) -> Value {
    auto integer = cast<IntegerType>(getElementTypeOrSelf(value.getType()));
    Attribute attr = builder.getIntegerAttr(
        integer, APInt(integer.getWidth(), number, /*isSigned=*/false, true));
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      attr = DenseElementsAttr::get(vector, attr);
    return LLVM::ConstantOp::create(builder, loc, value.getType(),
                                    cast<TypedAttr>(attr));
  };
  bool isSigned = isa<arith::ExtSIOp>(op);
  if (isSigned &&
      getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(4)) {
    value = LLVM::ShlOp::create(builder, loc, value, splat(4));
    value = LLVM::AShrOp::create(builder, loc, value, splat(4));
  }
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from > to)
    value = LLVM::TruncOp::create(builder, loc, type, value);
  else if (from < to && isSigned)
    value = LLVM::SExtOp::create(builder, loc, type, value);
  else if (from < to)
    value = LLVM::ZExtOp::create(builder, loc, type, value);
  if (getElementTypeOrSelf(op->getResult(0).getType()).isInteger(4))
    value = LLVM::AndOp::create(builder, loc, value, splat(15));
  return value;
}

/// Returns the first register of `layout` for which a comparison has the same
/// result as for `reg`, wherever the thread's offset is: their elements are in
/// one run of equal results.
static int64_t getFirstAlike(Operation *op, const Layout &layout, int64_t reg) {
  auto runs = op->getAttrOfType<DenseI32ArrayAttr>(
      nv_tileas::TileASDialect::getContiguousAttrName());
  if (!runs || !isa<arith::CmpIOp>(op))
    return reg;
  for (unsigned bit = 0; bit < layout.getNumBases(kRegister); ++bit) {
    auto basis = layout.getBasis(kRegister, bit);
    bool staysInRun = true;
    for (unsigned d = 0; d < layout.getRank(); ++d)
      staysInRun &= int64_t(basis[d]) < runs[d];
    if (staysInRun)
      reg &= ~(int64_t(1) << bit);
  }
  return reg;
}

LogicalResult ElementwiseLowering::matchAndRewrite(
    Operation *op, ArrayRef<ValueRange> operands,
    ConversionPatternRewriter &rewriter) const {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "not arithmetic");
  Emitter emitter(rewriter, op, state);
  SmallVector<RankedTensorType> tiles;
  for (Type type : op->getOperandTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      tiles.push_back(tile);
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      tiles.push_back(tile);

  auto resultTypes = [&](int64_t lanes) {
    SmallVector<Type> types;
    for (Type type : op->getResultTypes()) {
      Type element = getRegisterType(getElementTypeOrSelf(type));
      types.push_back(lanes > 1 ? Type(VectorType::get({lanes}, element))
                                : element);
    }
    return types;
  };
  auto build = [&](ArrayRef<Value> values,
                   int64_t lanes) -> SmallVector<Value> {
    SmallVector<Type> types = resultTypes(lanes);
    if (hasNibbles(op))
      return {convertNibbles(emitter, op, values[0], types[0])};
    if (isa<arith::BitcastOp>(op))
      return {emitter.bitcast(values[0], types[0])};
    // A division without common divisors is converted only once.
    if (isOpenDivision(op))
      return {
          LLVM::FDivOp::create(rewriter, op->getLoc(), values[0], values[1])};
    Operation *clone = cloneWith(rewriter, op, values, types);
    // The attribute describes the tile, not its registers.
    clone->removeAttr(nv_tileas::TileASDialect::getContiguousAttrName());
    return SmallVector<Value>(clone->result_begin(), clone->result_end());
  };

  // A scalar whose type changes, such as a pointer.
  if (tiles.empty() && isOpenDivision(op)) {
    Value value = operands[0].front(), divisor = operands[1].front();
    SmallVector<Value> quotients = divideTogether(emitter, op, value, divisor);
    if (quotients.empty())
      quotients.push_back(
          LLVM::FDivOp::create(rewriter, op->getLoc(), value, divisor));
    rewriter.replaceOp(op, quotients);
    return success();
  }
  if (tiles.empty() && isF32Power(op)) {
    rewriter.replaceOp(
        op, powersOf(emitter, operands[0].front(), operands[1].front()));
    return success();
  }
  if (tiles.empty()) {
    SmallVector<Value> values;
    for (ValueRange range : operands)
      values.push_back(range.front());
    rewriter.replaceOp(op, build(values, 1));
    return success();
  }

  int64_t perWord = getTilePacking(tiles[0]).perWord;
  bool sameWords = true;
  for (RankedTensorType tile : tiles)
    sameWords &= getTilePacking(tile).perWord == perWord;
  SmallVector<SmallVector<Value>> results(op->getNumResults());
  if (sameWords && operands.size() == 2) {
    SmallVector<Value> quotients =
        replaceGate(emitter, rewriter, op, operands[1]);
    if (quotients.empty())
      quotients = divideTogether(emitter, op, operands[0], operands[1]);
    if (!quotients.empty()) {
      rewriter.replaceOpWithMultiple(op, {quotients});
      return success();
    }
  }
  if (sameWords && perWord == 1) {
    SmallVector<Value> words;
    if (isScaledExponential(op))
      words = scaledExponentialsOf(emitter, llvm::to_vector(operands[0]));
    else if (isPairedExponential(op) && hasFloatPairs(emitter))
      words = exponentialsOf(emitter, llvm::to_vector(operands[0]));
    else if (isa<math::TanhOp>(op) && isExactF32(op))
      words = hyperbolicTangentsOf(emitter, llvm::to_vector(operands[0]));
    else if (isF32Power(op))
      words = powersOf(emitter, llvm::to_vector(operands[0]),
                       llvm::to_vector(operands[1]));
    else
      words = computeInPairs(emitter, op, operands);
    if (!words.empty()) {
      rewriter.replaceOpWithMultiple(op, {words});
      return success();
    }
  }
  if (sameWords) {
    int64_t words = getTilePacking(tiles[0]).numWords;
    const Layout &layout = getLayout(tiles[0]);
    for (int64_t word = 0; word < words; ++word) {
      int64_t alike = perWord == 1 ? getFirstAlike(op, layout, word) : word;
      if (alike != word) {
        for (SmallVector<Value> &result : results)
          result.push_back(result[alike]);
        continue;
      }
      SmallVector<Value> values;
      for (auto [type, range] : llvm::zip(op->getOperandTypes(), operands))
        values.push_back(isTile(type) ? range[word] : range.front());
      for (auto [result, value] : llvm::zip(results, build(values, perWord)))
        result.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

  if (isa<arith::ExtFOp>(op) && tiles[0].getElementType().isBF16() &&
      tiles[1].getElementType().isF32() && perWord == 2) {
    rewriter.replaceOpWithMultiple(op, {extendHalves(emitter, operands[0])});
    return success();
  }

  // The packings differ: convert element by element. Conversions between f32
  // and the half types work in pairs, for which there is one instruction.
  SmallVector<SmallVector<Value>> elements;
  for (auto [type, range] : llvm::zip(op->getOperandTypes(), operands)) {
    if (auto tile = dyn_cast<RankedTensorType>(type))
      elements.push_back(emitter.unpack(range, tile));
    else
      elements.push_back(llvm::to_vector(range));
  }
  int64_t registers = getLayout(tiles[0]).getNumRegisters();
  int64_t lanes = 1;
  if (isa<arith::TruncFOp>(op) && registers % 2 == 0 &&
      isHalf(tiles[1].getElementType()) && tiles[0].getElementType().isF32())
    lanes = 2;
  for (int64_t reg = 0; reg < registers; reg += lanes) {
    SmallVector<Value> values;
    for (auto [type, list] : llvm::zip(op->getOperandTypes(), elements))
      values.push_back(
          isTile(type)
              ? emitter.packVector(ArrayRef<Value>(list).slice(reg, lanes))
              : list.front());
    for (auto [result, value] : llvm::zip(results, build(values, lanes)))
      for (int64_t lane = 0; lane < lanes; ++lane)
        result.push_back(lanes == 1 ? value : emitter.extract(value, lane));
  }
  SmallVector<SmallVector<Value>> packed;
  for (auto [type, list] : llvm::zip(op->getResultTypes(), results))
    packed.push_back(emitter.pack(list, cast<RankedTensorType>(type)));
  rewriter.replaceOpWithMultiple(op, std::move(packed));
  return success();
}

namespace {

/// Calls intrinsics, functions and assembly once per element.
struct CallElementwiseLowering final : TilePattern<nv_tileas::ElementwiseOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ElementwiseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto tile = dyn_cast<RankedTensorType>(op.getType());
    int64_t registers = tile ? getLayout(tile).getNumRegisters() : 1;
    SmallVector<SmallVector<Value>> inputs;
    for (auto [input, words] : llvm::zip(op.getInputs(), adaptor.getInputs())) {
      if (auto type = dyn_cast<RankedTensorType>(input.getType()))
        inputs.push_back(emitter.unpack(words, type));
      else
        inputs.push_back(llvm::to_vector(words));
    }
    Type element = getRegisterType(getElementTypeOrSelf(op.getType()));
    SmallVector<Value> results;
    for (int64_t reg = 0; reg < registers; ++reg) {
      SmallVector<Value> values;
      for (const SmallVector<Value> &input : inputs)
        values.push_back(input[input.size() == 1 ? 0 : reg]);
      results.push_back(call(emitter, op, values, element));
    }
    if (tile)
      results = emitter.pack(results, tile);
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }

private:
  static Value call(Emitter &emitter, nv_tileas::ElementwiseOp op,
                    ArrayRef<Value> values, Type type) {
    OpBuilder &builder = emitter.builder;
    switch (op.getKind()) {
    case nv_tileas::ElementwiseKind::Intrinsic:
      return LLVM::CallIntrinsicOp::create(builder, op.getLoc(), type,
                                           op.getCalleeAttr(), values)
          .getResult(0);
    case nv_tileas::ElementwiseKind::Extern:
      return LLVM::CallOp::create(
                 builder, op.getLoc(),
                 getRuntimeFunction(
                     emitter, op.getCallee(), type,
                     llvm::to_vector(ValueRange(values).getTypes())),
                 values)
          .getResult();
    case nv_tileas::ElementwiseKind::Asm:
      break;
    }
    return PtxBuilder::emitAsGiven(
        builder, op.getLoc(), type, values, op.getCallee(),
        op.getConstraints().value_or(""), op.getPure());
  }
};

} // namespace

void populateElementwisePatterns(RewritePatternSet &patterns,
                                 const TileTypeConverter &converter,
                                 const LoweringState &state) {
  patterns.add<ElementwiseLowering, CallElementwiseLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

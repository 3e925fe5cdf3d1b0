// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of many values by one divisor.

#include "passes/tileas_lowering/math/Division.h"
#include "passes/tileas_lowering/math/FloatFacts.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/math/FloatPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::lowering {

/// Powers of two that bound the operands of the fast path. Quotient and residue
/// then stay within the normal numbers, with or without flushed subnormals.
static constexpr int kDivisorExponent = 40;
static constexpr int kValueExponent = 72;

static constexpr int64_t powerBits(int exponent) {
  return int64_t(127 + exponent) << 23;
}

/// Returns PTX that divides arbitrary `x` by `y` into `quotient`. Without
/// flushing it computes in f64, in a sixth of the code of `div.rn.f32`: one
/// Newton step from the approximate reciprocal, of 20 bits, and a corrected
/// quotient give 53 bits, and rounding these once more equals rounding once.
/// The product with the first reciprocal is the result if an operand is zero,
/// infinite or NaN.
static std::string getDivision(StringRef x, StringRef y, bool flushSubnormals) {
  if (flushSubnormals)
    return ("div.rn.ftz.f32 quotient, " + x + ", " + y + ";\n\t").str();
  return ("cvt.f64.f32 dx, " + x + ";\n\tcvt.f64.f32 dy, " + y +
          ";\n\t"
          "rcp.approx.ftz.f64 dr, dy;\n\t"
          "mul.rn.f64 special, dx, dr;\n\t"
          "neg.f64 dy, dy;\n\t"
          "fma.rn.f64 de, dy, dr, 0d3FF0000000000000;\n\t"
          "fma.rn.f64 dr, de, dr, dr;\n\t"
          "mul.rn.f64 dq, dx, dr;\n\t"
          "fma.rn.f64 de, dy, dq, dx;\n\t"
          "fma.rn.f64 dq, de, dr, dq;\n\t"
          "abs.f64 de, dq;\n\t"
          "setp.leu.f64 other, de, 0d0000000000000000;\n\t"
          "selp.f64 dq, special, dq, other;\n\t"
          "cvt.rn.f32.f64 quotient, dq;\n\t")
      .str();
}

/// Returns PTX for the reciprocal of `y`, as above: after the second step it is
/// precise enough that the final rounding is correct.
static std::string getReciprocal(StringRef y, bool flushSubnormals) {
  if (flushSubnormals)
    return getDivision("0f3F800000", y, flushSubnormals);
  return ("cvt.f64.f32 dy, " + y +
          ";\n\t"
          "rcp.approx.ftz.f64 special, dy;\n\t"
          "neg.f64 dy, dy;\n\t"
          "fma.rn.f64 de, dy, special, 0d3FF0000000000000;\n\t"
          "fma.rn.f64 dr, de, special, special;\n\t"
          "fma.rn.f64 de, dy, dr, 0d3FF0000000000000;\n\t"
          "fma.rn.f64 dr, de, dr, dr;\n\t"
          "setp.nan.f64 other, dr, dr;\n\t"
          "selp.f64 dr, special, dr, other;\n\t"
          "cvt.rn.f32.f64 quotient, dr;\n\t")
      .str();
}

/// Returns PTX for 1 + e^x, as libdevice computes it.
static std::string getOnePlusExponential(StringRef x, StringRef result) {
  return ("fma.rn.sat.f32 clamped, " + x +
          ", 0f3BBB989D, 0f3F000000;\n\t"
          "fma.rm.f32 clamped, clamped, 0f437C0000, 0f4B400001;\n\t"
          "add.rn.f32 rest, clamped, 0fCB40007F;\n\t"
          "neg.f32 rest, rest;\n\t"
          "fma.rn.f32 rest, " +
          x + ", 0f3FB8AA3B, rest;\n\tfma.rn.f32 rest, " + x +
          ", 0f32A57060, rest;\n\t"
          "ex2.approx.ftz.f32 rest, rest;\n\t"
          "mov.b32 bits, clamped;\n\tshl.b32 bits, bits, 23;\n\t"
          "mov.b32 clamped, bits;\n\t"
          "mul.rn.f32 rest, rest, clamped;\n\t"
          "add.rn.f32 " +
          result + ", rest, 0f3F800000;\n\t")
      .str();
}

namespace {

/// Values of a division loop: dividends; divisors of 1; x of 1 / (1 + e^x) or
/// of 1 / (1 + e^-x); or x of x / (1 + e^-x), computed from the reciprocal.
enum class LoopValues {
  Dividends,
  Divisors,
  Exponents,
  NegatedExponents,
  Gated
};

} // namespace

/// Returns PTX for `quotient` of the value `x` and, for dividends, of `y`.
static std::string getLoopBody(LoopValues kind, StringRef x, StringRef y,
                               bool flushSubnormals) {
  switch (kind) {
  case LoopValues::Dividends:
    return getDivision(x, y, flushSubnormals);
  case LoopValues::Divisors:
    return getReciprocal(x, flushSubnormals);
  case LoopValues::Exponents:
    return getOnePlusExponential(x, "quotient") +
           getReciprocal("quotient", flushSubnormals);
  case LoopValues::NegatedExponents:
    return ("neg.f32 quotient, " + x + ";\n\t").str() +
           getOnePlusExponential("quotient", "quotient") +
           getReciprocal("quotient", flushSubnormals);
  case LoopValues::Gated:
    return getLoopBody(LoopValues::NegatedExponents, x, y, flushSubnormals) +
           ("mul.rn.f32 quotient, quotient, " + x + ";\n\t").str();
  }
  llvm_unreachable("all kinds have a body");
}

/// Divides the values one after the other in a loop, with the code size of one
/// division. The slow path for operands that are too large, too small or
/// special. Only dividends have a divisor.
static SmallVector<Value> divideInLoop(Emitter &emitter, ArrayRef<Value> values,
                                       LoopValues kind, bool flushSubnormals,
                                       Value divisor = {}) {
  if (values.size() > heuristics::maxDivisionsOfLoop) {
    SmallVector<Value> results =
        divideInLoop(emitter, values.take_front(heuristics::maxDivisionsOfLoop),
                     kind, flushSubnormals, divisor);
    llvm::append_range(
        results,
        divideInLoop(emitter, values.drop_front(heuristics::maxDivisionsOfLoop),
                     kind, flushSubnormals, divisor));
    return results;
  }
  size_t count = values.size();
  PtxBuilder ptx = emitter.ptx(PtxEffects::None);
  SmallVector<std::string> names;
  for (Value value : values)
    names.push_back(ptx.out(value.getType()));
  for (auto [i, value] : llvm::enumerate(values))
    ptx.tie(value, i);
  std::string text = "{\n\t.reg .pred more, other;\n\t.reg .b32 left, bits;\n\t"
                     ".reg .f32 quotient, clamped, rest;\n\t"
                     ".reg .f64 dx, dy, dr, de, dq, special;\n\t";
  if (count > 1)
    text += "mov.b32 left, " + std::to_string(count) +
            ";\nDIVIDE:\n\t.pragma \"nounroll\";\n\t";
  text += getLoopBody(kind, names[0], divisor ? ptx.in(divisor) : "",
                      flushSubnormals);
  // Each trip takes the first register and shifts the others down.
  for (size_t i = 0; i < count; ++i)
    text += "mov.f32 " + names[i] + ", " +
            (i + 1 < count ? names[i + 1] : "quotient") + ";\n\t";
  if (count > 1)
    text += "sub.s32 left, left, 1;\n\tsetp.ne.s32 more, left, 0;\n\t"
            "@more bra DIVIDE;\n\t";
  return ptx.emit(text + "}");
}

static Value fma(Emitter &emitter, Value a, Value b, Value c) {
  return LLVM::FMAOp::create(emitter.builder, emitter.loc, a, b, c);
}

static Value negate(Emitter &emitter, Value value) {
  return LLVM::FNegOp::create(emitter.builder, emitter.loc, value);
}

/// Returns correctly rounded reciprocals of numbers of moderate size: one
/// Newton step from the hardware's approximation, as in ptxas.
static SmallVector<Value> reciprocalsOf(Emitter &emitter,
                                        ArrayRef<Value> divisors) {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  Value one = LLVM::ConstantOp::create(builder, emitter.loc, f32,
                                       builder.getF32FloatAttr(1.0f));
  SmallVector<Value> starts, negated;
  for (Value divisor : divisors) {
    starts.push_back(LLVM::CallIntrinsicOp::create(
                         builder, emitter.loc, f32,
                         builder.getStringAttr("llvm.nvvm.rcp.approx.ftz.f"),
                         divisor)
                         .getResult(0));
    negated.push_back(negate(emitter, divisor));
  }
  SmallVector<Value> ones(divisors.size(), one);
  return mapPairs(emitter, {negated, starts, ones}, [&](ArrayRef<Value> of) {
    return fma(emitter, fma(emitter, of[0], of[1], of[2]), of[1], of[1]);
  });
}

static Value reciprocalOf(Emitter &emitter, Value divisor) {
  return reciprocalsOf(emitter, divisor).front();
}

/// Multiplies by the reciprocal and corrects once, as ptxas expands each
/// division (Markstein: with a correctly rounded reciprocal the corrected
/// quotient is correctly rounded). The sign of the residue is chosen to
/// preserve the sign of zero.
static SmallVector<Value>
divideByReciprocal(Emitter &emitter, ArrayRef<Value> values, Value divisor) {
  Value reciprocal = reciprocalOf(emitter, divisor);
  SmallVector<Value> quotients;
  for (Value value : values) {
    Value quotient =
        LLVM::FMulOp::create(emitter.builder, emitter.loc, value, reciprocal);
    Value residue = fma(emitter, quotient, divisor, negate(emitter, value));
    quotients.push_back(
        fma(emitter, negate(emitter, residue), reciprocal, quotient));
  }
  return quotients;
}

/// Returns whether the fast path is legal: the divisor is positive, and it and
/// all values are of moderate size. Values may be zero, exponentials
/// arbitrarily small. Conditions that `facts` imply are not tested.
static Value isModerate(Emitter &emitter, ArrayRef<Value> values, Value divisor,
                        const DivisionFacts &facts) {
  static_assert(kDivisorExponent <= kValueExponent,
                "a value below a moderate divisor is not too large");
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type i32 = emitter.intType(32);
  int64_t smallest = powerBits(-kValueExponent);
  Value least, most, result;
  if (values.size() == 1 && !facts.isExponential && !facts.isBelowDivisor) {
    // One range check suffices, except that zero takes the slow path.
    Value size = emitter.shlConst(emitter.bitcast(values[0], i32), 1);
    result = emitter.icmp(
        LLVM::ICmpPredicate::ule, emitter.add(size, emitter.i32(-2 * smallest)),
        emitter.i32(2 * (powerBits(kValueExponent) - smallest)));
    values = {};
  }
  for (Value value : values) {
    // Without the sign, and zero above all others.
    Value bits = emitter.bitcast(value, i32);
    if (!facts.isExponential) {
      Value size = emitter.add(
          facts.hasNoSign ? bits : emitter.shlConst(bits, 1), emitter.i32(-1));
      least =
          least ? Value(LLVM::UMinOp::create(builder, loc, least, size)) : size;
    }
    if (facts.isBelowDivisor)
      continue;
    // Non-negative numbers are ordered as their bits, and some targets compare
    // three integers at a time. NaN counts as large here and as small
    // otherwise; its quotients are NaN either way.
    if (facts.hasNoSign) {
      most =
          most ? Value(LLVM::UMaxOp::create(builder, loc, most, bits)) : bits;
      continue;
    }
    Value amount = emitter.bitcast(emitter.andConst(bits, 0x7fffffff),
                                   builder.getF32Type());
    most = most ? Value(LLVM::MaxNumOp::create(builder, loc, most, amount))
                : amount;
  }
  if (least)
    result = emitter.icmp(
        LLVM::ICmpPredicate::uge, least,
        emitter.i32((facts.hasNoSign ? smallest : 2 * smallest) - 1));
  if (most)
    result = emitter.andBits(
        result,
        emitter.icmp(LLVM::ICmpPredicate::ule, emitter.bitcast(most, i32),
                     emitter.i32(powerBits(kValueExponent))));
  Value distance = emitter.add(emitter.bitcast(divisor, i32),
                               emitter.i32(-powerBits(-kDivisorExponent)));
  Value isInside = emitter.icmp(
      LLVM::ICmpPredicate::ule, distance,
      emitter.i32(powerBits(kDivisorExponent) - powerBits(-kDivisorExponent)));
  return emitter.andBits(isInside, result);
}

/// Returns the results of `fast` if `condition` holds at run time, else of
/// `slow`.
static SmallVector<Value>
chooseAtRunTime(Emitter &emitter, Value condition, size_t count,
                function_ref<SmallVector<Value>()> fast,
                function_ref<SmallVector<Value>()> slow) {
  OpBuilder &builder = emitter.builder;
  auto branch = scf::IfOp::create(
      builder, emitter.loc, SmallVector<Type>(count, builder.getF32Type()),
      condition, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, emitter.loc, fast());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, emitter.loc, slow());
  builder.setInsertionPointAfter(branch);
  return SmallVector<Value>(branch.getResults());
}

/// Divides exponentials by a moderate number: the dividend times the reciprocal
/// plus the dividend times the reciprocal's error, with one rounding. The
/// rounded terms are off by 2^-47 relative, far less than the exponential; a
/// barely normal quotient is off by another half ulp.
static SmallVector<Value>
divideExponentials(Emitter &emitter, ArrayRef<Value> values, Value divisor) {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  Value one = LLVM::ConstantOp::create(builder, emitter.loc, f32,
                                       builder.getF32FloatAttr(1.0f));
  Value reciprocal = reciprocalOf(emitter, divisor);
  Value rest = LLVM::FMulOp::create(
      builder, emitter.loc,
      fma(emitter, negate(emitter, divisor), reciprocal, one), reciprocal);
  SmallVector<SmallVector<Value>> operands = {
      llvm::to_vector(values), SmallVector<Value>(values.size(), reciprocal),
      SmallVector<Value>(values.size(), rest)};
  return mapPairs(emitter, operands, [&](ArrayRef<Value> of) {
    return fma(emitter, of[0], of[1],
               LLVM::FMulOp::create(builder, emitter.loc, of[0], of[2]));
  });
}

/// Divides exponentials by their sum if neither is used elsewhere: the
/// reciprocal is that of a sum off by half an ulp, as another order of
/// summation would give.
static SmallVector<Value> getShares(Emitter &emitter, ArrayRef<Value> values,
                                    Value divisor) {
  SmallVector<Value> reciprocals(values.size(), reciprocalOf(emitter, divisor));
  return mapPairs(emitter, {llvm::to_vector(values), reciprocals},
                  [&](ArrayRef<Value> of) -> Value {
                    return LLVM::FMulOp::create(emitter.builder, emitter.loc,
                                                of[0], of[1]);
                  });
}

SmallVector<Value> divideByUniform(Emitter &emitter, ArrayRef<Value> values,
                                   Value divisor, bool flushSubnormals,
                                   const DivisionFacts &facts) {
  if (facts.isShare)
    return getShares(emitter, values, divisor);
  // A sum of non-negative numbers that is at least 1 is moderate, whatever the
  // numbers are; NaN may take either path.
  if (facts.isExponential && facts.isBelowDivisor && facts.isAtLeastOne)
    return divideExponentials(emitter, values, divisor);
  return chooseAtRunTime(
      emitter, isModerate(emitter, values, divisor, facts), values.size(),
      [&] {
        return facts.isExponential
                   ? divideExponentials(emitter, values, divisor)
                   : divideByReciprocal(emitter, values, divisor);
      },
      [&] {
        return divideInLoop(emitter, values, LoopValues::Dividends,
                            flushSubnormals, divisor);
      });
}

SmallVector<Value> invert(Emitter &emitter, ArrayRef<Value> values,
                          bool flushSubnormals, const DivisionFacts &facts) {
  OpBuilder &builder = emitter.builder;
  // Distance from the smallest moderate number, without the sign. Numbers of at
  // least 1 compare by their bits, NaN above all.
  bool isPlain = facts.isAtLeastOne;
  int64_t least = isPlain ? 0 : 2 * powerBits(-kValueExponent);
  int64_t largest = powerBits(kValueExponent) * (isPlain ? 1 : 2);
  Value most;
  for (Value value : values) {
    Value bits = emitter.bitcast(value, emitter.intType(32));
    Value distance =
        isPlain ? bits
                : emitter.add(emitter.shlConst(bits, 1), emitter.i32(-least));
    most =
        most ? Value(LLVM::UMaxOp::create(builder, emitter.loc, most, distance))
             : distance;
  }
  Value isFast = emitter.icmp(LLVM::ICmpPredicate::ule, most,
                              emitter.i32(largest - least));
  return chooseAtRunTime(
      emitter, isFast, values.size(),
      [&] { return reciprocalsOf(emitter, values); },
      [&] {
        return divideInLoop(emitter, values, LoopValues::Divisors,
                            flushSubnormals);
      });
}

/// Returns 1 + e^x if e^x is a normal number, and 1 if it is smaller, from the
/// approximate power of two and the rounding error of its argument. Large x
/// give a large, negative or NaN result.
static SmallVector<Value> onePlusExponentials(Emitter &emitter,
                                              ArrayRef<Value> exponents) {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  auto all = [&](float value) -> SmallVector<Value> {
    Value constant = LLVM::ConstantOp::create(builder, emitter.loc, f32,
                                              builder.getF32FloatAttr(value));
    return SmallVector<Value>(exponents.size(), constant);
  };
  auto fuse = [&](ArrayRef<Value> of) {
    return fma(emitter, of[0], of[1], of[2]);
  };
  SmallVector<Value> numbers = llvm::to_vector(exponents);
  SmallVector<Value> powers = mapPairs(
      emitter, {numbers, all(0x1.715476p+0f)},
      [&](ArrayRef<Value> of) -> Value {
        return LLVM::FMulOp::create(builder, emitter.loc, of[0], of[1]);
      });
  // The error in terms of x, by ln 2 in two parts.
  SmallVector<Value> rests =
      mapPairs(emitter, {powers, all(-0x1.62e430p-1f), numbers}, fuse);
  rests = mapPairs(emitter, {powers, all(0x1.05c610p-29f), rests}, fuse);
  // Overloaded in LLVM 22: the name lacks the type suffix of older intrinsics.
  for (Value &power : powers)
    power = LLVM::CallIntrinsicOp::create(
                builder, emitter.loc, f32,
                builder.getStringAttr("llvm.nvvm.ex2.approx.ftz"), power)
                .getResult(0);
  return mapPairs(
      emitter, {powers, rests, all(1.0f)}, [&](ArrayRef<Value> of) -> Value {
        return LLVM::FAddOp::create(builder, emitter.loc,
                                    fma(emitter, of[0], of[1], of[0]), of[2]);
      });
}

/// Returns the operands of the negations `values`; nothing if one is no
/// negation.
static SmallVector<Value> getNegated(ArrayRef<Value> values) {
  SmallVector<Value> results;
  for (Value value : values) {
    // The conversion may have inserted a cast between an operation and its
    // user.
    while (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>()) {
      if (cast.getNumOperands() != 1 ||
          cast.getOperand(0).getType() != value.getType())
        return {};
      value = cast.getOperand(0);
    }
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::NegFOp, LLVM::FNegOp>(op))
      return {};
    results.push_back(op->getOperand(0));
  }
  return results;
}

/// Returns whether 1 + e^x are moderate: negative numbers and NaN have larger
/// bits than any moderate number.
static Value areModerate(Emitter &emitter, ArrayRef<Value> divisors) {
  Value most;
  for (Value divisor : divisors) {
    Value bits = emitter.bitcast(divisor, emitter.intType(32));
    most = most ? Value(LLVM::UMaxOp::create(emitter.builder, emitter.loc, most,
                                             bits))
                : bits;
  }
  return emitter.icmp(LLVM::ICmpPredicate::ule, most,
                      emitter.i32(powerBits(kValueExponent)));
}

SmallVector<Value> invertOnePlusExponential(Emitter &emitter,
                                            ArrayRef<Value> exponents) {
  SmallVector<Value> divisors = onePlusExponentials(emitter, exponents);
  return chooseAtRunTime(
      emitter, areModerate(emitter, divisors), exponents.size(),
      [&] { return reciprocalsOf(emitter, divisors); },
      [&] {
        // Instructions negate their operands for free, but the loop would copy
        // negated inputs into new registers: it takes the existing ones.
        SmallVector<Value> negated = getNegated(exponents);
        return negated.empty()
                   ? divideInLoop(emitter, exponents, LoopValues::Exponents,
                                  /*flushSubnormals=*/false)
                   : divideInLoop(emitter, negated,
                                  LoopValues::NegatedExponents,
                                  /*flushSubnormals=*/false);
      });
}

SmallVector<Value> gateByExponential(Emitter &emitter,
                                     ArrayRef<Value> exponents) {
  SmallVector<Value> gated = getNegated(exponents);
  if (gated.empty())
    return {};
  SmallVector<Value> divisors = onePlusExponentials(emitter, exponents);
  return chooseAtRunTime(
      emitter, areModerate(emitter, divisors), gated.size(),
      [&] {
        return mapPairs(emitter, {gated, reciprocalsOf(emitter, divisors)},
                        [&](ArrayRef<Value> of) -> Value {
                          return LLVM::FMulOp::create(
                              emitter.builder, emitter.loc, of[0], of[1]);
                        });
      },
      // The loop works in the registers of the exponents, which have no later
      // use.
      [&] {
        return divideInLoop(emitter, gated, LoopValues::Gated,
                            /*flushSubnormals=*/false);
      });
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of floats, and setp and set, which integers share.
#include "tools/emulator/FloatDecode.h"
#include "tools/emulator/FloatOps.h"

namespace tileir::emu {

namespace {

enum FloatCompare : uint8_t {
  CEq,
  CNe,
  CLt,
  CLe,
  CGt,
  CGe,
  CEqu,
  CNeu,
  CLtu,
  CLeu,
  CGtu,
  CGeu,
  CNum,
  CNan
};

template <typename T> bool compare(uint8_t c, T a, T b) {
  bool nan = a != a || b != b;
  switch (c) {
  case CEq:
    return a == b;
  case CNe:
    return !nan && a != b;
  case CLt:
    return a < b;
  case CLe:
    return a <= b;
  case CGt:
    return a > b;
  case CGe:
    return a >= b;
  case CEqu:
    return nan || a == b;
  case CNeu:
    return nan || a != b;
  case CLtu:
    return nan || a < b;
  case CLeu:
    return nan || a <= b;
  case CGtu:
    return nan || a > b;
  case CGeu:
    return nan || a >= b;
  case CNum:
    return !nan;
  case CNan:
    return nan;
  }
  return false;
}

void finishSetp(Exec &x, const SetPredicate &in, Mask m, Mask t, Mask u,
                bool isPair) {
  Mask p = t, q = isPair ? u : ~t;
  if (in.combine != SetPredicate::Alone) {
    Mask c = x.predicate(in.c);
    p = in.combined(p, c);
    q = in.combined(q, c);
  }
  x.setPredicate(in.p, p, m);
  x.setPredicate(in.q, q, m);
}

void setpF32(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SetPredicate>();
  float *a = x.row<float>(in.a), *b = x.row<float>(in.b);
  Mask t = 0;
  for (int l = 0; l < 32; ++l) {
    float p = a[l], q = b[l];
    if (in.ftz) {
      p = flush(p);
      q = flush(q);
    }
    t |= Mask(compare(in.comparison, p, q)) << l;
  }
  finishSetp(x, in, m, t, 0, false);
}
void setpF64(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SetPredicate>();
  double *a = x.row<double>(in.a), *b = x.row<double>(in.b);
  Mask t = 0;
  for (int l = 0; l < 32; ++l)
    t |= Mask(compare(in.comparison, a[l], b[l])) << l;
  finishSetp(x, in, m, t, 0, false);
}
/// With two halves the second predicate is that of the upper one.
template <int Count> void setpHalf(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SetPredicate>();
  auto *a = x.row<uint32_t>(in.a), *b = x.row<uint32_t>(in.b);
  Mask t[2] = {0, 0};
  for (int l = 0; l < 32; ++l)
    for (int h = 0; h < Count; ++h) {
      auto wide = [&](uint32_t bits) {
        uint16_t half = uint16_t(bits >> (16 * h));
        return in.isBf16 ? bfloatToFloat(half) : halfToFloat(half);
      };
      t[h] |= Mask(compare(in.comparison, wide(a[l]), wide(b[l]))) << l;
    }
  finishSetp(x, in, m, t[0], t[1], Count == 2);
}

struct TestPredicate {
  int32_t p = 0, a = 0;
  enum Kind : uint8_t {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal
  } kind = Finite;
  bool isF64 = false;
};

/// Returns whether `v` is of a kind; `least` is the smallest normal number.
bool isOfKind(double v, TestPredicate::Kind kind, double least) {
  bool subnormal = v != 0 && std::fabs(v) < least;
  switch (kind) {
  case TestPredicate::Finite:
    return std::isfinite(v);
  case TestPredicate::Infinite:
    return std::isinf(v);
  case TestPredicate::Number:
    return v == v;
  case TestPredicate::NotANumber:
    return v != v;
  case TestPredicate::Normal:
    return std::isfinite(v) && v != 0 && !subnormal;
  case TestPredicate::Subnormal:
    return subnormal;
  }
  return false;
}

void testp(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TestPredicate>();
  Mask t = 0;
  forLanes(m, [&](int l) {
    double v = in.isF64 ? x.row<double>(in.a)[l] : x.row<float>(in.a)[l];
    t |= Mask(isOfKind(v, in.kind, in.isF64 ? 0x1p-1022 : 0x1p-126)) << l;
  });
  x.setPredicate(in.p, t, m);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

const char *const kCompareNames[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                     "ge",  "equ", "neu", "ltu", "leu",
                                     "gtu", "geu", "num", "nan"};

/// Takes the comparison and the combining operation, then decodes a setp.
bool comparison(Decoder &d, Type t) {
  auto &in = d.make<SetPredicate>();
  std::string cmp = d.peek();
  d.has(cmp);
  in.combine = d.has("and")   ? SetPredicate::And
               : d.has("or")  ? SetPredicate::Or
               : d.has("xor") ? SetPredicate::Xor
                              : SetPredicate::Alone;
  in.ftz = d.has("ftz");
  if (!isFloat(t))
    return decodeIntegerSetp(d, t, cmp);
  bool found = false;
  for (int k = 0; k < 14; ++k)
    if (cmp == kCompareNames[k]) {
      in.comparison = uint8_t(k);
      found = true;
    }
  if (!found)
    return d.fail("unknown comparison '" + cmp + "'");
  in.isBf16 = t == Type::BF16 || t == Type::BF16x2;
  Handler h = t == Type::F32                          ? setpF32
              : t == Type::F64                        ? setpF64
              : t == Type::F16 || t == Type::BF16     ? setpHalf<1>
              : t == Type::F16x2 || t == Type::BF16x2 ? setpHalf<2>
                                                      : Handler(nullptr);
  if (!h || !decodeSetpOperands(d, t))
    return d.fail(kNoSuchType);
  d.emit(h, Class::Float);
  return true;
}

bool decodeSetp(Decoder &d) {
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  return comparison(d, t);
}

bool decodeSet(Decoder &d) {
  Type to = d.type(), from = d.type();
  if (from == Type::None)
    return d.fail("expected two types");
  // A setp into the scratch predicates, then ones or zero.
  bool packed = from == Type::F16x2 || from == Type::BF16x2;
  Operand low, both;
  low.kind = Operand::Kind::Sink;
  low.name = "set";
  both.kind = Operand::Kind::Pair;
  both.items = {low, low};
  both.items[1].name = "set high";
  Statement compareOnly = *d.s;
  compareOnly.operands[0] = packed ? both : low;
  const Statement *saved = d.s;
  d.s = &compareOnly;
  bool ok = comparison(d, from);
  d.s = saved;
  return ok && finishSet(d, to, packed);
}

bool decodeTestp(Decoder &d) {
  auto &in = d.make<TestPredicate>();
  static const char *const kinds[] = {"finite",     "infinite", "number",
                                      "notanumber", "normal",   "subnormal"};
  bool found = false;
  for (int k = 0; k < 6; ++k)
    if (d.has(kinds[k])) {
      in.kind = TestPredicate::Kind(k);
      found = true;
    }
  Type t = d.type();
  in.isF64 = t == Type::F64;
  if (!found || (t != Type::F32 && t != Type::F64))
    return d.fail("expected a kind of number and .f32 or .f64");
  return d.operands(2, 2) && d.predicateDestination(d.operand(0), in.p) &&
         d.source(d.operand(1), t, in.a) && (d.emit(testp, Class::Float), true);
}

} // namespace

void registerComparisons() {
  RegisterDecoders(
      {{"setp", decodeSetp}, {"set", decodeSet}, {"testp", decodeTestp}});
}

} // namespace tileir::emu

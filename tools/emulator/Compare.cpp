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

void finishSetp(Exec &x, const Inst &i, Mask m, Mask t, Mask u, bool isPair) {
  Mask p = t, q = isPair ? u : ~t;
  if (i.a) {
    Mask c = x.predicate(i.o[4]);
    p = i.a == 1 ? p & c : i.a == 2 ? p | c : p ^ c;
    q = i.a == 1 ? q & c : i.a == 2 ? q | c : q ^ c;
  }
  x.setPredicate(i.o[0], p, m);
  x.setPredicate(i.o[1], q, m);
}

/// i.e comparison, i.b Ftz.
void setpF32(Exec &x, const Inst &i, Mask m) {
  float *a = x.row<float>(i.o[2]), *b = x.row<float>(i.o[3]);
  Mask t = 0;
  for (int l = 0; l < 32; ++l) {
    float p = a[l], q = b[l];
    if (i.b & Ftz) {
      p = flush(p);
      q = flush(q);
    }
    t |= Mask(compare(i.e, p, q)) << l;
  }
  finishSetp(x, i, m, t, 0, false);
}
void setpF64(Exec &x, const Inst &i, Mask m) {
  double *a = x.row<double>(i.o[2]), *b = x.row<double>(i.o[3]);
  Mask t = 0;
  for (int l = 0; l < 32; ++l)
    t |= Mask(compare(i.e, a[l], b[l])) << l;
  finishSetp(x, i, m, t, 0, false);
}
/// i.c: 1 bf16; with two halves the second predicate is that of the upper one.
template <int Count> void setpHalf(Exec &x, const Inst &i, Mask m) {
  auto *a = x.row<uint32_t>(i.o[2]), *b = x.row<uint32_t>(i.o[3]);
  Mask t[2] = {0, 0};
  for (int l = 0; l < 32; ++l)
    for (int h = 0; h < Count; ++h) {
      auto wide = [&](uint32_t bits) {
        uint16_t half = uint16_t(bits >> (16 * h));
        return i.c ? bfloatToFloat(half) : halfToFloat(half);
      };
      t[h] |= Mask(compare(i.e, wide(a[l]), wide(b[l]))) << l;
    }
  finishSetp(x, i, m, t[0], t[1], Count == 2);
}

/// i.a kind of number, i.b 1 for f64.
void testp(Exec &x, const Inst &i, Mask m) {
  Mask t = 0;
  forLanes(m, [&](int l) {
    double v = i.b ? x.row<double>(i.o[1])[l] : x.row<float>(i.o[1])[l];
    bool sub =
        v != 0 && (i.b ? std::fabs(v) < 0x1p-1022 : std::fabs(v) < 0x1p-126);
    bool r = i.a == 0   ? std::isfinite(v)
             : i.a == 1 ? std::isinf(v)
             : i.a == 2 ? v == v
             : i.a == 3 ? v != v
             : i.a == 4 ? std::isfinite(v) && v != 0 && !sub
                        : sub;
    t |= Mask(r) << l;
  });
  x.setPredicate(i.o[0], t, m);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

const char *const kCompareNames[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                     "ge",  "equ", "neu", "ltu", "leu",
                                     "gtu", "geu", "num", "nan"};

/// Takes the comparison and the combining operation, then decodes a setp.
bool comparison(Decoder &d, Type t) {
  std::string cmp = d.peek();
  d.has(cmp);
  d.inst.a = d.has("and") ? 1 : d.has("or") ? 2 : d.has("xor") ? 3 : 0;
  if (d.has("ftz"))
    d.inst.b |= Ftz;
  if (!isFloat(t))
    return decodeIntegerSetp(d, t, cmp);
  bool found = false;
  for (int k = 0; k < 14; ++k)
    if (cmp == kCompareNames[k]) {
      d.inst.e = uint8_t(k);
      found = true;
    }
  if (!found)
    return d.fail("unknown comparison '" + cmp + "'");
  d.inst.c = t == Type::BF16 || t == Type::BF16x2;
  Handler h = t == Type::F32                          ? setpF32
              : t == Type::F64                        ? setpF64
              : t == Type::F16 || t == Type::BF16     ? setpHalf<1>
              : t == Type::F16x2 || t == Type::BF16x2 ? setpHalf<2>
                                                      : Handler(nullptr);
  if (!h || !decodeSetpOperands(d, t))
    return d.fail("type is not supported here");
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
  static const char *const kinds[] = {"finite",     "infinite", "number",
                                      "notanumber", "normal",   "subnormal"};
  bool found = false;
  for (int k = 0; k < 6; ++k)
    if (d.has(kinds[k])) {
      d.inst.a = uint8_t(k);
      found = true;
    }
  Type t = d.type();
  d.inst.b = t == Type::F64;
  if (!found || (t != Type::F32 && t != Type::F64))
    return d.fail("expected a kind of number and .f32 or .f64");
  return d.operands(2, 2) &&
         d.predicateDestination(d.operand(0), d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         (d.emit(testp, Class::Float), true);
}

} // namespace

void registerComparisons() {
  RegisterDecoders(
      {{"setp", decodeSetp}, {"set", decodeSet}, {"testp", decodeTestp}});
}

} // namespace tileir::emu

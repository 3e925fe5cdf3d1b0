// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic, comparison and approximations; the mnemonics that integers
// share go on to Integer.cpp.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

namespace tileir::emu {

bool decodeIntegerAdd(Decoder &d, Type t, bool subtract);
bool decodeIntegerMul(Decoder &d, Type t);
bool decodeIntegerMad(Decoder &d, Type t);
bool decodeIntegerDiv(Decoder &d, Type t);
bool decodeIntegerMinMax(Decoder &d, Type t, bool isMax);
bool decodeIntegerNegAbs(Decoder &d, Type t, bool isAbs);
bool decodeIntegerSetp(Decoder &d, Type t, const std::string &cmp);
bool decodeSetpOperands(Decoder &d, Type t);
bool finishSet(Decoder &d, Type to, bool packed);

const float *halfTable() {
  static const float *table = [] {
    auto *t = new float[65536];
    for (uint32_t k = 0; k < 65536; ++k)
      t[k] = float(cases::decodeFloat(cases::kF16, k));
    return t;
  }();
  return table;
}

namespace {

using cases::addRoundOdd;
using cases::encodeFloat;
using cases::Rounding;

enum Op : uint8_t {
  OpAdd,
  OpSub,
  OpMul,
  OpFma,
  OpDiv,
  OpMin,
  OpMax,
  OpMin3,
  OpMax3,
  OpSqrt,
  OpRcp,
  OpNeg,
  OpAbs
};

// Flags in Inst::b.
enum : uint8_t {
  Ftz = 1,
  Sat = 2,
  Relu = 4,
  NaNResult = 8,
  AbsIn = 16,
  XorSign = 32
};

template <typename T>
__attribute__((noinline)) T compute(uint8_t op, T a0, T b0, T c0, int mode,
                                    uint8_t flags) {
  // Volatile: the arithmetic must stay between the changes of rounding.
  volatile T a = a0, b = b0, c = c0;
  volatile T r = 0;
  HostRounding rounding(mode);
  switch (op) {
  case OpAdd:
    r = a + b;
    break;
  case OpSub:
    r = a - b;
    break;
  case OpMul:
    r = a * b;
    break;
  case OpFma:
    r = std::fma(T(a), T(b), T(c));
    break;
  case OpDiv:
    r = a / b;
    break;
  case OpSqrt:
    r = std::sqrt(T(a));
    break;
  case OpRcp:
    r = T(1) / a;
    break;
  case OpMin:
  case OpMax:
  case OpMin3:
  case OpMax3: {
    T p = a, q = b, s = c;
    bool negative = std::signbit(p) != std::signbit(q);
    if (flags & AbsIn) {
      p = std::fabs(p);
      q = std::fabs(q);
      s = std::fabs(s);
    }
    bool nan = flags & NaNResult;
    bool isMin = op == OpMin || op == OpMin3;
    T v = isMin ? minimum(p, q, nan) : maximum(p, q, nan);
    if (op == OpMin3 || op == OpMax3)
      v = isMin ? minimum(v, s, nan) : maximum(v, s, nan);
    if ((flags & XorSign) && v == v)
      v = negative ? -std::fabs(v) : std::fabs(v);
    r = v;
    break;
  }
  }
  return r;
}

/// f32 and f64 with any modifier. i.e operation, i.a rounding, i.b flags.
template <typename T> T scalar(const Inst &i, T a, T b, T c) {
  if (i.b & Ftz) {
    a = flush(a);
    b = flush(b);
    c = flush(c);
  }
  T r = compute<T>(i.e, a, b, c, i.a, i.b);
  if (i.b & Ftz)
    r = flush(r);
  if (i.b & Sat)
    r = r != r                                 ? T(0)
        : r < 0 || (r == 0 && std::signbit(r)) ? T(0)
        : r > 1                                ? T(1)
                                               : r;
  return canonical(r);
}

template <typename T> void general(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]),
    *c = x.row<T>(i.o[3]);
  forLanes(m, [&](int l) { d[l] = scalar<T>(i, a[l], b[l], c[l]); });
}

void generalF32x2(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]), *a = x.row<uint64_t>(i.o[1]),
       *b = x.row<uint64_t>(i.o[2]), *c = x.row<uint64_t>(i.o[3]);
  forLanes(m, [&](int l) {
    uint64_t r = 0;
    for (int h = 0; h < 64; h += 32)
      r |= uint64_t(asBits(scalar<float>(i, asFloat(uint32_t(a[l] >> h)),
                                         asFloat(uint32_t(b[l] >> h)),
                                         asFloat(uint32_t(c[l] >> h)))))
           << h;
    d[l] = r;
  });
}

// The common case of f32 and f64: nearest, no modifier.
#define FAST(Name, T, Expr)                                                    \
  void Name(Exec &x, const Inst &i, Mask m) {                                  \
    T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]),     \
      *c = x.row<T>(i.o[3]);                                                   \
    (void)c;                                                                   \
    if (m == kAllLanes) {                                                      \
      for (int l = 0; l < 32; ++l) {                                           \
        T r = Expr;                                                            \
        d[l] = canonical(r);                                                   \
      }                                                                        \
      return;                                                                  \
    }                                                                          \
    forLanes(m, [&](int l) {                                                   \
      T r = Expr;                                                              \
      d[l] = canonical(r);                                                     \
    });                                                                        \
  }
FAST(addF32, float, a[l] + b[l])
FAST(subF32, float, a[l] - b[l])
FAST(mulF32, float, a[l] * b[l])
FAST(fmaF32, float, std::fma(a[l], b[l], c[l]))
FAST(addF64, double, a[l] + b[l])
FAST(subF64, double, a[l] - b[l])
FAST(mulF64, double, a[l] * b[l])
FAST(fmaF64, double, std::fma(a[l], b[l], c[l]))
#undef FAST

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void fmaF32Wide(Exec &x, const Inst &i,
                                                    Mask m) {
  if (m != kAllLanes)
    return fmaF32(x, i, m);
  float *d = x.row<float>(i.o[0]), *a = x.row<float>(i.o[1]),
        *b = x.row<float>(i.o[2]), *c = x.row<float>(i.o[3]);
  for (int l = 0; l < 32; ++l) {
    float r = __builtin_fmaf(a[l], b[l], c[l]);
    d[l] = r != r ? asFloat(kNaN32) : r;
  }
}
#endif

/// One f16 or bf16 value; exact until the one rounding.
uint16_t narrow(const Inst &i, bool isBf, uint16_t a, uint16_t b, uint16_t c) {
  auto value = [&](uint16_t bits) {
    double v = isBf ? bfloatToFloat(bits) : halfToFloat(bits);
    if ((i.b & Ftz) && (bits & (isBf ? 0x7F80 : 0x7C00)) == 0)
      v = bits & 0x8000 ? -0.0 : 0.0;
    return v;
  };
  double p = value(a), q = value(b), s = value(c), r;
  switch (i.e) {
  case OpAdd:
    r = addRoundOdd(p, q);
    break;
  case OpSub:
    r = addRoundOdd(p, -q);
    break;
  case OpMul:
    r = p * q;
    break;
  case OpFma:
    r = addRoundOdd(p * q, s);
    break;
  default:
    r = compute<double>(i.e, p, q, s, 0, i.b);
    break;
  }
  if ((i.b & Sat))
    r = r != r || r <= 0 ? 0.0 : r > 1 ? 1.0 : r;
  if ((i.b & Relu) && (r < 0 || (r == 0 && std::signbit(r))))
    r = 0;
  uint16_t bits = isBf ? floatToBfloat(r) : floatToHalf(r);
  if ((i.b & Ftz) && (bits & (isBf ? 0x7F80 : 0x7C00)) == 0)
    bits &= 0x8000;
  return bits;
}

/// i.c: 1 bf16.
template <int Count> void generalHalf(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  forLanes(m, [&](int l) {
    uint32_t r = narrow(i, i.c, uint16_t(a[l]), uint16_t(b[l]), uint16_t(c[l]));
    if (Count == 2)
      r |= uint32_t(narrow(i, i.c, uint16_t(a[l] >> 16), uint16_t(b[l] >> 16),
                           uint16_t(c[l] >> 16)))
           << 16;
    d[l] = r;
  });
}

/// add, sub, fma with a 16-bit first operands and f32 result. i.c: 1 bf16.
void mixed(Exec &x, const Inst &i, Mask m) {
  float *d = x.row<float>(i.o[0]), *c = x.row<float>(i.o[3]);
  auto *a = x.row<uint32_t>(i.o[1]), *b = x.row<uint32_t>(i.o[2]);
  forLanes(m, [&](int l) {
    auto wide = [&](uint32_t bits) {
      return i.c ? bfloatToFloat(uint16_t(bits)) : halfToFloat(uint16_t(bits));
    };
    d[l] = i.e == OpFma ? scalar<float>(i, wide(a[l]), wide(b[l]), c[l])
                        : scalar<float>(i, wide(a[l]), c[l], 0);
  });
}

/// Sign operations as bits: i.a 0 neg, 1 abs; i.b Ftz; imm the sign bits.
template <typename T> void signBits(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]);
  T bits = T(i.imm);
  lanes(m, [&](int l) {
    T v = a[l];
    if ((i.b & Ftz) && sizeof(T) == 4)
      v = T(asBits(flush(asFloat(uint32_t(v)))));
    d[l] = i.a ? v & ~bits : v ^ bits;
  });
}
template <typename T> void copysign(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]);
  T sign = T(1) << (sizeof(T) * 8 - 1);
  lanes(m, [&](int l) { d[l] = (a[l] & sign) | (b[l] & ~sign); });
}

//===--- approximations ---------------------------------------------------===//

enum Approx : uint8_t {
  ARcp,
  ARsqrt,
  ASqrt,
  AEx2,
  ALg2,
  ASin,
  ACos,
  ATanh,
  ADiv,
  ADivFull
};

double approx(uint8_t op, double a) {
  switch (op) {
  case ARcp:
    return 1 / a;
  case ARsqrt:
    return 1 / std::sqrt(a);
  case ASqrt:
    return std::sqrt(a);
  case AEx2:
    return std::exp2(a);
  case ALg2:
    return a < 0 ? NAN : std::log2(a);
  case ASin:
    return std::sin(a);
  case ACos:
    return std::cos(a);
  case ATanh:
    return std::tanh(a);
  }
  return NAN;
}

void approxF32(Exec &x, const Inst &i, Mask m) {
  float *d = x.row<float>(i.o[0]), *a = x.row<float>(i.o[1]);
  forLanes(m, [&](int l) {
    float v = i.b & Ftz ? flush(a[l]) : a[l];
    float r = float(approx(i.e, v));
    d[l] = canonical(i.b & Ftz ? flush(r) : r);
  });
}
template <int Count> void approxHalf(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]);
  forLanes(m, [&](int l) {
    auto one = [&](uint16_t bits) -> uint32_t {
      double v = i.c ? bfloatToFloat(bits) : halfToFloat(bits);
      if (i.b & Ftz)
        v = double(flush(float(v)));
      double r = approx(i.e, v);
      return i.c ? floatToBfloat(r) : floatToHalf(r);
    };
    uint32_t r = one(uint16_t(a[l]));
    if (Count == 2)
      r |= one(uint16_t(a[l] >> 16)) << 16;
    d[l] = r;
  });
}
/// With .ftz rcp and rsqrt.approx.f64 see and make upper words only.
void approxF64(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]), *a = x.row<uint64_t>(i.o[1]);
  forLanes(m, [&](int l) {
    if (!(i.b & Ftz)) {
      d[l] = asBits(canonical(approx(i.e, asDouble(a[l]))));
      return;
    }
    double v = flush(asDouble(a[l] & 0xFFFFFFFF00000000));
    double r = flush(canonical(approx(i.e, v)));
    d[l] = asBits(r) & 0xFFFFFFFF00000000;
  });
}
void divApprox(Exec &x, const Inst &i, Mask m) {
  float *d = x.row<float>(i.o[0]), *a = x.row<float>(i.o[1]),
        *b = x.row<float>(i.o[2]);
  forLanes(m, [&](int l) {
    float p = a[l], q = b[l];
    if (i.b & Ftz) {
      p = flush(p);
      q = flush(q);
    }
    float r = p / q;
    // Outside 2^-126 … 2^126 the quotient is lost.
    if (i.e == ADiv && std::fabs(q) > 0x1p126f && std::isfinite(q))
      r = std::isinf(p) ? NAN : std::copysign(0.0f, r);
    d[l] = canonical(i.b & Ftz ? flush(r) : r);
  });
}

//===--- comparison -------------------------------------------------------===//

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

bool isFloat(Type t) {
  switch (t) {
  case Type::F16:
  case Type::F16x2:
  case Type::BF16:
  case Type::BF16x2:
  case Type::F32:
  case Type::F32x2:
  case Type::F64:
    return true;
  default:
    return false;
  }
}

/// Takes rounding and flags.
void modifiers(Decoder &d) {
  d.inst.a = d.has("rn")   ? 0
             : d.has("rz") ? 1
             : d.has("rm") ? 2
             : d.has("rp") ? 3
                           : 0;
  if (d.has("ftz"))
    d.inst.b |= Ftz;
  if (d.has("sat"))
    d.inst.b |= Sat;
  if (d.has("relu"))
    d.inst.b |= Relu;
  if (d.has("NaN"))
    d.inst.b |= NaNResult;
  if (d.has("xorsign"))
    d.inst.b |= XorSign;
  if (d.has("abs"))
    d.inst.b |= AbsIn;
}

/// Emits operation `op` on `sources` operands of type `t`.
bool arithmetic(Decoder &d, Type t, Op op, int sources) {
  if (!isFloat(t))
    return d.fail("type is not supported here");
  if (!d.operands(sources + 1, sources + 1) ||
      !d.destination(d.operand(0), t, d.inst.o[0]))
    return false;
  for (int k = 1; k < 4; ++k) {
    if (k <= sources) {
      if (!d.source(d.operand(k), t, d.inst.o[k]))
        return false;
    } else {
      d.inst.o[k] = d.constantRow(0, typeBits(t) == 64 ? 8 : 4);
    }
  }
  d.inst.e = op;
  d.inst.c = t == Type::BF16 || t == Type::BF16x2;
  bool half = typeBits(t) == 16 || t == Type::F16x2 || t == Type::BF16x2;
  if (half && d.inst.a)
    return d.fail("only '.rn' rounding exists for this type");
  bool plain = d.inst.a == 0 && d.inst.b == 0;
  Handler h = nullptr;
  Class cls = t == Type::F64 ? Class::Double : Class::Float;
  switch (t) {
  case Type::F32:
    h = general<float>;
    if (plain && op == OpAdd)
      h = addF32;
    if (plain && op == OpSub)
      h = subF32;
    if (plain && op == OpMul)
      h = mulF32;
    if (plain && op == OpFma) {
      h = fmaF32;
#if defined(__x86_64__)
      if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
        h = fmaF32Wide;
#endif
    }
    break;
  case Type::F64:
    h = general<double>;
    if (plain && op == OpAdd)
      h = addF64;
    if (plain && op == OpSub)
      h = subF64;
    if (plain && op == OpMul)
      h = mulF64;
    if (plain && op == OpFma)
      h = fmaF64;
    break;
  case Type::F32x2:
    h = generalF32x2;
    break;
  case Type::F16:
  case Type::BF16:
    h = generalHalf<1>;
    break;
  default:
    h = generalHalf<2>;
    break;
  }
  d.emit(h, cls);
  return true;
}

/// `op.f32.f16`: the first operands have 16 bits.
bool mixedPrecision(Decoder &d, Type narrowType, Op op) {
  int n = op == OpFma ? 3 : 2;
  if (!d.operands(n + 1, n + 1) ||
      !d.destination(d.operand(0), Type::F32, d.inst.o[0]) ||
      !d.source(d.operand(1), narrowType, d.inst.o[1]))
    return false;
  d.inst.o[2] = d.inst.o[1];
  if (op == OpFma && !d.source(d.operand(2), narrowType, d.inst.o[2]))
    return false;
  if (!d.source(d.operand(n), Type::F32, d.inst.o[3]))
    return false;
  d.inst.e = op;
  d.inst.c = narrowType == Type::BF16;
  d.emit(mixed, Class::Float);
  return true;
}

bool decodeAddSub(Decoder &d) {
  bool subtract = d.s->words[0] == "sub";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerAdd(d, t, subtract);
  modifiers(d);
  Type second = d.type();
  Op op = subtract ? OpSub : OpAdd;
  if (second != Type::None)
    return mixedPrecision(d, second, op);
  return arithmetic(d, t, op, 2);
}
bool decodeMul(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerMul(d, t);
  modifiers(d);
  return arithmetic(d, t, OpMul, 2);
}
bool decodeFma(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t)) {
    if (d.s->words[0] == "fma")
      return d.fail("expected a float type");
    return decodeIntegerMad(d, t);
  }
  modifiers(d);
  Type second = d.type();
  if (second != Type::None)
    return mixedPrecision(d, second, OpFma);
  return arithmetic(d, t, OpFma, 3);
}
bool decodeDiv(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerDiv(d, t);
  bool isApprox = d.has("approx"), isFull = d.has("full");
  modifiers(d);
  if (isApprox || isFull) {
    if (t != Type::F32)
      return d.fail("expected type .f32");
    d.inst.e = isApprox ? ADiv : ADivFull;
    return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
           d.source(d.operand(1), t, d.inst.o[1]) &&
           d.source(d.operand(2), t, d.inst.o[2]) &&
           (d.emit(divApprox, Class::Special), true);
  }
  if (t != Type::F32 && t != Type::F64)
    return d.fail("type is not supported here");
  return arithmetic(d, t, OpDiv, 2);
}
bool decodeMinMax(Decoder &d) {
  bool isMax = d.s->words[0] == "max";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerMinMax(d, t, isMax);
  modifiers(d);
  if (d.count() == 4)
    return arithmetic(d, t, isMax ? OpMax3 : OpMin3, 3);
  return arithmetic(d, t, isMax ? OpMax : OpMin, 2);
}
bool decodeNegAbs(Decoder &d) {
  bool isAbs = d.s->words[0] == "abs";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerNegAbs(d, t, isAbs);
  if (d.has("ftz"))
    d.inst.b |= Ftz;
  d.inst.a = isAbs;
  Handler h = signBits<uint32_t>;
  switch (t) {
  case Type::F64:
    d.inst.imm = int64_t(uint64_t(1) << 63);
    h = signBits<uint64_t>;
    break;
  case Type::F32x2:
    d.inst.imm = int64_t(0x8000000080000000);
    h = signBits<uint64_t>;
    break;
  case Type::F32:
    d.inst.imm = 0x80000000;
    break;
  case Type::F16:
  case Type::BF16:
    d.inst.imm = 0x8000;
    d.inst.b = 0;
    break;
  default:
    d.inst.imm = 0x80008000;
    d.inst.b = 0;
    break;
  }
  return d.operands(2, 2) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         (d.emit(h, t == Type::F64 ? Class::Double : Class::Float), true);
}
bool decodeCopysign(Decoder &d) {
  Type t = d.type();
  return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         (d.emit(t == Type::F64 ? copysign<uint64_t> : copysign<uint32_t>,
                 Class::Float),
          true);
}
bool decodeApprox(Decoder &d) {
  const std::string &w = d.s->words[0];
  bool isApprox = d.has("approx");
  Type t = d.type();
  modifiers(d);
  if (!isApprox && (w == "sqrt" || w == "rcp"))
    return arithmetic(d, t, w == "sqrt" ? OpSqrt : OpRcp, 1);
  if (!isApprox && w != "ex2" && w != "tanh")
    return d.fail("expected '.approx'");
  d.inst.e = w == "rcp"     ? ARcp
             : w == "rsqrt" ? ARsqrt
             : w == "sqrt"  ? ASqrt
             : w == "ex2"   ? AEx2
             : w == "lg2"   ? ALg2
             : w == "sin"   ? ASin
             : w == "cos"   ? ACos
                            : ATanh;
  d.inst.c = t == Type::BF16 || t == Type::BF16x2;
  Handler h = t == Type::F32                          ? approxF32
              : t == Type::F64                        ? approxF64
              : t == Type::F16 || t == Type::BF16     ? approxHalf<1>
              : t == Type::F16x2 || t == Type::BF16x2 ? approxHalf<2>
                                                      : Handler(nullptr);
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(2, 2) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         (d.emit(h, Class::Special), true);
}

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

void registerFloat() {
  RegisterDecoders({
      {"add", decodeAddSub},  {"sub", decodeAddSub},
      {"mul", decodeMul},     {"fma", decodeFma},
      {"mad", decodeFma},     {"madc", decodeFma},
      {"div", decodeDiv},     {"min", decodeMinMax},
      {"max", decodeMinMax},  {"neg", decodeNegAbs},
      {"abs", decodeNegAbs},  {"copysign", decodeCopysign},
      {"rcp", decodeApprox},  {"rsqrt", decodeApprox},
      {"sqrt", decodeApprox}, {"ex2", decodeApprox},
      {"lg2", decodeApprox},  {"sin", decodeApprox},
      {"cos", decodeApprox},  {"tanh", decodeApprox},
      {"setp", decodeSetp},   {"set", decodeSet},
      {"testp", decodeTestp},
  });
}

} // namespace tileir::emu

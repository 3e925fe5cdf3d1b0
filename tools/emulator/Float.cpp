// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic; the mnemonics that integers share go on to Integer.cpp.
#include "tools/emulator/FloatDecode.h"
#include "tools/emulator/FloatOps.h"

#include <cfloat>

namespace tileir::emu {

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

template <typename T>
__attribute__((noinline)) T compute(uint8_t op, T a0, T b0, T c0,
                                    uint8_t flags) {
  // Volatile: the arithmetic must stay between the changes of rounding.
  volatile T a = a0, b = b0, c = c0;
  volatile T r = 0;
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

/// Returns whether .ftz makes zero of a result of f32 that rounding has brought
/// up to the least normal number: what counts is the exact value.
bool isTiny(const FloatRows &in, float a, float b, float c, float r) {
  if (std::fabs(r) != FLT_MIN || (in.op != OpMul && in.op != OpFma))
    return false;
  double product = double(a) * double(b);
  return std::fabs(in.op == OpMul ? product : addRoundOdd(product, c)) <
         FLT_MIN;
}
bool isTiny(const FloatRows &, double, double, double, double) { return false; }

/// f32 and f64 with any modifier, beside the operation itself.
template <typename T> void prepare(const FloatRows &in, T &a, T &b, T &c) {
  if (!(in.flags & Ftz))
    return;
  a = flush(a);
  b = flush(b);
  c = flush(c);
}
template <typename T> T finish(const FloatRows &in, T r, T a, T b, T c) {
  if (in.flags & Ftz)
    r = isTiny(in, a, b, c, r) ? std::copysign(T(0), r) : flush(r);
  if (in.flags & Sat)
    r = r != r                                 ? T(0)
        : r < 0 || (r == 0 && std::signbit(r)) ? T(0)
        : r > 1                                ? T(1)
                                               : r;
  bool selects = in.op >= OpMin && in.op <= OpMax3;
  return selects ? canonical(r) : withNaN(r, a, b, c);
}

template <typename T> T scalar(const FloatRows &in, T a, T b, T c) {
  prepare(in, a, b, c);
  T r;
  {
    HostRounding rounding(in.rounding);
    r = compute<T>(in.op, a, b, c, in.flags);
  }
  return finish(in, r, a, b, c);
}

/// The operation on lanes. The arithmetic must stay between the changes of
/// rounding: this is a call, by way of memory.
template <typename T>
__attribute__((noinline)) void computeLanes(const FloatRows &in, Mask m,
                                            const T *a, const T *b, const T *c,
                                            T *r) {
  switch (in.op) {
  case OpAdd:
    return lanes(m, [&](int l) { r[l] = a[l] + b[l]; });
  case OpSub:
    return lanes(m, [&](int l) { r[l] = a[l] - b[l]; });
  case OpMul:
    return lanes(m, [&](int l) { r[l] = a[l] * b[l]; });
  case OpFma:
    return lanes(m, [&](int l) { r[l] = std::fma(a[l], b[l], c[l]); });
  case OpDiv:
    return lanes(m, [&](int l) { r[l] = a[l] / b[l]; });
  default:
    forLanes(m, [&](int l) {
      r[l] = compute<T>(in.op, a[l], b[l], c[l], in.flags);
    });
  }
}

template <typename T> void general(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b),
    *c = x.row<T>(in.c);
  T p[32], q[32], s[32], r[32];
  lanes(m, [&](int l) {
    p[l] = a[l], q[l] = b[l], s[l] = c[l];
    prepare(in, p[l], q[l], s[l]);
  });
  auto keepOrder = [&] {
    asm volatile("" ::"r"(p), "r"(q), "r"(s), "r"(r) : "memory");
  };
  {
    // To change the host's rounding takes longer than to compute.
    HostRounding rounding(in.rounding);
    keepOrder();
    computeLanes<T>(in, m, p, q, s, r);
    keepOrder();
  }
  lanes(m, [&](int l) { d[l] = finish(in, r[l], p[l], q[l], s[l]); });
}

/// min and max without a modifier but .NaN.
template <bool IsMin> void selectF32(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  float *d = x.row<float>(in.d), *a = x.row<float>(in.a),
        *b = x.row<float>(in.b);
  bool keepsNaN = in.flags & NaNResult;
  lanes(m, [&](int l) {
    float p = a[l], q = b[l];
    bool negative = asBits(p) >> 31; // -0 is below +0.
    bool takesP =
        IsMin ? p < q || (p == q && negative) : p > q || (p == q && !negative);
    float r = takesP || q != q ? p : q;
    d[l] = canonical(keepsNaN && p != p ? p : keepsNaN && q != q ? q : r);
  });
}

/// The same of f16 and bf16: halves of words as integers, where negative
/// numbers go the other way. `kNaN`: the first pattern without sign that is
/// none.
template <bool IsMin, uint16_t kNaN>
void selectHalves(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b);
  bool keepsNaN = in.flags & NaNResult;
  auto select = [&](uint16_t p, uint16_t q) -> uint32_t {
    auto order = [](uint16_t v) {
      return int16_t(v & 0x8000 ? v ^ 0x7FFF : v);
    };
    bool noP = (p & 0x7FFF) >= kNaN, noQ = (q & 0x7FFF) >= kNaN;
    bool takesP = IsMin ? order(p) < order(q) : order(p) > order(q);
    uint16_t r = (takesP || noQ) && !noP ? p : q;
    return (noP && noQ) || (keepsNaN && (noP || noQ)) ? 0x7FFF : r;
  };
  lanes(m, [&](int l) {
    d[l] = select(uint16_t(a[l]), uint16_t(b[l])) |
           select(uint16_t(a[l] >> 16), uint16_t(b[l] >> 16)) << 16;
  });
}

void generalF32x2(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  auto *d = x.row<uint64_t>(in.d), *a = x.row<uint64_t>(in.a),
       *b = x.row<uint64_t>(in.b), *c = x.row<uint64_t>(in.c);
  forLanes(m, [&](int l) {
    uint64_t r = 0;
    for (int h = 0; h < 64; h += 32)
      r |= uint64_t(asBits(scalar<float>(in, asFloat(uint32_t(a[l] >> h)),
                                         asFloat(uint32_t(b[l] >> h)),
                                         asFloat(uint32_t(c[l] >> h)))))
           << h;
    d[l] = r;
  });
}

// The common case of f32 and f64: nearest, no modifier.
#define FAST(Name, T, Expr)                                                    \
  void Name(Exec &x, const Inst &i, Mask m) {                                  \
    const auto &in = i.as<FloatRows>();                                        \
    T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b),           \
      *c = x.row<T>(in.c);                                                     \
    if (m == kAllLanes) {                                                      \
      for (int l = 0; l < 32; ++l) {                                           \
        T r = Expr;                                                            \
        d[l] = withNaN(r, a[l], b[l], c[l]);                                   \
      }                                                                        \
      return;                                                                  \
    }                                                                          \
    forLanes(m, [&](int l) {                                                   \
      T r = Expr;                                                              \
      d[l] = withNaN(r, a[l], b[l], c[l]);                                     \
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
  const auto &in = i.as<FloatRows>();
  if (m != kAllLanes)
    return fmaF32(x, i, m);
  float *d = x.row<float>(in.d), *a = x.row<float>(in.a),
        *b = x.row<float>(in.b), *c = x.row<float>(in.c);
  for (int l = 0; l < 32; ++l) {
    float r = __builtin_fmaf(a[l], b[l], c[l]);
    d[l] = r != r ? asFloat(kNaN32) : r;
  }
}
#endif

/// One f16 or bf16 value; exact until the one rounding.
uint16_t narrow(const FloatRows &in, uint16_t a, uint16_t b, uint16_t c) {
  auto value = [&](uint16_t bits) {
    double v = in.isBf16 ? bfloatToFloat(bits) : halfToFloat(bits);
    if ((in.flags & Ftz) && (bits & (in.isBf16 ? 0x7F80 : 0x7C00)) == 0)
      v = bits & 0x8000 ? -0.0 : 0.0;
    return v;
  };
  double p = value(a), q = value(b), s = value(c), r;
  switch (in.op) {
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
    r = compute<double>(in.op, p, q, s, in.flags);
    break;
  }
  // As of f32, what counts is the exact value, not the rounded one.
  if ((in.flags & Ftz) && std::fabs(r) < (in.isBf16 ? FLT_MIN : 0x1p-14))
    r = std::copysign(0.0, r);
  if ((in.flags & Sat))
    r = r != r || r <= 0 ? 0.0 : r > 1 ? 1.0 : r;
  if ((in.flags & Relu) && (r < 0 || (r == 0 && std::signbit(r))))
    r = 0;
  return in.isBf16 ? floatToBfloat(r) : floatToHalf(r);
}

template <int Count> void generalHalf(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  forLanes(m, [&](int l) {
    uint32_t r = narrow(in, uint16_t(a[l]), uint16_t(b[l]), uint16_t(c[l]));
    if (Count == 2)
      r |= uint32_t(narrow(in, uint16_t(a[l] >> 16), uint16_t(b[l] >> 16),
                           uint16_t(c[l] >> 16)))
           << 16;
    d[l] = r;
  });
}

/// add, sub, fma with 16-bit first operands and f32 result.
void mixed(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  float *d = x.row<float>(in.d), *c = x.row<float>(in.c);
  auto *a = x.row<uint32_t>(in.a), *b = x.row<uint32_t>(in.b);
  forLanes(m, [&](int l) {
    auto wide = [&](uint32_t bits) {
      return in.isBf16 ? bfloatToFloat(uint16_t(bits))
                       : halfToFloat(uint16_t(bits));
    };
    d[l] = in.op == OpFma ? scalar<float>(in, wide(a[l]), wide(b[l]), c[l])
                          : scalar<float>(in, wide(a[l]), c[l], 0);
  });
}

/// neg and abs, as operations on the sign bits.
struct SignRows : Rows {
  uint64_t signs = 0;
  bool isAbs = false, ftz = false;
};

template <typename T> void signBits(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SignRows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a);
  T bits = T(in.signs);
  lanes(m, [&](int l) {
    T v = a[l];
    if (in.ftz && sizeof(T) == 4)
      v = T(asBits(flush(asFloat(uint32_t(v)))));
    d[l] = in.isAbs ? v & ~bits : v ^ bits;
  });
}
template <typename T> void copysign(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b);
  T sign = T(1) << (sizeof(T) * 8 - 1);
  lanes(m, [&](int l) { d[l] = (a[l] & sign) | (b[l] & ~sign); });
}

} // namespace

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

void takeModifiers(Decoder &d, FloatRows &in) {
  in.rounding = d.has("rn")   ? 0
                : d.has("rz") ? 1
                : d.has("rm") ? 2
                : d.has("rp") ? 3
                              : 0;
  if (d.has("ftz"))
    in.flags |= Ftz;
  if (d.has("sat"))
    in.flags |= Sat;
  if (d.has("relu"))
    in.flags |= Relu;
  if (d.has("NaN"))
    in.flags |= NaNResult;
  if (d.has("xorsign"))
    in.flags |= XorSign;
  if (d.has("abs"))
    in.flags |= AbsIn;
}

bool decodeArithmetic(Decoder &d, FloatRows &in, Type t, FloatOp op,
                      int sources) {
  if (!isFloat(t))
    return d.fail(kNoSuchType);
  if (!d.operands(sources + 1, sources + 1) ||
      !d.destination(d.operand(0), t, in.d))
    return false;
  int32_t *rows[] = {&in.a, &in.b, &in.c};
  for (int k = 0; k < 3; ++k) {
    if (k < sources) {
      if (!d.source(d.operand(k + 1), t, *rows[k]))
        return false;
    } else {
      *rows[k] = d.constantRow(0, typeBits(t) == 64 ? 8 : 4);
    }
  }
  in.op = op;
  in.isBf16 = t == Type::BF16 || t == Type::BF16x2;
  bool half = typeBits(t) == 16 || t == Type::F16x2 || t == Type::BF16x2;
  if (half && in.rounding)
    return d.fail("only '.rn' rounding exists for this type");
  bool plain = in.rounding == 0 && in.flags == 0;
  bool selects = (op == OpMin || op == OpMax) && in.rounding == 0 &&
                 (in.flags & ~NaNResult) == 0;
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
    if (selects)
      h = op == OpMin ? selectF32<true> : selectF32<false>;
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
    if (selects && in.isBf16)
      h = op == OpMin ? selectHalves<true, 0x7F81>
                      : selectHalves<false, 0x7F81>;
    else if (selects)
      h = op == OpMin ? selectHalves<true, 0x7C01>
                      : selectHalves<false, 0x7C01>;
    break;
  }
  d.emit(h, cls);
  return true;
}

namespace {

/// `op.f32.f16`: the first operands have 16 bits.
bool mixedPrecision(Decoder &d, FloatRows &in, Type narrowType, FloatOp op) {
  int n = op == OpFma ? 3 : 2;
  if (!d.operands(n + 1, n + 1) ||
      !d.destination(d.operand(0), Type::F32, in.d) ||
      !d.source(d.operand(1), narrowType, in.a))
    return false;
  in.b = in.a;
  if (op == OpFma && !d.source(d.operand(2), narrowType, in.b))
    return false;
  if (!d.source(d.operand(n), Type::F32, in.c))
    return false;
  in.op = op;
  in.isBf16 = narrowType == Type::BF16;
  d.emit(mixed, Class::Float);
  return true;
}

bool decodeAddSub(Decoder &d) {
  bool subtract = d.s->words[0] == "sub";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerAdd(d, t, subtract);
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  Type second = d.type();
  FloatOp op = subtract ? OpSub : OpAdd;
  if (second != Type::None)
    return mixedPrecision(d, in, second, op);
  return decodeArithmetic(d, in, t, op, 2);
}
bool decodeMul(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerMul(d, t);
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  return decodeArithmetic(d, in, t, OpMul, 2);
}
bool decodeFma(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t)) {
    if (d.s->words[0] == "fma")
      return d.fail("expected a float type");
    return decodeIntegerMad(d, t);
  }
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  Type second = d.type();
  if (second != Type::None)
    return mixedPrecision(d, in, second, OpFma);
  return decodeArithmetic(d, in, t, OpFma, 3);
}
bool decodeDiv(Decoder &d) {
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerDiv(d, t);
  bool isFull = d.has("full");
  if (isFull || d.has("approx"))
    return decodeDivApprox(d, t, isFull);
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  if (t != Type::F32 && t != Type::F64)
    return d.fail(kNoSuchType);
  return decodeArithmetic(d, in, t, OpDiv, 2);
}
bool decodeMinMax(Decoder &d) {
  bool isMax = d.s->words[0] == "max";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerMinMax(d, t, isMax);
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  if (d.count() == 4)
    return decodeArithmetic(d, in, t, isMax ? OpMax3 : OpMin3, 3);
  return decodeArithmetic(d, in, t, isMax ? OpMax : OpMin, 2);
}
bool decodeNegAbs(Decoder &d) {
  bool isAbs = d.s->words[0] == "abs";
  Type t = d.type();
  if (!isFloat(t))
    return decodeIntegerNegAbs(d, t, isAbs);
  auto &in = d.make<SignRows>();
  in.ftz = d.has("ftz");
  in.isAbs = isAbs;
  Handler h = signBits<uint32_t>;
  switch (t) {
  case Type::F64:
    in.signs = uint64_t(1) << 63;
    h = signBits<uint64_t>;
    break;
  case Type::F32x2:
    in.signs = 0x8000000080000000;
    h = signBits<uint64_t>;
    break;
  case Type::F32:
    in.signs = 0x80000000;
    break;
  case Type::F16:
  case Type::BF16:
    in.signs = 0x8000;
    in.ftz = false;
    break;
  default:
    in.signs = 0x80008000;
    in.ftz = false;
    break;
  }
  return d.operands(2, 2) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) &&
         (d.emit(h, t == Type::F64 ? Class::Double : Class::Float), true);
}
bool decodeCopysign(Decoder &d) {
  auto &in = d.make<Rows>();
  Type t = d.type();
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         (d.emit(t == Type::F64 ? copysign<uint64_t> : copysign<uint32_t>,
                 Class::Float),
          true);
}

} // namespace

void registerFloat() {
  RegisterDecoders({
      {"add", decodeAddSub},
      {"sub", decodeAddSub},
      {"mul", decodeMul},
      {"fma", decodeFma},
      {"mad", decodeFma},
      {"madc", decodeFma},
      {"div", decodeDiv},
      {"min", decodeMinMax},
      {"max", decodeMinMax},
      {"neg", decodeNegAbs},
      {"abs", decodeNegAbs},
      {"copysign", decodeCopysign},
  });
}

} // namespace tileir::emu

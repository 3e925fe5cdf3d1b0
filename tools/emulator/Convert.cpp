// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt between all integer and float types, packed ones included.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

namespace tileir::emu {

namespace {

using namespace cases;

const FloatFormat *formatOf(Type t) {
  switch (t) {
  case Type::F16:
  case Type::F16x2:
    return &kF16;
  case Type::BF16:
  case Type::BF16x2:
    return &kBF16;
  case Type::TF32:
    return &kTF32;
  case Type::F32:
    return &kF32;
  case Type::F64:
    return &kF64;
  case Type::E4M3x2:
  case Type::E4M3x4:
  case Type::E4M3:
    return &kE4M3;
  case Type::E5M2x2:
  case Type::E5M2x4:
  case Type::E5M2:
    return &kE5M2;
  case Type::E2M3x2:
  case Type::E2M3x4:
  case Type::E2M3:
    return &kE2M3;
  case Type::E3M2x2:
  case Type::E3M2x4:
  case Type::E3M2:
    return &kE3M2;
  case Type::E2M1x2:
  case Type::E2M1x4:
  case Type::E2M1:
    return &kE2M1;
  case Type::UE8M0x2:
  case Type::UE8M0:
    return &kUE8M0;
  default:
    return nullptr;
  }
}

bool isFour(Type t) {
  return t == Type::E4M3x4 || t == Type::E5M2x4 || t == Type::E2M3x4 ||
         t == Type::E3M2x4 || t == Type::E2M1x4;
}
bool isPacked(Type t) {
  return isFour(t) || t == Type::F16x2 || t == Type::BF16x2 ||
         t == Type::E4M3x2 || t == Type::E5M2x2 || t == Type::E2M3x2 ||
         t == Type::E3M2x2 || t == Type::E2M1x2 || t == Type::UE8M0x2;
}
/// Bits from one element of a packed type to the next.
int elementBits(Type t) {
  return t == Type::E2M1x2 || t == Type::E2M1x4  ? 4
         : t == Type::F16x2 || t == Type::BF16x2 ? 16
                                                 : 8;
}
bool isSignedInteger(Type t) {
  return t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64;
}
bool isInteger(Type t) {
  return isSignedInteger(t) || t == Type::U8 || t == Type::U16 ||
         t == Type::U32 || t == Type::U64;
}

// Inst fields: a rounding (0 none, 1 rn, 2 rz, 3 rm, 4 rp, 5 rna), with 16 to
// an integral value; b flags; c source register bits; e destination bits.
enum : uint8_t { Ftz = 1, Sat = 2, Relu = 4, SatFinite = 8 };

Rounding roundingOf(int a) {
  switch (a & 15) {
  case 2:
    return Rounding::TowardZero;
  case 3:
    return Rounding::Down;
  case 4:
    return Rounding::Up;
  case 5:
    return Rounding::NearestAway;
  default:
    return Rounding::NearestEven;
  }
}

uint64_t loadRow(Exec &x, int row, int lane, int bits) {
  return bits == 64 ? x.row<uint64_t>(row)[lane] : x.row<uint32_t>(row)[lane];
}
void storeRow(Exec &x, int row, int lane, int bits, uint64_t value) {
  if (bits == 64)
    x.row<uint64_t>(row)[lane] = value;
  else
    x.row<uint32_t>(row)[lane] =
        bits == 32 ? uint32_t(value) : uint32_t(value & ((1u << bits) - 1));
}

double toIntegral(double v, int a) {
  switch (a & 15) {
  case 2:
    return std::trunc(v);
  case 3:
    return std::floor(v);
  case 4:
    return std::ceil(v);
  default:
    return std::nearbyint(v);
  }
}

/// A double from an integer, rounded to odd, so that any narrower rounding is
/// right.
double oddDouble(bool negative, uint64_t magnitude) {
  double r;
  if (magnitude >> 53) {
    int shift = 64 - __builtin_clzll(magnitude) - 53;
    uint64_t kept = magnitude >> shift;
    if (magnitude & ((uint64_t(1) << shift) - 1))
      kept |= 1;
    r = std::ldexp(double(kept), shift);
  } else {
    r = double(magnitude);
  }
  return negative ? -r : r;
}

uint64_t finishFloat(const Inst &i, Type to, double value) {
  if (i.b & Sat)
    value = value != value || value <= 0 ? 0.0 : value > 1 ? 1.0 : value;
  if ((i.b & Relu) && value <= 0)
    value = 0;
  if (to == Type::F32 && (i.b & Ftz)) {
    uint32_t bits =
        uint32_t(encodeFloat(kF32, value, roundingOf(i.a), i.b & SatFinite));
    return asBits(flush(asFloat(bits)));
  }
  if (to == Type::F64)
    return asBits(canonical(value));
  uint64_t bits = encodeFloat(*formatOf(to), value, roundingOf(i.a),
                              (i.b & SatFinite) != 0);
  return to == Type::TF32 ? bits << 13 : bits;
}

void floatToFloat(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0], from = i.extra->types[1];
  const FloatFormat &format = *formatOf(from);
  forLanes(m, [&](int l) {
    uint64_t bits = loadRow(x, i.o[1], l, i.c);
    double v;
    if (from == Type::F32)
      v = asFloat(uint32_t(bits));
    else if (from == Type::F64)
      v = asDouble(bits);
    else
      v = decodeFloat(format, bits & ((uint64_t(1) << format.bits()) - 1));
    if ((i.b & Ftz) && from == Type::F32)
      v = flush(float(v));
    if (i.a & 16)
      v = toIntegral(v, i.a);
    storeRow(x, i.o[0], l, i.e, finishFloat(i, to, v));
  });
}

/// A common case made fast: f32 to and from f16 and bf16, nearest.
void widenHalf(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<float>(i.o[0]);
  auto *a = x.row<uint32_t>(i.o[1]);
  const float *table = halfTable();
  lanes(m, [&](int l) { d[l] = canonical(table[a[l] & 0xFFFF]); });
}

uint64_t clampToInteger(Type to, double v, bool from64) {
  int bits = typeBits(to);
  bool isSigned = isSignedInteger(to);
  if (v != v)
    return from64 || bits == 64 ? uint64_t(1) << (bits - 1) : 0;
  double low = isSigned ? -std::ldexp(1.0, bits - 1) : 0;
  double high = std::ldexp(1.0, isSigned ? bits - 1 : bits); // Exclusive.
  if (v <= low)
    return isSigned ? uint64_t(1) << (bits - 1) | (~uint64_t(0) << (bits - 1))
                    : 0;
  if (v >= high)
    return isSigned     ? (uint64_t(1) << (bits - 1)) - 1
           : bits == 64 ? ~uint64_t(0)
                        : (uint64_t(1) << bits) - 1;
  return isSigned ? uint64_t(int64_t(v)) : uint64_t(v);
}

uint64_t extend(Type t, uint64_t v) {
  int bits = typeBits(t);
  if (bits == 64)
    return v;
  v &= (uint64_t(1) << bits) - 1;
  if (isSignedInteger(t) && (v >> (bits - 1) & 1))
    v |= ~uint64_t(0) << bits;
  return v;
}

void floatToInteger(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0], from = i.extra->types[1];
  const FloatFormat &format = *formatOf(from);
  forLanes(m, [&](int l) {
    uint64_t bits = loadRow(x, i.o[1], l, i.c);
    double v = from == Type::F32   ? double(asFloat(uint32_t(bits)))
               : from == Type::F64 ? asDouble(bits)
                                   : decodeFloat(format, bits & 0xFFFF);
    if ((i.b & Ftz) && from == Type::F32)
      v = flush(float(v));
    uint64_t r = clampToInteger(to, toIntegral(v, i.a), from == Type::F64);
    storeRow(x, i.o[0], l, i.e, extend(to, r));
  });
}

void integerToFloat(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0], from = i.extra->types[1];
  forLanes(m, [&](int l) {
    uint64_t v = extend(from, loadRow(x, i.o[1], l, i.c));
    bool negative = isSignedInteger(from) && int64_t(v) < 0;
    uint64_t magnitude = negative ? 0 - v : v;
    uint64_t r;
    if (to == Type::F64) {
      static const int modes[] = {0, 0, 1, 2, 3, 0};
      HostRounding rounding(modes[i.a & 15]);
      volatile uint64_t u = v;
      volatile double w =
          isSignedInteger(from) ? double(int64_t(u)) : double(uint64_t(u));
      // Hosts make zero of a difference, which is -0 when rounding down.
      r = v ? asBits(double(w)) : 0;
      if (i.b & Sat)
        r = asBits(w <= 0 ? 0.0 : w > 1 ? 1.0 : double(w));
    } else {
      r = finishFloat(i, to, oddDouble(negative, magnitude));
    }
    storeRow(x, i.o[0], l, i.e, r);
  });
}

void integerToInteger(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0], from = i.extra->types[1];
  int bits = typeBits(to);
  bool toSigned = isSignedInteger(to), fromSigned = isSignedInteger(from);
  forLanes(m, [&](int l) {
    uint64_t v = extend(from, loadRow(x, i.o[1], l, i.c));
    if (i.b & Sat) {
      __int128 w = fromSigned ? __int128(int64_t(v)) : __int128(v);
      __int128 low = toSigned ? -(__int128(1) << (bits - 1)) : 0;
      __int128 high = (__int128(1) << (toSigned ? bits - 1 : bits)) - 1;
      w = w < low ? low : w > high ? high : w;
      v = uint64_t(w);
    }
    storeRow(x, i.o[0], l, i.e, extend(to, v));
  });
}

/// Two f32 (or one packed value) to a packed type; the first is the upper one.
void toPacked(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0], from = i.extra->types[1];
  const FloatFormat &target = *formatOf(to);
  const FloatFormat &source = *formatOf(from);
  int width = elementBits(to),
      sourceWidth = isPacked(from) ? elementBits(from) : 32;
  forLanes(m, [&](int l) {
    double v[2];
    if (isPacked(from)) {
      uint64_t bits = loadRow(x, i.o[1], l, 32);
      uint64_t ones = (uint64_t(1) << source.bits()) - 1;
      v[0] = decodeFloat(source, bits & ones);
      v[1] = decodeFloat(source, bits >> sourceWidth & ones);
    } else {
      v[1] = x.row<float>(i.o[1])[l];
      v[0] = x.row<float>(i.o[2])[l];
    }
    uint64_t r = 0;
    for (int k = 0; k < 2; ++k) {
      if ((i.b & Ftz) && !isPacked(from))
        v[k] = flush(float(v[k]));
      if ((i.b & Relu) && v[k] <= 0)
        v[k] = 0;
      r |= encodeFloat(target, v[k], roundingOf(i.a), (i.b & SatFinite) != 0)
           << (width * k);
    }
    storeRow(x, i.o[0], l, i.e, r);
  });
}

/// Rounds by given bits: `count` of them are added at the top of what the
/// format drops of the significand, and the sum is cut off.
uint64_t roundStochastic(const FloatFormat &f, float value, uint32_t random,
                         int count, bool saturate) {
  uint32_t bits = asBits(value), fraction = bits & 0x7FFFFF;
  int exponent = int(bits >> 23 & 255);
  uint64_t sign = uint64_t(bits >> 31) << (f.bits() - 1);
  // Nothing is rounded: the rules are those of any other rounding.
  if (exponent == 255 || !(bits << 1))
    return encodeFloat(f, value, Rounding::NearestEven, saturate);
  uint64_t significand = fraction | (exponent ? 0x800000u : 0u);
  int target = std::max(exponent, 1) - 127 + f.bias();
  int shift = 23 - f.mantissaBits + std::max(1 - target, 0);
  if (shift > 40)
    return sign;
  significand += uint64_t(random) << (shift - count);
  uint64_t code = significand >> shift;
  if (target > 1)
    code += uint64_t(target - 1) << f.mantissaBits;
  uint64_t most = encodeFloat(f, INFINITY, Rounding::NearestEven, true);
  if (code > most)
    code = saturate ? most
                    : encodeFloat(f, INFINITY, Rounding::NearestEven, false);
  return sign | code;
}

uint32_t reverseHalf(uint32_t v) {
  uint32_t r = 0;
  for (int k = 0; k < 16; ++k)
    r |= (v >> k & 1) << (15 - k);
  return r;
}

/// cvt.rs: v[0] the sources, the first one the uppermost; o[1] random bits. Two
/// sources have a half of them each, of which f16 drops the upper three bits.
/// Of four, each pair shares 16 bits, which the first of it reads in reverse
/// (measured on a B200; the manual shows it in a figure): a half, or a byte of
/// each half for the two bytes of e2m1x4.
void toStochastic(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0];
  const FloatFormat &f = *formatOf(to);
  const std::vector<int32_t> &from = i.extra->v[0];
  int n = int(from.size()), width = elementBits(to);
  auto *random = x.row<uint32_t>(i.o[1]);
  forLanes(m, [&](int l) {
    uint64_t r = 0;
    uint32_t bits = random[l];
    for (int k = 0; k < n; ++k) {
      uint32_t own = k < n / 2 ? bits >> 16 : bits & 0xFFFF;
      if (to == Type::E2M1x4)
        own = (k < 2 ? bits >> 8 & 255 : bits & 255) |
              (k < 2 ? bits >> 24 : bits >> 16 & 255) << 8;
      if (n == 4 && k % 2 == 0)
        own = reverseHalf(own);
      int count = f.mantissaBits == 10 ? 13 : 16;
      float v = x.row<float>(from[size_t(k)])[l];
      if ((i.b & Relu) && v <= 0)
        v = 0;
      r |= roundStochastic(f, v, own & ((1u << count) - 1), count,
                           (i.b & SatFinite) != 0)
           << (width * (n - 1 - k));
    }
    storeRow(x, i.o[0], l, i.e, r);
  });
}

void cvtPack(Exec &x, const Inst &i, Mask m) {
  Type to = i.extra->types[0];
  auto *d = x.row<uint32_t>(i.o[0]), *c = x.row<uint32_t>(i.o[3]);
  auto *a = x.row<int32_t>(i.o[1]), *b = x.row<int32_t>(i.o[2]);
  int bits = typeBits(to);
  int64_t low = isSignedInteger(to) ? -(int64_t(1) << (bits - 1)) : 0;
  int64_t high = (int64_t(1) << (isSignedInteger(to) ? bits - 1 : bits)) - 1;
  uint32_t ones = (1u << bits) - 1;
  lanes(m, [&](int l) {
    auto sat = [&](int32_t v) {
      return uint32_t(v < low ? low : v > high ? high : v) & ones;
    };
    uint32_t rest = bits == 16 ? 0 : c[l] << (2 * bits);
    d[l] = rest | sat(a[l]) << bits | sat(b[l]);
  });
}

bool decodeStochastic(Decoder &d, Type to, Type from) {
  if (from != Type::F32 ||
      (to != Type::F16x2 && to != Type::BF16x2 && !isFour(to)))
    return d.fail("expected .f32 sources and a packed type of 2 or 4");
  size_t count = isFour(to) ? 4 : 2, sources = isFour(to) ? 1 : 2;
  std::vector<int32_t> &rows = d.extra().v[0];
  int bits;
  if (!d.operands(2 + sources, 2 + sources) ||
      !d.anyDestination(d.operand(0), to, d.inst.o[0], bits))
    return false;
  d.inst.e = uint8_t(bits);
  for (size_t k = 0; k < sources; ++k)
    if (!d.sources(d.operand(1 + k), Type::F32, rows))
      return false;
  if (rows.size() != count || bits < int(count) * elementBits(to))
    return d.fail("expected " + std::to_string(count) + " sources");
  if (!d.source(d.operand(1 + sources), Type::B32, d.inst.o[1]))
    return d.fail("expected random bits as the last operand");
  d.emit(toStochastic, Class::Convert);
  return true;
}

bool decodeCvt(Decoder &d) {
  if (d.has("pack")) {
    d.has("sat");
    Type to = d.type(), from = d.type(), rest = d.type();
    (void)rest;
    d.extra().types[0] = to;
    if (from != Type::S32 || !d.operands(3, 4))
      return d.fail("expected .s32 sources");
    d.inst.o[3] = d.constantRow(0, 4);
    if (!d.destination(d.operand(0), Type::U32, d.inst.o[0]) ||
        !d.source(d.operand(1), Type::S32, d.inst.o[1]) ||
        !d.source(d.operand(2), Type::S32, d.inst.o[2]) ||
        (d.count() == 4 && !d.source(d.operand(3), Type::B32, d.inst.o[3])))
      return false;
    d.emit(cvtPack, Class::Convert);
    return true;
  }
  static const std::pair<const char *, int> roundings[] = {
      {"rn", 1},   {"rz", 2},   {"rm", 3},       {"rp", 4},      {"rna", 5},
      {"rni", 17}, {"rzi", 18}, {"rmi", 16 | 3}, {"rpi", 16 | 4}};
  for (auto &[name, value] : roundings)
    if (d.has(name))
      d.inst.a = uint8_t(value);
  bool stochastic = d.has("rs");
  if (d.has("ftz"))
    d.inst.b |= Ftz;
  if (d.has("sat"))
    d.inst.b |= Sat;
  if (d.has("relu"))
    d.inst.b |= Relu;
  if (d.has("satfinite"))
    d.inst.b |= SatFinite;
  d.has("scaled::n2::ue8m0");
  Type to = d.type(), from = d.type();
  if (from == Type::None)
    return d.fail("expected two types");
  d.extra().types[0] = to;
  d.extra().types[1] = from;
  if (stochastic)
    return decodeStochastic(d, to, from);
  int bits;
  if (!d.operands(isPacked(to) && !isPacked(from) ? 3 : 2,
                  isPacked(to) && !isPacked(from) ? 3 : 2) ||
      !d.anyDestination(d.operand(0), to, d.inst.o[0], bits))
    return false;
  d.inst.e = uint8_t(bits);
  if (typeBits(to) > bits)
    return d.fail("destination register is too narrow");
  if (!d.anySource(d.operand(1), from, d.inst.o[1], bits))
    return false;
  d.inst.c = uint8_t(bits);
  if (typeBits(from) > bits)
    return d.fail("source register is too narrow");
  Handler h = nullptr;
  bool toFloat = formatOf(to), fromFloat = formatOf(from);
  if (isPacked(to)) {
    if (!fromFloat)
      return d.fail("conversion is not supported");
    if (!isPacked(from) && !d.source(d.operand(2), Type::F32, d.inst.o[2]))
      return false;
    h = toPacked;
  } else if (isPacked(from)) {
    return d.fail("conversion is not supported");
  } else if (toFloat && fromFloat) {
    h = floatToFloat;
    if (to == Type::F32 && from == Type::F16 && !d.inst.b && d.inst.c <= 32)
      h = widenHalf;
  } else if (isInteger(to) && fromFloat) {
    if (!(d.inst.a & 16))
      return d.fail("conversion to an integer needs .rni, .rzi, .rmi or .rpi");
    h = floatToInteger;
  } else if (toFloat && isInteger(from)) {
    h = integerToFloat;
  } else if (isInteger(to) && isInteger(from)) {
    h = integerToInteger;
  } else {
    return d.fail("conversion is not supported");
  }
  d.emit(h, Class::Convert);
  return true;
}

} // namespace

void registerConvert() { RegisterDecoders({{"cvt", decodeCvt}}); }

} // namespace tileir::emu

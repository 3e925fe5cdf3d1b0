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

/// cvt.rs: sources, the first one the uppermost, and a row of random bits.
struct StochasticRows : ConvertRows {
  int32_t sources[4] = {};
  int32_t count = 0;
};

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

double toIntegral(double v, Rounding rounding) {
  switch (rounding) {
  case Rounding::TowardZero:
    return std::trunc(v);
  case Rounding::Down:
    return std::floor(v);
  case Rounding::Up:
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

uint64_t finishFloat(const ConvertRows &in, double value) {
  Type to = in.to;
  if (in.sat)
    value = value != value || value <= 0 ? 0.0 : value > 1 ? 1.0 : value;
  if (in.relu && value <= 0)
    value = 0;
  // A NaN of f64 stays the plain quiet one, as one of tf32 does; other sources
  // give the NaN of all ones (measured on an H200).
  if (value != value && (in.from == Type::F64 || to == Type::TF32)) {
    if (to == Type::F32 || to == Type::TF32)
      return 0x7FC00000;
    if (to == Type::F16)
      return 0x7E00;
  }
  if (to == Type::F32 && in.ftz) {
    uint32_t bits =
        uint32_t(encodeFloat(kF32, value, in.rounding, in.satFinite));
    return asBits(flush(asFloat(bits)));
  }
  if (to == Type::F64)
    return asBits(canonical(value));
  uint64_t bits = encodeFloat(*formatOf(to), value, in.rounding, in.satFinite);
  return to == Type::TF32 ? bits << 13 : bits;
}

void floatToFloat(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  Type from = in.from;
  const FloatFormat &format = *formatOf(from);
  forLanes(m, [&](int l) {
    uint64_t bits = loadRow(x, in.a, l, in.fromBits);
    double v;
    if (from == Type::F32)
      v = asFloat(uint32_t(bits));
    else if (from == Type::F64)
      v = asDouble(bits);
    else
      v = decodeFloat(format, bits & ((uint64_t(1) << format.bits()) - 1));
    if (in.ftz && from == Type::F32)
      v = flush(float(v));
    if (in.toIntegral)
      v = toIntegral(v, in.rounding);
    storeRow(x, in.d, l, in.toBits, finishFloat(in, v));
  });
}

// Common cases made fast: f32 to and from f16 and bf16, nearest; saturation.

/// f32 to f16, to nearest even; a NaN becomes the one of all ones.
uint16_t halfOf(float f) {
  uint32_t bits = asBits(f), sign = bits >> 16 & 0x8000, size = bits << 1 >> 1;
  if (size > 0x7F800000)
    return 0x7FFF;
  if (size >= 0x47800000) // 2^16
    return uint16_t(sign | 0x7C00);
  // Below 2^-14 the host rounds, where the last place has the value of 2^-24.
  uint32_t small = asBits(asFloat(size) + 0.5f) - asBits(0.5f);
  uint32_t normal = (size - (112u << 23) + 0xFFF + (size >> 13 & 1)) >> 13;
  return uint16_t(sign | (size < (113u << 23) ? small : normal));
}

/// f32 to bf16, to nearest even; a NaN becomes the one of all ones.
uint16_t bfloatOf(float f) {
  uint32_t bits = asBits(f);
  return f != f ? uint16_t(0x7FFF)
                : uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

template <uint16_t (*F)(float)> void narrowOne(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  auto *d = x.row<uint32_t>(in.d);
  auto *a = x.row<float>(in.a);
  lanes(m, [&](int l) { d[l] = F(a[l]); });
}

template <uint16_t (*F)(float)> void narrowTwo(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  auto *d = x.row<uint32_t>(in.d);
  auto *a = x.row<float>(in.a), *b = x.row<float>(in.b);
  lanes(m, [&](int l) { d[l] = F(b[l]) | uint32_t(F(a[l])) << 16; });
}

void widenBfloat(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  auto *d = x.row<float>(in.d);
  auto *a = x.row<uint32_t>(in.a);
  lanes(m, [&](int l) { d[l] = canonical(asFloat(a[l] << 16)); });
}

void saturate(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  auto *d = x.row<float>(in.d), *a = x.row<float>(in.a);
  lanes(m, [&](int l) {
    float v = a[l] > 0 ? a[l] : 0; // Of a NaN, too.
    d[l] = v > 1 ? 1 : v;
  });
}

void widenHalf(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  auto *d = x.row<float>(in.d);
  auto *a = x.row<uint32_t>(in.a);
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
  const auto &in = i.as<ConvertRows>();
  Type to = in.to, from = in.from;
  const FloatFormat &format = *formatOf(from);
  forLanes(m, [&](int l) {
    uint64_t bits = loadRow(x, in.a, l, in.fromBits);
    double v = from == Type::F32   ? double(asFloat(uint32_t(bits)))
               : from == Type::F64 ? asDouble(bits)
                                   : decodeFloat(format, bits & 0xFFFF);
    if (in.ftz && from == Type::F32)
      v = flush(float(v));
    uint64_t r =
        clampToInteger(to, toIntegral(v, in.rounding), from == Type::F64);
    storeRow(x, in.d, l, in.toBits, extend(to, r));
  });
}

/// As `HostRounding` counts.
int hostMode(Rounding rounding) {
  switch (rounding) {
  case Rounding::TowardZero:
    return 1;
  case Rounding::Down:
    return 2;
  case Rounding::Up:
    return 3;
  default:
    return 0;
  }
}

void integerToFloat(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  Type to = in.to, from = in.from;
  forLanes(m, [&](int l) {
    uint64_t v = extend(from, loadRow(x, in.a, l, in.fromBits));
    bool negative = isSignedInteger(from) && int64_t(v) < 0;
    uint64_t magnitude = negative ? 0 - v : v;
    uint64_t r;
    if (to == Type::F64) {
      HostRounding rounding(hostMode(in.rounding));
      volatile uint64_t u = v;
      volatile double w =
          isSignedInteger(from) ? double(int64_t(u)) : double(uint64_t(u));
      // Hosts make zero of a difference, which is -0 when rounding down.
      r = v ? asBits(double(w)) : 0;
      if (in.sat)
        r = asBits(w <= 0 ? 0.0 : w > 1 ? 1.0 : double(w));
    } else {
      r = finishFloat(in, oddDouble(negative, magnitude));
    }
    storeRow(x, in.d, l, in.toBits, r);
  });
}

void integerToInteger(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  Type to = in.to, from = in.from;
  int bits = typeBits(to);
  bool toSigned = isSignedInteger(to), fromSigned = isSignedInteger(from);
  forLanes(m, [&](int l) {
    uint64_t v = extend(from, loadRow(x, in.a, l, in.fromBits));
    if (in.sat) {
      __int128 w = fromSigned ? __int128(int64_t(v)) : __int128(v);
      __int128 low = toSigned ? -(__int128(1) << (bits - 1)) : 0;
      __int128 high = (__int128(1) << (toSigned ? bits - 1 : bits)) - 1;
      w = w < low ? low : w > high ? high : w;
      v = uint64_t(w);
    }
    storeRow(x, in.d, l, in.toBits, extend(to, v));
  });
}

/// Integers of 32 and 64 bits in registers of their width.
template <typename To, typename From>
void resize(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  To *d = x.row<To>(in.d);
  From *a = x.row<From>(in.a);
  lanes(m, [&](int l) { d[l] = To(a[l]); });
}

/// The handler of such a conversion without saturation; null: another one's.
Handler resizing(const ConvertRows &in) {
  int to = typeBits(in.to), from = typeBits(in.from);
  if (in.sat || to < 32 || from < 32 || to != in.toBits || from != in.fromBits)
    return nullptr;
  if (to == 32)
    return from == 32 ? resize<uint32_t, uint32_t> : resize<uint32_t, uint64_t>;
  return from == 64                 ? resize<uint64_t, uint64_t>
         : isSignedInteger(in.from) ? resize<uint64_t, int32_t>
                                    : resize<uint64_t, uint32_t>;
}

/// Two f32 (or one packed value) to a packed type; the first is the upper one.
void toPacked(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  Type to = in.to, from = in.from;
  const FloatFormat &target = *formatOf(to);
  const FloatFormat &source = *formatOf(from);
  int width = elementBits(to),
      sourceWidth = isPacked(from) ? elementBits(from) : 32;
  forLanes(m, [&](int l) {
    double v[2];
    if (isPacked(from)) {
      uint64_t bits = loadRow(x, in.a, l, 32);
      uint64_t ones = (uint64_t(1) << source.bits()) - 1;
      v[0] = decodeFloat(source, bits & ones);
      v[1] = decodeFloat(source, bits >> sourceWidth & ones);
    } else {
      v[1] = x.row<float>(in.a)[l];
      v[0] = x.row<float>(in.b)[l];
    }
    uint64_t r = 0;
    for (int k = 0; k < 2; ++k) {
      if (in.ftz && !isPacked(from))
        v[k] = flush(float(v[k]));
      if (in.relu && v[k] <= 0)
        v[k] = 0;
      r |= encodeFloat(target, v[k], in.rounding, in.satFinite) << (width * k);
    }
    storeRow(x, in.d, l, in.toBits, r);
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

/// Two sources have a half of them each, of which f16 drops the upper three
/// bits. Of four, each pair shares 16 bits, which the first of it reads in
/// reverse (measured on a B200; the manual shows it in a figure): a half, or a
/// byte of each half for the two bytes of e2m1x4.
void toStochastic(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<StochasticRows>();
  Type to = in.to;
  const FloatFormat &f = *formatOf(to);
  int n = in.count, width = elementBits(to);
  auto *random = x.row<uint32_t>(in.a);
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
      float v = x.row<float>(in.sources[k])[l];
      if (in.relu && v <= 0)
        v = 0;
      r |= roundStochastic(f, v, own & ((1u << count) - 1), count, in.satFinite)
           << (width * (n - 1 - k));
    }
    storeRow(x, in.d, l, in.toBits, r);
  });
}

void cvtPack(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertRows>();
  Type to = in.to;
  auto *d = x.row<uint32_t>(in.d), *c = x.row<uint32_t>(in.c);
  auto *a = x.row<int32_t>(in.a), *b = x.row<int32_t>(in.b);
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

bool decodeStochastic(Decoder &d, const ConvertRows &modes) {
  Type to = modes.to, from = modes.from;
  auto &in = d.make<StochasticRows>();
  static_cast<ConvertRows &>(in) = modes;
  if (from != Type::F32 ||
      (to != Type::F16x2 && to != Type::BF16x2 && !isFour(to)))
    return d.fail("expected .f32 sources and a packed type of 2 or 4");
  size_t count = isFour(to) ? 4 : 2, sources = isFour(to) ? 1 : 2;
  std::vector<int32_t> rows;
  int bits;
  if (!d.operands(2 + sources, 2 + sources) ||
      !d.anyDestination(d.operand(0), to, in.d, bits))
    return false;
  in.toBits = uint8_t(bits);
  for (size_t k = 0; k < sources; ++k)
    if (!d.sources(d.operand(1 + k), Type::F32, rows))
      return false;
  if (rows.size() != count || bits < int(count) * elementBits(to))
    return d.fail("expected " + std::to_string(count) + " sources");
  if (!d.source(d.operand(1 + sources), Type::B32, in.a))
    return d.fail("expected random bits as the last operand");
  std::copy(rows.begin(), rows.end(), in.sources);
  in.count = int32_t(count);
  d.emit(toStochastic, Class::Convert);
  return true;
}

bool decodePack(Decoder &d) {
  auto &in = d.make<ConvertRows>();
  d.has("sat");
  in.to = d.type();
  in.from = d.type();
  d.type(); // Of the rest.
  if (in.from != Type::S32 || !d.operands(3, 4))
    return d.fail("expected .s32 sources");
  in.c = d.constantRow(0, 4);
  return d.destination(d.operand(0), Type::U32, in.d) &&
         d.source(d.operand(1), Type::S32, in.a) &&
         d.source(d.operand(2), Type::S32, in.b) &&
         (d.count() < 4 || d.source(d.operand(3), Type::B32, in.c)) &&
         (d.emit(cvtPack, Class::Convert), true);
}

/// Takes the rounding, the last one of several.
void takeRounding(Decoder &d, ConvertRows &in) {
  static const struct {
    const char *word;
    Rounding rounding;
    bool toIntegral;
  } roundings[] = {{"rn", Rounding::NearestEven, false},
                   {"rz", Rounding::TowardZero, false},
                   {"rm", Rounding::Down, false},
                   {"rp", Rounding::Up, false},
                   {"rna", Rounding::NearestAway, false},
                   {"rni", Rounding::NearestEven, true},
                   {"rzi", Rounding::TowardZero, true},
                   {"rmi", Rounding::Down, true},
                   {"rpi", Rounding::Up, true}};
  for (const auto &one : roundings)
    if (d.has(one.word)) {
      in.rounding = one.rounding;
      in.toIntegral = one.toIntegral;
    }
}

bool decodeCvt(Decoder &d) {
  if (d.has("pack"))
    return decodePack(d);
  auto &in = d.make<ConvertRows>();
  takeRounding(d, in);
  bool stochastic = d.has("rs");
  in.ftz = d.has("ftz");
  in.sat = d.has("sat");
  in.relu = d.has("relu");
  in.satFinite = d.has("satfinite");
  d.has("scaled::n2::ue8m0");
  Type to = in.to = d.type(), from = in.from = d.type();
  if (from == Type::None)
    return d.fail("expected two types");
  if (stochastic)
    return decodeStochastic(d, ConvertRows(in));
  int bits;
  if (!d.operands(isPacked(to) && !isPacked(from) ? 3 : 2,
                  isPacked(to) && !isPacked(from) ? 3 : 2) ||
      !d.anyDestination(d.operand(0), to, in.d, bits))
    return false;
  in.toBits = uint8_t(bits);
  if (typeBits(to) > bits)
    return d.fail("destination register is too narrow");
  if (!d.anySource(d.operand(1), from, in.a, bits))
    return false;
  in.fromBits = uint8_t(bits);
  if (typeBits(from) > bits)
    return d.fail("source register is too narrow");
  Handler h = nullptr;
  bool toFloat = formatOf(to), fromFloat = formatOf(from);
  // Nothing but the rounding to nearest.
  bool isPlain = !in.ftz && !in.sat && !in.relu && !in.satFinite &&
                 !in.toIntegral && in.rounding == Rounding::NearestEven;
  if (isPacked(to)) {
    if (!fromFloat)
      return d.fail(kNoSuchType);
    if (!isPacked(from) && !d.source(d.operand(2), Type::F32, in.b))
      return false;
    h = toPacked;
    if (isPlain && from == Type::F32 &&
        (to == Type::BF16x2 || to == Type::F16x2))
      h = to == Type::F16x2 ? narrowTwo<halfOf> : narrowTwo<bfloatOf>;
  } else if (isPacked(from)) {
    return d.fail(kNoSuchType);
  } else if (toFloat && fromFloat) {
    h = floatToFloat;
    bool isNarrow = in.fromBits <= 32 && in.toBits <= 32;
    if (isPlain && isNarrow && to == Type::F32 && from == Type::F16)
      h = widenHalf;
    if (isPlain && isNarrow && to == Type::F32 && from == Type::BF16)
      h = widenBfloat;
    if (isPlain && isNarrow && from == Type::F32 && to == Type::F16)
      h = narrowOne<halfOf>;
    if (isPlain && isNarrow && from == Type::F32 && to == Type::BF16)
      h = narrowOne<bfloatOf>;
    if (in.sat && !in.ftz && !in.relu && !in.toIntegral && from == Type::F32 &&
        to == Type::F32)
      h = saturate;
  } else if (isInteger(to) && fromFloat) {
    if (!in.toIntegral)
      return d.fail("conversion to an integer needs .rni, .rzi, .rmi or .rpi");
    h = floatToInteger;
  } else if (toFloat && isInteger(from)) {
    h = integerToFloat;
  } else if (isInteger(to) && isInteger(from)) {
    h = resizing(in);
    if (!h)
      h = integerToInteger;
  } else {
    return d.fail(kNoSuchType);
  }
  d.emit(h, Class::Convert);
  return true;
}

} // namespace

void registerConvert() { RegisterDecoders({{"cvt", decodeCvt}}); }

} // namespace tileir::emu

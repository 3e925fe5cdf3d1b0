// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Dtype.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace tileir::cases {

const FloatFormat kF16{5, 10, true, true, FloatFormat::IeeeNaN};
const FloatFormat kBF16{8, 7, true, true, FloatFormat::IeeeNaN};
const FloatFormat kF32{8, 23, true, true, FloatFormat::IeeeNaN};
const FloatFormat kTF32{8, 10, true, true, FloatFormat::IeeeNaN};
const FloatFormat kF64{11, 52, true, true, FloatFormat::IeeeNaN};
const FloatFormat kE4M3{4, 3, true, false, FloatFormat::AllOnes};
const FloatFormat kE5M2{5, 2, true, true, FloatFormat::IeeeNaN};
const FloatFormat kE2M3{2, 3, true, false, FloatFormat::NoNaN};
const FloatFormat kE3M2{3, 2, true, false, FloatFormat::NoNaN};
const FloatFormat kE2M1{2, 1, true, false, FloatFormat::NoNaN};
const FloatFormat kUE8M0{8, 0, false, false, FloatFormat::AllOnes};

static double bitCastDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bitCastInteger(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double decodeFloat(const FloatFormat &f, uint64_t bits) {
  int m = f.mantissaBits, e = f.exponentBits;
  uint64_t mantissa = bits & ((uint64_t(1) << m) - 1);
  int exponent = int(bits >> m & ((uint64_t(1) << e) - 1));
  bool negative = f.hasSign && (bits >> (m + e) & 1);
  int top = (1 << e) - 1;
  double value;
  if (m == 0) { // Powers of two without zero: only ue8m0.
    if (exponent == top)
      return std::numeric_limits<double>::quiet_NaN();
    return std::ldexp(1.0, exponent - f.bias());
  }
  bool allOnes = exponent == top && mantissa == (uint64_t(1) << m) - 1;
  if ((f.nanStyle == FloatFormat::IeeeNaN && exponent == top && mantissa) ||
      (f.nanStyle == FloatFormat::AllOnes && allOnes))
    return std::numeric_limits<double>::quiet_NaN();
  if (f.hasInfinity && exponent == top)
    value = std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(double(mantissa), 1 - f.bias() - m);
  else
    value = std::ldexp(double(mantissa + (uint64_t(1) << m)),
                       exponent - f.bias() - m);
  return negative ? -value : value;
}

/// Returns the largest finite magnitude as bits without sign.
static uint64_t maxFinite(const FloatFormat &f) {
  uint64_t all = (uint64_t(1) << (f.exponentBits + f.mantissaBits)) - 1;
  switch (f.nanStyle) {
  case FloatFormat::IeeeNaN:
    return (((uint64_t(1) << f.exponentBits) - 1) << f.mantissaBits) - 1;
  case FloatFormat::AllOnes:
    return all - 1;
  case FloatFormat::NoNaN:
    return all;
  }
  return all;
}

static uint64_t canonicalNaN(const FloatFormat &f) {
  uint64_t all = (uint64_t(1) << (f.exponentBits + f.mantissaBits)) - 1;
  return f.nanStyle == FloatFormat::NoNaN ? maxFinite(f) : all;
}

uint64_t encodeFloat(const FloatFormat &f, double value, Rounding rounding,
                     bool saturate) {
  int m = f.mantissaBits;
  bool negative = std::signbit(value);
  uint64_t sign =
      f.hasSign && negative ? uint64_t(1) << (m + f.exponentBits) : 0;
  if (std::isnan(value))
    return canonicalNaN(f);
  if (m == 0) { // ue8m0: the power of two of the magnitude.
    double magnitude = std::fabs(value);
    if (magnitude == 0)
      return 0;
    if (std::isinf(magnitude))
      return saturate ? 254 : 255;
    int exponent;
    double fraction = std::frexp(magnitude, &exponent); // [0.5, 1)
    int code = exponent - 1 + f.bias();
    bool up = rounding == Rounding::Up ? fraction > 0.5
                                       : (rounding == Rounding::NearestEven ||
                                          rounding == Rounding::NearestAway) &&
                                             fraction > 0.75;
    code += up;
    return code < 0 ? 0 : code > 254 ? 254 : code;
  }
  uint64_t largest = maxFinite(f);
  uint64_t infinity = f.hasInfinity ? ((uint64_t(1) << f.exponentBits) - 1) << m
                      : f.nanStyle == FloatFormat::AllOnes ? canonicalNaN(f)
                                                           : largest;
  if (std::isinf(value))
    return sign | (saturate ? largest : infinity);
  uint64_t raw = bitCastInteger(value) & ~(uint64_t(1) << 63);
  if (raw == 0)
    return sign;
  int exponent = int(raw >> 52);
  uint64_t mantissa = raw & ((uint64_t(1) << 52) - 1);
  // Most numbers are normal in the format, and finite if rounded up.
  if (int biased = exponent - 1023 + f.bias();
      rounding == Rounding::NearestEven && m < 52 && biased >= 1 &&
      biased < (1 << f.exponentBits) - 2) {
    uint64_t wide = uint64_t(biased) << 52 | mantissa;
    uint64_t tie = (uint64_t(1) << (51 - m)) - 1 + (wide >> (52 - m) & 1);
    return sign | (wide + tie) >> (52 - m);
  }
  if (exponent == 0) { // Normalise a subnormal double.
    int shift = __builtin_clzll(mantissa) - 11;
    mantissa = (mantissa << shift) & ((uint64_t(1) << 52) - 1);
    exponent = 1 - shift;
  }
  mantissa |= uint64_t(1) << 52;
  int target = exponent - 1023 + f.bias(); // Biased exponent in the format.
  int shift = 52 - m + (target < 1 ? 1 - target : 0);
  uint64_t kept, rest, half;
  if (shift > 62) {
    kept = 0;
    rest = 1;
    half = 2;
  } else if (shift <= 0) {
    kept = mantissa;
    rest = 0;
    half = 1;
  } else {
    kept = mantissa >> shift;
    rest = mantissa & ((uint64_t(1) << shift) - 1);
    half = uint64_t(1) << (shift - 1);
  }
  bool up = false;
  switch (rounding) {
  case Rounding::NearestEven:
    up = rest > half || (rest == half && (kept & 1));
    break;
  case Rounding::NearestAway:
    up = rest >= half && rest;
    break;
  case Rounding::TowardZero:
    break;
  case Rounding::Down:
    up = rest && negative;
    break;
  case Rounding::Up:
    up = rest && !negative;
    break;
  }
  kept += up;
  // A carry out of the mantissa propagates into the exponent.
  uint64_t bits = target < 1 ? kept : kept + (uint64_t(target - 1) << m);
  if (target >= (1 << f.exponentBits) + 1 || bits > largest) {
    bool toInfinity = rounding == Rounding::NearestEven ||
                      rounding == Rounding::NearestAway ||
                      (rounding == Rounding::Up && !negative) ||
                      (rounding == Rounding::Down && negative);
    return sign | (toInfinity && !saturate ? infinity : largest);
  }
  return sign | bits;
}

double addRoundOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  // Knuth's two-sum: the exact error of the addition.
  double bb = sum - a;
  double error = (a - (sum - bb)) + (b - bb);
  if (error == 0)
    return sum;
  uint64_t bits = bitCastInteger(sum);
  if (bits & 1)
    return sum;
  // Truncate toward the exact value, then make the last bit odd.
  bool awayFromZero = (error > 0) == (sum > 0);
  return bitCastDouble(awayFromZero ? bits + 1 : bits - 1);
}

namespace {
struct Row {
  Dtype dtype;
  const char *name;
  int bits;
  const FloatFormat *format;
  bool isUnsigned;
};
} // namespace

static const Row kRows[] = {
    {Dtype::I1, "i1", 8, nullptr, true},
    {Dtype::I4, "i4", 4, nullptr, false},
    {Dtype::I8, "i8", 8, nullptr, false},
    {Dtype::I16, "i16", 16, nullptr, false},
    {Dtype::I32, "i32", 32, nullptr, false},
    {Dtype::I64, "i64", 64, nullptr, false},
    {Dtype::U8, "u8", 8, nullptr, true},
    {Dtype::U16, "u16", 16, nullptr, true},
    {Dtype::U32, "u32", 32, nullptr, true},
    {Dtype::U64, "u64", 64, nullptr, true},
    {Dtype::F16, "f16", 16, &kF16, false},
    {Dtype::BF16, "bf16", 16, &kBF16, false},
    {Dtype::F32, "f32", 32, &kF32, false},
    {Dtype::TF32, "tf32", 32, &kTF32, false},
    {Dtype::F64, "f64", 64, &kF64, false},
    {Dtype::F8E4M3FN, "f8E4M3FN", 8, &kE4M3, false},
    {Dtype::F8E5M2, "f8E5M2", 8, &kE5M2, false},
    {Dtype::F8E8M0FNU, "f8E8M0FNU", 8, &kUE8M0, false},
    {Dtype::F4E2M1FN, "f4E2M1FN", 4, &kE2M1, false},
};

static const Row &row(Dtype dtype) { return kRows[int(dtype)]; }

std::optional<Dtype> parseDtype(std::string_view name) {
  for (const Row &r : kRows)
    if (name == r.name)
      return r.dtype;
  return std::nullopt;
}

std::string_view dtypeName(Dtype dtype) { return row(dtype).name; }

std::string dtypeNames() {
  std::string out;
  for (const Row &r : kRows)
    out += (out.empty() ? "" : ", ") + std::string(r.name);
  return out;
}

bool isFloat(Dtype dtype) { return row(dtype).format; }
bool isUnsigned(Dtype dtype) { return row(dtype).isUnsigned; }
const FloatFormat *floatFormat(Dtype dtype) { return row(dtype).format; }
int storageBits(Dtype dtype) { return row(dtype).bits; }

uint64_t loadBits(Dtype dtype, const uint8_t *base, size_t index) {
  int bits = storageBits(dtype);
  if (bits == 4)
    return base[index / 2] >> (index % 2 * 4) & 15;
  uint64_t out = 0;
  std::memcpy(&out, base + index * (bits / 8), bits / 8);
  return out;
}

void storeBits(Dtype dtype, uint8_t *base, size_t index, uint64_t value) {
  int bits = storageBits(dtype);
  if (bits == 4) {
    int shift = index % 2 * 4;
    base[index / 2] =
        uint8_t((base[index / 2] & ~(15 << shift)) | (value & 15) << shift);
    return;
  }
  std::memcpy(base + index * (bits / 8), &value, bits / 8);
}

int64_t bitsToInteger(Dtype dtype, uint64_t value) {
  int bits = storageBits(dtype);
  if (bits == 64)
    return int64_t(value);
  value &= (uint64_t(1) << bits) - 1;
  if (!isUnsigned(dtype) && (value >> (bits - 1) & 1))
    value |= ~uint64_t(0) << bits;
  return int64_t(value);
}

double bitsToDouble(Dtype dtype, uint64_t bits) {
  if (dtype == Dtype::TF32)
    return decodeFloat(kF32, bits);
  if (const FloatFormat *format = floatFormat(dtype))
    return decodeFloat(*format, bits);
  if (dtype == Dtype::U64)
    return double(bits);
  return double(bitsToInteger(dtype, bits));
}

uint64_t doubleToBits(Dtype dtype, double value, Rounding rounding) {
  if (dtype == Dtype::TF32)
    return encodeFloat(kTF32, value, rounding) << 13;
  if (const FloatFormat *format = floatFormat(dtype))
    return encodeFloat(*format, value, rounding);
  int bits = storageBits(dtype);
  if (dtype == Dtype::I1)
    return value != 0;
  double rounded = std::nearbyint(value);
  uint64_t out = rounded >= 9223372036854775808.0 ? uint64_t(rounded)
                                                  : uint64_t(int64_t(rounded));
  return bits == 64 ? out : out & ((uint64_t(1) << bits) - 1);
}

std::string formatElement(Dtype dtype, uint64_t bits) {
  char buffer[64];
  if (isFloat(dtype))
    std::snprintf(buffer, sizeof buffer, "%.9g", bitsToDouble(dtype, bits));
  else if (isUnsigned(dtype))
    std::snprintf(buffer, sizeof buffer, "%llu",
                  (unsigned long long)bitsToInteger(dtype, bits));
  else
    std::snprintf(buffer, sizeof buffer, "%lld",
                  (long long)bitsToInteger(dtype, bits));
  return buffer;
}

} // namespace tileir::cases

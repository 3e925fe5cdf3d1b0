// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_DTYPE_H
#define TOOLS_CASES_DTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tileir::cases {

/// Rounding of a real number to a narrow format. `NearestAway` rounds ties away
/// from zero.
enum class Rounding { NearestEven, TowardZero, Down, Up, NearestAway };

/// A binary floating-point format of at most 64 bits.
struct FloatFormat {
  int exponentBits;
  int mantissaBits; ///< Stored bits, without the hidden one.
  bool hasSign;
  bool hasInfinity;
  /// `IeeeNaN`: exponent all ones; `AllOnes`: only the all-ones magnitude is
  /// NaN; `NoNaN`: every code is a number.
  enum NaNStyle { IeeeNaN, AllOnes, NoNaN } nanStyle;

  int bits() const { return exponentBits + mantissaBits + (hasSign ? 1 : 0); }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};

extern const FloatFormat kF16, kBF16, kF32, kTF32, kF64, kE4M3, kE5M2, kE2M3,
    kE3M2, kE2M1, kUE8M0;

/// Returns the exact value of a bit pattern; NaN for NaN patterns.
double decodeFloat(const FloatFormat &format, uint64_t bits);

/// Rounds `value` once to `format`. Overflow gives infinity if the format has
/// it and the rounding mode demands it, else the largest finite value. NaN
/// gives the canonical NaN, or the largest finite value if the format has no
/// NaN. `saturate` gives the largest finite value on overflow and for
/// infinities.
uint64_t encodeFloat(const FloatFormat &format, double value, Rounding rounding,
                     bool saturate = false);

/// Returns a + b rounded to odd: a later rounding to at most 51 bits then
/// equals the rounding of the exact sum.
double addRoundOdd(double a, double b);

/// Element types of case files.
enum class Dtype {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F4E2M1FN
};

std::optional<Dtype> parseDtype(std::string_view name);
std::string_view dtypeName(Dtype dtype);
/// Returns all names, for error messages.
std::string dtypeNames();

bool isFloat(Dtype dtype);
bool isUnsigned(Dtype dtype);
/// Returns the format of a float type, null for an integer.
const FloatFormat *floatFormat(Dtype dtype);
/// Returns the bits of one element in memory; i1 is a byte, tf32 four bytes.
int storageBits(Dtype dtype);
inline size_t storageBytes(Dtype dtype, size_t elements) {
  return (elements * storageBits(dtype) + 7) / 8;
}

/// Returns the raw bits of element `index` of an array; sub-byte types have
/// their first element in the low nibble.
uint64_t loadBits(Dtype dtype, const uint8_t *base, size_t index);
void storeBits(Dtype dtype, uint8_t *base, size_t index, uint64_t bits);

/// Returns the value of raw bits; integers are exact up to 2^53.
double bitsToDouble(Dtype dtype, uint64_t bits);
/// Converts a value to raw bits. Integers: round to nearest, then wrap. Floats:
/// one rounding.
uint64_t doubleToBits(Dtype dtype, double value,
                      Rounding rounding = Rounding::NearestEven);
/// Returns the sign- or zero-extended value of an integer type.
int64_t bitsToInteger(Dtype dtype, uint64_t bits);

/// Formats an element for messages.
std::string formatElement(Dtype dtype, uint64_t bits);

} // namespace tileir::cases

#endif // TOOLS_CASES_DTYPE_H

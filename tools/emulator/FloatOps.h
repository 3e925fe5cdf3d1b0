// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_FLOATOPS_H
#define TOOLS_EMULATOR_FLOATOPS_H

#include "tools/cases/Dtype.h"

#include <cfenv>
#include <cmath>
#include <cstring>

namespace tileir::emu {

inline float asFloat(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint32_t asBits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}
inline double asDouble(uint64_t bits) {
  double d;
  std::memcpy(&d, &bits, 8);
  return d;
}
inline uint64_t asBits(double d) {
  uint64_t bits;
  std::memcpy(&bits, &d, 8);
  return bits;
}

constexpr uint32_t kNaN32 = 0x7FFFFFFF;

inline float canonical(float f) { return f != f ? asFloat(kNaN32) : f; }
inline double canonical(double d) {
  return d != d ? asDouble(0x7FF8000000000000) : d;
}
/// The result of arithmetic on `a`, `b` and `c`. One f32 stands for every NaN.
/// In f64 a NaN operand is passed on, quiet, and one that the operation makes
/// has its sign set (measured on an H200).
inline float withNaN(float r, float, float, float) { return canonical(r); }
inline double withNaN(double r, double a, double b, double c) {
  if (r == r)
    return r;
  for (double v : {a, b, c})
    if (v != v)
      return asDouble(asBits(v) | uint64_t(1) << 51);
  return asDouble(0xFFF8000000000000);
}
inline float flush(float f) {
  uint32_t bits = asBits(f);
  return (bits & 0x7F800000) == 0 ? asFloat(bits & 0x80000000) : f;
}
inline double flush(double d) {
  uint64_t bits = asBits(d);
  return (bits >> 52 & 0x7FF) == 0 ? asDouble(bits & (uint64_t(1) << 63)) : d;
}

/// f16 as float by table.
const float *halfTable();
inline float halfToFloat(uint16_t bits) { return halfTable()[bits]; }
inline float bfloatToFloat(uint16_t bits) {
  return asFloat(uint32_t(bits) << 16);
}
inline uint16_t floatToHalf(double value) {
  return uint16_t(
      cases::encodeFloat(cases::kF16, value, cases::Rounding::NearestEven));
}
inline uint16_t floatToBfloat(double value) {
  return uint16_t(
      cases::encodeFloat(cases::kBF16, value, cases::Rounding::NearestEven));
}

/// Sets the host's rounding for a scope: 0 nearest, 1 zero, 2 down, 3 up.
class HostRounding {
public:
  explicit HostRounding(int mode) : mode(mode) {
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};
    if (mode)
      std::fesetround(modes[mode]);
  }
  ~HostRounding() {
    if (mode)
      std::fesetround(FE_TONEAREST);
  }

private:
  int mode;
};

/// min and max as the instructions define them: a NaN loses unless `nan`, and
/// -0 is below +0.
template <typename T> T minimum(T a, T b, bool nan) {
  if (a != a || b != b)
    return (a != a && b != b) || nan ? canonical(T(NAN)) : (a != a ? b : a);
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T> T maximum(T a, T b, bool nan) {
  if (a != a || b != b)
    return (a != a && b != b) || nan ? canonical(T(NAN)) : (a != a ? b : a);
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_FLOATOPS_H

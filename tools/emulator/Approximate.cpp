// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximations of functions: rcp, sqrt, ex2 and the like.
#include "tools/emulator/FloatDecode.h"
#include "tools/emulator/FloatOps.h"

namespace tileir::emu {

namespace {

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
  const auto &in = i.as<FloatRows>();
  float *d = x.row<float>(in.d), *a = x.row<float>(in.a);
  forLanes(m, [&](int l) {
    float v = in.flags & Ftz ? flush(a[l]) : a[l];
    float r = float(approx(in.op, v));
    d[l] = canonical(in.flags & Ftz ? flush(r) : r);
  });
}
template <int Count> void approxHalf(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a);
  forLanes(m, [&](int l) {
    auto one = [&](uint16_t bits) -> uint32_t {
      double v = in.isBf16 ? bfloatToFloat(bits) : halfToFloat(bits);
      if (in.flags & Ftz)
        v = double(flush(float(v)));
      double r = approx(in.op, v);
      return in.isBf16 ? floatToBfloat(r) : floatToHalf(r);
    };
    uint32_t r = one(uint16_t(a[l]));
    if (Count == 2)
      r |= one(uint16_t(a[l] >> 16)) << 16;
    d[l] = r;
  });
}
/// With .ftz rcp and rsqrt.approx.f64 see and make upper words only.
void approxF64(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  auto *d = x.row<uint64_t>(in.d), *a = x.row<uint64_t>(in.a);
  forLanes(m, [&](int l) {
    if (!(in.flags & Ftz)) {
      d[l] = asBits(canonical(approx(in.op, asDouble(a[l]))));
      return;
    }
    double v = flush(asDouble(a[l] & 0xFFFFFFFF00000000));
    double r = flush(canonical(approx(in.op, v)));
    d[l] = asBits(r) & 0xFFFFFFFF00000000;
  });
}
void divApprox(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FloatRows>();
  float *d = x.row<float>(in.d), *a = x.row<float>(in.a),
        *b = x.row<float>(in.b);
  forLanes(m, [&](int l) {
    float p = a[l], q = b[l];
    if (in.flags & Ftz) {
      p = flush(p);
      q = flush(q);
    }
    float r = p / q;
    // Outside 2^-126 … 2^126 the quotient is lost.
    if (in.op == ADiv && std::fabs(q) > 0x1p126f && std::isfinite(q))
      r = std::isinf(p) ? NAN : std::copysign(0.0f, r);
    d[l] = canonical(in.flags & Ftz ? flush(r) : r);
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeDivApprox(Decoder &d, Type t, bool isFull) {
  auto &in = d.make<FloatRows>();
  takeModifiers(d, in);
  if (t != Type::F32)
    return d.fail("expected type .f32");
  in.op = isFull ? ADivFull : ADiv;
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         (d.emit(divApprox, Class::Special), true);
}

namespace {

bool decodeApprox(Decoder &d) {
  auto &in = d.make<FloatRows>();
  const std::string &w = d.s->words[0];
  bool isApprox = d.has("approx");
  Type t = d.type();
  takeModifiers(d, in);
  if (!isApprox && (w == "sqrt" || w == "rcp"))
    return decodeArithmetic(d, in, t, w == "sqrt" ? OpSqrt : OpRcp, 1);
  if (!isApprox && w != "ex2" && w != "tanh")
    return d.fail("expected '.approx'");
  in.op = w == "rcp"     ? ARcp
          : w == "rsqrt" ? ARsqrt
          : w == "sqrt"  ? ASqrt
          : w == "ex2"   ? AEx2
          : w == "lg2"   ? ALg2
          : w == "sin"   ? ASin
          : w == "cos"   ? ACos
                         : ATanh;
  in.isBf16 = t == Type::BF16 || t == Type::BF16x2;
  Handler h = t == Type::F32                          ? approxF32
              : t == Type::F64                        ? approxF64
              : t == Type::F16 || t == Type::BF16     ? approxHalf<1>
              : t == Type::F16x2 || t == Type::BF16x2 ? approxHalf<2>
                                                      : Handler(nullptr);
  if (!h)
    return d.fail(kNoSuchType);
  return d.operands(2, 2) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && (d.emit(h, Class::Special), true);
}

} // namespace

void registerApproximations() {
  RegisterDecoders({
      {"rcp", decodeApprox},
      {"rsqrt", decodeApprox},
      {"sqrt", decodeApprox},
      {"ex2", decodeApprox},
      {"lg2", decodeApprox},
      {"sin", decodeApprox},
      {"cos", decodeApprox},
      {"tanh", decodeApprox},
  });
}

} // namespace tileir::emu

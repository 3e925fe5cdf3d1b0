// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic, bits, comparison of integers, selection and moves.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>
#include <limits>

namespace tileir::emu {

namespace {

template <typename T> using U = std::make_unsigned_t<T>;
template <typename T> constexpr int kBits = int(sizeof(T) * 8);

template <typename T> T add(T a, T b) { return T(U<T>(a) + U<T>(b)); }
template <typename T> T sub(T a, T b) { return T(U<T>(a) - U<T>(b)); }
template <typename T> T mulLo(T a, T b) {
  return T(uint64_t(U<T>(a)) * uint64_t(U<T>(b)));
}
template <typename T> T mulHi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    if constexpr (std::is_signed_v<T>)
      return T((__int128(a) * b) >> 64);
    else
      return T((static_cast<unsigned __int128>(a) * b) >> 64);
  } else {
    using W = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return T((W(a) * W(b)) >> kBits<T>);
  }
}
template <typename T> T div(T a, T b) {
  if (b == 0)
    return T(~T(0));
  if (std::is_signed_v<T> && b == T(-1))
    return T(0 - U<T>(a));
  return T(a / b);
}
template <typename T> T rem(T a, T b) {
  if (b == 0)
    return a;
  if (std::is_signed_v<T> && b == T(-1))
    return 0;
  return T(a % b);
}
template <typename T> T smin(T a, T b) { return a < b ? a : b; }
template <typename T> T smax(T a, T b) { return a > b ? a : b; }
template <typename T> T sminRelu(T a, T b) {
  return std::max<T>(smin(a, b), 0);
}
template <typename T> T smaxRelu(T a, T b) {
  return std::max<T>(smax(a, b), 0);
}
template <typename T> T band(T a, T b) { return a & b; }
template <typename T> T bor(T a, T b) { return a | b; }
template <typename T> T bxor(T a, T b) { return a ^ b; }
template <typename T> T bnot(T a) { return T(~a); }
template <typename T> T cnot(T a) { return a == 0; }
template <typename T> T neg(T a) { return T(0 - U<T>(a)); }
template <typename T> T iabs(T a) { return a < 0 ? neg(a) : a; }
template <typename T> T madLo(T a, T b, T c) { return add(mulLo(a, b), c); }
template <typename T> T madHi(T a, T b, T c) { return add(mulHi(a, b), c); }
template <typename T> T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}
int32_t addSat(int32_t a, int32_t b) {
  return int32_t(std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX));
}
int32_t subSat(int32_t a, int32_t b) {
  return int32_t(std::clamp<int64_t>(int64_t(a) - b, INT32_MIN, INT32_MAX));
}
int32_t madHiSat(int32_t a, int32_t b, int32_t c) {
  return addSat(mulHi(a, b), c);
}
template <typename T> uint32_t popc(T a) {
  return uint32_t(__builtin_popcountll(uint64_t(U<T>(a))));
}
template <typename T> uint32_t clz(T a) {
  return a == 0 ? kBits<T>
                : uint32_t(__builtin_clzll(uint64_t(a)) - (64 - kBits<T>));
}
template <typename T> T brev(T a) {
  T r = 0;
  for (int i = 0; i < kBits<T>; ++i)
    r |= T(a >> i & 1) << (kBits<T> - 1 - i);
  return r;
}
template <typename T> uint32_t bfind(T a) {
  uint64_t v = uint64_t(U<T>(a));
  if (std::is_signed_v<T> && a < 0)
    v = uint64_t(U<T>(~a));
  return v == 0 ? 0xFFFFFFFF : uint32_t(63 - __builtin_clzll(v));
}
template <typename T> uint32_t bfindShift(T a) {
  uint32_t p = bfind(a);
  return p == 0xFFFFFFFF ? p : kBits<T> - 1 - p;
}

template <typename T> struct Halves {
  static uint32_t each(uint32_t a, uint32_t b, T (*f)(T, T)) {
    return uint32_t(uint16_t(f(T(a), T(b)))) |
           uint32_t(uint16_t(f(T(a >> 16), T(b >> 16)))) << 16;
  }
};
template <typename T, T (*F)(T, T)> uint32_t packed(uint32_t a, uint32_t b) {
  return Halves<T>::each(a, b, F);
}

//===--- shapes of their own ----------------------------------------------===//

template <typename W, typename N> void mulWide(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<typename RowOf<W>::Slot>(i.o[0]);
  auto *a = x.row<typename RowOf<N>::Slot>(i.o[1]);
  auto *b = x.row<typename RowOf<N>::Slot>(i.o[2]);
  lanes(m, [&](int l) {
    d[l] = RowOf<W>::store(
        W(U<W>(W(RowOf<N>::load(a[l]))) * U<W>(W(RowOf<N>::load(b[l])))));
  });
}
template <typename W, typename N> void madWide(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<typename RowOf<W>::Slot>(i.o[0]);
  auto *a = x.row<typename RowOf<N>::Slot>(i.o[1]);
  auto *b = x.row<typename RowOf<N>::Slot>(i.o[2]);
  auto *c = x.row<typename RowOf<W>::Slot>(i.o[3]);
  lanes(m, [&](int l) {
    d[l] = RowOf<W>::store(
        W(U<W>(W(RowOf<N>::load(a[l]))) * U<W>(W(RowOf<N>::load(b[l]))) +
          U<W>(RowOf<W>::load(c[l]))));
  });
}

enum ShiftKind { Left, Right };
template <typename T, ShiftKind K> void shift(Exec &x, const Inst &i, Mask m) {
  using S = typename RowOf<T>::Slot;
  S *d = x.row<S>(i.o[0]), *a = x.row<S>(i.o[1]);
  uint32_t *b = x.row<uint32_t>(i.o[2]);
  lanes(m, [&](int l) {
    T v = RowOf<T>::load(a[l]);
    uint32_t n = b[l];
    T r;
    if (K == Left)
      r = n >= uint32_t(kBits<T>) ? T(0) : T(U<T>(v) << n);
    else
      r = n >= uint32_t(kBits<T>) ? T(v < 0 ? -1 : 0) : T(v >> n);
    d[l] = RowOf<T>::store(r);
  });
}

void funnelLeft(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t n = i.a ? c[l] & 31 : std::min(c[l], 32u);
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    d[l] = uint32_t((n == 32 ? v << 32 : v << n) >> 32);
  });
}
void funnelRight(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t n = i.a ? c[l] & 31 : std::min(c[l], 32u);
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    d[l] = uint32_t(v >> n);
  });
}

/// `i.a`: 0 default, else the mode.
void prmt(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    auto byte = [&](int n) { return uint32_t(v >> (8 * n)) & 255; };
    uint32_t s = c[l], r = 0;
    int n = s & 3;
    for (int k = 0; k < 4; ++k) {
      uint32_t one = 0;
      switch (i.a) {
      case 0: {
        uint32_t sel = s >> (4 * k) & 15;
        one = byte(sel & 7);
        if (sel & 8)
          one = one & 128 ? 255 : 0;
        break;
      }
      case 1: // f4e
        one = byte(n + k);
        break;
      case 2: // b4e
        one = byte((n - k) & 7);
        break;
      case 3: // rc8
        one = byte(n);
        break;
      case 4: // ecl
        one = byte(std::max(k, n));
        break;
      case 5: // ecr
        one = byte(std::min(k, n));
        break;
      case 6: // rc16
        one = byte((n & 1) * 2 + (k & 1));
        break;
      }
      r |= one << (8 * k);
    }
    d[l] = r;
  });
}

void lop3(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  unsigned lut = unsigned(i.imm);
  lanes(m, [&](int l) {
    uint32_t r = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (lut >> k & 1)
        r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) &
             (k & 1 ? c[l] : ~c[l]);
    d[l] = r;
  });
}
void lop3Predicate(Exec &x, const Inst &i, Mask m) {
  lop3(x, i, m);
  auto *d = x.row<uint32_t>(i.o[0]);
  Mask q = x.predicate(i.o[5]), r = 0;
  forLanes(m, [&](int l) {
    bool nonZero = d[l] != 0, other = q >> l & 1;
    r |= Mask(i.a == 1 ? nonZero && other : nonZero || other) << l;
  });
  x.setPredicate(i.o[4], r, m);
}

template <typename T> void bfe(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]);
  auto *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t pos = b[l] & 255, len = c[l] & 255;
    uint32_t top = kBits<T> - 1;
    T v = a[l];
    bool sign = false;
    if (std::is_signed_v<T> && len)
      sign = U<T>(v) >> std::min(pos + len - 1, top) & 1;
    U<T> r = 0;
    for (uint32_t k = 0; k <= top; ++k) {
      bool bit = k < len && pos + k <= top ? U<T>(v) >> (pos + k) & 1 : sign;
      r |= U<T>(bit) << k;
    }
    d[l] = T(r);
  });
}
template <typename T> void bfi(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]);
  auto *c = x.row<uint32_t>(i.o[3]), *n = x.row<uint32_t>(i.o[4]);
  lanes(m, [&](int l) {
    uint32_t pos = c[l] & 255, len = n[l] & 255;
    T r = b[l];
    for (uint32_t k = 0; k < len && pos + k < uint32_t(kBits<T>); ++k)
      r = (r & ~(T(1) << (pos + k))) | (T(a[l] >> k & 1) << (pos + k));
    d[l] = r;
  });
}
void bmsk(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]);
  lanes(m, [&](int l) {
    uint32_t pos = i.a ? a[l] & 31 : a[l], len = i.a ? b[l] & 31 : b[l];
    uint64_t ones = len >= 32 ? 0xFFFFFFFF : (uint64_t(1) << len) - 1;
    d[l] = pos >= 32 ? 0 : uint32_t(ones << pos);
  });
}
template <typename T> void szext(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]);
  lanes(m, [&](int l) {
    uint32_t n = i.a ? b[l] & 31 : b[l];
    if (n == 0)
      d[l] = 0;
    else if (n >= 32)
      d[l] = a[l];
    else
      d[l] = uint32_t(T(a[l] << (32 - n)) >> (32 - n));
  });
}
void fns(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]);
  auto *o = x.row<int32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t mask = a[l], base = b[l];
    int offset = o[l];
    uint32_t r = 0xFFFFFFFF;
    if (offset == 0) {
      if (base < 32 && (mask >> base & 1))
        r = base;
    } else {
      int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
      for (int64_t pos = base; pos >= 0 && pos < 32; pos += step)
        if ((mask >> pos & 1) && --left == 0) {
          r = uint32_t(pos);
          break;
        }
    }
    d[l] = r;
  });
}

/// a: 1 signed, 2 the upper 32 of 48 bits, 4 with a sum; b: saturated.
void mul24(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    auto low24 = [&](uint32_t v) -> int64_t {
      return i.a & 1 ? int32_t(v << 8) >> 8 : int64_t(v & 0xFFFFFF);
    };
    int64_t product = low24(a[l]) * low24(b[l]);
    uint32_t r = uint32_t(i.a & 2 ? product >> 16 : product);
    d[l] = i.b ? uint32_t(addSat(int32_t(r), int32_t(c[l]))) : r + c[l];
  });
}

//===--- carries ----------------------------------------------------------===//

enum CarryOp { Add, Sub };
template <typename T, CarryOp K, bool In>
void withCarry(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]);
  lanes(m, [&](int l) {
    unsigned __int128 in = In ? x.warp->carry[l] : 0;
    unsigned __int128 r =
        K == Add ? static_cast<unsigned __int128>(a[l]) + b[l] + in
                 : static_cast<unsigned __int128>(a[l]) - b[l] - in;
    d[l] = T(r);
    if (i.a)
      x.warp->carry[l] = uint32_t(r >> kBits<T>) & 1;
  });
}
template <typename T, bool High, bool In>
void madCarry(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]),
    *c = x.row<T>(i.o[3]);
  lanes(m, [&](int l) {
    T product = High ? mulHi(a[l], b[l]) : mulLo(a[l], b[l]);
    unsigned __int128 r = static_cast<unsigned __int128>(U<T>(product)) +
                          U<T>(c[l]) + (In ? x.warp->carry[l] : 0);
    d[l] = T(r);
    if (i.a)
      x.warp->carry[l] = uint32_t(r >> kBits<T>) & 1;
  });
}

//===--- dot products and packed video instructions -----------------------===//

void dp4a(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t sum = c[l];
    for (int k = 0; k < 4; ++k) {
      int32_t p = i.a ? int8_t(a[l] >> (8 * k)) : uint8_t(a[l] >> (8 * k));
      int32_t q = i.b ? int8_t(b[l] >> (8 * k)) : uint8_t(b[l] >> (8 * k));
      sum += uint32_t(p * q);
    }
    d[l] = sum;
  });
}
void dp2a(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  lanes(m, [&](int l) {
    uint32_t sum = c[l];
    for (int k = 0; k < 2; ++k) {
      int32_t p = i.a ? int16_t(a[l] >> (16 * k)) : uint16_t(a[l] >> (16 * k));
      int at = 8 * (k + (i.c ? 2 : 0));
      int32_t q = i.b ? int8_t(b[l] >> at) : uint8_t(b[l] >> at);
      sum += uint32_t(p * q);
    }
    d[l] = sum;
  });
}

//===--- comparison -------------------------------------------------------===//

enum Compare { Eq, Ne, Lt, Le, Gt, Ge };

template <typename T, Compare C> bool compareInts(T a, T b) {
  switch (C) {
  case Eq:
    return a == b;
  case Ne:
    return a != b;
  case Lt:
    return a < b;
  case Le:
    return a <= b;
  case Gt:
    return a > b;
  case Ge:
    return a >= b;
  }
  return false;
}

template <typename T, Compare C> void setp(Exec &x, const Inst &i, Mask m) {
  using S = typename RowOf<T>::Slot;
  S *a = x.row<S>(i.o[2]), *b = x.row<S>(i.o[3]);
  Mask t = 0;
  for (int l = 0; l < 32; ++l)
    t |= Mask(compareInts<T, C>(RowOf<T>::load(a[l]), RowOf<T>::load(b[l])))
         << l;
  Mask p = t, q = ~t;
  if (i.a) { // Combined with a third operand.
    Mask c = x.predicate(i.o[4]);
    p = i.a == 1 ? t & c : i.a == 2 ? t | c : t ^ c;
    q = i.a == 1 ? ~t & c : i.a == 2 ? ~t | c : ~t ^ c;
  }
  x.setPredicate(i.o[0], p, m);
  x.setPredicate(i.o[1], q, m);
}

template <typename T> Handler setpHandler(Compare c) {
  switch (c) {
  case Eq:
    return setp<T, Eq>;
  case Ne:
    return setp<T, Ne>;
  case Lt:
    return setp<T, Lt>;
  case Le:
    return setp<T, Le>;
  case Gt:
    return setp<T, Gt>;
  case Ge:
    return setp<T, Ge>;
  }
  return nullptr;
}

/// set: the predicate of a setp before it becomes ones, zero or 1.0. a: packed.
void setResult(Exec &x, const Inst &i, Mask m) {
  Mask p = x.predicate(i.o[1]), high = i.a ? x.predicate(i.o[2]) : 0;
  uint32_t *d = x.row<uint32_t>(i.o[0]);
  uint32_t yes = uint32_t(i.imm);
  lanes(m, [&](int l) {
    d[l] = (p >> l & 1 ? yes : 0) | (high >> l & 1 ? yes << 16 : 0);
  });
}

template <typename T> void selp(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]);
  Mask p = x.predicate(i.o[3]);
  lanes(m, [&](int l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}

template <typename T> void slct(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]), *b = x.row<T>(i.o[2]);
  lanes(m, [&](int l) {
    bool first = x.row<int32_t>(i.o[3])[l] >= 0;
    if (i.a) {
      float c = x.row<float>(i.o[3])[l];
      first = (i.b ? flush(c) : c) >= 0;
    }
    d[l] = first ? a[l] : b[l];
  });
}

//===--- moves ------------------------------------------------------------===//

template <typename T> void move(Exec &x, const Inst &i, Mask m) {
  T *d = x.row<T>(i.o[0]), *a = x.row<T>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l]; });
}
void move16(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l] & 0xFFFF; });
}
void move128(Exec &x, const Inst &i, Mask m) {
  for (int h = 0; h < 2; ++h) {
    auto *d = x.row<uint64_t>(i.o[0] + 2 * h),
         *a = x.row<uint64_t>(i.o[1] + 2 * h);
    lanes(m, [&](int l) { d[l] = a[l]; });
  }
}
void moveAdd(Exec &x, const Inst &i, Mask m) {
  auto *a = x.row<uint64_t>(i.o[1]);
  if (i.a) {
    auto *d = x.row<uint64_t>(i.o[0]);
    lanes(m, [&](int l) { d[l] = a[l] + uint64_t(i.imm); });
  } else {
    auto *d = x.row<uint32_t>(i.o[0]);
    lanes(m, [&](int l) { d[l] = uint32_t(a[l] + uint64_t(i.imm)); });
  }
}
void movePredicate(Exec &x, const Inst &i, Mask m) {
  x.setPredicate(i.o[0], x.predicate(i.o[1]), m);
}
void clockRead(Exec &x, const Inst &i, Mask m) {
  uint64_t now = x.m.steps * 4;
  if (i.b == 1)
    now = 1700000000000000000ull + x.m.steps * 4;
  if (i.b == 2)
    now >>= 32;
  if (i.a) {
    auto *d = x.row<uint64_t>(i.o[0]);
    lanes(m, [&](int l) { d[l] = now; });
  } else {
    auto *d = x.row<uint32_t>(i.o[0]);
    lanes(m, [&](int l) { d[l] = uint32_t(now); });
  }
}

/// Bytes of a packed value, element k of `count`.
void pack(Exec &x, const Inst &i, Mask m) {
  int n = i.a, total = i.b; // Elements, bytes of the whole.
  int w = total / n;
  const auto &from = i.extra->v[0];
  forLanes(m, [&](int l) {
    uint64_t r[2] = {0, 0};
    for (int k = 0; k < n; ++k) {
      uint64_t e =
          w == 8 ? x.row<uint64_t>(from[k])[l] : x.row<uint32_t>(from[k])[l];
      if (w < 4)
        e &= (1u << (8 * w)) - 1;
      r[k * w / 8] |= e << (k * w % 8 * 8);
    }
    if (total <= 4)
      x.row<uint32_t>(i.o[0])[l] = uint32_t(r[0]);
    else
      x.row<uint64_t>(i.o[0])[l] = r[0];
    if (total == 16)
      x.row<uint64_t>(i.o[0] + 2)[l] = r[1];
  });
}
void unpack(Exec &x, const Inst &i, Mask m) {
  int n = i.a, total = i.b;
  int w = total / n;
  const auto &to = i.extra->v[0];
  forLanes(m, [&](int l) {
    uint64_t r[2] = {0, 0};
    r[0] = total <= 4 ? x.row<uint32_t>(i.o[1])[l] : x.row<uint64_t>(i.o[1])[l];
    if (total == 16)
      r[1] = x.row<uint64_t>(i.o[1] + 2)[l];
    for (int k = 0; k < n; ++k) {
      uint64_t e = r[k * w / 8] >> (k * w % 8 * 8);
      if (w == 8)
        x.row<uint64_t>(to[k])[l] = e;
      else
        x.row<uint32_t>(to[k])[l] =
            w == 4 ? uint32_t(e) : uint32_t(e) & ((1u << (8 * w)) - 1);
    }
  });
}

enum PredicateOp { PAnd, POr, PXor, PNot };
template <PredicateOp K> void predicateOp(Exec &x, const Inst &i, Mask m) {
  Mask a = x.predicate(i.o[1]), b = K == PNot ? 0 : x.predicate(i.o[2]);
  x.setPredicate(i.o[0],
                 K == PAnd   ? a & b
                 : K == POr  ? a | b
                 : K == PXor ? a ^ b
                             : ~a,
                 m);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// One handler for each width and signedness, by the macro's template.
#define PICK_INT(T, F)                                                         \
  (T == Type::U16 || T == Type::B16   ? F(uint16_t)                            \
   : T == Type::S16                   ? F(int16_t)                             \
   : T == Type::U32 || T == Type::B32 ? F(uint32_t)                            \
   : T == Type::S32                   ? F(int32_t)                             \
   : T == Type::U64 || T == Type::B64 ? F(uint64_t)                            \
   : T == Type::S64                   ? F(int64_t)                             \
                                      : Handler(nullptr))

bool twoSources(Decoder &d, Type t, Handler h) {
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         (d.emit(h, Class::Integer), true);
}
bool oneSource(Decoder &d, Type to, Type from, Handler h) {
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(2, 2) && d.destination(d.operand(0), to, d.inst.o[0]) &&
         d.source(d.operand(1), from, d.inst.o[1]) &&
         (d.emit(h, Class::Integer), true);
}
bool threeSources(Decoder &d, Type t, Handler h) {
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(4, 4) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         d.source(d.operand(3), t, d.inst.o[3]) &&
         (d.emit(h, Class::Integer), true);
}

} // namespace

// Mnemonics shared with floats are decoded in Float.cpp, which calls these when
// the type is an integer.

bool decodeIntegerAdd(Decoder &d, Type t, bool subtract) {
  bool sat = d.has("sat");
  if (d.has("cc")) {
    d.inst.a = 1;
    bool wide = typeBits(t) == 64;
    Handler h = subtract ? (wide ? withCarry<uint64_t, Sub, false>
                                 : withCarry<uint32_t, Sub, false>)
                         : (wide ? withCarry<uint64_t, Add, false>
                                 : withCarry<uint32_t, Add, false>);
    return twoSources(d, t, h);
  }
  if (sat) {
    if (t != Type::S32)
      return d.fail("'.sat' needs type .s32");
    return twoSources(
        d, t, subtract ? binary<int32_t, subSat> : binary<int32_t, addSat>);
  }
  if (t == Type::U16x2 || t == Type::S16x2)
    return twoSources(d, t,
                      subtract
                          ? binary<uint32_t, packed<uint16_t, sub<uint16_t>>>
                          : binary<uint32_t, packed<uint16_t, add<uint16_t>>>);
#define F(T) (subtract ? binary<T, sub<T>> : binary<T, add<T>>)
  return twoSources(d, t, PICK_INT(t, F));
#undef F
}

bool decodeIntegerMul(Decoder &d, Type t) {
  if (d.has("wide")) {
    Type wide = t == Type::U16   ? Type::U32
                : t == Type::S16 ? Type::S32
                : t == Type::U32 ? Type::U64
                                 : Type::S64;
    Handler h = t == Type::U16   ? mulWide<uint32_t, uint16_t>
                : t == Type::S16 ? mulWide<int32_t, int16_t>
                : t == Type::U32 ? mulWide<uint64_t, uint32_t>
                : t == Type::S32 ? mulWide<int64_t, int32_t>
                                 : Handler(nullptr);
    if (!h)
      return d.fail("'.wide' needs a 16- or 32-bit type");
    return d.operands(3, 3) && d.destination(d.operand(0), wide, d.inst.o[0]) &&
           d.source(d.operand(1), t, d.inst.o[1]) &&
           d.source(d.operand(2), t, d.inst.o[2]) &&
           (d.emit(h, Class::Integer), true);
  }
  if (d.has("hi")) {
#define F(T) binary<T, mulHi<T>>
    return twoSources(d, t, PICK_INT(t, F));
#undef F
  }
  if (!d.has("lo"))
    return d.fail("expected '.lo', '.hi' or '.wide'");
#define F(T) binary<T, mulLo<T>>
  return twoSources(d, t, PICK_INT(t, F));
#undef F
}

bool decodeIntegerMad(Decoder &d, Type t) {
  bool carryIn = d.s->words[0] == "madc", carryOut = d.has("cc");
  if (d.has("wide")) {
    Type wide = t == Type::U16   ? Type::U32
                : t == Type::S16 ? Type::S32
                : t == Type::U32 ? Type::U64
                                 : Type::S64;
    Handler h = t == Type::U16   ? madWide<uint32_t, uint16_t>
                : t == Type::S16 ? madWide<int32_t, int16_t>
                : t == Type::U32 ? madWide<uint64_t, uint32_t>
                : t == Type::S32 ? madWide<int64_t, int32_t>
                                 : Handler(nullptr);
    if (!h)
      return d.fail("'.wide' needs a 16- or 32-bit type");
    return d.operands(4, 4) && d.destination(d.operand(0), wide, d.inst.o[0]) &&
           d.source(d.operand(1), t, d.inst.o[1]) &&
           d.source(d.operand(2), t, d.inst.o[2]) &&
           d.source(d.operand(3), wide, d.inst.o[3]) &&
           (d.emit(h, Class::Integer), true);
  }
  bool high = d.has("hi");
  if (!high && !d.has("lo"))
    return d.fail("expected '.lo', '.hi' or '.wide'");
  if (carryIn || carryOut) {
    d.inst.a = carryOut;
    Handler h = nullptr;
#define CARRY(T)                                                               \
  (high ? (carryIn ? madCarry<T, true, true> : madCarry<T, true, false>)       \
        : (carryIn ? madCarry<T, false, true> : madCarry<T, false, false>))
    h = t == Type::U32   ? CARRY(uint32_t)
        : t == Type::S32 ? CARRY(int32_t)
        : t == Type::U64 ? CARRY(uint64_t)
        : t == Type::S64 ? CARRY(int64_t)
                         : Handler(nullptr);
#undef CARRY
    return threeSources(d, t, h);
  }
  if (d.has("sat")) {
    if (!high || t != Type::S32)
      return d.fail("'.sat' needs '.hi.sat.s32'");
    return threeSources(d, t, ternary<int32_t, madHiSat>);
  }
#define F(T) (high ? ternary<T, madHi<T>> : ternary<T, madLo<T>>)
  return threeSources(d, t, PICK_INT(t, F));
#undef F
}

/// Quotients and remainders by zero are undefined.
template <typename T, T (*F)(T, T)>
void divide(Exec &x, const Inst &i, Mask m) {
  auto *b = x.row<typename RowOf<T>::Slot>(i.o[2]);
  Mask zero = 0;
  forLanes(m, [&](int l) { zero |= Mask(RowOf<T>::load(b[l]) == 0) << l; });
  binary<T, F>(x, i, m);
  if (zero)
    x.m.undefinedResult(x, i, zero, i.o[0], sizeof(T) > 4 ? 2 : 1);
}

bool decodeIntegerDiv(Decoder &d, Type t) {
#define F(T) divide<T, div<T>>
  return twoSources(d, t, PICK_INT(t, F));
#undef F
}

bool decodeIntegerMinMax(Decoder &d, Type t, bool isMax) {
  bool relu = d.has("relu");
  if (t == Type::U16x2)
    return twoSources(d, t,
                      isMax
                          ? binary<uint32_t, packed<uint16_t, smax<uint16_t>>>
                          : binary<uint32_t, packed<uint16_t, smin<uint16_t>>>);
  if (t == Type::S16x2 && !relu)
    return twoSources(d, t,
                      isMax ? binary<uint32_t, packed<int16_t, smax<int16_t>>>
                            : binary<uint32_t, packed<int16_t, smin<int16_t>>>);
  if (relu && t == Type::S16x2)
    return twoSources(
        d, t,
        isMax ? binary<uint32_t, packed<int16_t, smaxRelu<int16_t>>>
              : binary<uint32_t, packed<int16_t, sminRelu<int16_t>>>);
  if (relu && t == Type::S32)
    return twoSources(d, t,
                      isMax ? binary<int32_t, smaxRelu<int32_t>>
                            : binary<int32_t, sminRelu<int32_t>>);
  if (relu)
    return d.fail("'.relu' needs type .s32 or .s16x2");
#define F(T) (isMax ? binary<T, smax<T>> : binary<T, smin<T>>)
  return twoSources(d, t, PICK_INT(t, F));
#undef F
}

bool decodeIntegerNegAbs(Decoder &d, Type t, bool isAbs) {
  Handler h = nullptr;
  if (isAbs)
    h = t == Type::S16   ? unary<int16_t, int16_t, iabs<int16_t>>
        : t == Type::S32 ? unary<int32_t, int32_t, iabs<int32_t>>
        : t == Type::S64 ? unary<int64_t, int64_t, iabs<int64_t>>
                         : Handler(nullptr);
  else
    h = t == Type::S16   ? unary<int16_t, int16_t, neg<int16_t>>
        : t == Type::S32 ? unary<int32_t, int32_t, neg<int32_t>>
        : t == Type::S64 ? unary<int64_t, int64_t, neg<int64_t>>
                         : Handler(nullptr);
  return oneSource(d, t, t, h);
}

/// Decodes the operands `p[|q], a, b[, c]` of setp.
bool decodeSetpOperands(Decoder &d, Type t) {
  if (!d.operands(3, 4))
    return false;
  const Operand &to = d.operand(0);
  d.inst.o[1] = 2;
  if (to.kind == Operand::Kind::Pair) {
    if (!d.predicateDestination(to.items[0], d.inst.o[0]) ||
        !d.predicateDestination(to.items[1], d.inst.o[1]))
      return false;
  } else if (!d.predicateDestination(to, d.inst.o[0])) {
    return false;
  }
  if (!d.source(d.operand(1), t, d.inst.o[2]) ||
      !d.source(d.operand(2), t, d.inst.o[3]))
    return false;
  if ((d.count() == 4) != (d.inst.a != 0))
    return d.fail("a third source needs '.and', '.or' or '.xor'");
  return d.count() == 3 || d.predicateSource(d.operand(3), d.inst.o[4]);
}

bool decodeIntegerSetp(Decoder &d, Type t, const std::string &cmp) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  Compare c = Eq;
  bool found = false, forceUnsigned = false;
  for (int k = 0; k < 6; ++k)
    if (cmp == names[k]) {
      c = Compare(k);
      found = true;
    }
  static const std::pair<const char *, Compare> unsignedNames[] = {
      {"lo", Lt}, {"ls", Le}, {"hi", Gt}, {"hs", Ge}};
  for (auto &[name, value] : unsignedNames)
    if (cmp == name) {
      c = value;
      found = forceUnsigned = true;
    }
  if (!found)
    return d.fail("unknown comparison '" + cmp + "'");
  if (forceUnsigned)
    t = typeBits(t) == 16   ? Type::U16
        : typeBits(t) == 32 ? Type::U32
                            : Type::U64;
#define F(T) setpHandler<T>(c)
  Handler h = PICK_INT(t, F);
#undef F
  if (!h)
    return d.fail("type is not supported here");
  if (!decodeSetpOperands(d, t))
    return false;
  d.emit(h, Class::Integer);
  return true;
}

namespace {

bool decodeCarryAdd(Decoder &d) {
  bool subtract = d.s->words[0] == "subc";
  Type t = d.type();
  d.inst.a = d.has("cc");
  bool wide = typeBits(t) == 64;
  Handler h = subtract ? (wide ? withCarry<uint64_t, Sub, true>
                               : withCarry<uint32_t, Sub, true>)
                       : (wide ? withCarry<uint64_t, Add, true>
                               : withCarry<uint32_t, Add, true>);
  return twoSources(d, t, h);
}

bool decodeRem(Decoder &d) {
  Type t = d.type();
#define F(T) divide<T, rem<T>>
  return twoSources(d, t, PICK_INT(t, F));
#undef F
}

bool decodeSad(Decoder &d) {
  Type t = d.type();
#define F(T) ternary<T, sad<T>>
  return threeSources(d, t, PICK_INT(t, F));
#undef F
}

/// mul24 and mad24: 48-bit products of the lower 24 bits.
bool decodeMul24(Decoder &d) {
  bool add = d.s->words[0] == "mad24", high = d.has("hi");
  if (!high && !d.has("lo"))
    return d.fail("expected '.lo' or '.hi'");
  d.inst.b = d.has("sat");
  Type t = d.type();
  if ((t != Type::U32 && t != Type::S32) ||
      (d.inst.b && (!add || !high || t != Type::S32)))
    return d.fail("type is not supported here");
  d.inst.a = uint8_t((t == Type::S32) | high << 1 | add << 2);
  if (!add)
    d.inst.o[3] = d.constantRow(0, 4);
  return add ? threeSources(d, t, mul24) : twoSources(d, t, mul24);
}

bool decodeLogic(Decoder &d) {
  Type t = d.type();
  const std::string &w = d.s->words[0];
  if (t == Type::Pred) {
    Handler h = w == "and"   ? predicateOp<PAnd>
                : w == "or"  ? predicateOp<POr>
                : w == "xor" ? predicateOp<PXor>
                             : predicateOp<PNot>;
    bool isNot = w == "not";
    if (!d.operands(isNot ? 2 : 3, isNot ? 2 : 3) ||
        !d.predicateDestination(d.operand(0), d.inst.o[0]) ||
        !d.predicateSource(d.operand(1), d.inst.o[1]) ||
        (!isNot && !d.predicateSource(d.operand(2), d.inst.o[2])))
      return false;
    d.emit(h, Class::Integer);
    return true;
  }
#define F(T)                                                                   \
  (w == "and"   ? binary<T, band<T>>                                           \
   : w == "or"  ? binary<T, bor<T>>                                            \
   : w == "xor" ? binary<T, bxor<T>>                                           \
   : w == "not" ? unary<T, T, bnot<T>>                                         \
                : unary<T, T, cnot<T>>)
  Handler h = t == Type::B16   ? F(uint16_t)
              : t == Type::B32 ? F(uint32_t)
              : t == Type::B64 ? F(uint64_t)
                               : Handler(nullptr);
#undef F
  return w == "not" || w == "cnot" ? oneSource(d, t, t, h)
                                   : twoSources(d, t, h);
}

bool decodeShift(Decoder &d) {
  Type t = d.type();
  Handler h = nullptr;
  if (d.s->words[0] == "shl") {
    h = typeBits(t) == 16   ? shift<uint16_t, Left>
        : typeBits(t) == 32 ? shift<uint32_t, Left>
                            : shift<uint64_t, Left>;
  } else {
#define F(T) shift<T, Right>
    h = PICK_INT(t, F);
#undef F
  }
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), Type::U32, d.inst.o[2]) &&
         (d.emit(h, Class::Integer), true);
}

bool decodeFunnel(Decoder &d) {
  bool left = d.has("l");
  if (!left && !d.has("r"))
    return d.fail("expected '.l' or '.r'");
  d.inst.a = d.has("wrap");
  if (!d.inst.a && !d.has("clamp"))
    return d.fail("expected '.clamp' or '.wrap'");
  Type t = d.type();
  return threeSources(d, t, left ? funnelLeft : funnelRight);
}

bool decodePrmt(Decoder &d) {
  Type t = d.type();
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  for (int k = 0; k < 6; ++k)
    if (d.has(modes[k]))
      d.inst.a = uint8_t(k + 1);
  return threeSources(d, t, prmt);
}

bool decodeLop3(Decoder &d) {
  bool isAnd = d.has("and"), isOr = d.has("or");
  Type t = d.type();
  bool boolean = isAnd || isOr;
  d.inst.a = isAnd ? 1 : 2;
  if (!d.operands(boolean ? 6 : 5, boolean ? 6 : 5))
    return false;
  const Operand &to = d.operand(0);
  if (boolean) {
    if (to.kind != Operand::Kind::Pair)
      return d.fail("expected 'd|p' as destination");
    if (!d.destination(to.items[0], t, d.inst.o[0]) ||
        !d.predicateDestination(to.items[1], d.inst.o[4]) ||
        !d.predicateSource(d.operand(5), d.inst.o[5]))
      return false;
  } else if (!d.destination(to, t, d.inst.o[0])) {
    return false;
  }
  if (!d.source(d.operand(1), t, d.inst.o[1]) ||
      !d.source(d.operand(2), t, d.inst.o[2]) ||
      !d.source(d.operand(3), t, d.inst.o[3]) ||
      !d.immediate(d.operand(4), d.inst.imm))
    return false;
  d.emit(boolean ? lop3Predicate : lop3, Class::Integer);
  return true;
}

bool decodeBfe(Decoder &d) {
  Type t = d.type();
  Handler h = t == Type::U32   ? bfe<uint32_t>
              : t == Type::S32 ? bfe<int32_t>
              : t == Type::U64 ? bfe<uint64_t>
              : t == Type::S64 ? bfe<int64_t>
                               : Handler(nullptr);
  if (!h)
    return d.fail("type is not supported here");
  return d.operands(4, 4) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), Type::U32, d.inst.o[2]) &&
         d.source(d.operand(3), Type::U32, d.inst.o[3]) &&
         (d.emit(h, Class::Integer), true);
}

bool decodeBfi(Decoder &d) {
  Type t = d.type();
  return d.operands(5, 5) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         d.source(d.operand(3), Type::U32, d.inst.o[3]) &&
         d.source(d.operand(4), Type::U32, d.inst.o[4]) &&
         (d.emit(t == Type::B64 ? bfi<uint64_t> : bfi<uint32_t>,
                 Class::Integer),
          true);
}

bool decodeBits(Decoder &d) {
  const std::string &w = d.s->words[0];
  bool shiftAmount = d.has("shiftamt");
  Type t = d.type();
  bool wide = typeBits(t) == 64;
  if (w == "brev")
    return oneSource(d, t, t,
                     wide ? unary<uint64_t, uint64_t, brev<uint64_t>>
                          : unary<uint32_t, uint32_t, brev<uint32_t>>);
  Handler h = nullptr;
  if (w == "popc")
    h = wide ? unary<uint32_t, uint64_t, popc<uint64_t>>
             : unary<uint32_t, uint32_t, popc<uint32_t>>;
  else if (w == "clz")
    h = wide ? unary<uint32_t, uint64_t, clz<uint64_t>>
             : unary<uint32_t, uint32_t, clz<uint32_t>>;
  else {
#define F(T)                                                                   \
  (shiftAmount ? unary<uint32_t, T, bfindShift<T>>                             \
               : unary<uint32_t, T, bfind<T>>)
    h = t == Type::U32   ? F(uint32_t)
        : t == Type::S32 ? F(int32_t)
        : t == Type::U64 ? F(uint64_t)
        : t == Type::S64 ? F(int64_t)
                         : Handler(nullptr);
#undef F
  }
  return oneSource(d, Type::U32, t, h);
}

bool decodeBmsk(Decoder &d) {
  d.inst.a = d.has("wrap");
  d.has("clamp");
  return twoSources(d, d.type(), bmsk);
}
bool decodeSzext(Decoder &d) {
  d.inst.a = d.has("wrap");
  d.has("clamp");
  Type t = d.type();
  Handler h = t == Type::S32 ? szext<int32_t> : szext<uint32_t>;
  return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), Type::U32, d.inst.o[2]) &&
         (d.emit(h, Class::Integer), true);
}
bool decodeFns(Decoder &d) { return threeSources(d, d.type(), fns); }

bool decodeDp(Decoder &d) {
  bool two = d.s->words[0] == "dp2a";
  d.inst.c = d.has("hi");
  if (two && !d.inst.c && !d.has("lo"))
    return d.fail("expected '.lo' or '.hi'");
  Type a = d.type(), b = d.type();
  if (a == Type::None || b == Type::None)
    return d.fail("expected two types");
  d.inst.a = a == Type::S32;
  d.inst.b = b == Type::S32;
  return threeSources(d, Type::B32, two ? dp2a : dp4a);
}

bool decodeSelp(Decoder &d) {
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  return d.operands(4, 4) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         d.predicateSource(d.operand(3), d.inst.o[3]) &&
         (d.emit(typeBits(t) == 64 ? selp<uint64_t> : selp<uint32_t>,
                 Class::Move),
          true);
}

bool decodeSlct(Decoder &d) {
  d.inst.b = d.has("ftz");
  Type t = d.type(), c = d.type();
  d.inst.a = c == Type::F32;
  return d.operands(4, 4) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), t, d.inst.o[2]) &&
         d.source(d.operand(3), c, d.inst.o[3]) &&
         (d.emit(typeBits(t) == 64 ? slct<uint64_t> : slct<uint32_t>,
                 Class::Move),
          true);
}

bool decodeMov(Decoder &d) {
  Type t = d.type();
  if (!d.operands(2, 2))
    return false;
  const Operand &to = d.operand(0), &from = d.operand(1);
  if (t == Type::Pred) {
    if (!d.predicateDestination(to, d.inst.o[0]) ||
        !d.predicateSource(from, d.inst.o[1]))
      return false;
    d.emit(movePredicate, Class::Move);
    return true;
  }
  if (t == Type::None)
    return d.fail("expected a type");
  int bytes = typeBits(t) / 8;
  auto part = [&](int n) {
    int w = bytes / (n ? n : 1);
    return w == 1   ? Type::B8
           : w == 2 ? Type::B16
           : w == 4 ? Type::B32
                    : Type::B64;
  };
  if (to.kind == Operand::Kind::Vector) {
    d.inst.a = uint8_t(to.items.size());
    d.inst.b = uint8_t(bytes);
    if (!d.destinations(to, part(int(to.items.size())), d.extra().v[0]) ||
        !d.source(from, t, d.inst.o[1]))
      return false;
    d.emit(unpack, Class::Move);
    return true;
  }
  if (from.kind == Operand::Kind::Vector) {
    d.inst.a = uint8_t(from.items.size());
    d.inst.b = uint8_t(bytes);
    if (!d.sources(from, part(int(from.items.size())), d.extra().v[0]) ||
        !d.destination(to, t, d.inst.o[0]))
      return false;
    d.emit(pack, Class::Move);
    return true;
  }
  if (!d.destination(to, t, d.inst.o[0]))
    return false;
  if (from.kind == Operand::Kind::Special) {
    const std::string &n = from.name;
    int kind = n.compare(0, 6, "%clock") == 0          ? 0
               : n.compare(0, 12, "%globaltimer") == 0 ? 1
                                                       : -1;
    if (kind >= 0) {
      d.inst.a = bytes == 8;
      d.inst.b = uint8_t(
          n.size() > 3 && n.compare(n.size() - 3, 3, "_hi") == 0 ? 2 : kind);
      d.emit(clockRead, Class::Move);
      return true;
    }
  }
  // Addresses that depend on the block or the frame, and var+offset.
  const Operand *variable = &from;
  if (variable->kind == Operand::Kind::Variable) {
    const Variable &v = variable->index < 0
                            ? d.m.module.variables[~variable->index]
                            : d.fn.variables[variable->index];
    int64_t local;
    if (v.space == Space::Param && d.addressedParam(variable->index, local)) {
      d.inst.o[1] = d.specialRow("%localbase");
      d.inst.imm = local + int64_t(variable->bits);
      d.inst.a = bytes == 8;
      d.emit(moveAdd, Class::Move);
      return true;
    }
    if (v.space == Space::Local || v.space == Space::Shared) {
      Operand wrapped;
      wrapped.kind = Operand::Kind::Address;
      wrapped.items.push_back(*variable);
      wrapped.bits = variable->bits;
      Decoder::Address a;
      if (!d.address(wrapped, v.space, a))
        return false;
      d.inst.o[1] = a.row;
      d.inst.imm = a.offset;
      d.inst.a = bytes == 8;
      d.emit(moveAdd, Class::Move);
      return true;
    }
  }
  if (!d.source(from, t, d.inst.o[1]))
    return false;
  d.emit(bytes == 16  ? move128
         : bytes == 8 ? move<uint64_t>
         : bytes == 4 ? move<uint32_t>
                      : move16,
         Class::Move);
  return true;
}

} // namespace

/// `set` after its comparison went to the scratch predicates 2 and, of the
/// upper half of packed operands, 3.
bool finishSet(Decoder &d, Type to, bool packed) {
  Inst saved = d.inst;
  d.inst = Inst();
  d.inst.line = saved.line;
  d.inst.loc = saved.loc;
  d.inst.function = saved.function;
  d.inst.guard = saved.guard;
  d.inst.o[1] = 4;
  d.inst.o[2] = 6;
  d.inst.a = packed;
  bool isF16 = to == Type::F16 || to == Type::F16x2;
  bool isBF16 = to == Type::BF16 || to == Type::BF16x2;
  d.inst.imm = to == Type::F32                ? 0x3F800000
               : isF16                        ? 0x3C00
               : isBF16                       ? 0x3F80
               : typeBits(to) == 16 || packed ? 0xFFFF
                                              : 0xFFFFFFFF;
  if (!d.destination(d.operand(0), to, d.inst.o[0]))
    return false;
  d.emit(setResult, Class::Integer);
  return true;
}

void registerInteger() {
  RegisterDecoders({
      {"addc", decodeCarryAdd}, {"subc", decodeCarryAdd},
      {"rem", decodeRem},       {"sad", decodeSad},
      {"mul24", decodeMul24},   {"mad24", decodeMul24},
      {"and", decodeLogic},     {"or", decodeLogic},
      {"xor", decodeLogic},     {"not", decodeLogic},
      {"cnot", decodeLogic},    {"shl", decodeShift},
      {"shr", decodeShift},     {"shf", decodeFunnel},
      {"prmt", decodePrmt},     {"lop3", decodeLop3},
      {"bfe", decodeBfe},       {"bfi", decodeBfi},
      {"popc", decodeBits},     {"clz", decodeBits},
      {"bfind", decodeBits},    {"brev", decodeBits},
      {"bmsk", decodeBmsk},     {"szext", decodeSzext},
      {"fns", decodeFns},       {"dp4a", decodeDp},
      {"dp2a", decodeDp},       {"selp", decodeSelp},
      {"slct", decodeSlct},     {"mov", decodeMov},
  });
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic, shifts, bit fields, counts, permutations of bytes.
#include "tools/emulator/IntegerOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

template <typename T> T band(T a, T b) { return a & b; }

template <typename T> T bor(T a, T b) { return a | b; }

template <typename T> T bxor(T a, T b) { return a ^ b; }

template <typename T> T bnot(T a) { return T(~a); }

template <typename T> T cnot(T a) { return a == 0; }

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

enum ShiftKind { Left, Right };

template <typename T, ShiftKind K> void shift(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  using S = typename RowOf<T>::Slot;
  S *d = x.row<S>(in.d), *a = x.row<S>(in.a);
  uint32_t *b = x.row<uint32_t>(in.b);
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
  const auto &in = i.as<WrapRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t n = in.wraps ? c[l] & 31 : std::min(c[l], 32u);
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    d[l] = uint32_t((n == 32 ? v << 32 : v << n) >> 32);
  });
}

void funnelRight(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WrapRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t n = in.wraps ? c[l] & 31 : std::min(c[l], 32u);
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    d[l] = uint32_t(v >> n);
  });
}

struct PermuteRows : Rows {
  enum Mode : uint8_t { Index, F4e, B4e, Rc8, Ecl, Ecr, Rc16 } mode = Index;
};

void prmt(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<PermuteRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint64_t v = uint64_t(b[l]) << 32 | a[l];
    auto byte = [&](int n) { return uint32_t(v >> (8 * n)) & 255; };
    uint32_t s = c[l], r = 0;
    int n = s & 3;
    for (int k = 0; k < 4; ++k) {
      uint32_t one = 0;
      switch (in.mode) {
      case PermuteRows::Index: {
        uint32_t sel = s >> (4 * k) & 15;
        one = byte(sel & 7);
        if (sel & 8)
          one = one & 128 ? 255 : 0;
        break;
      }
      case PermuteRows::F4e:
        one = byte(n + k);
        break;
      case PermuteRows::B4e:
        one = byte((n - k) & 7);
        break;
      case PermuteRows::Rc8:
        one = byte(n);
        break;
      case PermuteRows::Ecl:
        one = byte(std::max(k, n));
        break;
      case PermuteRows::Ecr:
        one = byte(std::min(k, n));
        break;
      case PermuteRows::Rc16:
        one = byte((n & 1) * 2 + (k & 1));
        break;
      }
      r |= one << (8 * k);
    }
    d[l] = r;
  });
}

struct Lop3 : Rows {
  unsigned table = 0;
  int32_t p = 0; ///< With a predicate: whether d is not zero, and or or `q`.
  int32_t q = 0;
  bool isAnd = false;
};

void lop3(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Lop3>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t r = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (in.table >> k & 1)
        r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) &
             (k & 1 ? c[l] : ~c[l]);
    d[l] = r;
  });
}

void lop3Predicate(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Lop3>();
  lop3(x, i, m);
  auto *d = x.row<uint32_t>(in.d);
  Mask q = x.predicate(in.q), r = 0;
  forLanes(m, [&](int l) {
    bool nonZero = d[l] != 0, other = q >> l & 1;
    r |= Mask(in.isAnd ? nonZero && other : nonZero || other) << l;
  });
  x.setPredicate(in.p, r, m);
}

/// A position or length of a bit field. Of 64 bits the whole register counts
/// (measured on an H200), where the manual speaks of its low byte.
template <typename T> uint32_t fieldNumber(uint32_t v) {
  return sizeof(T) == 8 ? std::min(v, 64u) : v & 255;
}

template <typename T> void bfe(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a);
  auto *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t pos = fieldNumber<T>(b[l]), len = fieldNumber<T>(c[l]);
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

struct InsertRows : Rows {
  int32_t length = 0;
};

template <typename T> void bfi(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<InsertRows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b);
  auto *c = x.row<uint32_t>(in.c), *n = x.row<uint32_t>(in.length);
  lanes(m, [&](int l) {
    uint32_t pos = fieldNumber<T>(c[l]), len = fieldNumber<T>(n[l]);
    T r = b[l];
    for (uint32_t k = 0; k < len && pos + k < uint32_t(kBits<T>); ++k)
      r = (r & ~(T(1) << (pos + k))) | (T(a[l] >> k & 1) << (pos + k));
    d[l] = r;
  });
}

void bmsk(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WrapRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b);
  lanes(m, [&](int l) {
    uint32_t pos = in.wraps ? a[l] & 31 : a[l],
             len = in.wraps ? b[l] & 31 : b[l];
    uint64_t ones = len >= 32 ? 0xFFFFFFFF : (uint64_t(1) << len) - 1;
    d[l] = pos >= 32 ? 0 : uint32_t(ones << pos);
  });
}

template <typename T> void szext(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WrapRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b);
  lanes(m, [&](int l) {
    uint32_t n = in.wraps ? b[l] & 31 : b[l];
    if (n == 0)
      d[l] = 0;
    else if (n >= 32)
      d[l] = a[l];
    else
      d[l] = uint32_t(T(a[l] << (32 - n)) >> (32 - n));
  });
}

void fns(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b);
  auto *o = x.row<int32_t>(in.c);
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

enum PredicateOp { PAnd, POr, PXor, PNot };

template <PredicateOp K> void predicateOp(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  Mask a = x.predicate(in.a), b = K == PNot ? 0 : x.predicate(in.b);
  x.setPredicate(in.d,
                 K == PAnd   ? a & b
                 : K == POr  ? a | b
                 : K == PXor ? a ^ b
                             : ~a,
                 m);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeLogic(Decoder &d) {
  Type t = d.type();
  const std::string &w = d.s->words[0];
  if (t == Type::Pred) {
    Handler h = w == "and"   ? predicateOp<PAnd>
                : w == "or"  ? predicateOp<POr>
                : w == "xor" ? predicateOp<PXor>
                             : predicateOp<PNot>;
    bool isNot = w == "not";
    auto &in = d.make<Rows>();
    if (!d.operands(isNot ? 2 : 3, isNot ? 2 : 3) ||
        !d.predicateDestination(d.operand(0), in.d) ||
        !d.predicateSource(d.operand(1), in.a) ||
        (!isNot && !d.predicateSource(d.operand(2), in.b)))
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
  auto &in = d.make<Rows>();
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
    return d.fail(kNoSuchType);
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) &&
         d.source(d.operand(2), Type::U32, in.b) &&
         (d.emit(h, Class::Integer), true);
}

bool decodeFunnel(Decoder &d) {
  auto &in = d.make<WrapRows>();
  bool left = d.has("l");
  if (!left && !d.has("r"))
    return d.fail("expected '.l' or '.r'");
  in.wraps = d.has("wrap");
  if (!in.wraps && !d.has("clamp"))
    return d.fail("expected '.clamp' or '.wrap'");
  Type t = d.type();
  return threeSources(d, in, t, left ? funnelLeft : funnelRight);
}

bool decodePrmt(Decoder &d) {
  auto &in = d.make<PermuteRows>();
  Type t = d.type();
  static const char *const modes[] = {"f4e", "b4e", "rc8",
                                      "ecl", "ecr", "rc16"};
  for (int k = 0; k < 6; ++k)
    if (d.has(modes[k]))
      in.mode = PermuteRows::Mode(k + 1);
  return threeSources(d, in, t, prmt);
}

bool decodeLop3(Decoder &d) {
  auto &in = d.make<Lop3>();
  bool isAnd = d.has("and"), isOr = d.has("or");
  Type t = d.type();
  bool boolean = isAnd || isOr;
  in.isAnd = isAnd;
  int64_t table;
  if (!d.operands(boolean ? 6 : 5, boolean ? 6 : 5))
    return false;
  const Operand &to = d.operand(0);
  if (boolean) {
    if (to.kind != Operand::Kind::Pair)
      return d.fail("expected 'd|p' as destination");
    if (!d.destination(to.items[0], t, in.d) ||
        !d.predicateDestination(to.items[1], in.p) ||
        !d.predicateSource(d.operand(5), in.q))
      return false;
  } else if (!d.destination(to, t, in.d)) {
    return false;
  }
  if (!d.source(d.operand(1), t, in.a) || !d.source(d.operand(2), t, in.b) ||
      !d.source(d.operand(3), t, in.c) || !d.immediate(d.operand(4), table))
    return false;
  in.table = unsigned(table);
  d.emit(boolean ? lop3Predicate : lop3, Class::Integer);
  return true;
}

bool decodeBfe(Decoder &d) {
  auto &in = d.make<Rows>();
  Type t = d.type();
  Handler h = t == Type::U32   ? bfe<uint32_t>
              : t == Type::S32 ? bfe<int32_t>
              : t == Type::U64 ? bfe<uint64_t>
              : t == Type::S64 ? bfe<int64_t>
                               : Handler(nullptr);
  if (!h)
    return d.fail(kNoSuchType);
  return d.operands(4, 4) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) &&
         d.source(d.operand(2), Type::U32, in.b) &&
         d.source(d.operand(3), Type::U32, in.c) &&
         (d.emit(h, Class::Integer), true);
}

bool decodeBfi(Decoder &d) {
  auto &in = d.make<InsertRows>();
  Type t = d.type();
  return d.operands(5, 5) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         d.source(d.operand(3), Type::U32, in.c) &&
         d.source(d.operand(4), Type::U32, in.length) &&
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
  auto &in = d.make<WrapRows>();
  in.wraps = d.has("wrap");
  d.has("clamp");
  return twoSources(d, in, d.type(), bmsk);
}

bool decodeSzext(Decoder &d) {
  auto &in = d.make<WrapRows>();
  in.wraps = d.has("wrap");
  d.has("clamp");
  Type t = d.type();
  Handler h = t == Type::S32 ? szext<int32_t> : szext<uint32_t>;
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) &&
         d.source(d.operand(2), Type::U32, in.b) &&
         (d.emit(h, Class::Integer), true);
}

bool decodeFns(Decoder &d) { return threeSources(d, d.type(), fns); }

} // namespace

void registerBits() {
  RegisterDecoders({
      {"and", decodeLogic}, {"or", decodeLogic},   {"xor", decodeLogic},
      {"not", decodeLogic}, {"cnot", decodeLogic}, {"shl", decodeShift},
      {"shr", decodeShift}, {"shf", decodeFunnel}, {"prmt", decodePrmt},
      {"lop3", decodeLop3}, {"bfe", decodeBfe},    {"bfi", decodeBfi},
      {"popc", decodeBits}, {"clz", decodeBits},   {"bfind", decodeBits},
      {"brev", decodeBits}, {"bmsk", decodeBmsk},  {"szext", decodeSzext},
      {"fns", decodeFns},
  });
}

} // namespace tileir::emu

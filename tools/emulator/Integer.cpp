// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic and comparison.
#include "tools/emulator/IntegerOps.h"

#include <algorithm>
#include <limits>

namespace tileir::emu {

namespace {

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

template <typename T> struct Halves {
  static uint32_t each(uint32_t a, uint32_t b, T (*f)(T, T)) {
    return uint32_t(uint16_t(f(T(a), T(b)))) |
           uint32_t(uint16_t(f(T(a >> 16), T(b >> 16)))) << 16;
  }
};

template <typename T, T (*F)(T, T)> uint32_t packed(uint32_t a, uint32_t b) {
  return Halves<T>::each(a, b, F);
}

template <typename W, typename N> void mulWide(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<typename RowOf<W>::Slot>(in.d);
  auto *a = x.row<typename RowOf<N>::Slot>(in.a);
  auto *b = x.row<typename RowOf<N>::Slot>(in.b);
  lanes(m, [&](int l) {
    d[l] = RowOf<W>::store(
        W(U<W>(W(RowOf<N>::load(a[l]))) * U<W>(W(RowOf<N>::load(b[l])))));
  });
}

template <typename W, typename N> void madWide(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<typename RowOf<W>::Slot>(in.d);
  auto *a = x.row<typename RowOf<N>::Slot>(in.a);
  auto *b = x.row<typename RowOf<N>::Slot>(in.b);
  auto *c = x.row<typename RowOf<W>::Slot>(in.c);
  lanes(m, [&](int l) {
    d[l] = RowOf<W>::store(
        W(U<W>(W(RowOf<N>::load(a[l]))) * U<W>(W(RowOf<N>::load(b[l]))) +
          U<W>(RowOf<W>::load(c[l]))));
  });
}

/// mul24 and mad24: the lower or upper 32 of 48 bits, and a sum.
struct Mul24 : Rows {
  bool isSigned = false, high = false, saturates = false;
};

void mul24(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Mul24>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    auto low24 = [&](uint32_t v) -> int64_t {
      return in.isSigned ? int32_t(v << 8) >> 8 : int64_t(v & 0xFFFFFF);
    };
    int64_t product = low24(a[l]) * low24(b[l]);
    uint32_t r = uint32_t(in.high ? product >> 16 : product);
    d[l] =
        in.saturates ? uint32_t(addSat(int32_t(r), int32_t(c[l]))) : r + c[l];
  });
}

//===--- carries ----------------------------------------------------------===//

enum CarryOp { Add, Sub };

struct CarryRows : Rows {
  bool setsCarry = false;
};

template <typename T, CarryOp K, bool In>
void withCarry(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<CarryRows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b);
  lanes(m, [&](int l) {
    unsigned __int128 carried = In ? x.warp->carry[l] : 0;
    unsigned __int128 r =
        K == Add ? static_cast<unsigned __int128>(a[l]) + b[l] + carried
                 : static_cast<unsigned __int128>(a[l]) - b[l] - carried;
    d[l] = T(r);
    if (in.setsCarry)
      x.warp->carry[l] = uint32_t(r >> kBits<T>) & 1;
  });
}

template <typename T, bool High, bool In>
void madCarry(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<CarryRows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b),
    *c = x.row<T>(in.c);
  lanes(m, [&](int l) {
    T product = High ? mulHi(a[l], b[l]) : mulLo(a[l], b[l]);
    unsigned __int128 r = static_cast<unsigned __int128>(U<T>(product)) +
                          U<T>(c[l]) + (In ? x.warp->carry[l] : 0);
    d[l] = T(r);
    if (in.setsCarry)
      x.warp->carry[l] = uint32_t(r >> kBits<T>) & 1;
  });
}

//===--- dot products and packed video instructions -----------------------===//

struct DotRows : Rows {
  bool signedA = false, signedB = false;
  bool high = false; ///< dp2a: of the upper two bytes of b.
};

void dp4a(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<DotRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t sum = c[l];
    for (int k = 0; k < 4; ++k) {
      int32_t p =
          in.signedA ? int8_t(a[l] >> (8 * k)) : uint8_t(a[l] >> (8 * k));
      int32_t q =
          in.signedB ? int8_t(b[l] >> (8 * k)) : uint8_t(b[l] >> (8 * k));
      sum += uint32_t(p * q);
    }
    d[l] = sum;
  });
}

void dp2a(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<DotRows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  lanes(m, [&](int l) {
    uint32_t sum = c[l];
    for (int k = 0; k < 2; ++k) {
      int32_t p =
          in.signedA ? int16_t(a[l] >> (16 * k)) : uint16_t(a[l] >> (16 * k));
      int at = 8 * (k + (in.high ? 2 : 0));
      int32_t q = in.signedB ? int8_t(b[l] >> at) : uint8_t(b[l] >> at);
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
  const auto &in = i.as<SetPredicate>();
  using S = typename RowOf<T>::Slot;
  S *a = x.row<S>(in.a), *b = x.row<S>(in.b);
  Mask t = 0;
  for (int l = 0; l < 32; ++l)
    t |= Mask(compareInts<T, C>(RowOf<T>::load(a[l]), RowOf<T>::load(b[l])))
         << l;
  Mask p = t, q = ~t;
  if (in.combine != SetPredicate::Alone) { // Combined with a third operand.
    Mask c = x.predicate(in.c);
    p = in.combined(t, c);
    q = in.combined(~t, c);
  }
  x.setPredicate(in.p, p, m);
  x.setPredicate(in.q, q, m);
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

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool twoSources(Decoder &d, Rows &in, Type t, Handler h) {
  if (!h)
    return d.fail(kNoSuchType);
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         (d.emit(h, Class::Integer), true);
}

bool twoSources(Decoder &d, Type t, Handler h) {
  return twoSources(d, d.make<Rows>(), t, h);
}

bool oneSource(Decoder &d, Type to, Type from, Handler h) {
  if (!h)
    return d.fail(kNoSuchType);
  auto &in = d.make<Rows>();
  return d.operands(2, 2) && d.destination(d.operand(0), to, in.d) &&
         d.source(d.operand(1), from, in.a) &&
         (d.emit(h, Class::Integer), true);
}

bool threeSources(Decoder &d, Rows &in, Type t, Handler h) {
  if (!h)
    return d.fail(kNoSuchType);
  return d.operands(4, 4) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         d.source(d.operand(3), t, in.c) && (d.emit(h, Class::Integer), true);
}

bool threeSources(Decoder &d, Type t, Handler h) {
  return threeSources(d, d.make<Rows>(), t, h);
}

// Mnemonics shared with floats are decoded in Float.cpp, which calls these when
// the type is an integer.

bool decodeIntegerAdd(Decoder &d, Type t, bool subtract) {
  bool sat = d.has("sat");
  if (d.has("cc")) {
    auto &in = d.make<CarryRows>();
    in.setsCarry = true;
    bool wide = typeBits(t) == 64;
    Handler h = subtract ? (wide ? withCarry<uint64_t, Sub, false>
                                 : withCarry<uint32_t, Sub, false>)
                         : (wide ? withCarry<uint64_t, Add, false>
                                 : withCarry<uint32_t, Add, false>);
    return twoSources(d, in, t, h);
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

static constexpr char kNeedsNarrow[] = "'.wide' needs a 16- or 32-bit type";

/// Returns the type of twice the width; none where `t` has none.
static Type getWide(Type t) {
  switch (t) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return Type::None;
  }
}

/// The handler of types that have a wide one.
#define PICK_WIDE(t, H)                                                        \
  ((t) == Type::U16   ? H<uint32_t, uint16_t>                                  \
   : (t) == Type::S16 ? H<int32_t, int16_t>                                    \
   : (t) == Type::U32 ? H<uint64_t, uint32_t>                                  \
                      : H<int64_t, int32_t>)

bool decodeIntegerMul(Decoder &d, Type t) {
  if (d.has("wide")) {
    Type wide = getWide(t);
    if (wide == Type::None)
      return d.fail(kNeedsNarrow);
    Handler h = PICK_WIDE(t, mulWide);
    auto &in = d.make<Rows>();
    return d.operands(3, 3) && d.destination(d.operand(0), wide, in.d) &&
           d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
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
    Type wide = getWide(t);
    if (wide == Type::None)
      return d.fail(kNeedsNarrow);
    Handler h = PICK_WIDE(t, madWide);
    auto &in = d.make<Rows>();
    return d.operands(4, 4) && d.destination(d.operand(0), wide, in.d) &&
           d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
           d.source(d.operand(3), wide, in.c) &&
           (d.emit(h, Class::Integer), true);
  }
  bool high = d.has("hi");
  if (!high && !d.has("lo"))
    return d.fail("expected '.lo', '.hi' or '.wide'");
  if (carryIn || carryOut) {
    auto &in = d.make<CarryRows>();
    in.setsCarry = carryOut;
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
    return threeSources(d, in, t, h);
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
  const auto &in = i.as<Rows>();
  auto *b = x.row<typename RowOf<T>::Slot>(in.b);
  Mask zero = 0;
  forLanes(m, [&](int l) { zero |= Mask(RowOf<T>::load(b[l]) == 0) << l; });
  binary<T, F>(x, i, m);
  if (zero)
    x.m.registers.undefinedResult(x, i, zero, in.d, sizeof(T) > 4 ? 2 : 1);
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
  auto &in = d.inst.as<SetPredicate>();
  if (!d.operands(3, 4))
    return false;
  const Operand &to = d.operand(0);
  if (to.kind == Operand::Kind::Pair) {
    if (!d.predicateDestination(to.items[0], in.p) ||
        !d.predicateDestination(to.items[1], in.q))
      return false;
  } else if (!d.predicateDestination(to, in.p)) {
    return false;
  }
  if (!d.source(d.operand(1), t, in.a) || !d.source(d.operand(2), t, in.b))
    return false;
  if ((d.count() == 4) != (in.combine != SetPredicate::Alone))
    return d.fail("a third source needs '.and', '.or' or '.xor'");
  return d.count() == 3 || d.predicateSource(d.operand(3), in.c);
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
    return d.fail(kNoSuchType);
  if (!decodeSetpOperands(d, t))
    return false;
  d.emit(h, Class::Integer);
  return true;
}

namespace {

bool decodeCarryAdd(Decoder &d) {
  auto &in = d.make<CarryRows>();
  bool subtract = d.s->words[0] == "subc";
  Type t = d.type();
  in.setsCarry = d.has("cc");
  bool wide = typeBits(t) == 64;
  Handler h = subtract ? (wide ? withCarry<uint64_t, Sub, true>
                               : withCarry<uint32_t, Sub, true>)
                       : (wide ? withCarry<uint64_t, Add, true>
                               : withCarry<uint32_t, Add, true>);
  return twoSources(d, in, t, h);
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
  auto &in = d.make<Mul24>();
  bool add = d.s->words[0] == "mad24", high = d.has("hi");
  if (!high && !d.has("lo"))
    return d.fail("expected '.lo' or '.hi'");
  in.saturates = d.has("sat");
  Type t = d.type();
  if ((t != Type::U32 && t != Type::S32) ||
      (in.saturates && (!add || !high || t != Type::S32)))
    return d.fail(kNoSuchType);
  in.isSigned = t == Type::S32;
  in.high = high;
  if (!add)
    in.c = d.constantRow(0, 4);
  return add ? threeSources(d, in, t, mul24) : twoSources(d, in, t, mul24);
}

bool decodeDp(Decoder &d) {
  auto &in = d.make<DotRows>();
  bool two = d.s->words[0] == "dp2a";
  in.high = d.has("hi");
  if (two && !in.high && !d.has("lo"))
    return d.fail("expected '.lo' or '.hi'");
  Type a = d.type(), b = d.type();
  if (a == Type::None || b == Type::None)
    return d.fail("expected two types");
  in.signedA = a == Type::S32;
  in.signedB = b == Type::S32;
  return threeSources(d, in, Type::B32, two ? dp2a : dp4a);
}

} // namespace

void registerInteger() {
  RegisterDecoders({
      {"addc", decodeCarryAdd},
      {"subc", decodeCarryAdd},
      {"rem", decodeRem},
      {"sad", decodeSad},
      {"mul24", decodeMul24},
      {"mad24", decodeMul24},
      {"dp4a", decodeDp},
      {"dp2a", decodeDp},
  });
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves, packing, selection, and what set makes of a comparison.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// set: the predicates of a setp before it become ones, zero or 1.0.
struct SetResult {
  int32_t d = 0, low = 4;
  int32_t high = 6; ///< Of the upper half of packed values.
  bool isPacked = false;
  uint32_t yes = 0;
};

void setResult(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SetResult>();
  Mask p = x.predicate(in.low), high = in.isPacked ? x.predicate(in.high) : 0;
  uint32_t *d = x.row<uint32_t>(in.d);
  lanes(m, [&](int l) {
    d[l] = (p >> l & 1 ? in.yes : 0) | (high >> l & 1 ? in.yes << 16 : 0);
  });
}

template <typename T> void selp(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Select>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b);
  Mask p = x.predicate(in.p);
  lanes(m, [&](int l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}

struct SignSelect : Rows {
  bool isFloat = false, ftz = false; ///< Of c, whose sign selects.
};

template <typename T> void slct(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<SignSelect>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a), *b = x.row<T>(in.b);
  lanes(m, [&](int l) {
    bool first = x.row<int32_t>(in.c)[l] >= 0;
    if (in.isFloat) {
      float c = x.row<float>(in.c)[l];
      first = (in.ftz ? flush(c) : c) >= 0;
    }
    d[l] = first ? a[l] : b[l];
  });
}

template <typename T> void move(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  T *d = x.row<T>(in.d), *a = x.row<T>(in.a);
  lanes(m, [&](int l) { d[l] = a[l]; });
}

void move16(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a);
  lanes(m, [&](int l) { d[l] = a[l] & 0xFFFF; });
}

void move128(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  for (int h = 0; h < 2; ++h) {
    auto *d = x.row<uint64_t>(in.d + 2 * h), *a = x.row<uint64_t>(in.a + 2 * h);
    lanes(m, [&](int l) { d[l] = a[l]; });
  }
}

/// An address that the block or the frame makes complete.
struct AddressRows {
  int32_t d = 0, base = 0;
  bool wide = false; ///< 64-bit result.
  int64_t offset = 0;
};

void moveAdd(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<AddressRows>();
  auto *a = x.row<uint64_t>(in.base);
  if (in.wide) {
    auto *d = x.row<uint64_t>(in.d);
    lanes(m, [&](int l) { d[l] = a[l] + uint64_t(in.offset); });
  } else {
    auto *d = x.row<uint32_t>(in.d);
    lanes(m, [&](int l) { d[l] = uint32_t(a[l] + uint64_t(in.offset)); });
  }
}

void movePredicate(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  x.setPredicate(in.d, x.predicate(in.a), m);
}

struct ClockRead {
  int32_t d = 0;
  bool wide = false; ///< 64-bit result.
  enum Source : uint8_t { Cycles, Time, High } source = Cycles;
};

void clockRead(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ClockRead>();
  uint64_t now = x.m.scheduler.steps * 4;
  if (in.source == ClockRead::Time)
    now = 1700000000000000000ull + x.m.scheduler.steps * 4;
  if (in.source == ClockRead::High)
    now >>= 32;
  if (in.wide) {
    auto *d = x.row<uint64_t>(in.d);
    lanes(m, [&](int l) { d[l] = now; });
  } else {
    auto *d = x.row<uint32_t>(in.d);
    lanes(m, [&](int l) { d[l] = uint32_t(now); });
  }
}

/// A value and its parts, lowest first.
struct PackRows {
  int32_t whole = 0;
  uint8_t parts = 0;
  uint8_t bytes = 0; ///< Of the whole.
  int32_t rows[8] = {};
  int partBytes() const { return bytes / parts; }
};

void pack(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<PackRows>();
  int n = in.parts, total = in.bytes, w = in.partBytes();
  forLanes(m, [&](int l) {
    uint64_t r[2] = {0, 0};
    for (int k = 0; k < n; ++k) {
      uint64_t e = w == 8 ? x.row<uint64_t>(in.rows[k])[l]
                          : x.row<uint32_t>(in.rows[k])[l];
      if (w < 4)
        e &= (1u << (8 * w)) - 1;
      r[k * w / 8] |= e << (k * w % 8 * 8);
    }
    if (total <= 4)
      x.row<uint32_t>(in.whole)[l] = uint32_t(r[0]);
    else
      x.row<uint64_t>(in.whole)[l] = r[0];
    if (total == 16)
      x.row<uint64_t>(in.whole + 2)[l] = r[1];
  });
}

void unpack(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<PackRows>();
  int n = in.parts, total = in.bytes, w = in.partBytes();
  forLanes(m, [&](int l) {
    uint64_t r[2] = {0, 0};
    r[0] = total <= 4 ? x.row<uint32_t>(in.whole)[l]
                      : x.row<uint64_t>(in.whole)[l];
    if (total == 16)
      r[1] = x.row<uint64_t>(in.whole + 2)[l];
    for (int k = 0; k < n; ++k) {
      uint64_t e = r[k * w / 8] >> (k * w % 8 * 8);
      if (w == 8)
        x.row<uint64_t>(in.rows[k])[l] = e;
      else
        x.row<uint32_t>(in.rows[k])[l] =
            w == 4 ? uint32_t(e) : uint32_t(e) & ((1u << (8 * w)) - 1);
    }
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeSelp(Decoder &d) {
  auto &in = d.make<Select>();
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  return d.operands(4, 4) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         d.predicateSource(d.operand(3), in.p) &&
         (d.emit(typeBits(t) == 64 ? selp<uint64_t> : selp<uint32_t>,
                 Class::Move),
          true);
}

bool decodeSlct(Decoder &d) {
  auto &in = d.make<SignSelect>();
  in.ftz = d.has("ftz");
  Type t = d.type(), c = d.type();
  in.isFloat = c == Type::F32;
  return d.operands(4, 4) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) && d.source(d.operand(2), t, in.b) &&
         d.source(d.operand(3), c, in.c) &&
         (d.emit(typeBits(t) == 64 ? slct<uint64_t> : slct<uint32_t>,
                 Class::Move),
          true);
}

Type partType(int bytes) {
  return bytes == 1   ? Type::B8
         : bytes == 2 ? Type::B16
         : bytes == 4 ? Type::B32
                      : Type::B64;
}

/// Decodes the parts of a vector, of a value of `bytes`.
bool decodeParts(Decoder &d, const Operand &vector, int bytes, bool areSources,
                 PackRows &in) {
  size_t n = vector.items.size();
  Type t = partType(bytes / int(n ? n : 1));
  std::vector<int32_t> rows;
  if (areSources ? !d.sources(vector, t, rows)
                 : !d.destinations(vector, t, rows))
    return false;
  if (rows.empty() || rows.size() > std::size(in.rows))
    return d.fail("expected 1 to " + std::to_string(std::size(in.rows)) +
                  " parts");
  std::copy(rows.begin(), rows.end(), in.rows);
  in.parts = uint8_t(n);
  in.bytes = uint8_t(bytes);
  return true;
}

bool isClock(const std::string &name) {
  return name.compare(0, 6, "%clock") == 0 ||
         name.compare(0, 12, "%globaltimer") == 0;
}

bool decodeClock(Decoder &d, Type t, const std::string &name) {
  auto &in = d.make<ClockRead>();
  in.wide = typeBits(t) == 64;
  bool isHigh = name.size() > 3 && name.compare(name.size() - 3, 3, "_hi") == 0;
  in.source = isHigh                     ? ClockRead::High
              : name.find("%clock") == 0 ? ClockRead::Cycles
                                         : ClockRead::Time;
  return d.destination(d.operand(0), t, in.d) &&
         (d.emit(clockRead, Class::Move), true);
}

/// The address of a variable that lies elsewhere in every block or frame.
bool decodeVariableAddress(Decoder &d, Type t, const Operand &from,
                           const Variable &v, int64_t local) {
  auto &in = d.make<AddressRows>();
  in.wide = typeBits(t) == 64;
  if (!d.destination(d.operand(0), t, in.d))
    return false;
  if (v.space == Space::Param) {
    in.base = d.specialRow("%localbase");
    in.offset = local + int64_t(from.bits);
  } else {
    Operand wrapped;
    wrapped.kind = Operand::Kind::Address;
    wrapped.items.push_back(from);
    wrapped.bits = from.bits;
    Decoder::Address a;
    if (!d.address(wrapped, v.space, a))
      return false;
    in.base = a.row;
    in.offset = a.offset;
  }
  d.emit(moveAdd, Class::Move);
  return true;
}

bool decodeMov(Decoder &d) {
  Type t = d.type();
  if (!d.operands(2, 2))
    return false;
  const Operand &to = d.operand(0), &from = d.operand(1);
  if (t == Type::None)
    return d.fail("expected a type");
  int bytes = typeBits(t) / 8;
  if (t != Type::Pred && to.kind == Operand::Kind::Vector) {
    auto &in = d.make<PackRows>();
    return decodeParts(d, to, bytes, false, in) &&
           d.source(from, t, in.whole) && (d.emit(unpack, Class::Move), true);
  }
  if (t != Type::Pred && from.kind == Operand::Kind::Vector) {
    auto &in = d.make<PackRows>();
    return decodeParts(d, from, bytes, true, in) &&
           d.destination(to, t, in.whole) && (d.emit(pack, Class::Move), true);
  }
  if (t != Type::Pred && from.kind == Operand::Kind::Special &&
      isClock(from.name))
    return decodeClock(d, t, from.name);
  if (t != Type::Pred && from.kind == Operand::Kind::Variable) {
    const Variable &v = from.index < 0 ? d.m.image.module.variables[~from.index]
                                       : d.fn.variables[from.index];
    int64_t local = 0; // Of a copy that stands for a parameter.
    if (v.space == Space::Local || v.space == Space::Shared ||
        (v.space == Space::Param && d.addressedParam(from.index, local)))
      return decodeVariableAddress(d, t, from, v, local);
  }
  auto &in = d.make<Rows>();
  if (t == Type::Pred)
    return d.predicateDestination(to, in.d) && d.predicateSource(from, in.a) &&
           (d.emit(movePredicate, Class::Move), true);
  if (!d.destination(to, t, in.d) || !d.source(from, t, in.a))
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
  auto &in = d.make<SetResult>();
  in.isPacked = packed;
  bool isF16 = to == Type::F16 || to == Type::F16x2;
  bool isBF16 = to == Type::BF16 || to == Type::BF16x2;
  in.yes = to == Type::F32                ? 0x3F800000
           : isF16                        ? 0x3C00
           : isBF16                       ? 0x3F80
           : typeBits(to) == 16 || packed ? 0xFFFF
                                          : 0xFFFFFFFF;
  if (!d.destination(d.operand(0), to, in.d))
    return false;
  d.emit(setResult, Class::Integer);
  return true;
}

void registerMove() {
  RegisterDecoders({
      {"selp", decodeSelp},
      {"slct", decodeSlct},
      {"mov", decodeMov},
  });
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves, packing, selection, and what set makes of a comparison.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

namespace tileir::emu {

namespace {

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

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

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

void registerMove() {
  RegisterDecoders({
      {"selp", decodeSelp},
      {"slct", decodeSlct},
      {"mov", decodeMov},
  });
}

} // namespace tileir::emu

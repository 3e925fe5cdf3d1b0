// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of one state space in another, and of other blocks.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

/// mapa: a 1 for a generic result.
void mapa(Exec &x, const Inst &i, Mask m) {
  auto *rank = x.row<uint32_t>(i.o[2]);
  forLanes(m, [&](int l) {
    uint64_t a = i.o[1] < 0 ? 0
                 : i.b      ? x.row<uint64_t>(i.o[1])[l]
                            : x.row<uint32_t>(i.o[1])[l];
    a += uint64_t(i.imm);
    if (rank[l] >= x.block->cluster->blocks.size()) {
      x.m.report(FindingKind::Cluster, x, i, l,
                 "rank " + std::to_string(rank[l]) + " in a cluster of " +
                     std::to_string(x.block->cluster->blocks.size()));
      x.m.fatal();
      return;
    }
    uint64_t r = (a & 0xFFFFFF) | uint64_t(rank[l]) << 24;
    if (i.a)
      x.row<uint64_t>(i.o[0])[l] = i.c ? r : kSharedWindow + r;
    else
      x.row<uint32_t>(i.o[0])[l] = uint32_t(r);
  });
}

/// a: the space.
void isspacep(Exec &x, const Inst &i, Mask m) {
  auto *a = x.row<uint64_t>(i.o[1]);
  Mask p = 0;
  forLanes(m, [&](int l) {
    uint64_t v = a[l];
    bool inShared = v >= kSharedWindow && v < kSharedWindow + (1ull << 32);
    bool inLocal = v >= kLocalWindow && v < kLocalWindow + (1ull << 32);
    bool r = false;
    switch (Space(i.a)) {
    case Space::Shared:
      r = inShared && (v - kSharedWindow) >> 24 == x.block->clusterRank;
      break;
    case Space::SharedCluster:
      r = inShared;
      break;
    case Space::Local:
      r = inLocal;
      break;
    case Space::Const:
      r = v >= kConstBase && v < kParamBase;
      break;
    case Space::Param:
      r = v >= kParamBase && v < kCodeBase;
      break;
    default:
      r = !inShared && !inLocal && (v < kConstBase || v >= kSharedWindow);
      break;
    }
    p |= Mask(r) << l;
  });
  x.setPredicate(i.o[0], p, m);
}

/// d = a + imm.
void addImmediate(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]);
  if (i.o[1] < 0) {
    lanes(m, [&](int l) { d[l] = uint64_t(i.imm); });
    return;
  }
  if (i.a) { // A 32-bit source.
    auto *a = x.row<uint32_t>(i.o[1]);
    lanes(m, [&](int l) { d[l] = a[l] + uint64_t(i.imm); });
    return;
  }
  auto *a = x.row<uint64_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l] + uint64_t(i.imm); });
}

/// cvta of .param and .const, whose addresses may have been made in 32 bits:
/// then imm, the base of the space, is still to be added.
void widenAddress(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]), *a = x.row<uint64_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l] >> 32 ? a[l] : a[l] + uint64_t(i.imm); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeMapa(Decoder &d) {
  bool shared = d.has("shared::cluster");
  Type t = d.type();
  d.inst.a = typeBits(t) == 64;
  d.inst.c = shared;
  if (!d.operands(3, 3) || !d.destination(d.operand(0), t, d.inst.o[0]) ||
      !d.source(d.operand(2), Type::U32, d.inst.o[2]))
    return false;
  const Operand &from = d.operand(1);
  if (from.kind == Operand::Kind::Variable) {
    Operand wrapped;
    wrapped.kind = Operand::Kind::Address;
    wrapped.items.push_back(from);
    wrapped.bits = from.bits;
    Decoder::Address a;
    if (!d.address(wrapped, Space::Shared, a))
      return false;
    d.inst.o[1] = -1;
    d.inst.imm = a.offset;
  } else if (!d.source(from, t, d.inst.o[1])) {
    return false;
  }
  d.inst.b = d.inst.a;
  d.emit(mapa, Class::Other);
  return true;
}

bool decodeIsspacep(Decoder &d) {
  Space s = Space::Global;
  if (!takeMemorySpace(d, s))
    return d.fail("expected a state space");
  d.inst.a = uint8_t(s);
  return d.operands(2, 2) &&
         d.predicateDestination(d.operand(0), d.inst.o[0]) &&
         d.source(d.operand(1), Type::U64, d.inst.o[1]) &&
         (d.emit(isspacep, Class::Other), true);
}

bool decodeCvta(Decoder &d) {
  bool to = d.has("to");
  Space s = Space::Global;
  if (!takeMemorySpace(d, s))
    return d.fail("expected a state space");
  Type t = d.type();
  if (typeBits(t) != 64 || !d.operands(2, 2) ||
      !d.destination(d.operand(0), t, d.inst.o[0]))
    return d.fail("expected type .u64");
  int64_t window = s == Space::Shared || s == Space::SharedCluster
                       ? int64_t(kSharedWindow)
                   : s == Space::Local ? int64_t(kLocalWindow)
                                       : 0;
  d.inst.imm = to ? -window : window;
  const Operand &from = d.operand(1);
  if (from.kind == Operand::Kind::Variable) {
    Operand wrapped;
    wrapped.kind = Operand::Kind::Address;
    wrapped.items.push_back(from);
    wrapped.bits = from.bits;
    Decoder::Address a;
    if (!d.address(wrapped, s, a))
      return false;
    if (a.frameParam) { // A copy in local memory stands for it.
      int64_t offset;
      if (!d.addressedParam(from.index, offset))
        return d.fail("address of a parameter of a call");
      d.inst.o[1] = d.specialRow("%localbase");
      d.inst.imm =
          (to ? 0 : int64_t(kLocalWindow)) + offset + int64_t(from.bits);
    } else {
      d.inst.o[1] = a.row;
      d.inst.imm += a.offset;
    }
  } else if (!d.source(from, t, d.inst.o[1])) {
    return false;
  } else if (!to && (s == Space::Param || s == Space::Const)) {
    d.inst.imm = int64_t(s == Space::Param ? kParamBase : kConstBase);
    d.emit(widenAddress, Class::Move);
    return true;
  }
  d.emit(addImmediate, Class::Move);
  return true;
}

} // namespace

void registerAddresses() {
  RegisterDecoders({{"mapa", decodeMapa},
                    {"isspacep", decodeIsspacep},
                    {"cvta", decodeCvta}});
}

} // namespace tileir::emu

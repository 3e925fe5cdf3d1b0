// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of one state space in another, and of other blocks.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

struct MapAddress {
  int32_t d = 0, rank = 0;
  int32_t a = -1; ///< The row of the address, -1 when it is constant.
  int64_t offset = 0;
  bool wide = false;     ///< 64-bit address and result.
  bool isShared = false; ///< .shared::cluster: not a generic result.
};

void mapa(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MapAddress>();
  auto *rank = x.row<uint32_t>(in.rank);
  forLanes(m, [&](int l) {
    uint64_t a = in.a < 0  ? 0
                 : in.wide ? x.row<uint64_t>(in.a)[l]
                           : x.row<uint32_t>(in.a)[l];
    a += uint64_t(in.offset);
    if (rank[l] >= x.block->cluster->blocks.size()) {
      x.m.report(FindingKind::Cluster, x, i, l,
                 "rank " + std::to_string(rank[l]) + " in a cluster of " +
                     std::to_string(x.block->cluster->blocks.size()));
      x.m.fatal();
      return;
    }
    uint64_t r = (a & 0xFFFFFF) | uint64_t(rank[l]) << 24;
    if (in.wide)
      x.row<uint64_t>(in.d)[l] = in.isShared ? r : kSharedWindow + r;
    else
      x.row<uint32_t>(in.d)[l] = uint32_t(r);
  });
}

struct IsSpace {
  int32_t p = 0, a = 0;
  Space space = Space::Global;
};

void isspacep(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<IsSpace>();
  auto *a = x.row<uint64_t>(in.a);
  Mask p = 0;
  forLanes(m, [&](int l) {
    uint64_t v = a[l];
    bool inShared = v >= kSharedWindow && v < kSharedWindow + (1ull << 32);
    bool inLocal = v >= kLocalWindow && v < kLocalWindow + (1ull << 32);
    bool r = false;
    switch (in.space) {
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
  x.setPredicate(in.p, p, m);
}

/// d = a + offset.
struct ConvertAddress {
  int32_t d = 0;
  int32_t a = 0; ///< -1: nothing.
  int64_t offset = 0;
};

void addImmediate(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertAddress>();
  auto *d = x.row<uint64_t>(in.d);
  if (in.a < 0) {
    lanes(m, [&](int l) { d[l] = uint64_t(in.offset); });
    return;
  }
  auto *a = x.row<uint64_t>(in.a);
  lanes(m, [&](int l) { d[l] = a[l] + uint64_t(in.offset); });
}

/// cvta of .param and .const, whose addresses may have been made in 32 bits:
/// then the offset, the base of the space, is still to be added.
void widenAddress(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ConvertAddress>();
  auto *d = x.row<uint64_t>(in.d), *a = x.row<uint64_t>(in.a);
  lanes(m,
        [&](int l) { d[l] = a[l] >> 32 ? a[l] : a[l] + uint64_t(in.offset); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeMapa(Decoder &d) {
  auto &in = d.make<MapAddress>();
  bool shared = d.has("shared::cluster");
  Type t = d.type();
  in.wide = typeBits(t) == 64;
  in.isShared = shared;
  if (!d.operands(3, 3) || !d.destination(d.operand(0), t, in.d) ||
      !d.source(d.operand(2), Type::U32, in.rank))
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
    in.a = -1;
    in.offset = a.offset;
  } else if (!d.source(from, t, in.a)) {
    return false;
  }
  d.emit(mapa, Class::Other);
  return true;
}

bool decodeIsspacep(Decoder &d) {
  auto &in = d.make<IsSpace>();
  Space s = Space::Global;
  if (!takeMemorySpace(d, s))
    return d.fail("expected a state space");
  in.space = s;
  return d.operands(2, 2) && d.predicateDestination(d.operand(0), in.p) &&
         d.source(d.operand(1), Type::U64, in.a) &&
         (d.emit(isspacep, Class::Other), true);
}

bool decodeCvta(Decoder &d) {
  auto &in = d.make<ConvertAddress>();
  bool to = d.has("to");
  Space s = Space::Global;
  if (!takeMemorySpace(d, s))
    return d.fail("expected a state space");
  Type t = d.type();
  if (typeBits(t) != 64 || !d.operands(2, 2) ||
      !d.destination(d.operand(0), t, in.d))
    return d.fail("expected type .u64");
  int64_t window = s == Space::Shared || s == Space::SharedCluster
                       ? int64_t(kSharedWindow)
                   : s == Space::Local ? int64_t(kLocalWindow)
                                       : 0;
  in.offset = to ? -window : window;
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
      in.a = d.specialRow("%localbase");
      in.offset =
          (to ? 0 : int64_t(kLocalWindow)) + offset + int64_t(from.bits);
    } else {
      in.a = a.row;
      in.offset += a.offset;
    }
  } else if (!d.source(from, t, in.a)) {
    return false;
  } else if (!to && (s == Space::Param || s == Space::Const)) {
    in.offset = int64_t(s == Space::Param ? kParamBase : kConstBase);
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

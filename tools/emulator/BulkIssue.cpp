// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk and tensor copies, their groups and asynchronous stores are issued.
#include "tools/emulator/BulkOps.h"
#include "tools/emulator/MemoryOps.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

uint64_t operandAddress(Exec &x, const Inst &i, int which, int lane) {
  const std::vector<int32_t> &v = i.extra->v[3];
  int32_t row = v[size_t(3 * which)];
  int64_t offset = i.extra->numbers[size_t(v[size_t(3 * which + 2)])];
  if (row < 0)
    return uint64_t(offset);
  return v[size_t(3 * which + 1)]
             ? x.row<uint64_t>(row)[lane] + uint64_t(offset)
             : uint32_t(x.row<uint32_t>(row)[lane] + uint32_t(offset));
}

bool addressOf(Decoder &d, const Operand &o, Space s, AddressOperand &out) {
  // Only the base; coordinates follow it in the same brackets.
  Operand base = o;
  if (base.items.size() > 1)
    base.items.resize(1);
  return d.memoryOperand(base, s, out);
}

bool addAddress(Decoder &d, const Operand &o, Space s) {
  Decoder::Address a;
  // Only the base; coordinates follow it in the same brackets.
  Operand base = o;
  if (base.items.size() > 1)
    base.items.resize(1);
  if (!d.address(base, s, a))
    return false;
  Extra &e = d.extra();
  e.numbers.push_back(a.offset);
  e.v[3].insert(e.v[3].end(), {a.row, a.wide, int32_t(e.numbers.size()) - 1});
  return true;
}

namespace {

/// a kind; b: 1 tensor, 2 gather, 4 im2col, 8 ::w, 16 ::w::128; addresses: 0
/// destination or map, 1 source, 2 barrier; o[0] size row, o[1] multicast mask
/// row or -1, o[2] byte mask row or -1; v[0] coordinates, v[1] im2col offsets.
void bulk(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Block &block = *x.block;
    BulkOp op;
    op.kind = BulkOp::Kind(i.a);
    op.tensor = i.b & 1;
    op.gather = i.b & 2 ? 1 : 0;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    bool load = op.kind == BulkOp::Load;
    if (op.tensor) {
      uint64_t mapAddress = operandAddress(x, i, load ? 1 : 0, l);
      op.shared = sharedOf(operandAddress(x, i, load ? 0 : 1, l));
      if (mapAddress % 64) {
        x.m.report(FindingKind::TensorMap, x, i, l,
                   "tensor map is not aligned to 64 bytes");
        x.m.fatal();
        return;
      }
      Region *region = nullptr;
      uint64_t offset;
      uint8_t *p =
          x.m.access(x, i, l, Space::Generic, mapAddress, kTensorMapBytes,
                     AccessKind::Read, region, offset, 64);
      if (!p || !region)
        return;
      x.m.checkWritten(x, i, l, *region, offset, kTensorMapBytes);
      x.m.checkMapProxy(x, i, l, *region, offset);
      std::string why;
      if (!decodeTensorMap(p, op.map, why)) {
        x.m.report(FindingKind::TensorMap, x, i, l, "bad tensor map: " + why);
        x.m.fatal();
        return;
      }
      const std::vector<int32_t> &c = i.extra->v[0];
      size_t expected = op.gather ? 5 : size_t(op.map.rank);
      if (c.size() != expected) {
        x.m.report(FindingKind::TensorMap, x, i, l,
                   "map of rank " + std::to_string(op.map.rank) + " with " +
                       std::to_string(c.size()) + " coordinates");
        x.m.fatal();
        return;
      }
      if (op.map.interleave) {
        x.m.failure = "line " + std::to_string(i.line) +
                      ": interleaved tensor maps are not supported: PTX does "
                      "not say what their coordinates count; use a map "
                      "without interleave";
        x.m.fatal();
        return;
      }
      static const char *const modes[] = {"tiled", "im2col", "im2col::w",
                                          "im2col::w::128"};
      int mapMode = op.map.im2col ? 1 + op.map.wide : 0;
      int mode = i.b & 16 ? 3 : i.b & 8 ? 2 : i.b & 4 ? 1 : 0;
      if (mapMode != mode) {
        x.m.report(FindingKind::TensorMap, x, i, l,
                   std::string(modes[mapMode]) +
                       " map with an instruction of " + modes[mode] + " mode");
        x.m.fatal();
        return;
      }
      const std::vector<int32_t> &offsets = i.extra->v[1];
      for (size_t k = 0; k < offsets.size(); ++k)
        op.offsets[k] = x.row<uint32_t>(offsets[k])[l] & 0xFFFF;
      for (size_t k = 0; k < c.size(); ++k)
        op.coordinates[k] = x.row<int32_t>(c[k])[l];
      op.bytes = uint32_t(op.map.boxBytes());
      if (op.map.wide) {
        uint32_t halo = op.offsets[0], most = op.map.wide == 2 ? 32 : 512;
        if (halo >= most || op.offsets[1] >= 32) {
          x.m.report(FindingKind::Undefined, x, i, l,
                     "halo " + std::to_string(halo) + " and offset " +
                         std::to_string(op.offsets[1]) +
                         " of im2col::w; use up to " +
                         std::to_string(most - 1) + " and 31");
          x.m.fatal();
          return;
        }
        op.bytes += halo * op.map.haloChunks() * op.map.boxUnits(0) *
                    uint32_t(op.map.sharedBytes());
      }
      if (op.gather)
        op.bytes = 4 * op.map.boxUnits(0) * uint32_t(op.map.sharedBytes());
      if (op.shared % 128) {
        x.m.report(FindingKind::Align, x, i, l,
                   "shared address of a tensor copy needs alignment 128");
        x.m.fatal();
        return;
      }
    } else {
      op.bytes = x.row<uint32_t>(i.o[0])[l];
      uint64_t first = operandAddress(x, i, 0, l);
      uint64_t second = operandAddress(x, i, 1, l);
      if (op.kind == BulkOp::SharedToShared) {
        op.shared = sharedOf(first);
        op.peer = sharedOf(second);
      } else {
        op.shared = sharedOf(load ? first : second);
        op.global = load ? second : first;
      }
      if (op.bytes % 16 || op.shared % 16 || op.global % 16 || op.peer % 16) {
        x.m.report(FindingKind::Align, x, i, l,
                   "addresses and size of a bulk copy must be multiples of 16");
        x.m.fatal();
        return;
      }
      if (!op.bytes)
        return;
    }
    if (load || op.kind == BulkOp::SharedToShared)
      op.barrier = sharedOf(operandAddress(x, i, 2, l));
    if (i.o[2] >= 0)
      op.byteMask = x.row<uint32_t>(i.o[2])[l] & 0xFFFF;
    if (i.o[1] >= 0)
      op.multicast = x.row<uint32_t>(i.o[1])[l] & 0xFFFF;
    // The destination is checked where the copy is issued.
    Region *region;
    uint64_t offset;
    if (!x.m.access(x, i, l, Space::SharedCluster, op.shared, op.bytes,
                    load ? AccessKind::Write : AccessKind::Read, region, offset,
                    16))
      return;
    if (Profile *p = x.m.profile.get()) {
      op.ticket = p->ticket();
      for (Block *to : block.cluster->blocks)
        if (load && (op.multicast ? op.multicast >> to->clusterRank & 1
                                  : op.shared >> 24 == to->clusterRank))
          p->copies(*to, op.bytes);
      if (!load)
        p->moves(op.bytes);
    }
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    if (!load && op.kind != BulkOp::SharedToShared) {
      BulkState &state = block.bulkStates[uint32_t(x.warp->firstThread + l)];
      if (state.reader == kNoAgent) {
        state.reader = block.newAgent();
        state.writer = block.newAgent();
      }
      op.sequence = ++state.issued;
      state.last = &i;
    }
    bool now =
        x.m.options.async == AsyncMode::Early ||
        (x.m.options.async == AsyncMode::Random && x.m.random() % 3 == 0);
    if (now)
      x.m.performBulk(x, block, op);
    else
      block.bulk.push_back(std::move(op));
  });
}

void bulkCommit(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    BulkState &s = x.block->bulkStates[uint32_t(x.warp->firstThread + l)];
    s.groups.push_back(s.issued);
  });
}

/// imm groups that may be left; a: .read.
void bulkWait(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    uint32_t thread = uint32_t(x.warp->firstThread + l);
    auto it = x.block->bulkStates.find(thread);
    if (it == x.block->bulkStates.end())
      return;
    BulkState &s = it->second;
    if (int64_t(s.groups.size()) <= i.imm)
      return;
    uint32_t target = s.groups[s.groups.size() - size_t(i.imm) - 1];
    x.m.finishBulk(x, *x.block, thread, target);
    s.read = std::max(s.read, target);
    if (s.reader == kNoAgent)
      return;
    ThreadClock &t = x.clock(l);
    t.known.modify().set(s.reader, target);
    if (!i.a) {
      t.known.modify().set(s.writer, target);
      while (!s.groups.empty() && s.groups.front() <= target &&
             int64_t(s.groups.size()) > i.imm)
        s.groups.pop_front();
    }
  });
}

/// st.async and red.async: addresses 0 destination, 2 barrier; v[0] values;
/// types[0]; text the reduction.
void storeAsync(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    BulkOp op;
    op.kind = BulkOp::Element;
    op.genericProxy = true;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.shared = sharedOf(operandAddress(x, i, 0, l));
    op.barrier = sharedOf(operandAddress(x, i, 1, l));
    uint32_t size = uint32_t(typeBits(i.extra->types[0])) / 8;
    uint8_t *to = reinterpret_cast<uint8_t *>(op.values);
    for (int32_t row : i.extra->v[0]) {
      if (size == 8)
        std::memcpy(to, &x.row<uint64_t>(row)[l], 8);
      else
        std::memcpy(to, &x.row<uint32_t>(row)[l], size);
      to += size;
      op.bytes += size;
    }
    if (Profile *p = x.m.profile.get()) {
      op.ticket = p->ticket();
      p->moves(op.bytes);
    }
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    if (x.m.options.async == AsyncMode::Early)
      x.m.performBulk(x, *x.block, op);
    else
      x.block->bulk.push_back(std::move(op));
  });
}

/// st.bulk: zeros; o[0] the size, c the space of the address.
void storeBulk(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t bytes = x.row<uint64_t>(i.o[0])[l];
    Region *region = nullptr;
    uint64_t offset;
    if (bytes % 8 || bytes > 0xFFFFFF) {
      x.m.report(FindingKind::Undefined, x, i, l,
                 "size " + std::to_string(bytes) +
                     " of st.bulk is no multiple of 8 below 16 MiB");
      x.m.fatal();
      return;
    }
    if (!bytes)
      return;
    uint8_t *p =
        x.m.access(x, i, l, Space(i.c), operandAddress(x, i, 0, l),
                   uint32_t(bytes), AccessKind::Write, region, offset, 8);
    if (!p)
      return;
    if (region)
      x.m.touch(x, i, l, *region, offset, uint32_t(bytes), AccessKind::Write,
                Semantics());
    std::memset(p, 0, bytes);
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeBulk(Decoder &d) {
  bool reduce = hasWord(d, "reduce");
  bool policy = hasWord(d, "L2::cache_hint");
  d.has("reduce");
  d.has("async");
  d.has("bulk");
  if (d.has("commit_group")) {
    d.emit(bulkCommit, Class::Async);
    return true;
  }
  if (d.has("wait_group")) {
    d.inst.a = d.has("read");
    if (!d.operands(1, 1) || !d.immediate(d.operand(0), d.inst.imm))
      return false;
    d.emit(bulkWait, Class::Async);
    return true;
  }
  if (hasWord(d, "prefetch"))
    return decodeTable().at("prefetch")(d);
  bool tensor = d.has("tensor");
  std::string dims;
  if (tensor)
    for (const char *n : {"1d", "2d", "3d", "4d", "5d"})
      if (d.has(n))
        dims = n;
  if (tensor && dims.empty())
    return d.fail("expected a dimension as '.2d'");
  std::string rest;
  bool gather = d.has("tile::gather4") || d.has("tile::scatter4");
  d.has("tile");
  bool wide128 = d.has("im2col::w::128"),
       wide = d.has("im2col::w") || d.has("im2col_no_offs::w") || wide128,
       im2col = d.has("im2col") || d.has("im2col_no_offs") || wide;
  // Destination, then source.
  bool toShared = false, toCluster = false, fromShared = false;
  if (d.next("shared::cluster"))
    toShared = toCluster = true;
  else if (d.next("shared::cta") || d.next("shared"))
    toShared = true;
  else if (!d.next("global"))
    return d.fail("expected the destination's state space");
  if (d.next("shared::cta") || d.next("shared"))
    fromShared = true;
  else if (!d.next("global"))
    return d.fail("expected the source's state space");
  bool group = d.has("bulk_group");
  d.has("mbarrier::complete_tx::bytes");
  bool multicast = d.has("multicast::cluster");
  d.prefixed("cta_group::", rest);
  d.has("L2::cache_hint");
  d.hints();
  bool byteMask = d.has("cp_mask");
  Extra &e = d.extra();
  if (reduce) {
    for (const char *op :
         {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
      if (e.text.empty() && d.has(op))
        e.text = op;
    if (e.text.empty())
      return d.fail("expected a reduction");
    d.has("noftz");
    if (!tensor)
      e.types[0] = d.type();
    d.has("tile");
  }
  for (const char *w : {"relaxed", "weak", "cta", "cluster", "gpu", "sys"})
    d.has(w);
  d.inst.b = uint8_t((tensor ? 1 : 0) | (gather ? 2 : 0) | (im2col ? 4 : 0) |
                     (wide ? 8 : 0) | (wide128 ? 16 : 0));
  d.inst.a = toShared && fromShared ? BulkOp::SharedToShared
             : toShared             ? BulkOp::Load
             : reduce               ? BulkOp::Reduce
                                    : BulkOp::Store;
  if (reduce && toShared && !(toCluster && fromShared && !tensor))
    return d.fail("a reduction into shared memory goes from .shared::cta to "
                  ".shared::cluster");
  if (!toShared && !group)
    return d.fail("expected '.bulk_group'");
  size_t n = d.count() - (policy ? 1 : 0);
  d.inst.o[1] = d.inst.o[2] = -1;
  if (tensor) {
    // load: [dst], [map, {c}], [bar]{, mask}; store: [map, {c}], [src].
    size_t at = toShared ? 1 : 0;
    if (n < (toShared ? 3u : 2u))
      return d.fail("an operand is missing");
    const Operand &map = d.operand(at);
    if (map.items.size() != 2)
      return d.fail("expected '[map, {coordinates}]'");
    if (!addAddress(d, d.operand(0),
                    toShared ? Space::SharedCluster : Space::Generic) ||
        !addAddress(d, d.operand(1),
                    toShared ? Space::Generic : Space::Shared) ||
        (toShared && !addAddress(d, d.operand(2), Space::Shared)) ||
        !d.sources(map.items[1], Type::B32, e.v[0]))
      return false;
    if (im2col && toShared) {
      std::vector<Operand> offsets =
          n > 3 ? Decoder::elements(d.operand(3)) : std::vector<Operand>();
      size_t rank = Decoder::elements(map.items[1]).size();
      if (offsets.size() + 2 != (wide ? 4 : rank))
        return d.fail(wide
                          ? "expected '{wHalo, wOffset}'"
                          : "expected one im2col offset per spatial dimension");
      for (const Operand &o : offsets) {
        int bits;
        e.v[1].emplace_back();
        if (!d.anySource(o, Type::B16, e.v[1].back(), bits))
          return false;
      }
    }
    if (multicast) {
      int bits;
      if (n < 4 || !d.anySource(d.operand(n - 1), Type::B16, d.inst.o[1], bits))
        return d.fail("expected a multicast mask");
    }
    d.inst.blind = reduce;
    d.emit(bulk, Class::Async);
    // The reduction is no label.
    return true;
  }
  // [dst], [src], size{, [bar]}{, mask}
  if (n < (toShared ? 4u : 3u))
    return d.fail("an operand is missing");
  if (!addAddress(d, d.operand(0),
                  toShared ? Space::SharedCluster : Space::Global) ||
      !addAddress(d, d.operand(1),
                  fromShared ? Space::Shared : Space::Global) ||
      !d.source(d.operand(2), Type::B32, d.inst.o[0]) ||
      (toShared && !addAddress(d, d.operand(3), Space::SharedCluster)))
    return false;
  if (multicast) {
    int bits;
    if (n < 5 || !d.anySource(d.operand(4), Type::B16, d.inst.o[1], bits))
      return d.fail("expected a multicast mask");
  }
  if (byteMask) {
    int bits;
    if (toShared || n != 4 ||
        !d.anySource(d.operand(d.count() - 1), Type::B16, d.inst.o[2], bits))
      return d.fail("expected a byte mask as the last operand");
  }
  d.inst.blind = reduce;
  d.emit(bulk, Class::Async);
  return true;
}

bool decodeStoreBulk(Decoder &d) {
  d.has("weak");
  Space s;
  takeMemorySpace(d, s);
  int64_t value;
  if (!d.operands(3, 3) || !addAddress(d, d.operand(0), s) ||
      !d.source(d.operand(1), Type::B64, d.inst.o[0]) ||
      !d.immediate(d.operand(2), value))
    return false;
  if (value)
    return d.fail("the initial value must be 0");
  d.inst.c = uint8_t(s);
  d.emit(storeBulk, Class::Shared);
  return true;
}

bool decodeStoreAsync(Decoder &d) {
  bool isRed = d.s->words[0] == "red";
  if (d.has("bulk"))
    return decodeStoreBulk(d);
  d.has("async");
  takeSemantics(d, true);
  Space s;
  takeMemorySpace(d, s);
  d.has("mbarrier::complete_tx::bytes");
  Extra &e = d.extra();
  if (isRed) {
    for (const char *op :
         {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
      if (e.text.empty() && d.has(op))
        e.text = op;
  }
  d.has("v2");
  d.has("v4");
  e.types[0] = d.type();
  if (!d.operands(3, 3) || !addAddress(d, d.operand(0), Space::SharedCluster) ||
      !d.sources(d.operand(1), e.types[0], e.v[0]) ||
      !addAddress(d, d.operand(2), Space::SharedCluster))
    return false;
  d.emit(storeAsync, Class::Async);
  return true;
}

} // namespace

void registerBulk() {
  RegisterDecoders({{"cp#bulk", decodeBulk},
                    {"st#async", decodeStoreAsync},
                    {"red#async", decodeStoreAsync}});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk and tensor copies, their groups and asynchronous stores are issued.
#include "tools/emulator/BulkOps.h"
#include "tools/emulator/MemoryOps.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

bool addressOf(Decoder &d, const Operand &o, Space s, AddressOperand &out) {
  // Only the base; coordinates follow it in the same brackets.
  Operand base = o;
  if (base.items.size() > 1)
    base.items.resize(1);
  return d.memoryOperand(base, s, out);
}

namespace {

/// Reads the tensor map of a copy; false after a finding.
bool takeMap(Exec &x, const Inst &i, int l, uint64_t address, BulkOp &op) {
  if (address % 64) {
    x.m.report(FindingKind::TensorMap, x, i, l,
               "tensor map is not aligned to 64 bytes");
    x.m.fatal();
    return false;
  }
  Region *region = nullptr;
  uint64_t offset;
  uint8_t *p =
      x.m.memory.access(x, i, l, Space::Generic, address, kTensorMapBytes,
                        AccessKind::Read, region, offset, 64);
  if (!p || !region)
    return false;
  x.m.memory.checkWritten(x, i, l, *region, offset, kTensorMapBytes);
  x.m.races.checkMapProxy(x, i, l, *region, offset);
  std::string why;
  if (!decodeTensorMap(p, op.map, why)) {
    x.m.report(FindingKind::TensorMap, x, i, l, "bad tensor map: " + why);
    x.m.fatal();
    return false;
  }
  return true;
}

/// Returns whether map and instruction fit each other.
bool checkMap(Exec &x, const Inst &i, int l, const BulkOp &op) {
  const auto &in = i.as<BulkOperands>();
  size_t count = in.coordinates.size();
  if (count != (op.gather ? 5 : size_t(op.map.rank))) {
    x.m.report(FindingKind::TensorMap, x, i, l,
               "map of rank " + std::to_string(op.map.rank) + " with " +
                   std::to_string(count) + " coordinates");
    x.m.fatal();
    return false;
  }
  if (op.map.interleave) {
    x.m.failure = "line " + std::to_string(i.line) +
                  ": interleaved tensor maps are not supported: PTX does "
                  "not say what their coordinates count; use a map "
                  "without interleave";
    x.m.fatal();
    return false;
  }
  static const char *const modes[] = {"tiled", "im2col", "im2col::w",
                                      "im2col::w::128"};
  int mapMode = op.map.im2col ? 1 + op.map.wide : 0;
  if (mapMode != in.mode) {
    x.m.report(FindingKind::TensorMap, x, i, l,
               std::string(modes[mapMode]) + " map with an instruction of " +
                   modes[in.mode] + " mode");
    x.m.fatal();
    return false;
  }
  return true;
}

/// Bytes of a tensor copy, with the halo of the wide modes; false after a
/// finding.
bool countTensorBytes(Exec &x, const Inst &i, int l, BulkOp &op) {
  op.bytes = uint32_t(op.map.boxBytes());
  uint32_t unit = op.map.boxUnits(0) * uint32_t(op.map.sharedBytes());
  if (op.map.wide) {
    uint32_t halo = op.offsets[0], most = op.map.wide == 2 ? 32 : 512;
    if (halo >= most || op.offsets[1] >= 32) {
      x.m.report(FindingKind::Undefined, x, i, l,
                 "halo " + std::to_string(halo) + " and offset " +
                     std::to_string(op.offsets[1]) +
                     " of im2col::w; use up to " + std::to_string(most - 1) +
                     " and 31");
      x.m.fatal();
      return false;
    }
    op.bytes += halo * op.map.haloChunks() * unit;
  }
  if (op.gather)
    op.bytes = 4 * unit;
  return true;
}

/// Returns whether a tiled copy may start at its coordinates. What is refused
/// ends with an illegal instruction on an H200; of gather4, scatter4 and im2col
/// nothing is known.
bool checkStart(Exec &x, const Inst &i, int l, const BulkOp &op) {
  if (op.gather || op.map.im2col)
    return true;
  std::string why, what = op.kind == BulkOp::Load ? "load" : "store";
  int64_t size = op.map.unit() > 1 ? 0 : op.map.globalBytes();
  int64_t at = op.coordinates[0] * size;
  if (at % 16)
    why = "the " + what + " starts " + std::to_string(at) +
          " bytes into the rows of the tensor; use an innermost coordinate "
          "that is a multiple of " +
          std::to_string(16 / size);
  for (int d = 0; op.kind != BulkOp::Load && d < op.map.rank && why.empty();
       ++d)
    if (op.coordinates[d] < 0)
      why = "the store starts at coordinate " +
            std::to_string(op.coordinates[d]) + " of dimension " +
            std::to_string(d) +
            "; only loads may be negative, so shrink or shift the box";
  if (why.empty())
    return true;
  x.m.report(FindingKind::TensorMap, x, i, l, why);
  x.m.fatal();
  return false;
}

/// The tensor, its box and the place in shared memory; false after a finding.
bool takeTensor(Exec &x, const Inst &i, int l, BulkOp &op) {
  const auto &in = i.as<BulkOperands>();
  bool load = op.kind == BulkOp::Load;
  uint64_t to = laneAddress(x, in.to, l), from = laneAddress(x, in.from, l);
  op.shared = sharedOf(load ? to : from);
  if (!takeMap(x, i, l, load ? from : to, op) || !checkMap(x, i, l, op))
    return false;
  for (size_t k = 0; k < in.offsets.size(); ++k)
    op.offsets[k] = x.row<uint32_t>(in.offsets[k])[l] & 0xFFFF;
  for (size_t k = 0; k < in.coordinates.size(); ++k)
    op.coordinates[k] = x.row<int32_t>(in.coordinates[k])[l];
  if (!checkStart(x, i, l, op) || !countTensorBytes(x, i, l, op))
    return false;
  if (op.shared % 128) {
    x.m.report(FindingKind::Align, x, i, l,
               "shared address of a tensor copy needs alignment 128");
    x.m.fatal();
    return false;
  }
  return true;
}

/// The two places of a copy of bytes; false when there is nothing to copy, or
/// after a finding.
bool takeBytes(Exec &x, const Inst &i, int l, BulkOp &op) {
  const auto &in = i.as<BulkOperands>();
  op.bytes = x.row<uint32_t>(in.size)[l];
  uint64_t to = laneAddress(x, in.to, l), from = laneAddress(x, in.from, l);
  bool load = op.kind == BulkOp::Load;
  if (op.kind == BulkOp::SharedToShared) {
    op.shared = sharedOf(to);
    op.peer = sharedOf(from);
  } else {
    op.shared = sharedOf(load ? to : from);
    op.global = load ? from : to;
  }
  if (op.bytes % 16 || op.shared % 16 || op.global % 16 || op.peer % 16) {
    x.m.report(FindingKind::Align, x, i, l,
               "addresses and size of a bulk copy must be multiples of 16");
    x.m.fatal();
    return false;
  }
  return op.bytes != 0;
}

/// Tells the profile of a copy.
void countBulk(Exec &x, BulkOp &op) {
  Profile *p = x.m.profile.get();
  if (!p)
    return;
  bool load = op.kind == BulkOp::Load;
  op.ticket = p->ticket();
  for (Block *to : x.block->cluster->blocks)
    if (load && (op.multicast ? op.multicast >> to->clusterRank & 1
                              : op.shared >> 24 == to->clusterRank))
      p->copies(*to, op.bytes);
  if (!load)
    p->moves(op.bytes);
}

void issueBulk(Exec &x, const Inst &i, int l) {
  const auto &in = i.as<BulkOperands>();
  Block &block = *x.block;
  BulkOp op;
  op.kind = in.kind;
  op.tensor = in.isTensor;
  op.gather = in.isGather;
  op.inst = &i;
  op.warp = x.warp;
  op.lane = l;
  op.reduction = &in.reduction;
  bool load = op.kind == BulkOp::Load;
  if (!(op.tensor ? takeTensor(x, i, l, op) : takeBytes(x, i, l, op)))
    return;
  if (load || op.kind == BulkOp::SharedToShared)
    op.barrier = sharedOf(laneAddress(x, in.barrier, l));
  if (in.byteMask >= 0)
    op.byteMask = x.row<uint32_t>(in.byteMask)[l] & 0xFFFF;
  if (in.multicast >= 0)
    op.multicast = x.row<uint32_t>(in.multicast)[l] & 0xFFFF;
  // The destination is checked where the copy is issued.
  Region *region;
  uint64_t offset;
  if (!x.m.memory.access(x, i, l, Space::SharedCluster, op.shared, op.bytes,
                         load ? AccessKind::Write : AccessKind::Read, region,
                         offset, 16))
    return;
  countBulk(x, op);
  op.issuingThread = x.clock(l);
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
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random &&
              x.m.scheduler.random() % 3 == 0);
  if (now)
    x.m.async.performBulk(x, block, op);
  else
    block.bulk.push_back(std::move(op));
}

void bulk(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (!x.m.stopped)
      issueBulk(x, i, l);
  });
}

void bulkCommit(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    BulkState &s = x.block->bulkStates[uint32_t(x.warp->firstThread + l)];
    s.groups.push_back(s.issued);
  });
}

void bulkWait(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<GroupWait>();
  forLanes(m, [&](int l) {
    uint32_t thread = uint32_t(x.warp->firstThread + l);
    auto it = x.block->bulkStates.find(thread);
    if (it == x.block->bulkStates.end())
      return;
    BulkState &s = it->second;
    if (int64_t(s.groups.size()) <= in.left)
      return;
    uint32_t target = s.groups[s.groups.size() - size_t(in.left) - 1];
    x.m.async.finishBulk(x, *x.block, thread, target);
    s.read = std::max(s.read, target);
    if (s.reader == kNoAgent)
      return;
    ThreadClock &t = x.clock(l);
    t.known.modify().set(s.reader, target);
    if (!in.onlyReads) {
      t.known.modify().set(s.writer, target);
      while (!s.groups.empty() && s.groups.front() <= target &&
             int64_t(s.groups.size()) > in.left)
        s.groups.pop_front();
    }
  });
}

void storeAsync(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<BulkOperands>();
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    BulkOp op;
    op.kind = BulkOp::Element;
    op.genericProxy = true;
    op.reduction = &in.reduction;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.shared = sharedOf(laneAddress(x, in.to, l));
    op.barrier = sharedOf(laneAddress(x, in.barrier, l));
    uint32_t size = in.valueBytes;
    uint8_t *to = reinterpret_cast<uint8_t *>(op.values);
    for (int32_t row : in.values) {
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
    op.issuingThread = x.clock(l);
    ++x.clock(l).clock;
    if (x.m.options.async == AsyncMode::Early)
      x.m.async.performBulk(x, *x.block, op);
    else
      x.block->bulk.push_back(std::move(op));
  });
}

/// st.bulk: zeros.
struct ZeroOperands {
  AddressOperand to;
  int32_t size = 0; ///< A row.
};

void storeBulk(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ZeroOperands>();
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t bytes = x.row<uint64_t>(in.size)[l];
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
    uint8_t *p = x.m.memory.access(x, i, l, in.to.space,
                                   laneAddress(x, in.to, l), uint32_t(bytes),
                                   AccessKind::Write, region, offset, 8);
    if (!p)
      return;
    if (region)
      x.m.races.touch(x, i, l, *region, offset, uint32_t(bytes),
                      AccessKind::Write, Semantics());
    std::memset(p, 0, bytes);
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Coordinates, im2col offsets and masks of a tensor copy:
/// load: [dst], [map, {c}], [bar]{, mask}; store: [map, {c}], [src].
bool decodeTensorOperands(Decoder &d, BulkOperands &in, bool toShared,
                          bool multicast, size_t n) {
  if (n < (toShared ? 3u : 2u))
    return d.fail("an operand is missing");
  const Operand &map = d.operand(toShared ? 1 : 0);
  if (map.items.size() != 2)
    return d.fail("expected '[map, {coordinates}]'");
  if (!addressOf(d, d.operand(0),
                 toShared ? Space::SharedCluster : Space::Generic, in.to) ||
      !addressOf(d, d.operand(1), toShared ? Space::Generic : Space::Shared,
                 in.from) ||
      (toShared && !addressOf(d, d.operand(2), Space::Shared, in.barrier)) ||
      !d.sources(map.items[1], Type::B32, in.coordinates))
    return false;
  int bits;
  if (in.mode != BulkOperands::Tiled && toShared) {
    std::vector<Operand> offsets =
        n > 3 ? Decoder::elements(d.operand(3)) : std::vector<Operand>();
    bool wide = in.mode != BulkOperands::Im2col;
    size_t rank = Decoder::elements(map.items[1]).size();
    if (offsets.size() + 2 != (wide ? 4 : rank))
      return d.fail(wide ? "expected '{wHalo, wOffset}'"
                         : "expected one im2col offset per spatial dimension");
    for (const Operand &o : offsets) {
      in.offsets.emplace_back();
      if (!d.anySource(o, Type::B16, in.offsets.back(), bits))
        return false;
    }
  }
  if (multicast &&
      (n < 4 || !d.anySource(d.operand(n - 1), Type::B16, in.multicast, bits)))
    return d.fail("expected a multicast mask");
  return true;
}

/// [dst], [src], size{, [bar]}{, mask}
bool decodeByteOperands(Decoder &d, BulkOperands &in, bool toShared,
                        bool fromShared, bool multicast, bool byteMask,
                        size_t n) {
  if (n < (toShared ? 4u : 3u))
    return d.fail("an operand is missing");
  if (!addressOf(d, d.operand(0),
                 toShared ? Space::SharedCluster : Space::Global, in.to) ||
      !addressOf(d, d.operand(1), fromShared ? Space::Shared : Space::Global,
                 in.from) ||
      !d.source(d.operand(2), Type::B32, in.size) ||
      (toShared &&
       !addressOf(d, d.operand(3), Space::SharedCluster, in.barrier)))
    return false;
  int bits;
  if (multicast &&
      (n < 5 || !d.anySource(d.operand(4), Type::B16, in.multicast, bits)))
    return d.fail("expected a multicast mask");
  if (byteMask &&
      (toShared || n != 4 ||
       !d.anySource(d.operand(d.count() - 1), Type::B16, in.byteMask, bits)))
    return d.fail("expected a byte mask as the last operand");
  return true;
}

/// Takes the dimension and the mode of a tensor copy.
bool takeTensorMode(Decoder &d, BulkOperands &in) {
  in.isTensor = d.has("tensor");
  bool dimension = false;
  for (const char *n : {"1d", "2d", "3d", "4d", "5d"})
    dimension |= in.isTensor && d.has(n);
  if (in.isTensor && !dimension)
    return d.fail("expected a dimension as '.2d'");
  in.isGather = d.has("tile::gather4") || d.has("tile::scatter4");
  d.has("tile");
  if (d.has("im2col::w::128"))
    in.mode = BulkOperands::Im2colW128;
  else if (d.has("im2col::w") || d.has("im2col_no_offs::w"))
    in.mode = BulkOperands::Im2colW;
  else if (d.has("im2col") || d.has("im2col_no_offs"))
    in.mode = BulkOperands::Im2col;
  return true;
}

/// Takes the words of a group; false when it is none.
bool decodeBulkGroup(Decoder &d, bool &ok) {
  if (d.has("commit_group")) {
    d.emit(bulkCommit, Class::Async);
    return ok = true;
  }
  if (!d.has("wait_group"))
    return false;
  auto &in = d.make<GroupWait>();
  in.onlyReads = d.has("read");
  ok = d.operands(1, 1) && d.immediate(d.operand(0), in.left) &&
       (d.emit(bulkWait, Class::Async), true);
  return true;
}

bool decodeBulk(Decoder &d) {
  bool reduce = hasWord(d, "reduce");
  bool policy = hasWord(d, "L2::cache_hint");
  d.has("reduce");
  d.has("async");
  d.has("bulk");
  bool ok;
  if (decodeBulkGroup(d, ok))
    return ok;
  if (hasWord(d, "prefetch"))
    return decodeTable().at("prefetch")(d);
  auto &in = d.make<BulkOperands>();
  if (!takeTensorMode(d, in))
    return false;
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
  std::string rest;
  bool group = d.has("bulk_group");
  d.has("mbarrier::complete_tx::bytes");
  bool multicast = d.has("multicast::cluster");
  d.prefixed("cta_group::", rest);
  d.has("L2::cache_hint");
  d.hints();
  bool byteMask = d.has("cp_mask");
  if (reduce) {
    if (!takeReduction(d, in.reduction))
      return d.fail("expected a reduction");
    d.has("noftz");
    if (!in.isTensor)
      in.reduction.type = d.type();
    d.has("tile");
  }
  for (const char *w : {"relaxed", "weak", "cta", "cluster", "gpu", "sys"})
    d.has(w);
  in.kind = toShared && fromShared ? BulkOp::SharedToShared
            : toShared             ? BulkOp::Load
            : reduce               ? BulkOp::Reduce
                                   : BulkOp::Store;
  if (reduce && toShared && !(toCluster && fromShared && !in.isTensor))
    return d.fail("a reduction into shared memory goes from .shared::cta to "
                  ".shared::cluster");
  if (!toShared && !group)
    return d.fail("expected '.bulk_group'");
  size_t n = d.count() - (policy ? 1 : 0);
  if (!(in.isTensor ? decodeTensorOperands(d, in, toShared, multicast, n)
                    : decodeByteOperands(d, in, toShared, fromShared, multicast,
                                         byteMask, n)))
    return false;
  d.inst.blind = reduce;
  d.emit(bulk, Class::Async);
  return true;
}

bool decodeStoreBulk(Decoder &d) {
  auto &in = d.make<ZeroOperands>();
  d.has("weak");
  Space s;
  takeMemorySpace(d, s);
  int64_t value;
  if (!d.operands(3, 3) || !addressOf(d, d.operand(0), s, in.to) ||
      !d.source(d.operand(1), Type::B64, in.size) ||
      !d.immediate(d.operand(2), value))
    return false;
  if (value)
    return d.fail("the initial value must be 0");
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
  auto &in = d.make<BulkOperands>();
  if (isRed)
    takeReduction(d, in.reduction);
  d.has("v2");
  d.has("v4");
  Type t = in.reduction.type = d.type();
  in.valueBytes = uint32_t(typeBits(t)) / 8;
  if (!d.operands(3, 3) ||
      !addressOf(d, d.operand(0), Space::SharedCluster, in.to) ||
      !d.sources(d.operand(1), t, in.values) ||
      !addressOf(d, d.operand(2), Space::SharedCluster, in.barrier))
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

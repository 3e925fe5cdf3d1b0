// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cluster launch control: a block takes the work of a cluster not yet started.
#include "tools/emulator/BulkOps.h"

namespace tileir::emu {

bool Machine::stealCluster(std::array<uint32_t, 3> &first) {
  if (nextBlock >= totalBlocks || random() % 4 == 0)
    return false;
  uint32_t n = nextBlock++;
  const std::array<uint32_t, 3> &c = config.cluster;
  std::array<uint32_t, 3> grid{totalGrid[0] / c[0], totalGrid[1] / c[1],
                               totalGrid[2] / c[2]};
  first = {n % grid[0] * c[0], n / grid[0] % grid[1] * c[1],
           n / grid[0] / grid[1] * c[2]};
  changed();
  return true;
}

namespace {

/// Addresses 0 response, 1 barrier; a: multicast to all blocks of the cluster.
void tryCancel(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    std::array<uint32_t, 3> first{};
    if (x.block->cluster->refused) {
      Place seen = x.m.placeOf(*x.block, x.block->cluster->refusedWarp, 0,
                               *x.block->cluster->refused);
      x.m.report(FindingKind::Undefined, x, i, l,
                 "try_cancel after line " + std::to_string(seen.line) +
                     " has seen that an earlier one failed",
                 {seen});
    }
    bool stolen = x.m.stealCluster(first);
    BulkOp op;
    op.kind = BulkOp::Element;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.bytes = 16;
    op.values[0] = uint64_t(stolen) | uint64_t(first[0]) << 32;
    op.values[1] = first[1] | uint64_t(first[2]) << 32;
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    uint64_t response = sharedOf(operandAddress(x, i, 0, l));
    uint64_t barrier = sharedOf(operandAddress(x, i, 1, l));
    size_t count = i.a ? x.block->cluster->blocks.size() : 1;
    for (size_t rank = 0; rank < count; ++rank) {
      op.shared = response;
      op.barrier = barrier;
      if (i.a) {
        op.shared = (response & 0xFFFFFF) | uint64_t(rank) << 24;
        op.barrier = (barrier & 0xFFFFFF) | uint64_t(rank) << 24;
      }
      if (x.m.options.async == AsyncMode::Early)
        x.m.performBulk(x, *x.block, op);
      else
        x.block->bulk.push_back(op);
    }
  });
}
void queryCancel(Exec &x, const Inst &i, Mask m) {
  auto *low = x.row<uint64_t>(i.o[1]), *high = x.row<uint64_t>(i.o[1] + 2);
  if (i.a == 0) {
    Mask p = 0;
    forLanes(m, [&](int l) { p |= Mask(low[l] & 1) << l; });
    x.setPredicate(uint32_t(i.o[0]), p, m);
    if (m & ~p) {
      x.block->cluster->refused = &i;
      x.block->cluster->refusedWarp = x.warp->index;
    }
    return;
  }
  Mask none = 0;
  forLanes(m, [&](int l) { none |= Mask(!(low[l] & 1)) << l; });
  for (int32_t row : i.extra->v[0])
    if (none)
      x.m.undefinedResult(x, i, none, row, 1);
  forLanes(m, [&](int l) {
    uint32_t id[4] = {uint32_t(low[l] >> 32), uint32_t(high[l]),
                      uint32_t(high[l] >> 32), 0};
    const std::vector<int32_t> &to = i.extra->v[0];
    for (size_t k = 0; k < to.size(); ++k)
      x.row<uint32_t>(to[k])[l] = id[i.a == 1 ? k : size_t(i.a - 2)];
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeLaunchControl(Decoder &d) {
  if (d.has("try_cancel")) {
    d.inst.a = hasWord(d, "multicast::cluster::all");
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    if (!d.operands(2, 2) || !addAddress(d, d.operand(0), Space::Shared) ||
        !addAddress(d, d.operand(1), Space::Shared))
      return false;
    d.emit(tryCancel, Class::Async);
    return true;
  }
  if (!d.has("query_cancel"))
    return d.fail("unknown operation");
  if (!d.operands(2, 2) || !d.source(d.operand(1), Type::B128, d.inst.o[1]))
    return false;
  if (d.has("is_canceled")) {
    d.has("pred");
    d.type();
    d.type();
    if (!d.predicateDestination(d.operand(0), d.inst.o[0]))
      return false;
  } else {
    d.inst.a = d.has("get_first_ctaid")      ? 1
               : d.has("get_first_ctaid::x") ? 2
               : d.has("get_first_ctaid::y") ? 3
               : d.has("get_first_ctaid::z") ? 4
                                             : 0;
    d.has("v4");
    d.type();
    d.type();
    if (!d.inst.a || !d.destinations(d.operand(0), Type::B32, d.extra().v[0]))
      return d.fail("unknown query");
  }
  d.emit(queryCancel, Class::Async);
  return true;
}

} // namespace

void registerLaunchControl() {
  RegisterDecoders({{"clusterlaunchcontrol", decodeLaunchControl}});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cluster launch control: a block takes the work of a cluster not yet started.
#include "tools/emulator/BulkOps.h"

#include <algorithm>

namespace tileir::emu {

bool Scheduler::stealCluster(std::array<uint32_t, 3> &first) {
  if (nextBlock >= totalBlocks || random() % 4 == 0)
    return false;
  uint32_t n = nextBlock++;
  const std::array<uint32_t, 3> &c = machine.config.cluster;
  std::array<uint32_t, 3> grid{totalGrid[0] / c[0], totalGrid[1] / c[1],
                               totalGrid[2] / c[2]};
  first = {n % grid[0] * c[0], n / grid[0] % grid[1] * c[1],
           n / grid[0] / grid[1] * c[2]};
  changed();
  return true;
}

namespace {

struct TryCancel {
  AddressOperand response, barrier;
  bool isMulticast = false; ///< To all blocks of the cluster.
};

void tryCancel(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TryCancel>();
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
    bool stolen = x.m.scheduler.stealCluster(first);
    BulkOp op;
    op.kind = BulkOp::Element;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.bytes = 16;
    op.values[0] = uint64_t(stolen) | uint64_t(first[0]) << 32;
    op.values[1] = first[1] | uint64_t(first[2]) << 32;
    op.issuingThread = x.clock(l);
    ++x.clock(l).clock;
    uint64_t response = sharedOf(laneAddress(x, in.response, l));
    uint64_t barrier = sharedOf(laneAddress(x, in.barrier, l));
    size_t count = in.isMulticast ? x.block->cluster->blocks.size() : 1;
    for (size_t rank = 0; rank < count; ++rank) {
      op.shared = response;
      op.barrier = barrier;
      if (in.isMulticast) {
        op.shared = (response & 0xFFFFFF) | uint64_t(rank) << 24;
        op.barrier = (barrier & 0xFFFFFF) | uint64_t(rank) << 24;
      }
      if (x.m.options.async == AsyncMode::Early)
        x.m.async.performBulk(x, *x.block, op);
      else
        x.block->bulk.push_back(op);
    }
  });
}

struct QueryCancel {
  int32_t p = 0;        ///< Of the first query.
  int32_t response = 0; ///< Its row.
  enum Query : uint8_t { IsCanceled, All, X, Y, Z } query = IsCanceled;
  int32_t count = 0;
  int32_t d[4] = {}; ///< Rows of coordinates.
};

void queryCancel(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<QueryCancel>();
  auto *low = x.row<uint64_t>(in.response),
       *high = x.row<uint64_t>(in.response + 2);
  if (in.query == QueryCancel::IsCanceled) {
    Mask p = 0;
    forLanes(m, [&](int l) { p |= Mask(low[l] & 1) << l; });
    x.setPredicate(uint32_t(in.p), p, m);
    if (m & ~p) {
      x.block->cluster->refused = &i;
      x.block->cluster->refusedWarp = x.warp->index;
    }
    return;
  }
  Mask none = 0;
  forLanes(m, [&](int l) { none |= Mask(!(low[l] & 1)) << l; });
  for (int k = 0; none && k < in.count; ++k)
    x.m.registers.undefinedResult(x, i, none, in.d[k], 1);
  forLanes(m, [&](int l) {
    uint32_t id[4] = {uint32_t(low[l] >> 32), uint32_t(high[l]),
                      uint32_t(high[l] >> 32), 0};
    for (int k = 0; k < in.count; ++k)
      x.row<uint32_t>(in.d[k])[l] =
          id[in.query == QueryCancel::All ? k : in.query - QueryCancel::X];
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeLaunchControl(Decoder &d) {
  if (d.has("try_cancel")) {
    auto &in = d.make<TryCancel>();
    in.isMulticast = hasWord(d, "multicast::cluster::all");
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    if (!d.operands(2, 2) ||
        !addressOf(d, d.operand(0), Space::Shared, in.response) ||
        !addressOf(d, d.operand(1), Space::Shared, in.barrier))
      return false;
    d.m.scheduler.mayCommunicate = true;
    d.emit(tryCancel, Class::Async);
    return true;
  }
  if (!d.has("query_cancel"))
    return d.fail("unknown operation");
  auto &in = d.make<QueryCancel>();
  if (!d.operands(2, 2) || !d.source(d.operand(1), Type::B128, in.response))
    return false;
  if (d.has("is_canceled")) {
    d.has("pred");
    d.type();
    d.type();
    if (!d.predicateDestination(d.operand(0), in.p))
      return false;
  } else {
    in.query = d.has("get_first_ctaid")      ? QueryCancel::All
               : d.has("get_first_ctaid::x") ? QueryCancel::X
               : d.has("get_first_ctaid::y") ? QueryCancel::Y
               : d.has("get_first_ctaid::z") ? QueryCancel::Z
                                             : QueryCancel::IsCanceled;
    d.has("v4");
    d.type();
    d.type();
    std::vector<int32_t> rows;
    if (!in.query || !d.destinations(d.operand(0), Type::B32, rows) ||
        rows.size() > std::size(in.d))
      return d.fail("unknown query");
    in.count = int32_t(rows.size());
    std::copy(rows.begin(), rows.end(), in.d);
  }
  d.emit(queryCancel, Class::Async);
  return true;
}

} // namespace

void registerLaunchControl() {
  RegisterDecoders({{"clusterlaunchcontrol", decodeLaunchControl}});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05: matrix products, copies into tensor memory and commits are issued.
#include "tools/emulator/Profile.h"
#include "tools/emulator/TensorCore.h"

#include <algorithm>

namespace tileir::emu {

namespace {

void submit(Exec &x, TensorOp op) {
  Block &b = *x.block;
  TensorMemory &t = memoryOf(b);
  ThreadClock &thread = x.clock(op.lane);
  op.warp = x.warp;
  op.issuer = thread;
  if (x.m.profile)
    op.ticket = x.m.profile->ticket();
  op.user = x.m.tensorUser(x, op.lane);
  op.user.isQueue = true;
  op.user.as = t.queueAgent(b, thread.agent);
  op.user.clock = ++t.issuers[thread.agent].issued;
  if (!x.m.tensorFences)
    x.m.tensorPublish(x, 1u << op.lane, false);
  ++thread.clock;
  t.queue.push_back(std::move(op));
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random && x.m.random() % 3 == 0);
  while (now && !t.queue.empty() && !x.m.stopped) {
    TensorOp one = std::move(t.queue.front());
    t.queue.pop_front();
    x.m.performTensor(x, b, one);
  }
}

void tensorMma(Exec &x, const Inst &i, Mask m) {
  if (!checkGroup(x, i, __builtin_ctz(m)))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Mma;
    op.inst = &i;
    op.lane = l;
    const std::vector<int64_t> &offsets = i.extra->numbers;
    op.d = x.row<uint32_t>(i.o[0])[l] + uint32_t(offsets[OffsetD]);
    op.a = i.e ? x.row<uint32_t>(i.o[1])[l] + uint32_t(offsets[OffsetA])
               : x.row<uint64_t>(i.o[1])[l];
    op.b = x.row<uint64_t>(i.o[2])[l];
    op.idesc = x.row<uint32_t>(i.o[3])[l];
    op.accumulate = x.predicate(uint32_t(i.o[4])) >> l & 1;
    for (size_t k = 0; k < i.extra->v[0].size(); ++k)
      op.disable[k] = x.row<uint32_t>(i.extra->v[0][k])[l];
    if (i.o[5] >= 0) {
      op.scaleA = x.row<uint32_t>(i.o[5])[l] + uint32_t(offsets[OffsetScaleA]);
      op.scaleB = x.row<uint32_t>(i.o[6])[l] + uint32_t(offsets[OffsetScaleB]);
    }
    if (!i.extra->v[2].empty())
      op.zeroColumns = x.row<uint64_t>(i.extra->v[2][0])[l];
    if (i.o[7] & kSparse)
      op.metadata = x.row<uint32_t>(i.extra->v[1][0])[l] +
                    uint32_t(offsets[OffsetMetadata]);
    submit(x, std::move(op));
  });
}

void tensorCopy(Exec &x, const Inst &i, Mask m) {
  if (!checkGroup(x, i, __builtin_ctz(m)))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Copy;
    op.inst = &i;
    op.lane = l;
    op.d = x.row<uint32_t>(i.o[0])[l];
    op.a = x.row<uint64_t>(i.o[1])[l];
    submit(x, std::move(op));
  });
}

void tensorShift(Exec &x, const Inst &i, Mask m) {
  if (!checkGroup(x, i, __builtin_ctz(m)))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Shift;
    op.inst = &i;
    op.lane = l;
    op.d = x.row<uint32_t>(i.o[0])[l] + uint32_t(i.o[1]);
    if (op.d >> 16 & 31) {
      x.m.report(FindingKind::Tcgen05, x, i, l,
                 "lane " + std::to_string(op.d >> 16) +
                     " of tcgen05.shift is no multiple of 32");
      x.m.fatal();
      return;
    }
    submit(x, std::move(op));
  });
}

void tensorCommit(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Commit;
    op.inst = &i;
    op.lane = l;
    op.barrier = laneAddress(x, i, i.o[1], l);
    if (op.barrier >= kSharedWindow)
      op.barrier -= kSharedWindow;
    if (i.o[2] >= 0)
      op.multicast = x.row<uint32_t>(i.o[2])[l] & 0xFFFF;
    submit(x, std::move(op));
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeTensorMma(Decoder &d) {
  static const char *const kinds[] = {"f16",      "tf32", "f8f6f4",  "i8",
                                      "mxf8f6f4", "mxf4", "mxf4nvf4"};
  std::string kind, rest;
  bool sparse = d.has("sp");
  d.inst.c = d.has("ws");
  takeGroup(d);
  d.prefixed("kind::", kind);
  auto *found = std::find(std::begin(kinds), std::end(kinds), kind);
  if (found == std::end(kinds))
    return d.fail("unknown kind '" + kind + "'");
  d.inst.a = uint8_t(found - kinds);
  bool scaled = d.has("block_scale");
  std::string vec;
  bool block16 = d.has("block16");
  d.has("block32");
  d.prefixed("scale_vec::", vec);
  while (d.prefixed("collector::", rest)) {
  }
  if (d.has("ashift"))
    return d.fail(
        "'.ashift' is not supported: PTX leaves open whether the rows "
        "of A move in tensor memory, too; use tcgen05.shift");
  std::vector<int64_t> &numbers = d.extra().numbers;
  numbers.assign(NumberCount, 0);
  numbers[BlockSize] = block16 || vec == "4X" ? 16 : 32;
  d.inst.o[5] = d.inst.o[6] = -1;
  d.inst.o[7] = sparse ? kSparse : 0;
  size_t at = 0, n = d.count();
  if (n < 5 + (sparse ? 1u : 0u) + (scaled ? 2u : 0u))
    return d.fail("an operand is missing");
  auto taddr = [&](int32_t &row, int which) {
    int32_t offset;
    if (!tensorAddress(d, d.operand(at++), row, offset))
      return false;
    numbers[size_t(which)] = offset;
    return true;
  };
  d.inst.e = d.operand(1).kind == Operand::Kind::Address;
  if (!taddr(d.inst.o[0], OffsetD) ||
      !(d.inst.e ? taddr(d.inst.o[1], OffsetA)
                 : d.source(d.operand(at++), Type::B64, d.inst.o[1])))
    return d.fail("expected '[taddr]' as D, a descriptor or '[taddr]' as A");
  if (!d.source(d.operand(at++), Type::B64, d.inst.o[2]))
    return false;
  if (sparse) {
    d.extra().v[1].emplace_back();
    if (!taddr(d.extra().v[1][0], OffsetMetadata))
      return d.fail("expected '[taddr]' of the sparsity metadata");
  }
  if (!d.source(d.operand(at++), Type::B32, d.inst.o[3]))
    return false;
  if (scaled) {
    if (!taddr(d.inst.o[5], OffsetScaleA) || !taddr(d.inst.o[6], OffsetScaleB))
      return d.fail("expected '[taddr]' of the scales");
  } else if (d.operand(at).kind == Operand::Kind::Vector) {
    size_t masks = d.operand(at).items.size();
    if (masks != (d.inst.b == 2 ? 8u : 4u))
      return d.fail("expected 4 masks of lanes, 8 of a pair");
    if (!d.sources(d.operand(at++), Type::B32, d.extra().v[0]))
      return false;
  }
  if (at >= n || !d.predicateSource(d.operand(at++), d.inst.o[4]))
    return d.fail("expected the predicate that enables D as input");
  if (at < n && d.inst.c) {
    d.extra().v[2].emplace_back();
    return d.source(d.operand(at), Type::B64, d.extra().v[2][0]) &&
           (d.emit(tensorMma, Class::Tensor), true);
  }
  if (at < n) {
    int64_t scale;
    if (!d.immediate(d.operand(at), scale) || scale < 0 || scale > 15)
      return d.fail("expected a scale of D from 0 to 15");
    d.inst.o[7] |= int32_t(scale);
  }
  d.emit(tensorMma, Class::Tensor);
  return true;
}

bool decodeTensorCopy(Decoder &d) {
  takeGroup(d);
  static const struct {
    const char *name;
    int rows, bits;
  } shapes[] = {{"128x256b", 128, 256},
                {"128x128b", 128, 128},
                {"4x256b", 4, 256},
                {"64x128b", 64, 128},
                {"32x128b", 32, 128}};
  std::vector<int64_t> &n = d.extra().numbers;
  for (auto &s : shapes)
    if (d.has(s.name))
      n = {s.rows, s.bits, 0, 0};
  if (n.empty())
    return d.fail("expected a shape");
  if (d.has("warpx2::02_13"))
    n[2] = 1;
  if (d.has("warpx2::01_23"))
    n[2] = 2;
  if (d.has("warpx4"))
    n[2] = 3;
  d.has("b8x16");
  if (d.has("b6x16_p32"))
    n[3] = 6;
  if (d.has("b4x16_p64"))
    n[3] = 4;
  int32_t offset;
  if (!d.operands(2, 2) ||
      !tensorAddress(d, d.operand(0), d.inst.o[0], offset) || offset ||
      !d.source(d.operand(1), Type::B64, d.inst.o[1]))
    return d.fail("expected '[taddr]' and a descriptor");
  d.emit(tensorCopy, Class::Tensor);
  return true;
}

bool decodeTensorShift(Decoder &d) {
  takeGroup(d);
  if (!d.has("down"))
    return d.fail("expected '.down'");
  if (!d.operands(1, 1) ||
      !tensorAddress(d, d.operand(0), d.inst.o[0], d.inst.o[1]))
    return d.fail("expected '[taddr]'");
  d.emit(tensorShift, Class::Tensor);
  return true;
}

bool decodeTensorCommit(Decoder &d) {
  std::string group;
  Space s;
  d.prefixed("cta_group::", group);
  d.has("mbarrier::arrive::one");
  takeMemorySpace(d, s);
  bool multicast = d.has("multicast::cluster");
  d.type();
  d.inst.o[2] = -1;
  int bits;
  if (!d.operands(multicast ? 2 : 1, multicast ? 2 : 1) ||
      !d.memoryOperand(d.operand(0), s == Space::Generic
                                         ? Space::Generic
                                         : Space::SharedCluster) ||
      (multicast && !d.anySource(d.operand(1), Type::B16, d.inst.o[2], bits)))
    return false;
  d.emit(tensorCommit, Class::Tensor);
  return true;
}

} // namespace tileir::emu

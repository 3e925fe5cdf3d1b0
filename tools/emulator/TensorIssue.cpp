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
  op.issuingThread = thread;
  if (x.m.profile)
    op.ticket = x.m.profile->ticket();
  op.user = x.m.tensor.tensorUser(x, op.lane);
  op.user.isQueue = true;
  op.user.as = t.queueAgent(b, thread.agent);
  op.user.clock = ++t.issuingThreads[thread.agent].issued;
  if (!x.m.tensor.tensorFences)
    x.m.tensor.tensorPublish(x, 1u << op.lane, false);
  ++thread.clock;
  t.queue.push_back(std::move(op));
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random &&
              x.m.scheduler.random() % 3 == 0);
  while (now && !t.queue.empty() && !x.m.stopped) {
    TensorOp one = std::move(t.queue.front());
    t.queue.pop_front();
    x.m.tensor.performTensor(x, b, one);
  }
}

void tensorMma(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TensorMma>();
  if (!checkGroup(x, i, __builtin_ctz(m), in.group))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Mma;
    op.inst = &i;
    op.lane = l;
    op.group = in.group;
    op.d = tensorAddressOf(x, in.d, l);
    op.a = in.isInTensorMemory ? tensorAddressOf(x, in.a, l)
                               : x.row<uint64_t>(in.descriptorA)[l];
    op.b = x.row<uint64_t>(in.descriptorB)[l];
    op.idesc = x.row<uint32_t>(in.descriptor)[l];
    op.accumulate = x.predicate(uint32_t(in.accumulates)) >> l & 1;
    for (size_t k = 0; k < in.laneMasks.size(); ++k)
      op.disable[k] = x.row<uint32_t>(in.laneMasks[k])[l];
    if (in.isScaled) {
      op.scaleA = tensorAddressOf(x, in.scaleA, l);
      op.scaleB = tensorAddressOf(x, in.scaleB, l);
    }
    if (in.zeroColumns >= 0)
      op.zeroColumns = x.row<uint64_t>(in.zeroColumns)[l];
    if (in.isSparse)
      op.metadata = tensorAddressOf(x, in.metadata, l);
    submit(x, std::move(op));
  });
}

void tensorCopy(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TensorCopy>();
  if (!checkGroup(x, i, __builtin_ctz(m), in.group))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Copy;
    op.inst = &i;
    op.lane = l;
    op.group = in.group;
    op.d = x.row<uint32_t>(in.d)[l];
    op.a = x.row<uint64_t>(in.descriptor)[l];
    submit(x, std::move(op));
  });
}

void tensorShift(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TensorShift>();
  if (!checkGroup(x, i, __builtin_ctz(m), in.group))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Shift;
    op.inst = &i;
    op.lane = l;
    op.group = in.group;
    op.d = tensorAddressOf(x, in.d, l);
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
  const auto &in = i.as<TensorCommit>();
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Commit;
    op.inst = &i;
    op.lane = l;
    op.barrier = laneAddress(x, in.barrier, l);
    if (op.barrier >= kSharedWindow)
      op.barrier -= kSharedWindow;
    if (in.multicast >= 0)
      op.multicast = x.row<uint32_t>(in.multicast)[l] & 0xFFFF;
    submit(x, std::move(op));
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Operands that the kind of a product asks for; `at` is the next one.
static bool takeMmaOperands(Decoder &d, TensorMma &in, size_t &at) {
  in.isInTensorMemory = d.operand(1).kind == Operand::Kind::Address;
  if (!tensorAddress(d, d.operand(at++), in.d) ||
      !(in.isInTensorMemory
            ? tensorAddress(d, d.operand(at++), in.a)
            : d.source(d.operand(at++), Type::B64, in.descriptorA)))
    return d.fail("expected '[taddr]' as D, a descriptor or '[taddr]' as A");
  if (!d.source(d.operand(at++), Type::B64, in.descriptorB))
    return false;
  if (in.isSparse && !tensorAddress(d, d.operand(at++), in.metadata))
    return d.fail("expected '[taddr]' of the sparsity metadata");
  if (!d.source(d.operand(at++), Type::B32, in.descriptor))
    return false;
  if (in.isScaled) {
    if (!tensorAddress(d, d.operand(at++), in.scaleA) ||
        !tensorAddress(d, d.operand(at++), in.scaleB))
      return d.fail("expected '[taddr]' of the scales");
  } else if (d.operand(at).kind == Operand::Kind::Vector) {
    if (d.operand(at).items.size() != (in.group == 2 ? 8u : 4u))
      return d.fail("expected 4 masks of lanes, 8 of a pair");
    if (!d.sources(d.operand(at++), Type::B32, in.laneMasks))
      return false;
  }
  if (at >= d.count() || !d.predicateSource(d.operand(at++), in.accumulates))
    return d.fail("expected the predicate that enables D as input");
  return true;
}

bool decodeTensorMma(Decoder &d) {
  static const char *const kinds[] = {"f16",      "tf32", "f8f6f4",  "i8",
                                      "mxf8f6f4", "mxf4", "mxf4nvf4"};
  auto &in = d.make<TensorMma>();
  std::string kind, rest, vec;
  in.isSparse = d.has("sp");
  in.isWs = d.has("ws");
  in.group = takeGroup(d);
  d.prefixed("kind::", kind);
  auto *found = std::find(std::begin(kinds), std::end(kinds), kind);
  if (found == std::end(kinds))
    return d.fail("unknown kind '" + kind + "'");
  in.kind = TensorMma::Kind(found - kinds);
  in.isScaled = d.has("block_scale");
  bool block16 = d.has("block16");
  d.has("block32");
  d.prefixed("scale_vec::", vec);
  while (d.prefixed("collector::", rest)) {
  }
  if (d.has("ashift"))
    return d.fail(
        "'.ashift' is not supported: PTX leaves open whether the rows "
        "of A move in tensor memory, too; use tcgen05.shift");
  in.blockSize = block16 || vec == "4X" ? 16 : 32;
  size_t at = 0, n = d.count();
  if (n < 5 + (in.isSparse ? 1u : 0u) + (in.isScaled ? 2u : 0u))
    return d.fail("an operand is missing");
  if (!takeMmaOperands(d, in, at))
    return false;
  if (at < n && in.isWs) {
    if (!d.source(d.operand(at), Type::B64, in.zeroColumns))
      return false;
  } else if (at < n) {
    int64_t scale;
    if (!d.immediate(d.operand(at), scale) || scale < 0 || scale > 15)
      return d.fail("expected a scale of D from 0 to 15");
    in.scaleD = int(scale);
  }
  d.emit(tensorMma, Class::Tensor);
  return true;
}

bool decodeTensorCopy(Decoder &d) {
  auto &in = d.make<TensorCopy>();
  in.group = takeGroup(d);
  static const struct {
    const char *name;
    uint32_t rows, bits;
  } shapes[] = {{"128x256b", 128, 256},
                {"128x128b", 128, 128},
                {"4x256b", 4, 256},
                {"64x128b", 64, 128},
                {"32x128b", 32, 128}};
  for (auto &s : shapes)
    if (d.has(s.name)) {
      in.rows = s.rows;
      in.bits = s.bits;
    }
  if (!in.rows)
    return d.fail("expected a shape");
  if (d.has("warpx2::02_13"))
    in.multicast = TensorCopy::Halves02And13;
  if (d.has("warpx2::01_23"))
    in.multicast = TensorCopy::Halves01And23;
  if (d.has("warpx4"))
    in.multicast = TensorCopy::Quarters;
  d.has("b8x16");
  if (d.has("b6x16_p32"))
    in.packedBits = 6;
  if (d.has("b4x16_p64"))
    in.packedBits = 4;
  TensorAddress to;
  if (!d.operands(2, 2) || !tensorAddress(d, d.operand(0), to) || to.offset ||
      !d.source(d.operand(1), Type::B64, in.descriptor))
    return d.fail("expected '[taddr]' and a descriptor");
  in.d = to.row;
  d.emit(tensorCopy, Class::Tensor);
  return true;
}

bool decodeTensorShift(Decoder &d) {
  auto &in = d.make<TensorShift>();
  in.group = takeGroup(d);
  if (!d.has("down"))
    return d.fail("expected '.down'");
  if (!d.operands(1, 1) || !tensorAddress(d, d.operand(0), in.d))
    return d.fail("expected '[taddr]'");
  d.emit(tensorShift, Class::Tensor);
  return true;
}

bool decodeTensorCommit(Decoder &d) {
  auto &in = d.make<TensorCommit>();
  std::string group;
  Space s;
  d.prefixed("cta_group::", group);
  d.has("mbarrier::arrive::one");
  takeMemorySpace(d, s);
  bool multicast = d.has("multicast::cluster");
  d.type();
  int bits;
  if (!d.operands(multicast ? 2 : 1, multicast ? 2 : 1) ||
      !d.memoryOperand(d.operand(0),
                       s == Space::Generic ? Space::Generic
                                           : Space::SharedCluster,
                       in.barrier) ||
      (multicast && !d.anySource(d.operand(1), Type::B16, in.multicast, bits)))
    return false;
  d.emit(tensorCommit, Class::Tensor);
  return true;
}

} // namespace tileir::emu

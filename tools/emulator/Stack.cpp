// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory of calls: its growth, alloca, the copies of parameters whose
// address is taken.
#include "tools/emulator/Decode.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

static uint32_t alignUp(uint32_t value, uint32_t align) {
  return (value + align - 1) / align * align;
}

void Machine::growLocal(Warp &warp, uint32_t need) {
  if (need <= warp.localBytes)
    return;
  // Lanes lie one after another: a larger stack moves them.
  uint32_t bytes = alignUp(std::max(need, warp.localBytes * 2), 64);
  std::vector<uint8_t> data(size_t(bytes) * 32), written(data.size());
  for (int l = 0; l < 32 && warp.localBytes; ++l) {
    std::memcpy(&data[size_t(l) * bytes],
                &warp.local[size_t(l) * warp.localBytes], warp.localBytes);
    std::memcpy(&written[size_t(l) * bytes],
                &warp.localWritten[size_t(l) * warp.localBytes],
                warp.localBytes);
  }
  warp.local = std::move(data);
  warp.localWritten = std::move(written);
  warp.localBytes = bytes;
}

uint32_t Frame::localEnd() const {
  uint32_t end = 0;
  for (uint32_t top : dynamic)
    end = std::max(end, top);
  return localBase + alignUp(uint32_t(code->localBytes) + end, 16);
}

void Machine::copyParameters(Warp &warp, Frame &frame, Mask lanes) {
  for (const ParamCopy &c : frame.code->paramCopies)
    forLanes(lanes, [&](int l) {
      size_t at =
          size_t(l) * warp.localBytes + frame.localBase + size_t(c.local);
      std::memcpy(&warp.local[at],
                  &frame.params[size_t(l) * size_t(frame.code->paramBytes) +
                                size_t(c.offset)],
                  size_t(c.bytes));
      std::memset(&warp.localWritten[at], 1, size_t(c.bytes));
    });
}

bool Decoder::addressedParam(int index, int64_t &offset) {
  if (index < 0 || frameOffsets[size_t(index)] < 0 ||
      std::find(fn.params.begin(), fn.params.end(), index) == fn.params.end())
    return false;
  int at = frameOffsets[size_t(index)];
  for (const ParamCopy &c : fc.paramCopies)
    if (c.offset == at) {
      offset = c.local;
      return true;
    }
  const Variable &v = fn.variables[size_t(index)];
  int local = int(alignUp(uint32_t(fc.localBytes),
                          uint32_t(std::max<uint64_t>(v.align, 8))));
  fc.paramCopies.push_back({at, local, int(v.size)});
  fc.localBytes = local + int(v.size);
  offset = local;
  return true;
}

namespace {

/// d = address of o[1] bytes, aligned to imm, in .local; a: 64 bits.
void allocaBytes(Exec &x, const Inst &i, Mask m) {
  Frame &f = *x.frame;
  f.dynamic.resize(32);
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t size =
        i.a ? x.row<uint64_t>(i.o[1])[l] : x.row<uint32_t>(i.o[1])[l];
    uint32_t base = f.localBase + uint32_t(f.code->localBytes);
    uint64_t at = alignUp(base + f.dynamic[size_t(l)], uint32_t(i.imm));
    if (size > kLocalLimit || at + size > kLocalLimit) {
      x.m.report(FindingKind::Bounds, x, i, l,
                 "alloca of " + std::to_string(size) +
                     " bytes; the local memory of a thread ends at " +
                     std::to_string(kLocalLimit));
      x.m.fatal();
      return;
    }
    f.dynamic[size_t(l)] = uint32_t(at + size - base);
    x.m.growLocal(*x.warp, uint32_t(at + size));
    if (i.a)
      x.row<uint64_t>(i.o[0])[l] = at;
    else
      x.row<uint32_t>(i.o[0])[l] = uint32_t(at);
  });
}

/// a: 64 bits; b: 1 restore.
void stackPointer(Exec &x, const Inst &i, Mask m) {
  Frame &f = *x.frame;
  f.dynamic.resize(32);
  forLanes(m, [&](int l) {
    uint32_t &top = f.dynamic[size_t(l)];
    if (i.b)
      top = uint32_t(i.a ? x.row<uint64_t>(i.o[0])[l]
                         : x.row<uint32_t>(i.o[0])[l]);
    else if (i.a)
      x.row<uint64_t>(i.o[0])[l] = top;
    else
      x.row<uint32_t>(i.o[0])[l] = top;
  });
}

bool takeWidth(Decoder &d, Type &t) {
  t = d.type();
  d.inst.a = typeBits(t) == 64;
  return t == Type::U32 || t == Type::U64 || t == Type::B32 || t == Type::B64 ||
         d.fail("expected type .u32 or .u64");
}

bool decodeAlloca(Decoder &d) {
  Type t;
  if (!takeWidth(d, t) || !d.operands(2, 3) ||
      !d.destination(d.operand(0), t, d.inst.o[0]) ||
      !d.source(d.operand(1), t, d.inst.o[1]))
    return false;
  d.inst.imm = 8;
  if (d.count() == 3 && !d.immediate(d.operand(2), d.inst.imm))
    return false;
  if (d.inst.imm < 1 || d.inst.imm & (d.inst.imm - 1))
    return d.fail("alignment must be a power of two");
  d.emit(allocaBytes, Class::Other);
  return true;
}

bool decodeStack(Decoder &d) {
  Type t;
  d.inst.b = d.s->words[0] == "stackrestore";
  if (!takeWidth(d, t) || !d.operands(1, 1) ||
      !(d.inst.b ? d.source(d.operand(0), t, d.inst.o[0])
                 : d.destination(d.operand(0), t, d.inst.o[0])))
    return false;
  d.emit(stackPointer, Class::Other);
  return true;
}

/// d = rank of the block whose shared memory the address o[1] names; a: 64-bit
/// result, b: generic address, c: wide address.
void getCtaRank(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    uint64_t a = i.c ? x.row<uint64_t>(i.o[1])[l] : x.row<uint32_t>(i.o[1])[l];
    if (i.b && (a < kSharedWindow || (a - kSharedWindow) >> 32)) {
      x.m.report(FindingKind::Undefined, x, i, l,
                 "the address is not in shared memory");
      x.m.fatal();
      return;
    }
    x.row<uint32_t>(i.o[0])[l] = uint32_t(a >> 24 & 0xFF);
  });
}

bool decodeGetCtaRank(Decoder &d) {
  bool isShared = d.has("shared::cluster");
  Type t = d.type();
  d.inst.b = !isShared;
  d.inst.c = typeBits(t) == 64;
  if (!d.operands(2, 2) || !d.destination(d.operand(0), Type::U32, d.inst.o[0]))
    return false;
  // A variable of the block's own: where it lies in the window of the cluster.
  if (d.operand(1).kind == Operand::Kind::Variable) {
    d.inst.b = 0;
    d.inst.c = 1;
    d.inst.o[1] = d.specialRow("%sharedbase");
  } else if (!d.source(d.operand(1), t, d.inst.o[1])) {
    return false;
  }
  d.emit(getCtaRank, Class::Other);
  return true;
}

} // namespace

void registerStack() {
  RegisterDecoders({{"alloca", decodeAlloca},
                    {"stacksave", decodeStack},
                    {"stackrestore", decodeStack},
                    {"getctarank", decodeGetCtaRank}});
}

} // namespace tileir::emu

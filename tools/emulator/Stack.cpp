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

void Memory::growLocal(Warp &warp, uint32_t need) {
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

void Memory::copyParameters(Warp &warp, Frame &frame, Mask lanes) {
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

/// Addresses and sizes of local memory.
struct StackRows {
  int32_t d = 0;
  int32_t bytes = 0; ///< The row of a size.
  int64_t align = 8;
  bool wide = false; ///< 64 bits.
  bool restores = false;
};

void allocaBytes(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<StackRows>();
  Frame &f = *x.frame;
  f.dynamic.resize(32);
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t size =
        in.wide ? x.row<uint64_t>(in.bytes)[l] : x.row<uint32_t>(in.bytes)[l];
    uint32_t base = f.localBase + uint32_t(f.code->localBytes);
    uint64_t at = alignUp(base + f.dynamic[size_t(l)], uint32_t(in.align));
    if (size > kLocalLimit || at + size > kLocalLimit) {
      x.m.report(FindingKind::Bounds, x, i, l,
                 "alloca of " + std::to_string(size) +
                     " bytes; the local memory of a thread ends at " +
                     std::to_string(kLocalLimit));
      x.m.fatal();
      return;
    }
    f.dynamic[size_t(l)] = uint32_t(at + size - base);
    x.m.memory.growLocal(*x.warp, uint32_t(at + size));
    if (in.wide)
      x.row<uint64_t>(in.d)[l] = at;
    else
      x.row<uint32_t>(in.d)[l] = uint32_t(at);
  });
}

void stackPointer(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<StackRows>();
  Frame &f = *x.frame;
  f.dynamic.resize(32);
  forLanes(m, [&](int l) {
    uint32_t &top = f.dynamic[size_t(l)];
    if (in.restores)
      top = uint32_t(in.wide ? x.row<uint64_t>(in.d)[l]
                             : x.row<uint32_t>(in.d)[l]);
    else if (in.wide)
      x.row<uint64_t>(in.d)[l] = top;
    else
      x.row<uint32_t>(in.d)[l] = top;
  });
}

bool takeWidth(Decoder &d, StackRows &in, Type &t) {
  t = d.type();
  in.wide = typeBits(t) == 64;
  return t == Type::U32 || t == Type::U64 || t == Type::B32 || t == Type::B64 ||
         d.fail("expected type .u32 or .u64");
}

bool decodeAlloca(Decoder &d) {
  auto &in = d.make<StackRows>();
  Type t;
  if (!takeWidth(d, in, t) || !d.operands(2, 3) ||
      !d.destination(d.operand(0), t, in.d) ||
      !d.source(d.operand(1), t, in.bytes))
    return false;
  if (d.count() == 3 && !d.immediate(d.operand(2), in.align))
    return false;
  if (in.align < 1 || in.align & (in.align - 1))
    return d.fail("alignment must be a power of two");
  d.emit(allocaBytes, Class::Other);
  return true;
}

bool decodeStack(Decoder &d) {
  auto &in = d.make<StackRows>();
  Type t;
  in.restores = d.s->words[0] == "stackrestore";
  if (!takeWidth(d, in, t) || !d.operands(1, 1) ||
      !(in.restores ? d.source(d.operand(0), t, in.d)
                    : d.destination(d.operand(0), t, in.d)))
    return false;
  d.emit(stackPointer, Class::Other);
  return true;
}

/// d = rank of the block whose shared memory the address names.
struct RankRows {
  int32_t d = 0, address = 0;
  bool isGeneric = false, wide = false; ///< The address.
};

void getCtaRank(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<RankRows>();
  forLanes(m, [&](int l) {
    uint64_t a = in.wide ? x.row<uint64_t>(in.address)[l]
                         : x.row<uint32_t>(in.address)[l];
    if (in.isGeneric && (a < kSharedWindow || (a - kSharedWindow) >> 32)) {
      x.m.report(FindingKind::Undefined, x, i, l,
                 "the address is not in shared memory");
      x.m.fatal();
      return;
    }
    x.row<uint32_t>(in.d)[l] = uint32_t(a >> 24 & 0xFF);
  });
}

bool decodeGetCtaRank(Decoder &d) {
  auto &in = d.make<RankRows>();
  bool isShared = d.has("shared::cluster");
  Type t = d.type();
  in.isGeneric = !isShared;
  in.wide = typeBits(t) == 64;
  if (!d.operands(2, 2) || !d.destination(d.operand(0), Type::U32, in.d))
    return false;
  // A variable of the block's own: where it lies in the window of the cluster.
  if (d.operand(1).kind == Operand::Kind::Variable) {
    in.isGeneric = false;
    in.wide = true;
    in.address = d.specialRow("%sharedbase");
  } else if (!d.source(d.operand(1), t, in.address)) {
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

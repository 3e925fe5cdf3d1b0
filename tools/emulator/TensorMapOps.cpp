// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps in memory: tensormap.replace and .cp_fenceproxy.
#include "tools/emulator/BulkOps.h"

#include <cstring>

namespace tileir::emu {

namespace {

enum Field : uint8_t {
  FAddress,
  FRank,
  FBox,
  FDim,
  FStride,
  FElementStride,
  FElemtype,
  FInterleave,
  FSwizzle,
  FAtomicity,
  FFill
};

struct ReplaceField {
  AddressOperand map;
  Field field = FAddress;
  int32_t ordinal = 0; ///< Of fields that each dimension has.
  int32_t value = 0;
  bool wide = false; ///< 64-bit value.
};

void tensormapReplace(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ReplaceField>();
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint64_t offset;
    uint8_t *p = x.m.memory.access(x, i, l, in.map.space,
                                   laneAddress(x, in.map, l), kTensorMapBytes,
                                   AccessKind::Write, region, offset, 64);
    if (!p || !region)
      return;
    x.m.races.touch(x, i, l, *region, offset, kTensorMapBytes,
                    AccessKind::Atomic, Semantics());
    x.m.scheduler.changed();
    uint64_t v =
        in.wide ? x.row<uint64_t>(in.value)[l] : x.row<uint32_t>(in.value)[l];
    auto bits = [&](int at, int low, int count, uint64_t value) {
      uint32_t w;
      std::memcpy(&w, p + at, 4);
      uint32_t mask = uint32_t(((uint64_t(1) << count) - 1) << low);
      w = (w & ~mask) | (uint32_t(value << low) & mask);
      std::memcpy(p + at, &w, 4);
    };
    int k = in.ordinal;
    switch (in.field) {
    case FAddress: {
      uint64_t address = (v >> 4 & ((uint64_t(1) << 53) - 1)) << 4;
      std::memcpy(p, &address, 8);
      bits(8, 21, 1, 0);
      break;
    }
    case FRank:
      bits(8, 4, 3, v);
      break;
    case FBox:
      if (k == 0)
        bits(0x34, 24, 8, v - 1);
      else
        bits(0x38, 8 * (k - 1), 8, v - 1);
      break;
    case FDim:
      bits(0x20 + 4 * k, 0, 32, v - 1);
      break;
    case FStride:
      bits(0x0c + 4 * k, 0, 32, v >> 4);
      bits(0x1c, 4 * k, 4, v >> 36);
      break;
    case FElementStride:
      bits(0x34, 3 * k, 3, v - 1);
      break;
    case FElemtype: {
      uint64_t code = v == 11 ? 7 : v == 12 ? 8 : v >= 13 ? v - 2 : v;
      bits(8, 7, 4, code);
      bits(8, 16, 1, v == 11 || v == 12);
      break;
    }
    case FInterleave:
      bits(8, 11, 2, v);
      break;
    case FSwizzle:
      bits(8, 13, 2, v == 4 ? 0 : v);
      bits(8, 22, 1, v == 4);
      break;
    case FAtomicity:
      bits(8, 19, 2, v);
      break;
    case FFill:
      bits(8, 15, 1, v);
      break;
    }
  });
}

/// From shared to global memory.
struct CopyMap {
  AddressOperand to, from;
};

void tensormapCopy(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<CopyMap>();
  int l = __builtin_ctz(m);
  Region *from = nullptr, *to = nullptr;
  uint64_t fromOffset, toOffset;
  uint8_t *q =
      x.m.memory.access(x, i, l, Space::Generic, laneAddress(x, in.to, l), 128,
                        AccessKind::Write, to, toOffset, 128);
  uint64_t source = sharedOf(laneAddress(x, in.from, l));
  uint8_t *p = q ? x.m.memory.access(x, i, l, Space::SharedCluster, source, 128,
                                     AccessKind::Read, from, fromOffset, 128)
                 : nullptr;
  if (!p || !to)
    return;
  // Bytes of the upper half that no thread has written stay unwritten.
  x.m.races.touch(x, i, l, *from, fromOffset, 128, AccessKind::Read,
                  Semantics(), false, false);
  x.m.memory.checkWritten(x, i, l, *from, fromOffset, kTensorMapBytes);
  x.m.races.touch(x, i, l, *to, toOffset, 128, AccessKind::Write, Semantics());
  std::memcpy(q, p, 128);
  if (!to->written.empty() && !from->written.empty())
    std::memcpy(&to->written[toOffset + kTensorMapBytes],
                &from->written[fromOffset + kTensorMapBytes],
                128 - kTensorMapBytes);
  forLanes(m, [&](int k) {
    ThreadClock &t = x.clock(k);
    t.releaseFence[size_t(Scope::Gpu)] = t.snapshot();
    ++t.clock;
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeTensormap(Decoder &d) {
  if (d.has("cp_fenceproxy")) {
    auto &in = d.make<CopyMap>();
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    d.inst.aligned = d.inst.releasesMap = true;
    if (!d.operands(3, 3) ||
        !addressOf(d, d.operand(0), Space::Generic, in.to) ||
        !addressOf(d, d.operand(1), Space::Shared, in.from))
      return false;
    d.emit(tensormapCopy, Class::Async);
    return true;
  }
  if (!d.has("replace") || !d.has("tile"))
    return d.fail("expected '.replace.tile' or '.cp_fenceproxy'");
  static const std::pair<const char *, Field> fields[] = {
      {"global_address", FAddress},
      {"rank", FRank},
      {"box_dim", FBox},
      {"global_dim", FDim},
      {"global_stride", FStride},
      {"element_stride", FElementStride},
      {"elemtype", FElemtype},
      {"interleave_layout", FInterleave},
      {"swizzle_mode", FSwizzle},
      {"swizzle_atomicity", FAtomicity},
      {"fill_mode", FFill}};
  auto &in = d.make<ReplaceField>();
  bool found = false;
  for (auto &[name, field] : fields)
    if (d.has(name)) {
      in.field = field;
      found = true;
    }
  if (!found)
    return d.fail("unknown field");
  Space s;
  takeMemorySpace(d, s);
  d.has("b1024");
  Type t = d.type();
  in.wide = typeBits(t) == 64;
  bool ordinal = in.field == FBox || in.field == FDim || in.field == FStride ||
                 in.field == FElementStride;
  if (!d.operands(ordinal ? 3 : 2, ordinal ? 3 : 2))
    return false;
  if (ordinal) {
    int64_t k;
    if (!d.immediate(d.operand(1), k) || k < 0 || k > 4)
      return d.fail("expected a dimension from 0 to 4");
    in.ordinal = int32_t(k);
  }
  if (!d.memoryOperand(d.operand(0), s, in.map) ||
      !d.source(d.operand(d.count() - 1), t, in.value))
    return false;
  d.emit(tensormapReplace, Class::Async);
  return true;
}

} // namespace

void registerTensorMaps() {
  RegisterDecoders({{"tensormap", decodeTensormap}});
}

} // namespace tileir::emu

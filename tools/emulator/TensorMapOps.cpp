// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps in memory: tensormap.replace and .cp_fenceproxy.
#include "tools/emulator/BulkOps.h"

#include <cstring>

namespace tileir::emu {

namespace {

/// a field, b ordinal, o[0] value row; types[0].
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
void tensormapReplace(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint64_t offset;
    uint8_t *p =
        x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                   kTensorMapBytes, AccessKind::Write, region, offset, 64);
    if (!p || !region)
      return;
    x.m.touch(x, i, l, *region, offset, kTensorMapBytes, AccessKind::Atomic,
              Semantics());
    x.m.changed();
    uint64_t v = typeBits(i.extra->types[0]) == 64 ? x.row<uint64_t>(i.o[0])[l]
                                                   : x.row<uint32_t>(i.o[0])[l];
    auto bits = [&](int at, int low, int count, uint64_t value) {
      uint32_t w;
      std::memcpy(&w, p + at, 4);
      uint32_t mask = uint32_t(((uint64_t(1) << count) - 1) << low);
      w = (w & ~mask) | (uint32_t(value << low) & mask);
      std::memcpy(p + at, &w, 4);
    };
    int k = i.b;
    switch (i.a) {
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

/// Addresses 0 destination in global, 1 source in shared memory.
void tensormapCopy(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  Region *from = nullptr, *to = nullptr;
  uint64_t fromOffset, toOffset;
  uint8_t *q = x.m.access(x, i, l, Space::Generic, operandAddress(x, i, 0, l),
                          128, AccessKind::Write, to, toOffset, 128);
  uint64_t source = sharedOf(operandAddress(x, i, 1, l));
  uint8_t *p = q ? x.m.access(x, i, l, Space::SharedCluster, source, 128,
                              AccessKind::Read, from, fromOffset, 128)
                 : nullptr;
  if (!p || !to)
    return;
  // What nobody has written of the upper half stays unwritten.
  x.m.touch(x, i, l, *from, fromOffset, 128, AccessKind::Read, Semantics(),
            false, false);
  x.m.checkWritten(x, i, l, *from, fromOffset, kTensorMapBytes);
  x.m.touch(x, i, l, *to, toOffset, 128, AccessKind::Write, Semantics());
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
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    d.inst.aligned = d.inst.releasesMap = true;
    if (!d.operands(3, 3) || !addAddress(d, d.operand(0), Space::Generic) ||
        !addAddress(d, d.operand(1), Space::Shared))
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
  bool found = false;
  for (auto &[name, field] : fields)
    if (d.has(name)) {
      d.inst.a = field;
      found = true;
    }
  if (!found)
    return d.fail("unknown field");
  Space s;
  takeMemorySpace(d, s);
  d.has("b1024");
  Extra &e = d.extra();
  e.types[0] = d.type();
  bool ordinal = d.inst.a == FBox || d.inst.a == FDim || d.inst.a == FStride ||
                 d.inst.a == FElementStride;
  if (!d.operands(ordinal ? 3 : 2, ordinal ? 3 : 2))
    return false;
  if (ordinal) {
    int64_t k;
    if (!d.immediate(d.operand(1), k) || k < 0 || k > 4)
      return d.fail("expected a dimension from 0 to 4");
    d.inst.b = uint8_t(k);
  }
  if (!d.memoryOperand(d.operand(0), s) ||
      !d.source(d.operand(d.count() - 1), e.types[0], d.inst.o[0]))
    return false;
  d.emit(tensormapReplace, Class::Async);
  return true;
}

} // namespace

void registerTensorMaps() {
  RegisterDecoders({{"tensormap", decodeTensormap}});
}

} // namespace tileir::emu

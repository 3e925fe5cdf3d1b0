// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix, movmatrix. In all of them g = lane / 4 and t = lane % 4
// (PTX ISA, matrix fragments).
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MemoryOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// Reads or writes one 16-byte row of a matrix for lane `l`.
uint8_t *matrixRow(Exec &x, const Inst &i, int l, bool isWrite, Region *&region,
                   uint64_t &offset, uint32_t bytes = 16) {
  return x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l), bytes,
                    isWrite ? AccessKind::Write : AccessKind::Read, region,
                    offset, 16);
}

/// a: matrices; b: 0 m8n8 b16, 1 m16n16 b8, 2 m8n16; imm offset; o[2]:
/// transposed; o[3]: 0 plain, 4 b4x16_p64, 6 b6x16_p32.
void ldmatrix(Exec &x, const Inst &i, Mask m) {
  const std::vector<int32_t> &to = i.extra->v[0];
  int rowsPer = i.b == 1 ? 16 : 8;
  int lanesUsed = rowsPer * i.a;
  uint8_t rows[32][16];
  uint64_t offsets[32];
  Region *region = nullptr;
  for (int l = 0; l < lanesUsed; ++l) {
    uint8_t *p = matrixRow(x, i, l, false, region, offsets[l]);
    if (!p)
      return;
    uint32_t used = i.o[3] == 4 ? 8 : i.o[3] == 6 ? 12 : 16;
    if (region)
      x.m.touch(x, i, l, *region, offsets[l], used, AccessKind::Read,
                Semantics());
    std::memcpy(rows[l], p, 16);
    if (i.o[3]) { // Widen packed elements to bytes.
      uint8_t wide[16];
      for (int k = 0; k < 16; ++k) {
        int bit = k * i.o[3];
        uint32_t two =
            p[bit / 8] | (bit / 8 + 1 < 16 ? p[bit / 8 + 1] << 8 : 0);
        wide[k] = uint8_t(two >> (bit % 8) & ((1 << i.o[3]) - 1));
      }
      std::memcpy(rows[l], wide, 16);
    }
  }
  if (x.m.profile)
    countRequest(x.m, region, offsets,
                 lanesUsed == 32 ? kAllLanes : (1u << lanesUsed) - 1, 16,
                 false);
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    if (i.b == 0) {
      for (int j = 0; j < i.a; ++j) {
        uint32_t v;
        if (i.o[2]) {
          uint16_t low, high;
          std::memcpy(&low, &rows[8 * j + 2 * t][2 * g], 2);
          std::memcpy(&high, &rows[8 * j + 2 * t + 1][2 * g], 2);
          v = low | uint32_t(high) << 16;
        } else {
          std::memcpy(&v, &rows[8 * j + g][4 * t], 4);
        }
        x.row<uint32_t>(to[size_t(j)])[l] = v;
      }
    } else if (i.b == 1) { // Transposed bytes: two registers a matrix.
      for (int j = 0; j < i.a; ++j)
        for (int r = 0; r < 2; ++r) {
          uint32_t v = 0;
          for (int k = 0; k < 4; ++k)
            v |= uint32_t(rows[16 * j + 4 * t + k][g + 8 * r]) << (8 * k);
          x.row<uint32_t>(to[size_t(2 * j + r)])[l] = v;
        }
    } else {
      for (int j = 0; j < i.a; ++j) {
        uint32_t v;
        std::memcpy(&v, &rows[8 * j + g][4 * t], 4);
        x.row<uint32_t>(to[size_t(j)])[l] = v;
      }
    }
  }
}

void stmatrix(Exec &x, const Inst &i, Mask m) {
  const std::vector<int32_t> &from = i.extra->v[0];
  int lanesUsed = 8 * i.a;
  uint64_t offsets[32];
  Region *region = nullptr;
  for (int row = 0; row < lanesUsed; ++row) {
    int j = row / 8, r = row % 8;
    uint8_t bytes[16];
    for (int c = 0; c < (i.b == 1 ? 16 : 8); ++c) {
      if (i.b == 1) {
        // m16n8 transposed: shared row r is column C = r, byte c is row R = c.
        int g = c % 8, lane = 4 * g + r / 2, k = (c / 8) * 2 + (r & 1);
        bytes[c] = uint8_t(x.row<uint32_t>(from[size_t(j)])[lane] >> (8 * k));
      } else {
        int g = i.o[2] ? c : r, col = i.o[2] ? r : c;
        uint32_t v = x.row<uint32_t>(from[size_t(j)])[4 * g + col / 2];
        uint16_t e = uint16_t(v >> (16 * (col & 1)));
        std::memcpy(&bytes[2 * c], &e, 2);
      }
    }
    uint8_t *p = matrixRow(x, i, row, true, region, offsets[row]);
    if (!p)
      return;
    if (region)
      x.m.touch(x, i, row, *region, offsets[row], 16, AccessKind::Write,
                Semantics(), std::memcmp(p, bytes, 16) == 0);
    std::memcpy(p, bytes, 16);
  }
  if (x.m.profile)
    countRequest(x.m, region, offsets,
                 lanesUsed == 32 ? kAllLanes : (1u << lanesUsed) - 1, 16, true);
}

void movmatrix(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]);
  uint32_t r[32];
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    auto element = [&](int row, int col) {
      return a[4 * row + col / 2] >> (16 * (col & 1)) & 0xFFFF;
    };
    r[l] = element(2 * t, g) | element(2 * t + 1, g) << 16;
  }
  for (int l = 0; l < 32; ++l)
    d[l] = r[l];
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool matrixAddress(Decoder &d, const Operand &o, Space s) {
  if (s != Space::Shared && s != Space::SharedCluster && s != Space::Generic)
    return d.fail("expected '.shared'");
  return d.memoryOperand(o, s);
}

bool decodeLdmatrix(Decoder &d) {
  bool isStore = d.s->words[0] == "stmatrix";
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  bool m8n8 = d.has("m8n8"), m16n16 = d.has("m16n16"), m8n16 = d.has("m8n16"),
       m16n8 = d.has("m16n8");
  d.inst.a = d.has("x1") ? 1 : d.has("x2") ? 2 : d.has("x4") ? 4 : 0;
  d.inst.o[2] = d.has("trans");
  Space s;
  takeMemorySpace(d, s);
  if (d.has("b8x16"))
    d.inst.o[3] = d.has("b6x16_p32") ? 6 : d.has("b4x16_p64") ? 4 : 0;
  else
    d.type();
  d.inst.b = m8n8 ? 0 : m16n16 || m16n8 ? 1 : 2;
  if (!d.inst.a || !(m8n8 || (isStore ? m16n8 : m16n16 || m8n16)))
    return d.fail("unknown shape or number of matrices");
  if (!d.operands(2, 2))
    return false;
  const Operand &regs = d.operand(isStore ? 1 : 0);
  std::vector<int32_t> &rows = d.extra().v[0];
  bool ok = isStore ? d.sources(regs, Type::B32, rows)
                    : d.destinations(regs, Type::B32, rows);
  if (!ok || !matrixAddress(d, d.operand(isStore ? 0 : 1), s))
    return false;
  size_t expected = size_t(d.inst.a) * (m16n16 ? 2 : 1);
  if (rows.size() != expected)
    return d.fail("expected " + std::to_string(expected) + " registers");
  d.emit(isStore ? stmatrix : ldmatrix, Class::Shared);
  return true;
}

bool decodeMovmatrix(Decoder &d) {
  for (const char *w : {"sync", "aligned", "m8n8", "trans"})
    if (!d.has(w))
      return d.fail(std::string("expected '.") + w + "'");
  d.inst.aligned = true;
  Type t = d.type();
  (void)t;
  return d.operands(2, 2) &&
         d.destination(d.operand(0), Type::B32, d.inst.o[0]) &&
         d.source(d.operand(1), Type::B32, d.inst.o[1]) &&
         (d.emit(movmatrix, Class::Matrix), true);
}

} // namespace

void registerMatrix() {
  RegisterDecoders({
      {"ldmatrix", decodeLdmatrix},
      {"stmatrix", decodeLdmatrix},
      {"movmatrix", decodeMovmatrix},
  });
}

} // namespace tileir::emu

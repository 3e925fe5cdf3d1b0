// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix, stmatrix, movmatrix. In all of them g = lane / 4 and t = lane % 4
// (PTX ISA, matrix fragments).
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MemoryOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// ldmatrix and stmatrix.
struct MatrixAccess {
  AddressOperand address;
  uint8_t count = 1; ///< Matrices.
  enum Shape : uint8_t { M8N8, M16N16, M8N16 } shape = M8N8;
  bool transposed = false;
  uint8_t packedBits = 0; ///< Of an element that is widened to a byte; 0: none.
  int32_t rows[8] = {};

  int perMatrix() const { return shape == M16N16 ? 16 : 8; }
};

/// Lanes that give addresses.
Mask lanesBelow(int count) {
  return count == 32 ? kAllLanes : (1u << count) - 1;
}

/// Reads or writes one 16-byte row of a matrix for lane `l`.
uint8_t *matrixRow(Exec &x, const Inst &i, int l, bool isWrite, Region *&region,
                   uint64_t &offset) {
  const auto &in = i.as<MatrixAccess>();
  return x.m.memory.access(
      x, i, l, in.address.space, laneAddress(x, in.address, l), 16,
      isWrite ? AccessKind::Write : AccessKind::Read, region, offset, 16);
}

/// Addresses of the rows that lanes name, as offsets in the block's memory;
/// false where one lane after the other has to be looked at.
bool matrixRows(Exec &x, const Inst &i, Mask m, bool isWrite, Region *&region,
                uint64_t *offsets) {
  const auto &in = i.as<MatrixAccess>();
  forLanes(m, [&](int l) { offsets[l] = laneAddress(x, in.address, l); });
  return x.m.memory.accessLanes(x, in.address.space, m, offsets, 16, 16,
                                isWrite ? AccessKind::Write : AccessKind::Read,
                                region);
}

/// Elements of `bits` as bytes.
void widen(uint8_t *row, const uint8_t *p, int bits) {
  for (int k = 0; k < 16; ++k) {
    int bit = k * bits;
    uint32_t two = p[bit / 8] | (bit / 8 + 1 < 16 ? p[bit / 8 + 1] << 8 : 0);
    row[k] = uint8_t(two >> (bit % 8) & ((1 << bits) - 1));
  }
}

void ldmatrix(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MatrixAccess>();
  int lanesUsed = in.perMatrix() * in.count;
  uint8_t rows[32][16];
  uint64_t offsets[32];
  Region *region = nullptr;
  uint32_t used = in.packedBits ? 2u * in.packedBits : 16;
  Mask givers = lanesBelow(lanesUsed);
  if (used == 16 && matrixRows(x, i, givers, false, region, offsets) &&
      Memory::isWritten(*region, givers, offsets, used)) {
    x.m.races.touchLanes(x, i, givers, *region, offsets, used,
                         AccessKind::Read);
    for (int l = 0; l < lanesUsed; ++l)
      std::memcpy(rows[l], &region->data[offsets[l]], 16);
  } else {
    for (int l = 0; l < lanesUsed; ++l) {
      uint8_t *p = matrixRow(x, i, l, false, region, offsets[l]);
      if (!p)
        return;
      if (region)
        x.m.races.touch(x, i, l, *region, offsets[l], used, AccessKind::Read,
                        Semantics());
      if (in.packedBits)
        widen(rows[l], p, in.packedBits);
      else
        std::memcpy(rows[l], p, 16);
    }
  }
  if (x.m.profile)
    countRequest(x.m, region, offsets, lanesBelow(lanesUsed), 16, false);
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    if (in.shape == MatrixAccess::M16N16) {
      // Transposed bytes: two registers a matrix.
      for (int j = 0; j < in.count; ++j)
        for (int r = 0; r < 2; ++r) {
          uint32_t v = 0;
          for (int k = 0; k < 4; ++k)
            v |= uint32_t(rows[16 * j + 4 * t + k][g + 8 * r]) << (8 * k);
          x.row<uint32_t>(in.rows[2 * j + r])[l] = v;
        }
      continue;
    }
    for (int j = 0; j < in.count; ++j) {
      uint32_t v;
      if (in.shape == MatrixAccess::M8N8 && in.transposed) {
        uint16_t low, high;
        std::memcpy(&low, &rows[8 * j + 2 * t][2 * g], 2);
        std::memcpy(&high, &rows[8 * j + 2 * t + 1][2 * g], 2);
        v = low | uint32_t(high) << 16;
      } else {
        std::memcpy(&v, &rows[8 * j + g][4 * t], 4);
      }
      x.row<uint32_t>(in.rows[j])[l] = v;
    }
  }
}

void stmatrix(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MatrixAccess>();
  bool isBytes = in.shape == MatrixAccess::M16N16;
  int lanesUsed = 8 * in.count;
  uint64_t offsets[32];
  Region *region = nullptr;
  for (int row = 0; row < lanesUsed; ++row) {
    int r = row % 8;
    auto *from = x.row<uint32_t>(in.rows[row / 8]);
    uint8_t bytes[16];
    for (int c = 0; c < (isBytes ? 16 : 8); ++c) {
      if (isBytes) {
        // m16n8 transposed: shared row r is column C = r, byte c is row R = c.
        int g = c % 8, lane = 4 * g + r / 2, k = (c / 8) * 2 + (r & 1);
        bytes[c] = uint8_t(from[lane] >> (8 * k));
      } else {
        int g = in.transposed ? c : r, col = in.transposed ? r : c;
        uint16_t e = uint16_t(from[4 * g + col / 2] >> (16 * (col & 1)));
        std::memcpy(&bytes[2 * c], &e, 2);
      }
    }
    uint8_t *p = matrixRow(x, i, row, true, region, offsets[row]);
    if (!p)
      return;
    if (region)
      x.m.races.touch(x, i, row, *region, offsets[row], 16, AccessKind::Write,
                      Semantics(), std::memcmp(p, bytes, 16) == 0);
    std::memcpy(p, bytes, 16);
  }
  if (x.m.profile)
    countRequest(x.m, region, offsets, lanesBelow(lanesUsed), 16, true);
}

void movmatrix(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<Rows>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a);
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

bool matrixAddress(Decoder &d, const Operand &o, Space s, AddressOperand &out) {
  if (s != Space::Shared && s != Space::SharedCluster && s != Space::Generic)
    return d.fail("expected '.shared'");
  return d.memoryOperand(o, s, out);
}

bool decodeLdmatrix(Decoder &d) {
  auto &in = d.make<MatrixAccess>();
  bool isStore = d.s->words[0] == "stmatrix";
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  bool m8n8 = d.has("m8n8"), m16n16 = d.has("m16n16"), m8n16 = d.has("m8n16"),
       m16n8 = d.has("m16n8");
  in.count = d.has("x1") ? 1 : d.has("x2") ? 2 : d.has("x4") ? 4 : 0;
  in.transposed = d.has("trans");
  Space s;
  takeMemorySpace(d, s);
  if (d.has("b8x16"))
    in.packedBits = d.has("b6x16_p32") ? 6 : d.has("b4x16_p64") ? 4 : 0;
  else
    d.type();
  in.shape = m8n8              ? MatrixAccess::M8N8
             : m16n16 || m16n8 ? MatrixAccess::M16N16
                               : MatrixAccess::M8N16;
  if (!in.count || !(m8n8 || (isStore ? m16n8 : m16n16 || m8n16)))
    return d.fail("unknown shape or number of matrices");
  if (!d.operands(2, 2))
    return false;
  const Operand &regs = d.operand(isStore ? 1 : 0);
  std::vector<int32_t> rows;
  bool ok = isStore ? d.sources(regs, Type::B32, rows)
                    : d.destinations(regs, Type::B32, rows);
  if (!ok || !matrixAddress(d, d.operand(isStore ? 0 : 1), s, in.address))
    return false;
  size_t expected = size_t(in.count) * (m16n16 ? 2 : 1);
  if (rows.size() != expected)
    return d.fail("expected " + std::to_string(expected) + " registers");
  std::copy(rows.begin(), rows.end(), in.rows);
  d.emit(isStore ? stmatrix : ldmatrix, Class::Shared);
  return true;
}

bool decodeMovmatrix(Decoder &d) {
  auto &in = d.make<Rows>();
  for (const char *w : {"sync", "aligned", "m8n8", "trans"})
    if (!d.has(w))
      return d.fail(std::string("expected '.") + w + "'");
  d.inst.aligned = true;
  Type t = d.type();
  (void)t;
  return d.operands(2, 2) && d.destination(d.operand(0), Type::B32, in.d) &&
         d.source(d.operand(1), Type::B32, in.a) &&
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

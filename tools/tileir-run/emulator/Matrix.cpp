// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync, ldmatrix, stmatrix, movmatrix. In all of them g = lane / 4 and
// t = lane % 4 (PTX ISA, matrix fragments).
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

void countRequest(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes, bool isWrite);

double decodeElement(Type t, uint64_t bits) {
  using namespace cases;
  switch (t) {
  case Type::F16:
    return halfToFloat(uint16_t(bits));
  case Type::BF16:
    return bfloatToFloat(uint16_t(bits));
  case Type::TF32: // The lower 13 bits are not read.
    return asFloat(uint32_t(bits) & 0xFFFFE000);
  case Type::F32:
    return asFloat(uint32_t(bits));
  case Type::E4M3:
  case Type::UE4M3:
    return decodeFloat(kE4M3, bits & (t == Type::UE4M3 ? 127 : 255));
  case Type::E5M2:
    return decodeFloat(kE5M2, bits & 255);
  case Type::E2M3:
    return decodeFloat(kE2M3, bits & 63);
  case Type::E3M2:
    return decodeFloat(kE3M2, bits & 63);
  case Type::E2M1:
    return decodeFloat(kE2M1, bits & 15);
  case Type::UE8M0:
    return decodeFloat(kUE8M0, bits & 255);
  case Type::S8:
    return int8_t(bits);
  case Type::U8:
    return uint8_t(bits);
  case Type::S4:
    return int(bits & 7) - int(bits & 8);
  case Type::U4:
    return double(bits & 15);
  default:
    return 0;
  }
}

/// D = A·B + C, K products at a time, exact in f64 where they fit, rounded
/// once to the type of D.
struct MatrixShape {
  int m, n, k;
};

namespace {

/// Row and column of element i of the A fragment, by the common law of all
/// shapes with 16 rows: e elements of `bits` to a register, register r holds
/// row g + 8·(r & 1) and columns e·t + j + 4·e·(r >> 1).
struct Fragment {
  int bits; ///< Of an element as it lies in the register.
  int perRegister() const { return 32 / bits; }
};

uint64_t registerBits(Exec &x, int row, int lane) {
  return x.row<uint32_t>(row)[lane];
}

/// numbers: m, n, k, element bits of A, of B, scale vector, packed 4-bit shift.
/// v[0..3]: rows of d, a, b, c. types: d, a, b, c, scale.
void mma(Exec &x, const Inst &i, Mask) {
  const Extra &e = *i.extra;
  int M = int(e.numbers[0]), N = int(e.numbers[1]), K = int(e.numbers[2]);
  int aBits = int(e.numbers[3]), bBits = int(e.numbers[4]);
  Type dt = e.types[0], at = e.types[1], bt = e.types[2], ct = e.types[3];
  static thread_local std::vector<double> A, B;
  A.assign(size_t(M) * K, 0);
  B.assign(size_t(N) * K, 0);
  auto shifted = [](Type t, uint64_t v, int bits) {
    // 4-bit elements in a byte container lie in bits 2 to 5.
    return t == Type::E2M1 && bits == 8 ? v >> 2 & 15 : v;
  };
  auto decodeA = [&](uint64_t v) {
    return decodeElement(at, shifted(at, v, aBits));
  };
  auto decodeB = [&](uint64_t v) {
    return decodeElement(bt, shifted(bt, v, bBits));
  };
  if (at == Type::F64) {
    int rows = M == 8 ? 1 : 2;
    for (int l = 0; l < 32; ++l) {
      int g = l / 4, t = l % 4;
      for (size_t r = 0; r < e.v[1].size(); ++r)
        A[size_t(g + 8 * int(r % rows)) * K + t + 4 * (r / rows)] =
            x.row<double>(e.v[1][r])[l];
      for (size_t r = 0; r < e.v[2].size(); ++r)
        B[size_t(g) * K + t + 4 * r] = x.row<double>(e.v[2][r])[l];
    }
  } else if (at == Type::B1) {
    auto *d = e.v[0].data();
    int32_t result[32][4];
    std::vector<uint32_t> ab(size_t(M) * K / 32), bb(size_t(N) * K / 32);
    int rows = M == 8 ? 1 : 2;
    for (int l = 0; l < 32; ++l) {
      int g = l / 4, t = l % 4;
      for (size_t r = 0; r < e.v[1].size(); ++r)
        ab[size_t(g + 8 * int(r % rows)) * (K / 32) + t + 4 * (r / rows)] =
            x.row<uint32_t>(e.v[1][r])[l];
      for (size_t r = 0; r < e.v[2].size(); ++r)
        bb[size_t(g) * (K / 32) + t + 4 * r] = x.row<uint32_t>(e.v[2][r])[l];
    }
    for (int l = 0; l < 32; ++l)
      for (size_t r = 0; r < e.v[0].size(); ++r) {
        int row = l / 4 + 8 * int(r / 2), col = 2 * (l % 4) + int(r & 1);
        uint32_t sum = x.row<uint32_t>(e.v[3][r])[l];
        for (int w = 0; w < K / 32; ++w) {
          uint32_t p = ab[size_t(row) * (K / 32) + w],
                   q = bb[size_t(col) * (K / 32) + w];
          sum += uint32_t(__builtin_popcount(i.a ? p & q : p ^ q));
        }
        result[l][r] = int32_t(sum);
      }
    for (int l = 0; l < 32; ++l)
      for (size_t r = 0; r < e.v[0].size(); ++r)
        x.row<int32_t>(d[r])[l] = result[l][r];
    return;
  } else {
    int ea = 32 / aBits, eb = 32 / bBits;
    int rows = M == 8 ? 1 : 2;
    for (int l = 0; l < 32; ++l) {
      int g = l / 4, t = l % 4;
      for (size_t r = 0; r < e.v[1].size(); ++r) {
        uint64_t v = registerBits(x, e.v[1][r], l);
        for (int j = 0; j < ea; ++j)
          A[size_t(g + 8 * int(r % rows)) * K + ea * t + j +
            4 * ea * int(r / rows)] =
              decodeA(aBits == 32 ? v : v >> (j * aBits) & ((1u << aBits) - 1));
      }
      for (size_t r = 0; r < e.v[2].size(); ++r) {
        uint64_t v = registerBits(x, e.v[2][r], l);
        for (int j = 0; j < eb; ++j)
          B[size_t(g) * K + eb * t + j + 4 * eb * int(r)] =
              decodeB(bBits == 32 ? v : v >> (j * bBits) & ((1u << bBits) - 1));
      }
    }
  }
  if (i.b) { // Block scales: o[0] A, o[1] B registers; o[2..5] ids.
    int vec = i.b, block = K / vec;
    Type st = e.types[4];
    for (int row = 0; row < M; ++row) {
      int g = row % 8, lane = 4 * g + 2 * i.o[3] + row / 8;
      uint32_t word = x.row<uint32_t>(i.o[0])[lane] >> (8 * i.o[2]);
      for (int k = 0; k < K; ++k)
        A[size_t(row) * K + k] *= decodeElement(st, word >> (8 * (k / block)));
    }
    for (int col = 0; col < N; ++col) {
      int lane = 4 * col + i.o[5];
      uint32_t word = x.row<uint32_t>(i.o[1])[lane] >> (8 * i.o[4]);
      for (int k = 0; k < K; ++k)
        B[size_t(col) * K + k] *= decodeElement(st, word >> (8 * (k / block)));
    }
  }
  bool integer = dt == Type::S32;
  double sums[32][4];
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (int r = 0; r < (M == 8 ? 2 : 4); ++r) {
      int row = g + 8 * (r >> 1), col = 2 * t + (r & 1);
      const double *p = &A[size_t(row) * K], *q = &B[size_t(col) * K];
      double sum = 0;
      if (dt == Type::F64) {
        sum = x.row<double>(e.v[3][r])[l];
        for (int k = 0; k < K; ++k)
          sum = std::fma(p[k], q[k], sum);
      } else {
        for (int k = 0; k < K; ++k)
          sum += p[k] * q[k];
        if (ct == Type::F16)
          sum += halfToFloat(
              uint16_t(x.row<uint32_t>(e.v[3][r >> 1])[l] >> (16 * (r & 1))));
        else if (integer)
          sum += x.row<int32_t>(e.v[3][r])[l];
        else
          sum += x.row<float>(e.v[3][r])[l];
      }
      sums[l][r] = sum;
    }
  }
  for (int l = 0; l < 32; ++l) {
    if (dt == Type::F16) {
      for (int r = 0; r < 2; ++r)
        x.row<uint32_t>(e.v[0][r])[l] =
            floatToHalf(sums[l][2 * r]) |
            uint32_t(floatToHalf(sums[l][2 * r + 1])) << 16;
      continue;
    }
    for (int r = 0; r < (M == 8 ? 2 : 4); ++r) {
      double s = sums[l][r];
      if (dt == Type::F64)
        x.row<double>(e.v[0][r])[l] = canonical(s);
      else if (integer)
        x.row<int32_t>(e.v[0][r])[l] =
            i.a ? int32_t(std::clamp(s, -2147483648.0, 2147483647.0))
                : int32_t(uint32_t(int64_t(s)));
      else
        x.row<float>(e.v[0][r])[l] = canonical(float(s));
    }
  }
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += uint64_t(M) * N * K;
}

/// mma.sp: two of four elements of A along K are kept, metadata says which.
/// numbers as mma, then the selector; o[0] metadata row.
void mmaSparse(Exec &x, const Inst &i, Mask) {
  const Extra &e = *i.extra;
  int M = int(e.numbers[0]), N = int(e.numbers[1]), K = int(e.numbers[2]);
  int bits = int(e.numbers[3]), selector = int(e.numbers[5]);
  Type dt = e.types[0], at = e.types[1], bt = e.types[2], ct = e.types[3];
  int half = K / 2, per = 32 / bits;
  std::vector<double> kept(size_t(M) * half), A(size_t(M) * K),
      B(size_t(N) * K);
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (size_t r = 0; r < e.v[1].size(); ++r)
      for (int j = 0; j < per; ++j)
        kept[size_t(g + 8 * int(r & 1)) * half + per * t + j +
             4 * per * int(r >> 1)] =
            decodeElement(at, registerBits(x, e.v[1][r], l) >> (j * bits));
    for (size_t r = 0; r < e.v[2].size(); ++r)
      for (int j = 0; j < per; ++j)
        B[size_t(g) * K + per * t + j + 4 * per * int(r)] =
            decodeElement(bt, registerBits(x, e.v[2][r], l) >> (j * bits));
  }
  // 16-bit types: each row has K/4 chunks of 4 bits; bits 0-15 of a word are
  // row g, 16-31 row g + 8, 4 chunks a word.
  auto *meta = x.row<uint32_t>(i.o[0]);
  for (int row = 0; row < M; ++row)
    for (int chunk = 0; chunk < K / 4; ++chunk) {
      int g = row % 8, t;
      if (K == 16)
        t = selector;
      else
        t = 2 * selector + chunk / 4;
      uint32_t word = meta[4 * g + t] >> (row >= 8 ? 16 : 0);
      uint32_t pair = word >> (4 * (chunk % 4)) & 15;
      uint32_t first = pair & 3, second = pair >> 2;
      A[size_t(row) * K + 4 * chunk + first] +=
          kept[size_t(row) * half + 2 * chunk];
      A[size_t(row) * K + 4 * chunk + second] +=
          kept[size_t(row) * half + 2 * chunk + 1];
    }
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < 4; ++r) {
      int row = l / 4 + 8 * (r >> 1), col = 2 * (l % 4) + (r & 1);
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[size_t(row) * K + k] * B[size_t(col) * K + k];
      if (ct == Type::F16) {
        uint32_t c = x.row<uint32_t>(e.v[3][r >> 1])[l];
        sum += halfToFloat(uint16_t(c >> (16 * (r & 1))));
        uint32_t &d = x.row<uint32_t>(e.v[0][r >> 1])[l];
        uint32_t shift = 16 * (r & 1);
        d = (d & ~(0xFFFFu << shift)) | uint32_t(floatToHalf(sum)) << shift;
      } else if (dt == Type::S32) {
        sum += x.row<int32_t>(e.v[3][r])[l];
        x.row<int32_t>(e.v[0][r])[l] = int32_t(uint32_t(int64_t(sum)));
      } else {
        sum += x.row<float>(e.v[3][r])[l];
        x.row<float>(e.v[0][r])[l] = canonical(float(sum));
      }
    }
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += uint64_t(M) * N * K;
}

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
  if (x.m.options.stats)
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
  if (x.m.options.stats)
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

bool takeShape(Decoder &d, MatrixShape &s) {
  for (size_t i = 1; i < d.s->words.size(); ++i) {
    const std::string &w = d.s->words[i];
    char tail;
    if (std::sscanf(w.c_str(), "m%dn%dk%d%c", &s.m, &s.n, &s.k, &tail) == 3)
      return d.has(w);
  }
  return d.fail("expected a shape");
}

int fragmentBits(Type t, bool widened) {
  switch (t) {
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::TF32:
    return 32;
  case Type::S4:
  case Type::U4:
    return 4;
  case Type::E2M1:
    return widened ? 8 : 4;
  case Type::B1:
    return 1;
  case Type::F64:
    return 64;
  case Type::E4M3:
  case Type::E5M2:
  case Type::E2M3:
  case Type::E3M2:
  case Type::S8:
  case Type::U8:
    return 8;
  default:
    return 0;
  }
}

bool decodeMma(Decoder &d) {
  std::string rest;
  bool sparse = d.has("sp") || d.has("sp::ordered_metadata");
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  std::string kind;
  d.prefixed("kind::", kind);
  bool scaled = d.has("block_scale");
  std::string vec;
  d.prefixed("scale_vec::", vec);
  MatrixShape s;
  if (!takeShape(d, s))
    return false;
  if (!d.has("row") || !d.has("col"))
    return d.fail("expected '.row.col'");
  bool satfinite = d.has("satfinite");
  bool isXor = d.has("xor"), isAnd = d.has("and");
  d.has("popc");
  Extra &e = d.extra();
  for (int k = 0; k < 4; ++k) {
    e.types[k] = d.type();
    if (e.types[k] == Type::None)
      return d.fail("expected types of D, A, B and C");
  }
  if (scaled)
    e.types[4] = d.type();
  bool widened = kind == "f8f6f4" || kind == "mxf8f6f4";
  int aBits = fragmentBits(e.types[1], widened),
      bBits = fragmentBits(e.types[2], widened);
  if (!aBits || !bBits)
    return d.fail("operand type is not supported");
  if (e.types[1] == Type::F16 && s.m == 8 && s.k == 4)
    return d.fail("shape m8n8k4 of f16 is not supported");
  e.numbers = {s.m, s.n, s.k, aBits, bBits};
  d.inst.a = satfinite || isAnd;
  (void)isXor;
  size_t extraOperands = sparse ? 2 : scaled ? 4 : 0;
  if (!d.operands(4 + extraOperands, 4 + extraOperands))
    return false;
  auto registerType = [&](Type t) {
    return t == Type::F64 ? Type::B64 : Type::B32;
  };
  if (!d.destinations(d.operand(0), registerType(e.types[0]), e.v[0]))
    return false;
  for (int k = 1; k < 4; ++k)
    if (!d.sources(d.operand(size_t(k)), registerType(e.types[k]), e.v[k]))
      return false;
  // Registers that the shape needs.
  int perLaneA =
      s.m * s.k * (sparse ? aBits / 2.0 : aBits) / 32 / (aBits == 64 ? 64 : 32);
  int perLaneB = s.n * s.k * bBits / 32 / (bBits == 64 ? 64 : 32);
  int perLaneC = s.m * s.n / 32 / (e.types[3] == Type::F16 ? 2 : 1);
  if (int(e.v[1].size()) != perLaneA || int(e.v[2].size()) != perLaneB ||
      int(e.v[3].size()) != perLaneC || e.v[0].size() != e.v[3].size())
    return d.fail("operands do not fit shape and types: expected " +
                  std::to_string(perLaneA) + ", " + std::to_string(perLaneB) +
                  " and " + std::to_string(perLaneC) + " registers of A, B, C");
  if (sparse) {
    int64_t selector;
    if (aBits != 16 || !d.immediate(d.operand(5), selector))
      return d.fail("sparse mma is supported for 16-bit types");
    e.numbers.push_back(selector);
    if (!d.source(d.operand(4), Type::B32, d.inst.o[0]))
      return false;
    d.emit(mmaSparse, Class::Matrix);
    return true;
  }
  if (scaled) {
    int count = vec == "1X" ? 1 : vec == "2X" ? 2 : vec == "4X" ? 4 : 0;
    if (!count)
      count = kind == "mxf8f6f4" ? 1 : 2;
    d.inst.b = uint8_t(count);
    for (int side = 0; side < 2; ++side) {
      const Operand &ids = d.operand(size_t(5 + 2 * side));
      int64_t byte, thread;
      if (!d.source(d.operand(size_t(4 + 2 * side)), Type::B32,
                    d.inst.o[side]) ||
          ids.items.size() != 2 || !d.immediate(ids.items[0], byte) ||
          !d.immediate(ids.items[1], thread))
        return d.fail("expected a scale register and {byte-id, thread-id}");
      d.inst.o[2 + 2 * side] = int32_t(byte);
      d.inst.o[3 + 2 * side] = int32_t(thread);
    }
  }
  d.emit(mma, Class::Matrix);
  return true;
}

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
      {"mma", decodeMma},
      {"ldmatrix", decodeLdmatrix},
      {"stmatrix", decodeLdmatrix},
      {"movmatrix", decodeMovmatrix},
  });
}

} // namespace tileir::emu

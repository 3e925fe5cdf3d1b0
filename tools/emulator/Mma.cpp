// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync, dense and sparse. In all shapes g = lane / 4 and t = lane % 4 (PTX
// ISA, matrix fragments). D = A·B + C: K products and C are added in f64, exact
// where they fit, and rounded once to the type of D.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MatrixElement.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// Numbers of Extra.
enum {
  M_,
  N_,
  K_,
  ABits,    ///< Bits of an element of A as it lies in the register.
  BBits,    ///< The same of B.
  Chunk,    ///< Of a sparse A: see `Sparsity`. 0 when A is dense.
  Ordered,  ///< The metadata are.
  Selector, ///< Which lanes of a quad give metadata.
  NumberCount
};

/// Sums of an accumulator element and the rounding to the type of D.
struct Accumulators {
  Exec &x;
  const Extra &e;
  bool saturates;

  double c(int lane, int r) const {
    const std::vector<int32_t> &rows = e.v[3];
    if (e.types[3] == Type::F16)
      return halfToFloat(uint16_t(x.row<uint32_t>(rows[size_t(r >> 1)])[lane] >>
                                  (16 * (r & 1))));
    int32_t row = rows[size_t(r)];
    if (e.types[3] == Type::S32)
      return x.row<int32_t>(row)[lane];
    return e.types[3] == Type::F64 ? x.row<double>(row)[lane]
                                   : double(x.row<float>(row)[lane]);
  }

  /// All of C must have been read before: D may be the same registers.
  void d(int lane, int r, double sum) const {
    const std::vector<int32_t> &rows = e.v[0];
    switch (e.types[0]) {
    case Type::F16: {
      uint32_t &word = x.row<uint32_t>(rows[size_t(r >> 1)])[lane];
      int shift = 16 * (r & 1);
      word = (word & ~(0xFFFFu << shift)) | uint32_t(floatToHalf(sum)) << shift;
      break;
    }
    case Type::F64:
      x.row<double>(rows[size_t(r)])[lane] = canonical(sum);
      break;
    case Type::S32:
      x.row<int32_t>(rows[size_t(r)])[lane] =
          saturates ? int32_t(std::clamp(sum, -2147483648.0, 2147483647.0))
                    : int32_t(uint32_t(int64_t(sum)));
      break;
    default:
      x.row<float>(rows[size_t(r)])[lane] = canonical(float(sum));
      break;
    }
  }
};

/// Products of bits are counted, not multiplied. i.a: and, else xor.
void mmaBits(Exec &x, const Inst &i, Mask) {
  const Extra &e = *i.extra;
  int M = int(e.numbers[M_]), N = int(e.numbers[N_]), K = int(e.numbers[K_]);
  int words = K / 32, rows = M == 8 ? 1 : 2;
  std::vector<uint32_t> a(size_t(M * words)), b(size_t(N * words));
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (size_t r = 0; r < e.v[1].size(); ++r)
      a[size_t((g + 8 * (int(r) % rows)) * words + t + 4 * (int(r) / rows))] =
          x.row<uint32_t>(e.v[1][r])[l];
    for (size_t r = 0; r < e.v[2].size(); ++r)
      b[size_t(g * words + t + 4 * int(r))] = x.row<uint32_t>(e.v[2][r])[l];
  }
  for (int l = 0; l < 32; ++l)
    for (size_t r = 0; r < e.v[0].size(); ++r) {
      int row = l / 4 + 8 * int(r / 2), col = 2 * (l % 4) + int(r & 1);
      uint32_t sum = x.row<uint32_t>(e.v[3][r])[l];
      for (int w = 0; w < words; ++w) {
        uint32_t p = a[size_t(row * words + w)], q = b[size_t(col * words + w)];
        sum += uint32_t(__builtin_popcount(i.a ? p & q : p ^ q));
      }
      x.row<uint32_t>(e.v[0][r])[l] = sum;
    }
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += uint64_t(M) * uint64_t(N) * uint64_t(K);
}

/// Reads `rows` times `K` elements by the common law: e = 32 / bits elements
/// lie in a register, register r of A holds row g + 8·(r & 1) and columns
/// e·t + j + 4·e·(r >> 1), of B (`halves` 1) column g and rows e·t + j + 4·e·r.
void readFragment(Exec &x, const std::vector<int32_t> &registers, Type type,
                  int bits, int halves, int K, std::vector<double> &to) {
  int per = bits == 64 ? 1 : 32 / bits;
  // 4-bit elements in a byte lie in bits 2 to 5.
  int shift = type == Type::E2M1 && bits == 8 ? 2 : 0;
  uint32_t ones = bits >= 32 ? ~0u : (1u << bits) - 1;
  for (size_t r = 0; r < registers.size(); ++r)
    for (int l = 0; l < 32; ++l) {
      int row = l / 4 + 8 * (int(r) % halves);
      int k = per * (l % 4) + 4 * per * (int(r) / halves);
      double *at = &to[size_t(row * K + k)];
      if (bits == 64) {
        *at = x.row<double>(registers[r])[l];
        continue;
      }
      uint32_t word = x.row<uint32_t>(registers[r])[l];
      for (int j = 0; j < per; ++j)
        at[j] = decodeElement(type, (word >> (j * bits) & ones) >> shift);
    }
}

/// Multiplies a row of A, or column of B, by its scales: `vec` bytes from byte
/// `byte` of the word that `lane` holds.
void scaleRow(Exec &x, int32_t row, int lane, int byte, int vec, Type type,
              int K, double *values) {
  uint32_t word = x.row<uint32_t>(row)[lane] >> (8 * byte);
  for (int k = 0; k < K; ++k)
    values[k] *= decodeElement(type, word >> (8 * (k / (K / vec))));
}

/// Which byte of the scale register of which threads counts.
struct ScaleIds {
  int byte, thread;
};

/// The ids of one side, which all lanes must give alike; `threads`: how many
/// there are to choose from.
ScaleIds scaleIds(Exec &x, const Inst &i, int side, int vec, int threads) {
  auto *bytes = x.row<uint32_t>(i.o[2 + 2 * side]);
  auto *ids = x.row<uint32_t>(i.o[3 + 2 * side]);
  ScaleIds out{int(bytes[0] & 0xFFFF), int(ids[0] & 0xFFFF)};
  std::string what = std::string(" of the scales of ") + "AB"[side];
  for (int l = 1; l < 32; ++l)
    if ((bytes[l] ^ bytes[0]) & 0xFFFF || (ids[l] ^ ids[0]) & 0xFFFF) {
      x.m.report(FindingKind::Undefined, x, i, l,
                 "lanes give different ids" + what);
      break;
    }
  if (out.byte > 4 - vec || out.byte % vec || out.thread >= threads) {
    x.m.report(FindingKind::Undefined, x, i, 0,
               "byte id " + std::to_string(out.byte) + ", thread id " +
                   std::to_string(out.thread) + what +
                   "; the byte is a multiple of " + std::to_string(vec) +
                   " up to " + std::to_string(4 - vec) + ", the thread below " +
                   std::to_string(threads));
    out = {0, 0};
  }
  return out;
}

/// v[0..3]: rows of d, a, b, c. types: d, a, b, c, scale. a: saturate. b:
/// scales to a row, with o[0] and o[1] their registers for A and B, o[2..5]
/// those of the ids of byte and thread for A, then B. o[6]: metadata of a
/// sparse A.
void mma(Exec &x, const Inst &i, Mask) {
  const Extra &e = *i.extra;
  const std::vector<int64_t> &n = e.numbers;
  int M = int(n[M_]), N = int(n[N_]), K = int(n[K_]);
  Type dt = e.types[0], at = e.types[1], bt = e.types[2];
  Sparsity sparsity{int(n[Chunk]), n[Ordered] != 0};
  static thread_local std::vector<double> A, B;
  int stored = sparsity.chunk ? K / 2 : K;
  A.assign(size_t(M * stored), 0);
  B.assign(size_t(N * K), 0);
  readFragment(x, e.v[1], at, int(n[ABits]), M == 8 ? 1 : 2, stored, A);
  readFragment(x, e.v[2], bt, int(n[BBits]), 1, K, B);
  if (sparsity.chunk) {
    auto *words = x.row<uint32_t>(i.o[6]);
    A = spreadRows(x.m, x, i, 0, sparsity, A, M, K, [&](int row, int chunk) {
      MetadataPlace p =
          metadataPlace(at, K / sparsity.chunk, int(n[Selector]), row, chunk);
      return words[p.lane] >> p.shift & 15;
    });
  }
  if (i.b) {
    ScaleIds a = scaleIds(x, i, 0, i.b, 2), b = scaleIds(x, i, 1, i.b, 4);
    for (int row = 0; row < M; ++row)
      scaleRow(x, i.o[0], 4 * (row % 8) + 2 * a.thread + row / 8, a.byte, i.b,
               e.types[4], K, &A[size_t(row * K)]);
    for (int col = 0; col < N; ++col)
      scaleRow(x, i.o[1], 4 * col + b.thread, b.byte, i.b, e.types[4], K,
               &B[size_t(col * K)]);
  }
  Accumulators acc{x, e, i.a != 0};
  double sums[32][4];
  int count = M == 8 ? 2 : 4;
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < count; ++r) {
      int row = l / 4 + 8 * (r >> 1), col = 2 * (l % 4) + (r & 1);
      const double *p = &A[size_t(row * K)], *q = &B[size_t(col * K)];
      double sum = 0;
      if (dt == Type::F64) {
        sum = acc.c(l, r);
        for (int k = 0; k < K; ++k)
          sum = std::fma(p[k], q[k], sum);
      } else {
        for (int k = 0; k < K; ++k)
          sum += p[k] * q[k];
        sum += acc.c(l, r);
      }
      sums[l][r] = sum;
    }
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < count; ++r)
      acc.d(l, r, sums[l][r]);
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += uint64_t(M) * uint64_t(N) * uint64_t(K);
}

/// m8n8k4 of f16: four products, each of four lanes of the lower half of the
/// warp and the same four of the upper half. o[0], o[1]: A, B column-major.
void mmaQuads(Exec &x, const Inst &i, Mask) {
  const Extra &e = *i.extra;
  Accumulators acc{x, e, false};
  double A[4][8][4], B[4][4][8], D[4][8][8];
  auto half = [&](int side, int lane, int k) {
    uint32_t word = x.row<uint32_t>(e.v[side][size_t(k / 2)])[lane];
    return double(halfToFloat(uint16_t(word >> (16 * (k & 1)))));
  };
  // f16 and f32 accumulators lie differently.
  auto result = [&](Type t, int l, int r) -> double & {
    int row = 4 * (l / 16) + (t == Type::F16 ? l % 4 : (l & 1) + (r & 2));
    int col = t == Type::F16 ? r : (r & 4) + (l & 2) + (r & 1);
    return D[l % 16 / 4][row][col];
  };
  for (int l = 0; l < 32; ++l) {
    int quad = l % 16 / 4, own = l % 4, high = 4 * (l / 16);
    for (int k = 0; k < 4; ++k) {
      (i.o[0] ? A[quad][k + high][own] : A[quad][own + high][k]) =
          half(1, l, k);
      (i.o[1] ? B[quad][k][own + high] : B[quad][own][k + high]) =
          half(2, l, k);
    }
    for (int r = 0; r < 8; ++r)
      result(e.types[3], l, r) = acc.c(l, r);
  }
  for (int quad = 0; quad < 4; ++quad)
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        for (int k = 0; k < 4; ++k)
          D[quad][row][col] += A[quad][row][k] * B[quad][k][col];
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < 8; ++r)
      acc.d(l, r, result(e.types[0], l, r));
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += 4 * 8 * 8 * 4;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Rows of d, a, b and c; each must have as many registers as stated.
bool takeRegisters(Decoder &d, int a, int b, int c, int result) {
  Extra &e = d.extra();
  auto held = [&](int k) {
    return e.types[k] == Type::F64 ? Type::B64 : Type::B32;
  };
  if (!d.destinations(d.operand(0), held(0), e.v[0]))
    return false;
  for (int k = 1; k < 4; ++k)
    if (!d.sources(d.operand(size_t(k)), held(k), e.v[k]))
      return false;
  int counts[] = {result, a, b, c};
  for (int k = 0; k < 4; ++k)
    if (int(e.v[k].size()) != counts[k])
      return d.fail("operands do not fit shape and types: expected " +
                    std::to_string(result) + ", " + std::to_string(a) + ", " +
                    std::to_string(b) + " and " + std::to_string(c) +
                    " registers of D, A, B and C");
  return true;
}

/// Operands `at` and after of a block-scaled product.
bool takeScales(Decoder &d, const std::string &kind, const std::string &vec,
                size_t at) {
  int count = vec == "1X" ? 1 : vec == "2X" ? 2 : vec == "4X" ? 4 : 0;
  d.inst.b = uint8_t(count ? count : kind == "mxf8f6f4" ? 1 : 2);
  for (int side = 0; side < 2; ++side) {
    // A scale may stand alone or as a vector of one.
    const Operand &scale = d.operand(at + 2 * size_t(side));
    const Operand &ids = d.operand(at + 1 + 2 * size_t(side));
    bool vector = scale.kind == Operand::Kind::Vector;
    if ((vector && scale.items.size() != 1) ||
        !d.source(vector ? scale.items[0] : scale, Type::B32, d.inst.o[side]) ||
        ids.items.size() != 2)
      return d.fail("expected a scale register and {byte-id, thread-id}");
    for (int k = 0; k < 2; ++k)
      if (!d.source(ids.items[size_t(k)], Type::U16,
                    d.inst.o[2 + 2 * side + k]))
        return false;
  }
  return true;
}

bool decodeMma(Decoder &d) {
  bool ordered = d.has("sp::ordered_metadata"), sparse = d.has("sp") || ordered;
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  std::string kind, vec;
  d.prefixed("kind::", kind);
  bool scaled = d.has("block_scale");
  d.prefixed("scale_vec::", vec);
  int m, n, k;
  if (!takeShape(d, m, n, k))
    return false;
  bool columns[2];
  for (bool &column : columns) {
    column = d.next("col");
    if (!column && !d.next("row"))
      return d.fail("expected the layouts of A and B");
  }
  d.inst.a = d.has("satfinite");
  Extra &e = d.extra();
  for (int t = 0; t < 4; ++t)
    if ((e.types[t] = d.type()) == Type::None)
      return d.fail("expected types of D, A, B and C");
  if (scaled)
    e.types[4] = d.type();
  if (d.has("xor") || d.has("and"))
    d.inst.a = d.s->opcode.find(".and") != std::string::npos;
  d.has("popc");
  Type at = e.types[1], bt = e.types[2];
  size_t further = (sparse ? 2u : 0u) + (scaled ? 4u : 0u);
  if (!d.operands(4 + further, 4 + further))
    return false;
  if (at == Type::F16 && m == 8 && k == 4) {
    auto registers = [&](int t) { return e.types[t] == Type::F16 ? 4 : 8; };
    d.inst.o[0] = columns[0];
    d.inst.o[1] = columns[1];
    if (bt != Type::F16 || !takeRegisters(d, 2, 2, registers(3), registers(0)))
      return d.fail("expected f16 operands");
    d.emit(mmaQuads, Class::Matrix);
    return true;
  }
  if (columns[0] || !columns[1])
    return d.fail("expected '.row.col'");
  // In these kinds every element has a byte.
  bool widened = kind == "f8f6f4" || kind == "mxf8f6f4";
  int aBits = widened ? 8 : elementBits(at),
      bBits = widened ? 8 : elementBits(bt);
  if (!elementBits(at) || !elementBits(bt) || 64 % aBits || 64 % bBits)
    return d.fail("operand type is not supported");
  auto registers = [&](int elements, int bits) {
    return elements * bits / 32 / (bits == 64 ? 64 : 32);
  };
  auto accumulators = [&](Type t) {
    return m * n / (t == Type::F16 ? 64 : 32);
  };
  if (!takeRegisters(d, registers(m * (sparse ? k / 2 : k), aBits),
                     registers(n * k, bBits), accumulators(e.types[3]),
                     accumulators(e.types[0])))
    return false;
  e.numbers.assign(NumberCount, 0);
  int64_t known[] = {m, n, k, aBits, bBits};
  std::copy(std::begin(known), std::end(known), e.numbers.begin());
  if (sparse) {
    int chunk = aBits == 32 ? 2 : aBits == 4 ? 8 : 4;
    if (aBits == 64 || aBits == 1)
      return d.fail("a sparse product of this type does not exist");
    if (!d.source(d.operand(4), Type::B32, d.inst.o[6]) ||
        !d.immediate(d.operand(5), e.numbers[Selector]))
      return d.fail("expected metadata and the selector of its threads");
    if (e.numbers[Selector] < 0 ||
        e.numbers[Selector] >= selectorCount(at, k / chunk))
      return d.fail("the sparsity selector must be below " +
                    std::to_string(selectorCount(at, k / chunk)));
    e.numbers[Chunk] = chunk;
    e.numbers[Ordered] = ordered;
  }
  if (scaled && !takeScales(d, kind, vec, sparse ? 6 : 4))
    return false;
  d.emit(at == Type::B1 ? mmaBits : mma, Class::Matrix);
  return true;
}

} // namespace

void registerMma() { RegisterDecoders({{"mma", decodeMma}}); }

} // namespace tileir::emu

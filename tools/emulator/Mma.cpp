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

/// Byte and thread of a scale, as rows.
struct ScaleOperands {
  int32_t scale = 0, byte = 0, thread = 0;
};

struct MmaOperands {
  std::vector<int32_t> d, a, b, c; ///< Rows.
  Type typeD = Type::None, typeA = Type::None, typeB = Type::None,
       typeC = Type::None, typeScale = Type::None;
  int m = 0, n = 0, k = 0;
  int bitsA = 0, bitsB = 0; ///< Of an element as it lies in the register.
  bool saturates = false;
  bool isAnd = false;                     ///< Of bits; else xor.
  bool columnsA = false, columnsB = true; ///< Column-major.
  Sparsity sparsity{0, false};            ///< Of A; chunk 0: dense.
  int64_t selector = 0;                   ///< Which lanes give metadata.
  int32_t metadata = 0;                   ///< Their row.
  int scalesPerRow = 0;                   ///< 0: no scales.
  ScaleOperands scaleA, scaleB;

  uint64_t macs() const { return uint64_t(m) * uint64_t(n) * uint64_t(k); }
};

/// Sums of an accumulator element and the rounding to the type of D.
struct Accumulators {
  Exec &x;
  const MmaOperands &in;

  double c(int lane, int r) const {
    const std::vector<int32_t> &rows = in.c;
    if (in.typeC == Type::F16)
      return halfToFloat(uint16_t(x.row<uint32_t>(rows[size_t(r >> 1)])[lane] >>
                                  (16 * (r & 1))));
    int32_t row = rows[size_t(r)];
    if (in.typeC == Type::S32)
      return x.row<int32_t>(row)[lane];
    return in.typeC == Type::F64 ? x.row<double>(row)[lane]
                                 : double(x.row<float>(row)[lane]);
  }

  /// All of C must have been read before: D may be the same registers.
  void d(int lane, int r, double sum) const {
    const std::vector<int32_t> &rows = in.d;
    switch (in.typeD) {
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
          in.saturates ? int32_t(std::clamp(sum, -2147483648.0, 2147483647.0))
                       : int32_t(uint32_t(int64_t(sum)));
      break;
    default:
      x.row<float>(rows[size_t(r)])[lane] = canonical(float(sum));
      break;
    }
  }
};

/// Products of bits are counted, not multiplied.
void mmaBits(Exec &x, const Inst &i, Mask) {
  const auto &in = i.as<MmaOperands>();
  int M = in.m, N = in.n, K = in.k;
  int words = K / 32, rows = M == 8 ? 1 : 2;
  std::vector<uint32_t> a(size_t(M * words)), b(size_t(N * words));
  for (int l = 0; l < 32; ++l) {
    int g = l / 4, t = l % 4;
    for (size_t r = 0; r < in.a.size(); ++r)
      a[size_t((g + 8 * (int(r) % rows)) * words + t + 4 * (int(r) / rows))] =
          x.row<uint32_t>(in.a[r])[l];
    for (size_t r = 0; r < in.b.size(); ++r)
      b[size_t(g * words + t + 4 * int(r))] = x.row<uint32_t>(in.b[r])[l];
  }
  for (int l = 0; l < 32; ++l)
    for (size_t r = 0; r < in.d.size(); ++r) {
      int row = l / 4 + 8 * int(r / 2), col = 2 * (l % 4) + int(r & 1);
      uint32_t sum = x.row<uint32_t>(in.c[r])[l];
      for (int w = 0; w < words; ++w) {
        uint32_t p = a[size_t(row * words + w)], q = b[size_t(col * words + w)];
        sum += uint32_t(__builtin_popcount(in.isAnd ? p & q : p ^ q));
      }
      x.row<uint32_t>(in.d[r])[l] = sum;
    }
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += in.macs();
}

/// Gives the elements of a register their places: those of a lane lie along k,
/// four lanes side by side, eight rows.
template <int Per>
void placeElements(const double *elements, int rowStride, int kStride,
                   double *to) {
  for (int row = 0; row < 8; ++row)
    for (int k = 0; k < 4 * Per; ++k)
      to[row * rowStride + k * kStride] = elements[row * 4 * Per + k];
}

/// Reads a fragment by the common law: e = 32 / bits elements lie in a
/// register, register r of A holds row g + 8·(r & 1) and columns
/// e·t + j + 4·e·(r >> 1), of B (`halves` 1) column g and rows e·t + j + 4·e·r.
/// Element (row, k) comes to `row * rowStride + k * kStride`.
void readFragment(Exec &x, const std::vector<int32_t> &registers, Type type,
                  int bits, int halves, int rowStride, int kStride,
                  double *to) {
  int per = bits == 64 ? 1 : 32 / bits;
  // 4-bit elements in a byte lie in bits 2 to 5.
  int shift = type == Type::E2M1 && bits == 8 ? 2 : 0;
  bool isDense = bits == elementBits(type) && bits != 64; // Nothing between.
  uint32_t ones = bits >= 32 ? ~0u : (1u << bits) - 1;
  double decoded[32 * 8];
  for (size_t r = 0; r < registers.size(); ++r) {
    auto *words = x.row<uint32_t>(registers[r]);
    if (isDense)
      decodeElements(type, reinterpret_cast<const uint8_t *>(words), 32 * per,
                     decoded);
    else if (bits == 64)
      std::copy_n(x.row<double>(registers[r]), 32, decoded);
    else
      for (int e = 0; e < 32 * per; ++e)
        decoded[e] = decodeElement(
            type, (words[e / per] >> (e % per * bits) & ones) >> shift);
    double *first = to + 8 * (int(r) % halves) * rowStride +
                    4 * per * (int(r) / halves) * kStride;
    auto place = per == 1   ? placeElements<1>
                 : per == 2 ? placeElements<2>
                 : per == 4 ? placeElements<4>
                            : placeElements<8>;
    place(decoded, rowStride, kStride, first);
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

/// The ids of side 'A' or 'B', which all lanes must give alike; `threads`: how
/// many there are to choose from.
ScaleIds scaleIds(Exec &x, const Inst &i, const ScaleOperands &in, char side,
                  int vec, int threads) {
  auto *bytes = x.row<uint32_t>(in.byte);
  auto *ids = x.row<uint32_t>(in.thread);
  ScaleIds out{int(bytes[0] & 0xFFFF), int(ids[0] & 0xFFFF)};
  std::string what = std::string(" of the scales of ") + side;
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

/// A with its zeros, where it is sparse.
void spreadA(Exec &x, const Inst &i, std::vector<double> &A) {
  const auto &in = i.as<MmaOperands>();
  int chunks = in.k / in.sparsity.chunk;
  auto *words = x.row<uint32_t>(in.metadata);
  A = spreadRows(
      x.m, x, i, 0, in.sparsity, A, in.m, in.k, [&](int row, int chunk) {
        MetadataPlace p =
            metadataPlace(in.typeA, chunks, int(in.selector), row, chunk);
        return words[p.lane] >> p.shift & 15;
      });
}

void scaleOperands(Exec &x, const Inst &i, std::vector<double> &A,
                   std::vector<double> &B) {
  const auto &in = i.as<MmaOperands>();
  int vec = in.scalesPerRow, K = in.k;
  ScaleIds a = scaleIds(x, i, in.scaleA, 'A', vec, 2),
           b = scaleIds(x, i, in.scaleB, 'B', vec, 4);
  for (int row = 0; row < in.m; ++row)
    scaleRow(x, in.scaleA.scale, 4 * (row % 8) + 2 * a.thread + row / 8, a.byte,
             vec, in.typeScale, K, &A[size_t(row * K)]);
  for (int col = 0; col < in.n; ++col)
    scaleRow(x, in.scaleB.scale, 4 * col + b.thread, b.byte, vec, in.typeScale,
             K, &B[size_t(col * K)]);
}

/// D of f32: C and sums in rows of eight.
void addFloats(Exec &x, const MmaOperands &in, const double *products) {
  float c[4][32];
  for (size_t r = 0; r < in.d.size(); ++r)
    std::copy_n(x.row<float>(in.c[r]), 32, c[r]);
  for (size_t r = 0; r < in.d.size(); ++r) {
    const double *from = products + 64 * (r >> 1) + (r & 1);
    float *d = x.row<float>(in.d[r]);
    for (int l = 0; l < 32; ++l)
      d[l] = canonical(float(from[2 * l] + double(c[r][l])));
  }
}

void mma(Exec &x, const Inst &i, Mask) {
  const auto &in = i.as<MmaOperands>();
  int M = in.m, N = in.n, K = in.k, halves = M == 8 ? 1 : 2;
  bool isF64 = in.typeD == Type::F64,
       isPlain = !in.sparsity.chunk && !in.scalesPerRow && !isF64;
  int stored = in.sparsity.chunk ? K / 2 : K;
  static std::vector<double> A, B, packed;
  A.resize(size_t(M * stored));
  packed.resize(size_t(N * K));
  readFragment(x, in.a, in.typeA, in.bitsA, halves, stored, 1, A.data());
  static_assert(kColumnsTogether == 8, "all columns of B are one group");
  if (isPlain) {
    readFragment(x, in.b, in.typeB, in.bitsB, 1, 1, kColumnsTogether,
                 packed.data());
  } else {
    B.resize(size_t(N * K));
    readFragment(x, in.b, in.typeB, in.bitsB, 1, K, 1, B.data());
    if (in.sparsity.chunk)
      spreadA(x, i, A);
    if (in.scalesPerRow)
      scaleOperands(x, i, A, B);
    packColumns(B.data(), N, K, packed);
  }
  double products[16 * 8], dots[32][4];
  if (!isF64)
    multiplyRows(A.data(), packed.data(), products, M, N, K);
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += in.macs();
  if (in.typeD == Type::F32 && in.typeC == Type::F32)
    return addFloats(x, in, products);
  Accumulators acc{x, in};
  int count = M == 8 ? 2 : 4;
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < count; ++r) {
      int row = l / 4 + 8 * (r >> 1), col = 2 * (l % 4) + (r & 1);
      double sum = acc.c(l, r);
      if (isF64) {
        const double *p = &A[size_t(row * K)], *q = &B[size_t(col * K)];
        for (int k = 0; k < K; ++k)
          sum = std::fma(p[k], q[k], sum);
      } else {
        sum = products[row * N + col] + sum;
      }
      dots[l][r] = sum;
    }
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < count; ++r)
      acc.d(l, r, dots[l][r]);
}

/// m8n8k4 of f16: four products, each of four lanes of the lower half of the
/// warp and the same four of the upper half.
void mmaQuads(Exec &x, const Inst &i, Mask) {
  const auto &in = i.as<MmaOperands>();
  Accumulators acc{x, in};
  double A[4][8][4], B[4][4][8], D[4][8][8];
  auto half = [&](const std::vector<int32_t> &rows, int lane, int k) {
    uint32_t word = x.row<uint32_t>(rows[size_t(k / 2)])[lane];
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
      (in.columnsA ? A[quad][k + high][own] : A[quad][own + high][k]) =
          half(in.a, l, k);
      (in.columnsB ? B[quad][k][own + high] : B[quad][own][k + high]) =
          half(in.b, l, k);
    }
    for (int r = 0; r < 8; ++r)
      result(in.typeC, l, r) = acc.c(l, r);
  }
  for (int quad = 0; quad < 4; ++quad)
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        for (int k = 0; k < 4; ++k)
          D[quad][row][col] += A[quad][row][k] * B[quad][k][col];
  for (int l = 0; l < 32; ++l)
    for (int r = 0; r < 8; ++r)
      acc.d(l, r, result(in.typeD, l, r));
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += 4 * 8 * 8 * 4;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Rows of d, a, b and c; each must have as many registers as stated.
bool takeRegisters(Decoder &d, MmaOperands &in, int a, int b, int c,
                   int result) {
  auto held = [](Type t) { return t == Type::F64 ? Type::B64 : Type::B32; };
  if (!d.destinations(d.operand(0), held(in.typeD), in.d) ||
      !d.sources(d.operand(1), held(in.typeA), in.a) ||
      !d.sources(d.operand(2), held(in.typeB), in.b) ||
      !d.sources(d.operand(3), held(in.typeC), in.c))
    return false;
  if (int(in.d.size()) != result || int(in.a.size()) != a ||
      int(in.b.size()) != b || int(in.c.size()) != c)
    return d.fail("operands do not fit shape and types: expected " +
                  std::to_string(result) + ", " + std::to_string(a) + ", " +
                  std::to_string(b) + " and " + std::to_string(c) +
                  " registers of D, A, B and C");
  return true;
}

/// A scale and its ids, from operand `at` on.
bool takeScale(Decoder &d, size_t at, ScaleOperands &in) {
  // A scale may stand alone or as a vector of one.
  const Operand &scale = d.operand(at), &ids = d.operand(at + 1);
  bool vector = scale.kind == Operand::Kind::Vector;
  if ((vector && scale.items.size() != 1) ||
      !d.source(vector ? scale.items[0] : scale, Type::B32, in.scale) ||
      ids.items.size() != 2)
    return d.fail("expected a scale register and {byte-id, thread-id}");
  return d.source(ids.items[0], Type::U16, in.byte) &&
         d.source(ids.items[1], Type::U16, in.thread);
}

/// Operands `at` and after of a block-scaled product.
bool takeScales(Decoder &d, MmaOperands &in, const std::string &kind,
                const std::string &vec, size_t at) {
  int count = vec == "1X" ? 1 : vec == "2X" ? 2 : vec == "4X" ? 4 : 0;
  in.scalesPerRow = count ? count : kind == "mxf8f6f4" ? 1 : 2;
  return takeScale(d, at, in.scaleA) && takeScale(d, at + 2, in.scaleB);
}

/// Metadata and selector of a sparse A.
bool takeMetadata(Decoder &d, MmaOperands &in, bool ordered) {
  int chunk = in.bitsA == 32 ? 2 : in.bitsA == 4 ? 8 : 4;
  if (in.bitsA == 64 || in.bitsA == 1)
    return d.fail("a sparse MMA of this type does not exist");
  if (!d.source(d.operand(4), Type::B32, in.metadata) ||
      !d.immediate(d.operand(5), in.selector))
    return d.fail("expected metadata and the selector of its threads");
  int values = selectorCount(in.typeA, in.k / chunk);
  if (in.selector < 0 || in.selector >= values)
    return d.fail("the sparsity selector must be below " +
                  std::to_string(values));
  in.sparsity = {chunk, ordered};
  return true;
}

bool decodeQuads(Decoder &d, MmaOperands &in) {
  auto registers = [](Type t) { return t == Type::F16 ? 4 : 8; };
  if (in.typeB != Type::F16 ||
      !takeRegisters(d, in, 2, 2, registers(in.typeC), registers(in.typeD)))
    return d.fail("expected f16 operands");
  d.emit(mmaQuads, Class::Matrix);
  return true;
}

bool decodeMma(Decoder &d) {
  auto &in = d.make<MmaOperands>();
  bool ordered = d.has("sp::ordered_metadata"), sparse = d.has("sp") || ordered;
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  std::string kind, vec;
  d.prefixed("kind::", kind);
  bool scaled = d.has("block_scale");
  d.prefixed("scale_vec::", vec);
  if (!takeShape(d, in.m, in.n, in.k))
    return false;
  for (bool *column : {&in.columnsA, &in.columnsB}) {
    *column = d.next("col");
    if (!*column && !d.next("row"))
      return d.fail("expected the layouts of A and B");
  }
  in.saturates = d.has("satfinite");
  for (Type *t : {&in.typeD, &in.typeA, &in.typeB, &in.typeC})
    if ((*t = d.type()) == Type::None)
      return d.fail("expected types of D, A, B and C");
  if (scaled)
    in.typeScale = d.type();
  if (d.has("xor") || d.has("and"))
    in.isAnd = d.s->opcode.find(".and") != std::string::npos;
  d.has("popc");
  size_t further = (sparse ? 2u : 0u) + (scaled ? 4u : 0u);
  if (!d.operands(4 + further, 4 + further))
    return false;
  if (in.typeA == Type::F16 && in.m == 8 && in.k == 4)
    return decodeQuads(d, in);
  if (in.columnsA || !in.columnsB)
    return d.fail("expected '.row.col'");
  // In these kinds every element has a byte.
  bool widened = kind == "f8f6f4" || kind == "mxf8f6f4";
  int aBits = in.bitsA = widened ? 8 : elementBits(in.typeA),
      bBits = in.bitsB = widened ? 8 : elementBits(in.typeB);
  if (!elementBits(in.typeA) || !elementBits(in.typeB) || 64 % aBits ||
      64 % bBits)
    return d.fail(kNoSuchType);
  auto registers = [&](int elements, int bits) {
    return elements * bits / 32 / (bits == 64 ? 64 : 32);
  };
  auto accumulators = [&](Type t) {
    return in.m * in.n / (t == Type::F16 ? 64 : 32);
  };
  if (!takeRegisters(d, in, registers(in.m * (sparse ? in.k / 2 : in.k), aBits),
                     registers(in.n * in.k, bBits), accumulators(in.typeC),
                     accumulators(in.typeD)) ||
      (sparse && !takeMetadata(d, in, ordered)) ||
      (scaled && !takeScales(d, in, kind, vec, sparse ? 6 : 4)))
    return false;
  d.emit(in.typeA == Type::B1 ? mmaBits : mma, Class::Matrix);
  return true;
}

} // namespace

void registerMma() { RegisterDecoders({{"mma", decodeMma}}); }

} // namespace tileir::emu

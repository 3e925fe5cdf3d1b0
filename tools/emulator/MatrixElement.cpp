// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/MatrixElement.h"

#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

#include <cstring>

namespace tileir::emu {

/// The number that a byte stands for, or its low bits.
static double decodeByte(Type t, uint64_t bits) {
  using namespace cases;
  switch (t) {
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
  case Type::B1:
    return double(bits & 1);
  default:
    return 0;
  }
}

/// `decodeByte` of all bytes.
static const double *byteTable(Type t) {
  struct Table {
    double values[256];
  };
  static const std::vector<Table> tables = [] {
    std::vector<Table> all(size_t(Type::E2M1x4) + 1);
    for (size_t type = 0; type < all.size(); ++type)
      for (uint64_t bits = 0; bits < 256; ++bits)
        all[type].values[bits] = decodeByte(Type(type), bits);
    return all;
  }();
  return tables[size_t(t)].values;
}

double decodeElement(Type t, uint64_t bits) {
  switch (t) {
  case Type::F16:
    return halfToFloat(uint16_t(bits));
  case Type::BF16:
    return bfloatToFloat(uint16_t(bits));
  case Type::TF32: // The lower 13 bits are not read.
    return asFloat(uint32_t(bits) & 0xFFFFE000);
  case Type::F32:
    return asFloat(uint32_t(bits));
  default:
    return byteTable(t)[bits & 255];
  }
}

void decodeElements(Type t, const uint8_t *bytes, int count, double *to) {
  auto words = [&](auto word, auto decode) {
    for (int k = 0; k < count; ++k) {
      std::memcpy(&word, bytes + size_t(k) * sizeof word, sizeof word);
      to[k] = decode(word);
    }
  };
  switch (elementBits(t)) {
  case 32:
    return words(uint32_t(), [&](uint32_t v) { return decodeElement(t, v); });
  case 16:
    if (t == Type::BF16)
      return words(uint16_t(), [](uint16_t v) { return bfloatToFloat(v); });
    return words(uint16_t(), [](uint16_t v) {
      // A float with the same fraction and an exponent that is too small;
      // infinities and NaNs get theirs.
      uint32_t bits = asBits(asFloat(uint32_t(v & 0x7FFF) << 13) * 0x1p112f);
      bits |= (v & 0x7C00) == 0x7C00 ? 0x7F800000 : 0;
      return asFloat(bits | uint32_t(v & 0x8000) << 16);
    });
  case 8:
    return words(uint8_t(),
                 [table = byteTable(t)](uint8_t v) { return table[v]; });
  default: {
    const double *table = byteTable(t);
    int bits = elementBits(t);
    for (int k = 0; k < count; ++k)
      to[k] = table[bytes[k * bits / 8] >> (k * bits % 8)];
  }
  }
}

void packColumns(const double *B, int N, int K, std::vector<double> &packed) {
  packed.resize(size_t(N) * size_t(K));
  double *to = packed.data();
  for (int n = 0; n < N; n += kColumnsTogether)
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < kColumnsTogether; ++j)
        *to++ = B[size_t(n + j) * size_t(K) + size_t(k)];
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void multiplyRows(const double *A, const double *packed, double *D, int M,
                  int N, int K) {
  // Sums of four rows do not wait for each other.
  typedef double Columns
      __attribute__((vector_size(sizeof(double) * kColumnsTogether)));
  for (int n = 0; n < N; n += kColumnsTogether) {
    const double *b = packed + size_t(n) * size_t(K);
    for (int m = 0; m < M; m += 4) {
      const double *a = A + size_t(m) * size_t(K);
      Columns sums[4] = {};
      for (int k = 0; k < K; ++k) {
        Columns column;
        std::memcpy(&column, b + size_t(k) * kColumnsTogether, sizeof column);
        for (int row = 0; row < 4; ++row)
          sums[row] += a[row * K + k] * column;
      }
      for (int row = 0; row < 4; ++row)
        std::memcpy(D + size_t(m + row) * size_t(N) + n, &sums[row],
                    sizeof sums[row]);
    }
  }
}

int elementBits(Type t) {
  switch (t) {
  case Type::F64:
    return 64;
  case Type::TF32:
    return 32;
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::E4M3:
  case Type::E5M2:
  case Type::S8:
  case Type::U8:
    return 8;
  case Type::E2M3:
  case Type::E3M2:
    return 6;
  case Type::S4:
  case Type::U4:
  case Type::E2M1:
    return 4;
  case Type::B1:
    return 1;
  default:
    return 0;
  }
}

bool Sparsity::isDefined(uint32_t nibble) const {
  if (chunk == 2)
    return nibble == 4 || nibble == 14;
  uint32_t first = nibble & 3, second = nibble >> 2;
  return ordered ? second > first || (knows6 && nibble == 6) : second != first;
}

void Sparsity::spread(uint32_t nibble, const double *kept, double *to) const {
  uint32_t first = nibble & 3, second = nibble >> 2 & 3;
  switch (chunk) {
  case 2: // Both halves of one element.
    to[first / 2] = kept[0];
    break;
  case 4:
    to[first] += kept[0];
    to[second] += kept[1];
    break;
  default:
    for (int k = 0; k < 2; ++k) {
      to[2 * first + uint32_t(k)] += kept[k];
      to[2 * second + uint32_t(k)] += kept[2 + k];
    }
    break;
  }
}

static bool twoRowsAWord(Type a) { return elementBits(a) >= 16; }

MetadataPlace metadataPlace(Type a, int chunks, int selector, int row,
                            int chunk) {
  int quad = 4 * (row % 8), high = row >= 8;
  if (twoRowsAWord(a)) {
    int t = chunks == 4 ? selector : 2 * selector + chunk / 4;
    return {quad + t % 4, 16 * high + 4 * (chunk % 4)};
  }
  int t = 2 * selector + high + 2 * (chunk / 8);
  return {quad + t % 4, 4 * (chunk % 8)};
}

int selectorCount(Type a, int chunks) {
  int words = chunks / (twoRowsAWord(a) ? 4 : 8);
  return twoRowsAWord(a) ? 4 / words : words == 1 ? 2 : 1;
}

bool takeShape(Decoder &d, int &m, int &n, int &k) {
  char tail;
  for (const std::string &w : d.s->words)
    if (std::sscanf(w.c_str(), "m%dn%dk%d%c", &m, &n, &k, &tail) == 3)
      return d.has(w);
  return d.fail("expected a shape");
}

} // namespace tileir::emu

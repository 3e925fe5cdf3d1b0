// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products against plain loops, bit for bit.
#include "tools/emulator/MatrixElement.h"

#include "tools/cases/Case.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tileir;
using namespace tileir::emu;

/// Numbers whose sums round: the order of the terms shows.
static std::vector<double> numbers(size_t count, uint64_t seed) {
  cases::SplitMix64 random(seed);
  std::vector<double> out(count);
  for (double &x : out)
    x = std::ldexp(random.uniform() - 0.5, int(random.next() % 60));
  return out;
}

TEST(MatrixElement, SumsInTheOrderOfK) {
  constexpr int M = 16, N = 24, K = 33;
  std::vector<double> A = numbers(M * K, 1), B = numbers(N * K, 2), packed,
                      D(M * N);
  packColumns(B.data(), N, K, packed);
  multiplyRows(A.data(), packed.data(), D.data(), M, N, K);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int k = 0; k < K; ++k) {
        volatile double product = A[m * K + k] * B[n * K + k];
        sum += product;
      }
      EXPECT_EQ(D[m * N + n], sum) << m << " " << n;
    }
}

TEST(MatrixElement, DecodesElementsSideBySide) {
  uint8_t bytes[64];
  for (int k = 0; k < 64; ++k)
    bytes[k] = uint8_t(k * 37 + 11);
  for (Type t :
       {Type::F16, Type::BF16, Type::TF32, Type::E4M3, Type::E5M2, Type::S8,
        Type::U8, Type::E2M1, Type::S4, Type::U4, Type::B1}) {
    int bits = elementBits(t), count = 512 / bits;
    std::vector<double> all(static_cast<size_t>(count));
    decodeElements(t, bytes, count, all.data());
    for (int k = 0; k < count; ++k) {
      uint64_t word = 0;
      for (int b = 0; b < bits; ++b) {
        int at = k * bits + b;
        word |= uint64_t(bytes[at / 8] >> (at % 8) & 1) << b;
      }
      double expected = decodeElement(t, word);
      EXPECT_TRUE(all[size_t(k)] == expected ||
                  (std::isnan(all[size_t(k)]) && std::isnan(expected)))
          << int(t) << " " << k;
    }
  }
}

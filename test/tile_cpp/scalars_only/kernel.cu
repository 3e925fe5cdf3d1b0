// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of scalars only: greatest common divisors, roots, dates, and a generator of random numbers.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ int common(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__tile__ uint32_t root(uint64_t n) {
  uint64_t low = 0, high = uint64_t{1} << 32;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    (middle * middle <= n ? low : high) = middle;
  }
  return uint32_t(low);
}

extern "C" __tile_global__ void K(const int *A, const int *B, int *Z, int64_t *L) {
  int block = ct::bid().x, blocks = ct::num_blocks().x;
  Z[block] = common(A[block], B[block]);
  L[block] = root(uint64_t(A[block]) * uint64_t(B[block]));
  uint64_t state = block;
  for (int i = 0; i < 10; ++i)
    state = state * 6364136223846793005u + 1442695040888963407u;
  L[blocks + block] = int64_t(state >> 33 ^ state);
  int year = 1900 + 17 * block;
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  Z[blocks + block] = leap ? 366 : 365;
}

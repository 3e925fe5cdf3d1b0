// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of each kind with bounds that the kernel learns: for, while, do, nested ones, with break and continue.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (X[i] < 0)
      continue;
    if (X[i] == 99)
      break;
    sum += X[i];
  }
  Z[0] = sum;
  int steps = 0, value = 27;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++steps;
  }
  Z[1] = steps;
  int power = 1, exponent = 0;
  do
    power *= 3, ++exponent;
  while (power < n * 100);
  Z[2] = exponent;
  int pairs = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      if (j - i > 5)
        break;
      pairs += X[i] == X[j];
    }
  Z[3] = pairs;
  for (int i : ct::irange(10, 20, 3))
    Z[4] = i;
}

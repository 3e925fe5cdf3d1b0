// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that return early, from a nested condition and out of a loop.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ int first_above(const int *x, int n, int bound) {
  for (int i = 0; i < n; ++i)
    if (x[i] > bound)
      return i;
  return -1;
}

extern "C" __tile_global__ void K(const int *X, int *Z) {
  int block = ct::bid().x;
  if (block % 4 == 3)
    return;
  const int *x = X + block * 16;
  int found = first_above(x, 16, 90);
  if (found < 0) {
    if (x[0] > 0) {
      Z[block] = -2;
      return;
    }
    Z[block] = -1;
    return;
  }
  Z[block] = found * 1000 + x[found];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promises of a kernel about its values: bounds, divisors, alignment, also of runs of elements.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z, int n, int start) {
  X = ct::assume_aligned<16>(X);
  Z = ct::assume_aligned<16>(Z);
  n = ct::assume_bounded<0, 1024>(n);
  start = ct::assume_divisible<16>(ct::assume_bounded_below<0>(start));
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto place = ct::assume_divisible_strided<8, 8, 0>(start + i);
  ct::store_masked(Z + i, ct::load_masked(ct::assume_aligned_strided<16, 4, 0>(X + place), i < n, 0.0f), i < n);
}

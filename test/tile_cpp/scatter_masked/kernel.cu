// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements put where indices say, in blocks of a grid that are not all full.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const int *Place, float *Z, int n) {
  auto i = int(ct::bid().x) * 128 + ct::iota<ct::tile<int, ct::shape<128>>>();
  auto mask = i < n;
  auto place = ct::load_masked(Place + i, mask, 0);
  ct::store_masked(Z + place, ct::load_masked(X + i, mask), mask);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements picked by indices, some masked off: they are the padding, or nothing that anyone uses.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const int *Index, float *Z, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  auto index = ct::load(Index + i);
  auto inside = index >= 0 && index < n;
  ct::store(Z + i, ct::load_masked(X + index, inside, -1.0f));
  auto picked = ct::load_masked(X + index * 2, inside && (i & 1) == 0);
  ct::store(Z + 256 + i, ct::select(inside && (i & 1) == 0, picked, ct::element_cast<float>(i)));
}

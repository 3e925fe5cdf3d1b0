// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Booleans in memory, as scalars and in tiles.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const bool *X, const bool *Y, bool *Z, bool invert) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + i), y = ct::load(Y + i);
  ct::store(Z + i, x && y);
  ct::store(Z + 64 + i, x || !y);
  ct::store(Z + 128 + i, x != y);
  ct::store(Z + 192 + i, ct::select(invert, !x, x));
  Z[256] = bool(ct::reshape<ct::shape<>>(ct::any_of<0>(x && y)));
  Z[257] = X[0] ? invert : Y[0];
}

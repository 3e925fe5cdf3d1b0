// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that conditions and loops hand on: chosen by a scalar, changed until all of their elements agree.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z) {
  int block = ct::bid().x;
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + block * 64 + i);
  auto steps = ct::zeros<ct::tile<int, ct::shape<64>>>();
  while (ct::reshape<ct::shape<>>(ct::any_of<0>(x > 1))) {
    auto busy = x > 1;
    steps = ct::select(busy, steps + 1, steps);
    x = ct::select(busy, ct::select((x & 1) == 0, x / 2, x * 3 + 1), x);
    if (ct::reshape<ct::shape<>>(ct::reduce_max<0>(steps)) == 30)
      break;
  }
  if (block & 1)
    steps = steps + x;
  else
    steps = -steps;
  ct::store(Z + block * 64 + i, steps);
}

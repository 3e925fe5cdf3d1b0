// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = factor x, one tile of 128 elements a block.
#include "factor.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

extern "C" __tile_global__ void scale(const float *x, float *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>() + int(ct::bid().x) * 128;
  ct::store(y + i, ct::load(x + i) * factor);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a grid each print a line of what they computed.
#include <cstdio>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X) {
  auto x = ct::load(X + int(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>());
  int sum(ct::reshape<ct::shape<>>(ct::sum<0>(x))), most(ct::reshape<ct::shape<>>(ct::reduce_max<0>(x)));
  printf("block %u of %u: sum %d, most %d\n", ct::bid().x, ct::num_blocks().x, sum, most);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of rank one, three and four, by blocks of a grid in three dimensions.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Y, float *Z, float *V) {
  auto [a, b, c] = ct::bid();
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents<unsigned, 4, 8, 16>{}}, ct::shape<2, 4, 8>{}};
  auto y = ct::partition_view{ct::tensor_span{Y, ct::extents<unsigned, 16, 8, 4>{}}, ct::shape<8, 4, 2>{}};
  auto tile = x.load(a, b, c);
  y.store(ct::permute(tile, ct::dimension_map<2, 1, 0>{}), c, b, a);
  auto z = ct::partition_view{ct::tensor_span{Z, ct::extents<unsigned, 4, 8, 16, 2>{}}, ct::shape<2, 4, 8, 2>{}};
  auto twice = ct::reshape<ct::shape<2, 4, 8, 1>>(tile);
  z.store(ct::cat<3>(twice, -twice), a, b, c, 0);
  auto v = ct::partition_view{ct::tensor_span{V, ct::extents<unsigned, 8>{}}, ct::shape<1>{}};
  auto blocks = ct::num_blocks();
  v.store(ct::reshape<ct::shape<1>>(ct::sum<0>(ct::reshape<ct::shape<64>>(tile))),
          (a * blocks.y + b) * blocks.z + c);
}

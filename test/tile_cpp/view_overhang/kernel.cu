// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of 6 rows, in tiles of 8 whose loads and stores promise to stay inside: nothing outside of a group is touched.
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const float *__restrict__ X, float *__restrict__ Z, int groups) {
  X = ct::assume_aligned<16>(X);
  Z = ct::assume_aligned<16>(Z);
  auto shape = ct::extents{groups, 6_ic, 32_ic};
  auto x = ct::partition_view{ct::tensor_span{X, shape}, ct::shape<1, 8, 32>{}};
  auto z = ct::partition_view{ct::tensor_span{Z, shape}, ct::shape<1, 8, 32>{}};
  int group = ct::bid().x;
  z.store(x.load(group, 0, 0) * 2.0f, group, 0, 0);
}

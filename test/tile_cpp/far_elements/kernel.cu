// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements more than 2^32 apart, by 64-bit indices and by strides of a view.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z, int64_t stride) {
  auto i = ct::iota<ct::tile<int64_t, ct::shape<64>>>();
  auto z = ct::partition_view{ct::tensor_span{Z, ct::extents<int64_t, 3, 64>{}}, ct::shape<1, 64>{}};
  for (int64_t row = 0; row < 3; ++row) {
    auto x = ct::load(X + row * stride + i);
    z.store(ct::reshape<ct::shape<1, 64>>(x + float(row)), row, 0);
  }
}

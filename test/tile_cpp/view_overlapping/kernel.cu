// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of an array that overlap: their first elements lie closer than their size.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z) {
  auto x = ct::tensor_span{X, ct::extents<int, 64>{}};
  auto windows = ct::strided_view{x, ct::shape<16>{}, ct::strides<int, 8>{}};
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<16>>>();
  for (int k = 0; k < 7; ++k) {
    auto window = windows.load(k);
    sum = sum + window;
    ct::store(Z + k * 16 + i, window * 3.0f);
  }
  ct::store(Z + 112 + i, sum);
}

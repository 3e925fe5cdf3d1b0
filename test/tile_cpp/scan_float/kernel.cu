// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums and products of floats, from either end and along either dimension.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<512>>>();
  auto put = [=](int part, auto value) { ct::store(Z + part * 512 + i, ct::reshape<ct::shape<512>>(value)); };
  auto x = ct::reshape<ct::shape<16, 32>>(ct::load(X + i));
  put(0, ct::partial_sum<1>(x));
  put(1, ct::partial_sum<0>(x));
  put(2, ct::partial_sum(x, ct::integral_constant<1>{}, ct::scan_backward_t{}));
  put(3, ct::partial_prod<0>(x));
  put(4, ct::partial_sum<0>(ct::load(X + i)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products and extrema along each dimension of a box of floats.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *A, float *B, float *C) {
  auto x = ct::reshape<ct::shape<4, 8, 16>>(ct::load(X + ct::iota<ct::tile<int, ct::shape<512>>>()));
  auto put = [](float *out, auto value) {
    constexpr auto size = ct::tile_size_v<decltype(value)>;
    ct::store(out + ct::iota<ct::tile<int, ct::shape<size>>>(), ct::reshape<ct::shape<size>>(value));
  };
  put(A, ct::sum<0>(x));
  put(A + 128, ct::reduce_max<0>(x));
  put(B, ct::sum<1>(x));
  put(B + 64, ct::prod<1>(x));
  put(B + 128, ct::reduce_min<1>(x));
  put(C, ct::sum<2>(x));
  put(C + 32, ct::sum<2>(ct::sum<1>(x * x)));
}

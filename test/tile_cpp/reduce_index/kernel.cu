// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of the largest and smallest elements; the first one counts where several are equal.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const int *Y, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<1024>>>();
  auto row = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto put = [=](int part, auto value) {
    ct::store(Z + part * 16 + row, ct::reshape<ct::shape<16>>(ct::element_cast<int>(value)));
  };
  auto x = ct::reshape<ct::shape<16, 64>>(ct::load(X + i));
  auto y = ct::reshape<ct::shape<16, 64>>(ct::load(Y + i));
  put(0, ct::max_element<1>(x));
  put(1, ct::min_element<1>(x));
  put(2, ct::max_element<1>(y));
  put(3, ct::min_element<1>(y));
  put(4, ct::max_element<0>(ct::transpose(y)));
}

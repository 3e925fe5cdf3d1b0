// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a matrix gathered by a tile of indices, and rows scattered by another tile.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const int *From, const int *To, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  using Matrix = ct::extents<int, 64, 32>;
  auto x = ct::gather_scatter_view{ct::tensor_span{X, Matrix{}}, ct::shape<16, 32>{}, ct::integral_constant<0>{}};
  auto z = ct::gather_scatter_view{ct::tensor_span{Z, Matrix{}}, ct::shape<16, 32>{}, ct::integral_constant<0>{}};
  z.store(x.load(ct::load(From + i), 0) + 1.0f, ct::load(To + i), 0);
}

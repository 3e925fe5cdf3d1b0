// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Root mean square normalization of rows of up to 1024 columns, four rows a block.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ X, const __half *__restrict__ W, __half *__restrict__ Y, int rows,
                                  int columns, float eps) {
  X = ct::assume_aligned<16>(X);
  W = ct::assume_aligned<16>(W);
  Y = ct::assume_aligned<16>(Y);
  columns = ct::assume_divisible<16>(columns);
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents{rows, columns}}, ct::shape<4, 1024>{}};
  auto y = ct::partition_view{ct::tensor_span{Y, ct::extents{rows, columns}}, ct::shape<4, 1024>{}};
  auto w = ct::partition_view{ct::tensor_span{W, ct::extents{columns}}, ct::shape<1024>{}};
  auto t = ct::element_cast<float>(x.load_masked(ct::view_padding_zero_t{}, ct::bid().x, 0));
  auto scale = ct::rsqrt(ct::sum(t * t, 1_ic) / float(columns) + eps);
  auto u = ct::reshape(ct::element_cast<float>(w.load_masked(0)), ct::shape<1, 1024>{});
  y.store_masked(ct::element_cast<__half>(t * scale * u), ct::bid().x, 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax of rows of up to 512 columns, one block a row.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ X, __half *__restrict__ Y, int rows, int columns) {
  X = ct::assume_aligned<16>(X);
  Y = ct::assume_aligned<16>(Y);
  columns = ct::assume_divisible<16>(columns);
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents{rows, columns}}, ct::shape<1, 512>{}};
  auto y = ct::partition_view{ct::tensor_span{Y, ct::extents{rows, columns}}, ct::shape<1, 512>{}};
  auto t = ct::element_cast<float>(x.load_masked(ct::view_padding_negative_inf_t{}, ct::bid().x, 0));
  auto e = ct::exp(t - ct::reduce_max(t, 1_ic));
  y.store_masked(ct::element_cast<__half>(e / ct::sum(e, 1_ic)), ct::bid().x, 0);
}

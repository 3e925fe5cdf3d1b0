// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layer normalization of rows in pieces of 256 columns.
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __nv_bfloat16 *__restrict__ X, const __nv_bfloat16 *__restrict__ W,
                                  const __nv_bfloat16 *__restrict__ B, __nv_bfloat16 *__restrict__ Y, int rows, int columns,
                                  float eps) {
  X = ct::assume_aligned<16>(X);
  W = ct::assume_aligned<16>(W);
  B = ct::assume_aligned<16>(B);
  Y = ct::assume_aligned<16>(Y);
  columns = ct::assume_divisible<16>(columns);
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents{rows, columns}}, ct::shape<1, 256>{}};
  auto y = ct::partition_view{ct::tensor_span{Y, ct::extents{rows, columns}}, ct::shape<1, 256>{}};
  auto w = ct::partition_view{ct::tensor_span{W, ct::extents{columns}}, ct::shape<256>{}};
  auto b = ct::partition_view{ct::tensor_span{B, ct::extents{columns}}, ct::shape<256>{}};
  int row = ct::bid().x, pieces = (columns + 255) / 256;
  using Row = ct::tile<float, ct::shape<1, 256>>;
  auto total = ct::zeros<Row>();
  for (auto j : ct::irange(0, pieces))
    total = total + ct::element_cast<float>(x.load_masked(row, j));
  auto mean = ct::sum(total, 1_ic) / float(columns);
  auto squares = ct::zeros<Row>();
  auto column = ct::reshape(ct::iota<ct::tile<int, ct::shape<256>>>(), ct::shape<1, 256>{});
  for (auto j : ct::irange(0, pieces)) {
    auto d = ct::element_cast<float>(x.load_masked(row, j)) - mean;
    d = ct::select(column + j * 256 < columns, d, ct::zeros<Row>());
    squares = squares + d * d;
  }
  auto scale = ct::rsqrt(ct::sum(squares, 1_ic) / float(columns) + eps);
  for (auto j : ct::irange(0, pieces)) {
    auto d = (ct::element_cast<float>(x.load_masked(row, j)) - mean) * scale;
    auto u = ct::reshape(ct::element_cast<float>(w.load_masked(j)), ct::shape<1, 256>{});
    auto v = ct::reshape(ct::element_cast<float>(b.load_masked(j)), ct::shape<1, 256>{});
    y.store_masked(ct::element_cast<__nv_bfloat16>(d * u + v), row, j);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix of any extents, tile by tile, with masked loads and stores at its edges.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const __half *X, __half *Z, unsigned rows, unsigned columns) {
  using Span = ct::extents<unsigned, ct::dynamic_extent, ct::dynamic_extent>;
  auto x = ct::partition_view{ct::tensor_span{X, Span{rows, columns}}, ct::shape<16, 32>{}};
  auto z = ct::partition_view{ct::tensor_span{Z, Span{columns, rows}}, ct::shape<32, 16>{}};
  auto [row, column, _] = ct::bid();
  z.store_masked(ct::transpose(x.load_masked(row, column)) * __half(2.0f), column, row);
}

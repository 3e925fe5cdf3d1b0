// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of arrays whose first dimension is dense, whose strides are given, and whose rows are padded.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, int stride) {
  using Square = ct::extents<int, 16, 16>;
  auto out = ct::partition_view{ct::tensor_span{Z, ct::extents<int, 64, 16>{}}, ct::shape<16, 16>{}};
  auto left = ct::tensor_span{X, Square{}, ct::layout_left{}};
  out.store(ct::partition_view{left, ct::shape<16, 16>{}}.load(0, 0), 0, 0);
  auto strided = ct::tensor_span{X, ct::layout_strided_mapping{Square{}, ct::strides<int, ct::dynamic_stride, 2>{stride}}};
  out.store(ct::partition_view{strided, ct::shape<16, 16>{}}.load(0, 0), 1, 0);
  auto padded = ct::tensor_span{X, ct::layout_right_padded_mapping{Square{}, 20}};
  out.store(ct::partition_view{padded, ct::shape<16, 16>{}}.load(0, 0), 2, 0);
  auto right = ct::tensor_span{X, ct::extents{16, 16}, ct::layout_right{}};
  out.store(ct::partition_view{right, ct::shape<16, 16>{}}.load(0, 0), 3, 0);
}

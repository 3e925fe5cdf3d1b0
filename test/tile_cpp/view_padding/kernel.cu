// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding beyond the edge of an array: zero, zero with a sign, an infinity, or no number.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const __half *H, float *Z, int rows, int columns) {
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  auto h = ct::partition_view{ct::tensor_span{H, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int part, auto value) {
    ct::store(Z + part * 128 + i, ct::reshape<ct::shape<128>>(ct::element_cast<float>(value)));
  };
  put(0, x.load_masked(1, 1));
  put(1, 1.0f / x.load_masked(ct::view_padding_negative_zero_t{}, 1, 1));
  put(2, x.load_masked(ct::view_padding_positive_inf_t{}, 1, 0));
  put(3, h.load_masked(ct::view_padding_negative_inf_t{}, 0, 1));
  put(4, h.load_masked(ct::view_padding_nan_t{}, 1, 1));
}

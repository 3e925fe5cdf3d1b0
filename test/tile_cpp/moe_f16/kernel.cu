// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows sorted by expert times the weights of their expert; a block of rows has one expert, -1 is none.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ X, const __half *__restrict__ W, const int *__restrict__ experts,
                                  __half *__restrict__ Y, int rows, int count, int depth, int width) {
  X = ct::assume_aligned<16>(X);
  W = ct::assume_aligned<16>(W);
  Y = ct::assume_aligned<16>(Y);
  depth = ct::assume_divisible<16>(depth);
  width = ct::assume_divisible<16>(width);
  int expert = experts[ct::bid().x];
  if (expert < 0)
    return;
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents{rows, depth}}, ct::shape<64, 64>{}};
  auto w = ct::partition_view{ct::tensor_span{W, ct::extents{count, depth, width}}, ct::shape<1, 64, 128>{}};
  auto y = ct::partition_view{ct::tensor_span{Y, ct::extents{rows, width}}, ct::shape<64, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 128>>>();
  for (auto k : ct::irange(0, (depth + 63) / 64))
    sum = ct::mma(x.load_masked(ct::bid().x, k), ct::reshape(w.load_masked(expert, k, ct::bid().y), ct::shape<64, 128>{}), sum);
  y.store_masked(ct::element_cast<__half>(sum), ct::bid().x, ct::bid().y);
}

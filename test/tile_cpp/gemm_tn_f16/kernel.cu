// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product; the first operand lies as K x M.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ A, const __half *__restrict__ B, __half *__restrict__ C, int M, int N,
                                  int depth) {
  A = ct::assume_aligned<16>(A);
  B = ct::assume_aligned<16>(B);
  C = ct::assume_aligned<16>(C);
  M = ct::assume_divisible<16>(M);
  N = ct::assume_divisible<16>(N);
  depth = ct::assume_divisible<16>(depth);
  auto a = ct::partition_view{ct::tensor_span{A, ct::extents{M, depth}, ct::layout_left{}}, ct::shape<128, 64>{}};
  auto b = ct::partition_view{ct::tensor_span{B, ct::extents{depth, N}}, ct::shape<64, 128>{}};
  auto c = ct::partition_view{ct::tensor_span{C, ct::extents{M, N}}, ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0, (depth + 63) / 64))
    sum = ct::mma(a.load_masked(ct::bid().x, k), b.load_masked(k, ct::bid().y), sum);
  c.store_masked(ct::element_cast<__half>(sum), ct::bid().x, ct::bid().y);
}

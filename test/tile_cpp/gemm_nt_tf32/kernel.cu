// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product of f32 rounded to tf32; the second operand lies as N x K.
#include <cuda_tf32.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                                  int depth) {
  A = ct::assume_aligned<16>(A);
  B = ct::assume_aligned<16>(B);
  C = ct::assume_aligned<16>(C);
  M = ct::assume_divisible<16>(M);
  N = ct::assume_divisible<16>(N);
  depth = ct::assume_divisible<16>(depth);
  auto a = ct::partition_view{ct::tensor_span{A, ct::extents{M, depth}}, ct::shape<128, 32>{}};
  auto b = ct::partition_view{ct::tensor_span{B, ct::extents{depth, N}, ct::layout_left{}}, ct::shape<32, 128>{}};
  auto c = ct::partition_view{ct::tensor_span{C, ct::extents{M, N}}, ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0, (depth + 31) / 32))
    sum = ct::mma(ct::element_cast<__nv_tf32>(a.load_masked(ct::bid().x, k)), ct::element_cast<__nv_tf32>(b.load_masked(k, ct::bid().y)), sum);
  c.store_masked(sum, ct::bid().x, ct::bid().y);
}

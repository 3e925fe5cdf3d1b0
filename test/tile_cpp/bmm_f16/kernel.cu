// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products side by side: one block for each tile of each.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ A, const __half *__restrict__ B, __half *__restrict__ C, int count,
                                  int M, int N, int depth) {
  A = ct::assume_aligned<16>(A);
  B = ct::assume_aligned<16>(B);
  C = ct::assume_aligned<16>(C);
  M = ct::assume_divisible<16>(M);
  N = ct::assume_divisible<16>(N);
  depth = ct::assume_divisible<16>(depth);
  auto a = ct::partition_view{ct::tensor_span{A, ct::extents{count, M, depth}}, ct::shape<1, 128, 64>{}};
  auto b = ct::partition_view{ct::tensor_span{B, ct::extents{count, depth, N}}, ct::shape<1, 64, 128>{}};
  auto c = ct::partition_view{ct::tensor_span{C, ct::extents{count, M, N}}, ct::shape<1, 128, 128>{}};
  int batch = ct::bid().z;
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0, (depth + 63) / 64)) {
    auto x = ct::reshape(a.load_masked(batch, ct::bid().x, k), ct::shape<128, 64>{});
    auto y = ct::reshape(b.load_masked(batch, k, ct::bid().y), ct::shape<64, 128>{});
    sum = ct::mma(x, y, sum);
  }
  c.store_masked(ct::reshape(ct::element_cast<__half>(sum), ct::shape<1, 128, 128>{}), batch, ct::bid().x, ct::bid().y);
}

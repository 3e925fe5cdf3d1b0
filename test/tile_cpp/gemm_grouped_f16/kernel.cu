// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of one shape after one another, by as many blocks as there are: each takes tile after tile of each product.
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
  int across = (N + 127) / 128, tiles = (M + 127) / 128 * across;
  for (auto group : ct::irange(0, count))
    for (auto tile : ct::irange(int(ct::bid().x), tiles, int(ct::num_blocks().x))) {
      int i = tile / across, j = tile % across;
      auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
      for (auto k : ct::irange(0, (depth + 63) / 64)) {
        auto x = ct::reshape(a.load_masked(group, i, k), ct::shape<128, 64>{});
        auto y = ct::reshape(b.load_masked(group, k, j), ct::shape<64, 128>{});
        sum = ct::mma(x, y, sum);
      }
      c.store_masked(ct::reshape(ct::element_cast<__half>(sum), ct::shape<1, 128, 128>{}), group, i, j);
    }
}

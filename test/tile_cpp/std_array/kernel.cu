// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::array of numbers and of tiles: filled, compared, swapped, walked by iterators and by indices.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/array>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using Tile = ct::tile<float, ct::shape<64>>;

__tile__ cuda::std::array<int, 4> powers(int x) { return {1, x, x * x, x * x * x}; }

extern "C" __tile_global__ void K(const float *__restrict__ a, float *__restrict__ b, int *__restrict__ out, int n) {
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{256}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{256}}, ct::shape<64>{}};
  cuda::std::array<Tile, 4> tiles{from.load(0), from.load(1), from.load(2), from.load(3)};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 4; ++i)
      tiles[i] = tiles[i] + tiles[3 - i] * 0.5f;
  for (int i = 0; i < 4; ++i)
    to.store(tiles[i], i);

  auto p = powers(n), q = powers(n + 1);
  out[0] = p.front() + p.back() * int(p.size());
  p.swap(q);
  int s = 0;
  for (int x : p)
    s = s * 10 + x;
  out[1] = s;
  q.fill(n);
  out[2] = q == cuda::std::array<int, 4>{n, n, n, n} ? q[n & 3] : -1;
  out[3] = p < q;
  q[n & 3] = 100;
  for (auto at = q.rbegin(); at != q.rend(); ++at)
    s = s * 3 + *at;
  out[4] = s;
  out[5] = cuda::std::get<2>(p);
}

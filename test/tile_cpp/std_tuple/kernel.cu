// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::tuple and pair: of tiles and numbers, returned, taken apart, tied, changed in place.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
using Tile = ct::tile<float, ct::shape<64>>;

__tile__ cuda::std::tuple<Tile, Tile, int> split(Tile x, int n) { return {ct::max(x, 0.0f), ct::min(x, 0.0f), n + 1}; }

__tile__ cuda::std::pair<int, int> divide(int a, int b) { return {a / b, a % b}; }

extern "C" __tile_global__ void K(const float *__restrict__ a, float *__restrict__ b, int *__restrict__ out, int n) {
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{128}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{128}}, ct::shape<64>{}};
  auto [up, down, next] = split(from.load(0), n);
  Tile high = up, low = down;
  for (int i = 0; i < n; ++i) {
    int count = 0;
    Tile x = high, y = low;
    cuda::std::tie(x, y, count) = split(from.load(1) + high * 0.5f, next);
    high = x;
    low = low + y;
    next += count;
  }
  to.store(high, 0);
  to.store(low, 1);
  out[0] = next;

  auto t = cuda::std::make_tuple(n, 2.5f, 3L);
  cuda::std::get<0>(t) += 4;
  cuda::std::get<float>(t) *= 2.0f;
  out[1] = cuda::std::get<0>(t) * 100 + int(cuda::std::get<1>(t)) * 10 + int(cuda::std::get<2>(t));
  auto p = divide(n + 40, 7), q = divide(n + 60, 7);
  out[2] = p.first * 10 + p.second;
  cuda::std::swap(p, q);
  out[3] = p < q ? p.first : q.second;
  out[4] = cuda::std::apply([](int x, float y, long z) { return x - int(y) + int(z); }, t);
}

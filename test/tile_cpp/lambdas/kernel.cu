// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions handed to functions: with captures by value and by reference, and generic ones.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <typename Tile, typename Function> __tile__ auto fold(Tile x, Function function) {
  auto a = function(ct::extract(x, ct::shape<16>{}, 0), ct::extract(x, ct::shape<16>{}, 1));
  return function(ct::extract(a, ct::shape<8>{}, 0), ct::extract(a, ct::shape<8>{}, 1));
}

template <typename Function> __tile__ int repeat(int n, Function function) {
  for (int i = 0; i < n; ++i)
    function(i);
  return n;
}

extern "C" __tile_global__ void K(const float *X, float *Z, int *N, float scale, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto x = ct::load(X + ct::iota<ct::tile<int, ct::shape<32>>>());
  ct::store(Z + i, fold(x, [](auto a, auto b) { return ct::max(a, b); }));
  ct::store(Z + 8 + i, fold(x, [=](auto a, auto b) { return a * scale - b; }));
  int calls = 0, sum = 0;
  calls += repeat(n, [&](int k) { sum += k * k; });
  calls += repeat(3, [&sum, n](int k) mutable { sum -= n++ + k; });
  N[0] = calls;
  N[1] = sum;
}

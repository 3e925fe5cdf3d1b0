// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three entries in a module, with plain and with mangled names, that share a function.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <typename Tile> __tile__ auto smooth(Tile x) { return x / (1.0f + ct::abs(x)); }

extern "C" __tile_global__ void K(const float *X, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(Z + i, smooth(ct::load(X + i)));
}

__tile_global__ void scaled(const float *X, float *Z, float by) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(Z + i, smooth(ct::load(X + i) * by));
}

template <typename T, int N> __tile_global__ void copied(const T *X, T *Z) {
  auto i = int(ct::bid().x) * N + ct::iota<ct::tile<int, ct::shape<N>>>();
  ct::store(Z + i, ct::load(X + i));
}
template __tile_global__ void copied<int, 32>(const int *, int *);

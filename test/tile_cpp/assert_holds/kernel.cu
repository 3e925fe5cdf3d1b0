// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions on scalars and on tiles that hold.
#include <cassert>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, int n) {
  assert(n > 0 && "n counts elements");
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load_masked(X + i, i < n, 0);
  int least(ct::reshape<ct::shape<>>(ct::reduce_min<0>(x)));
  assert(least >= 0);
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    assert(X[k] < 100);
    sum += X[k];
  }
  assert(sum == int(ct::reshape<ct::shape<>>(ct::sum<0>(x))));
  *Z = sum;
}

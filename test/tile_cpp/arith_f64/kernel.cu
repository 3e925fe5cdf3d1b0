// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on double precision.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const double *X, const double *Y, double *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 64 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x / y);
  put(4, ct::sqrt(ct::abs(x)));
  put(5, ct::max(x, y));
  put(6, ct::min(x, -y));
}

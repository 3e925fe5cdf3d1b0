// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on signed integers: quotients and rests toward zero, floor and ceiling, the upper half of a product.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, const int *Y, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 256 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x / y);
  put(4, x % y);
  put(5, ct::floordiv(x, y));
  put(6, ct::ceildiv(x, y));
  put(7, ct::mulhi(ct::abs(x), ct::abs(y)));
  put(8, ct::abs(x));
  put(9, ct::max(x, y));
  put(10, ct::min(x, y));
  put(11, -x);
}

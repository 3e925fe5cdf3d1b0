// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on 64-bit integers.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const long long *X, const long long *Y, long long *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 64 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x / y);
  put(4, x % y);
  put(5, ct::mulhi(ct::abs(x), ct::abs(y)));
  put(6, ct::max(x, y));
  put(7, x << 5);
  put(8, x >> 40);
  put(9, ct::floordiv(x, y));
  put(10, x ^ (y & 0x00ff00ff00ff00ffLL));
}

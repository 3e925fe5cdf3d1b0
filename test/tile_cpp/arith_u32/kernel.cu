// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on unsigned integers beyond the largest signed one.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const unsigned *X, const unsigned *Y, unsigned *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x / y);
  put(4, x % y);
  put(5, ct::mulhi(x, y));
  put(6, ct::max(x, y));
  put(7, ct::min(x, y));
  put(8, x >> 3u);
  put(9, ct::ceildiv(x, y));
  put(10, ct::select(x < y, x, y));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of integers as signed and as unsigned ones; choices and logic on their answers.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, const int *Y, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, ct::element_cast<int>(value)); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  auto u = ct::element_cast<unsigned>(x), v = ct::element_cast<unsigned>(y);
  put(0, x < y);
  put(1, u < v);
  put(2, x >= y);
  put(3, u >= v);
  put(4, x == y || (x & 1) == 0);
  put(5, ct::select(u > v, x, y));
  put(6, ct::select(x, y, x));
  put(7, ct::element_cast<int64_t>(u) - ct::element_cast<int64_t>(x) > 0);
  auto odd = (x & 1) != 0, greater = x > y;
  put(8, odd ^ greater);
  put(9, ct::element_cast<int>(odd) + ct::element_cast<int>(greater));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on single precision: operators, their named forms, and what has no operator.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, ct::sub(x, y));
  put(2, x * y);
  put(3, x / y);
  put(4, -x);
  put(5, ct::abs(y));
  put(6, ct::max(x, y));
  put(7, ct::min(x, y));
  put(8, ct::fma(x, y, x));
  put(9, x * 2.5f + 1.0f);
}

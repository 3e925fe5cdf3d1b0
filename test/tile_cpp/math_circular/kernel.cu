// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular and hyperbolic functions in single precision.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, ct::sin(x));
  put(1, ct::cos(x));
  put(2, ct::tan(x * 0.25f));
  put(3, ct::sinh(x));
  put(4, ct::cosh(x));
  put(5, ct::atan2(x, y));
  put(6, ct::sin(x * 100.0f));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in double precision.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const double *X, double *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 32 + i, value); };
  auto x = ct::load(X + i), a = ct::abs(x) + 0.5;
  put(0, ct::exp(x));
  put(1, ct::log(a));
  put(2, ct::sin(x));
  put(3, ct::cos(x));
  put(4, ct::tanh(x));
  put(5, ct::pow(a, x));
  put(6, ct::rsqrt(a));
  put(7, ct::floor(x));
  put(8, ct::exp2(x));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers, roots, rounding to integers and rests in single precision.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, const int *N, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i), a = ct::abs(x) + 0.5f;
  auto n = ct::load(N + i);
  put(0, ct::pow(a, y));
  put(1, ct::powi(x, n));
  put(2, ct::sqrt(a));
  put(3, ct::rsqrt(a));
  put(4, ct::floor(x * 3.0f));
  put(5, ct::ceil(x * 3.0f));
  put(6, ct::remainder(x * 8.0f, a));
  put(7, ct::sqrt(a, ct::round_approximate_t{}));
  put(8, ct::div(x, a, ct::round_approximate_t{}));
  put(9, ct::div(x, a, ct::round_full_t{}));
}

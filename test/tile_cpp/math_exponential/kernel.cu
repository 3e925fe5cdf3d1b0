// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponential functions and logarithms in single precision, with their faster forms.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), a = ct::abs(x) + 0.25f;
  put(0, ct::exp(x));
  put(1, ct::exp2(x));
  put(2, ct::log(a));
  put(3, ct::log2(a));
  put(4, ct::exp(x, ct::round_approximate_t{}));
  put(5, ct::exp2(x, ct::round_subnormals_to_zero_t{}));
  put(6, ct::tanh(x));
  put(7, ct::tanh(x, ct::round_approximate_t{}) * 0.001f);
  put(8, 1.0f / (1.0f + ct::exp(-x)));
}

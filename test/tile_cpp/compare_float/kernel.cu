// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of floats with zeros of both signs, infinities and values that are no numbers.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, int8_t *Z, float *W) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 64 + i, ct::element_cast<int8_t>(value)); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x < y);
  put(1, x <= y);
  put(2, x > y);
  put(3, x >= y);
  put(4, x == y);
  put(5, x != y);
  put(6, ct::isnan(x));
  put(7, ct::isinf(x));
  put(8, !(x < y) && (x != 0.0f || y == 1.0f));
  ct::store(W + i, ct::select(x < y, x, y));
  ct::store(W + 64 + i, ct::max(x, y));
  using propagate = ct::nan_propagation_mode_constant<ct::nan_propagation_mode::propagate_nan>;
  ct::store(W + 128 + i, ct::min(x, y, propagate{}));
}

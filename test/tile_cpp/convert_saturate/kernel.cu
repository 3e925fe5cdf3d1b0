// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floats that clamp to the integer's range.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 64 + i, ct::element_cast<int>(value)); };
  using finite = ct::saturation_mode_constant<ct::saturation_mode::saturate_finite>;
  auto x = ct::load(X + i);
  put(0, ct::element_cast<int8_t>(x, finite{}));
  put(1, ct::element_cast<uint8_t>(x, finite{}));
  put(2, ct::element_cast<int16_t>(x, finite{}));
  put(3, ct::element_cast<int>(x * 1e7f, finite{}));
}

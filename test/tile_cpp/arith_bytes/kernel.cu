// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on 8- and 16-bit integers wraps around in their width.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int8_t *X, const int8_t *Y, int8_t *Z, const int16_t *V, int16_t *W) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, ct::element_cast<int8_t>(value)); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x & y);
  put(4, x | y);
  put(5, x ^ y);
  put(6, ct::max(x, y));
  put(7, ~x);
  put(8, ct::element_cast<int8_t>(ct::element_cast<uint8_t>(x) / uint8_t(3)));
  auto v = ct::load(V + i);
  ct::store(W + i, v * v);
  ct::store(W + 128 + i, ct::min(v, int16_t(100)));
}

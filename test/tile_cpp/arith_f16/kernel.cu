// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on half precision rounds once at each operation.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const __half *X, const __half *Y, __half *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i), y = ct::load(Y + i);
  put(0, x + y);
  put(1, x - y);
  put(2, x * y);
  put(3, x / y);
  put(4, -x);
  put(5, ct::abs(x));
  put(6, ct::max(x, y));
  put(7, ct::min(x, y));
  put(8, ct::fma(x, y, x));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers in tiles: differences, comparisons, a choice between two arrays for each element.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, float *Z, int64_t *N) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = X + i, y = Y + (63 - i);
  auto odd = (i & 1) != 0;
  ct::store(Z + i, ct::load(ct::select(odd, x, y)));
  ct::store(N + i, (X + i * 3) - (X + i));
  ct::store(N + 64 + i, ct::element_cast<int64_t>(x >= X + 32) + ct::element_cast<int64_t>(x == X + 40));
  ct::store(N + 128 + i, ct::element_cast<int64_t>(ct::select(odd, x, ct::full<decltype(x)>(nullptr)) != nullptr));
  const float *end = X + 64;
  float sum = 0;
  for (const float *at = X; at != end; at += 4)
    sum += *at;
  Z[64] = sum;
}

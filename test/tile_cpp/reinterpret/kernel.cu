// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of an element as another type of its width, and neighbours packed into a wider element.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, int *Z, const int8_t *B, int *P, int16_t *H) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + i);
  auto bits = ct::element_bitcast<int>(x);
  ct::store(Z + i, (bits >> 23) & 255);
  auto magic = ct::element_bitcast<float>((bits & 0x7fffff) | 0x3f800000);
  ct::store(Z + 64 + i, ct::element_bitcast<int>(magic * 2.0f));
  auto bytes = ct::load(B + ct::iota<ct::tile<int, ct::shape<256>>>());
  ct::store(P + i, ct::repack<int, 0>(bytes));
  ct::store(H + ct::iota<ct::tile<int, ct::shape<128>>>(), ct::repack<int16_t, 0>(ct::repack<int, 0>(bytes)));
}

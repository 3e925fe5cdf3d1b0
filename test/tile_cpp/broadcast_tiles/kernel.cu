// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of unlike shapes grow to a common one; scalars and single elements do, too.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, const float *S, float *Z) {
  auto row = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto x = ct::reshape<ct::shape<16, 1>>(ct::load(X + row));
  auto y = ct::reshape<ct::shape<1, 32>>(ct::load(Y + column));
  auto place = ct::reshape<ct::shape<16, 1>>(row * 32) + column;
  ct::store(Z + place, x * y);
  ct::store(Z + 512 + place, ct::broadcast<ct::shape<16, 32>>(x) + ct::broadcast<ct::shape<16, 32>>(y));
  float s = *S;
  ct::store(Z + 1024 + place, ct::full<ct::tile<float, ct::shape<16, 32>>>(s) - x);
  auto corner = ct::extract(ct::load(Y + column), ct::shape<1>{}, 3);
  ct::store(Z + 1536 + place, ct::broadcast<ct::shape<16, 32>>(corner) * y);
}

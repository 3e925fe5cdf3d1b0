// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles joined along a dimension; parts taken out and put in.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, float *Z, int at) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>(), j = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto place = ct::reshape<ct::shape<16, 1>>(i) * 16 + ct::reshape<ct::shape<1, 16>>(j);
  auto x = ct::load(X + place);
  auto left = ct::extract(x, ct::shape<16, 8>{}, 0, 0), right = ct::extract(x, ct::shape<16, 8>{}, 0, 1);
  ct::store(Z + place, ct::cat<1>(right, left));
  auto top = ct::extract(x, ct::shape<8, 16>{}, 0, 0), bottom = ct::extract(x, ct::shape<8, 16>{}, 1, 0);
  ct::store(Z + 256 + place, ct::cat<0>(bottom, top * 2.0f));
  auto block = ct::extract(x, ct::shape<4, 4>{}, at, 3 - at);
  ct::store(Z + 512 + place, ct::insert(x, -block, 1, 2));
  ct::store(Z + 768 + place, ct::insert(ct::zeros<ct::tile<float, ct::shape<16, 16>>>(), block, at, at));
}

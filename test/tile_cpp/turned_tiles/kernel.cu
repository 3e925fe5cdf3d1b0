// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshaped, transposed and permuted tiles of rank two to four.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<512>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 512 + i, ct::reshape<ct::shape<512>>(value)); };
  auto x = ct::load(X + i);
  auto matrix = ct::reshape<ct::shape<16, 32>>(x);
  auto box = ct::reshape<ct::shape<8, 4, 16>>(x);
  put(0, ct::transpose(matrix));
  put(1, ct::permute(box, ct::dimension_map<2, 0, 1>{}));
  put(2, ct::permute(box, ct::dimension_map<1, 0, 2>{}));
  put(3, ct::permute(ct::reshape<ct::shape<2, 4, 8, 8>>(x), ct::dimension_map<3, 1, 0, 2>{}));
  put(4, ct::transpose(box));
  put(5, ct::transpose(ct::transpose(matrix) + 1) * 2);
}

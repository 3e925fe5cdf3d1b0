// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of constants: zeros, ones, one value, counted up, and listed in the source.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(float *Z, int64_t *N) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto put = [=](int row, auto value) {
    ct::store(Z + row * 16 + i, ct::element_cast<float>(ct::reshape<ct::shape<16>>(value)));
  };
  put(0, ct::zeros<ct::tile<float, ct::shape<16>>>());
  put(1, ct::ones<ct::tile<__half, ct::shape<4, 4>>>());
  put(2, ct::full<ct::tile<double, ct::shape<16>>>(2.5));
  constexpr ct::tile listed{{{1.f, 2.f, 3.f, 4.f}, {5.f, 6.f, 7.f, 8.f}, {9.f, 10.f, 11.f, 12.f}, {13.f, 14.f, 15.f, 16.f}}};
  put(3, listed);
  put(4, ct::transpose(listed));
  put(5, ct::iota<ct::tile<uint8_t, ct::shape<16>>>());
  ct::store(N + i, ct::iota<ct::tile<int64_t, ct::shape<16>>>() * 5000000000);
}

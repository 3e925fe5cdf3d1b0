// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small product of 8-bit floats with a power of two as scale for each 32 of them.
#include <cstdint>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int8_t *X, const int8_t *Y, const uint8_t *SX, const uint8_t *SY, float *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<1024>>>();
  auto e4 = [](auto bytes) { return ct::element_cast<__nv_fp8_e4m3>(ct::element_cast<float>(bytes)); };
  auto x = ct::reshape<ct::shape<16, 64>>(e4(ct::load(X + i)));
  auto y = ct::reshape<ct::shape<64, 16>>(e4(ct::load(Y + i)));
  auto k = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto sx = ct::reshape<ct::shape<16, 2>>(ct::element_bitcast<__nv_fp8_e8m0>(ct::load(SX + k)));
  auto sy = ct::reshape<ct::shape<2, 16>>(ct::element_bitcast<__nv_fp8_e8m0>(ct::load(SY + k)));
  auto z = ct::scaled_mma(x, sx, y, sy, ct::zeros<ct::tile<float, ct::shape<16, 16>>>());
  ct::store(Z + ct::iota<ct::tile<int, ct::shape<256>>>(), ct::reshape<ct::shape<256>>(z));
}

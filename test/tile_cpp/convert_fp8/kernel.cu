// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions from and to both kinds of 8-bit floats.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, int8_t *E4, int8_t *E5, float *F, __half *H) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto x = ct::load(X + i);
  auto e4 = ct::element_cast<__nv_fp8_e4m3>(x);
  auto e5 = ct::element_cast<__nv_fp8_e5m2>(x);
  ct::store(E4 + i, ct::element_bitcast<int8_t>(e4));
  ct::store(E5 + i, ct::element_bitcast<int8_t>(e5));
  ct::store(F + i, ct::element_cast<float>(e4));
  ct::store(F + 128 + i, ct::element_cast<float>(e5));
  ct::store(H + i, ct::element_cast<__half>(e4));
  ct::store(H + 128 + i, ct::element_cast<__half>(e5));
}
